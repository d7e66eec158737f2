//! The rules, on machines that we do not have: how wide a pool is, who sits where, who is near whom.

use spanwise_topology::{Cpu, Distance, Kind, Layout, Node, Topology};

/// A machine and what its counts are to be: threads, cores, performance cores.
struct Case {
    name: &'static str,
    machine: Topology,
    counts: [usize; 3],
}

fn synthetic(description: &str) -> Topology {
    Topology::synthetic(description).unwrap()
}

/// Eight fast cores with two hardware threads each, and two clusters of four small ones.
fn hybrid() -> Topology {
    let fast = (0..16).map(|i| Cpu {
        core: i / 2,
        l2: Some(i / 2),
        l3: Some(100),
        kind: Kind::Performance,
        ..Cpu::alone(i)
    });
    let slow = (16..24).map(|i| Cpu {
        l2: Some(50 + i / 4),
        l3: Some(100),
        kind: Kind::Efficiency,
        ..Cpu::alone(i)
    });
    Topology::new(fast.chain(slow)).unwrap()
}

/// Two nodes of four cores, the second without memory, and a third without hardware threads.
fn uneven() -> Topology {
    let node =
        |number, bytes, distances: &[u32]| Node { number, bytes, distances: distances.into() };
    synthetic("numa:2 l3:1 core:4").with_nodes(vec![
        node(0, Some(1 << 30), &[10, 21, 14]),
        node(1, Some(0), &[21, 10, 28]),
        node(2, Some(8 << 30), &[14, 28, 10]),
    ])
}

/// Sixteen hardware threads of which every third is offline.
fn holes() -> Topology {
    let machine = synthetic("pack:2 l3:1 core:4 pu:2");
    let online = machine.cpus().iter().filter(|cpu| cpu.number % 3 != 0).copied();
    Topology::new(online).unwrap()
}

fn cases() -> Vec<Case> {
    let case = |name, machine, counts| Case { name, machine, counts };
    vec![
        case("one core", synthetic("core:1"), [1, 1, 1]),
        case("two cores of two threads", synthetic("core:2 pu:2"), [4, 2, 2]),
        case("fast and slow cores", hybrid(), [24, 16, 8]),
        case("two nodes", synthetic("pack:2 [numa] l3:1 core:4"), [8, 8, 8]),
        case("four nodes", synthetic("pack:4 [numa] l3:2 core:8 pu:2"), [128, 64, 64]),
        case("a node without memory", uneven(), [8, 8, 8]),
        case("offline CPUs", holes(), [10, 8, 8]),
        case("256 threads", synthetic("pack:2 [numa] l3:8 core:8 pu:2"), [256, 128, 128]),
        case(
            "eight nodes in two packages",
            synthetic("pack:2 numa:4 l3:3 core:8"),
            [192, 192, 192],
        ),
        case("an affinity mask", synthetic("numa:2 core:4 pu:2").allow(&[3, 8, 9, 12]), [4, 3, 3]),
        case("a mask beside the machine", synthetic("core:8").allow(&[8, 9, 10]), [3, 3, 3]),
        case("a quota of one and a half", synthetic("core:8 pu:2").with_quota(1.5), [2, 2, 2]),
        case("a quota below one", synthetic("core:8 pu:2").with_quota(0.05), [1, 1, 1]),
        case("a quota beyond all", hybrid().with_quota(1e300), [24, 16, 8]),
        case("slow cores only", hybrid().allow(&[16, 17, 18]), [3, 3, 3]),
    ]
}

#[test]
fn widths() {
    for Case { name, machine, counts } in cases() {
        let widths = [machine.threads(), machine.cores(), machine.performance_cores()];
        assert_eq!(widths.map(std::num::NonZero::get), counts, "{name}");
    }
}

#[test]
fn every_order_names_all_others_once_and_nearest_first() {
    for Case { name, machine, counts } in cases() {
        for width in [1, 2, counts[1], counts[0], counts[0] + 3] {
            for layout in [
                Layout::compact(&machine, width),
                Layout::spread(&machine, width),
                Layout::floating(width),
            ] {
                assert_eq!(layout.width(), width);
                (0..width).for_each(|worker| check_order(name, &layout, worker));
            }
        }
    }
}

fn check_order(name: &str, layout: &Layout, worker: usize) {
    let victims: Vec<usize> = layout.victims(worker).collect();
    let wakes: Vec<usize> = layout.wakes(worker).collect();
    for order in [&victims, &wakes] {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        let others = (0..layout.width()).filter(|&other| other != worker);
        assert!(
            sorted.into_iter().eq(others),
            "{name}: {worker} of {} sees {order:?}",
            layout.width()
        );
    }
    if !layout.is_bound() {
        return assert_eq!(victims, wakes);
    }
    let far = |&other: &usize| layout.distance(worker, other).unwrap();
    assert!(victims.is_sorted_by_key(far), "{name}: {worker} robs {victims:?}");
    let siblings = wakes.iter().filter(|other| far(other) == Distance::Core).count();
    let (others, last) = wakes.split_at(wakes.len() - siblings);
    assert!(others.is_sorted_by_key(far), "{name}: {worker} wakes {wakes:?}");
    assert!(last.iter().all(|other| far(other) == Distance::Core));
}

#[test]
fn workers_sit_where_they_may_and_share_no_core_without_need() {
    for Case { name, machine, counts } in cases() {
        let usable =
            |number: &usize| machine.cpus().iter().any(|cpu| cpu.number == *number && cpu.usable);
        let cores = machine.usable_cores().len();
        for width in [1, 2, counts[1], counts[0] + 3] {
            for layout in [Layout::compact(&machine, width), Layout::spread(&machine, width)] {
                let mut crowd = vec![0; cores];
                for worker in 0..width {
                    let cpus = layout.cpus(worker);
                    assert!(!cpus.is_empty() && cpus.iter().all(usable), "{name}");
                    assert!(layout.near_cpu(cpus[0]) <= worker);
                    assert_eq!(layout.cpus(layout.near_cpu(cpus[0])), cpus);
                    crowd[machine.usable_cores().iter().position(|c| c.cpus == cpus).unwrap()] += 1;
                }
                let (least, most) = (crowd.iter().min().unwrap(), crowd.iter().max().unwrap());
                assert!(most - least <= 1, "{name}: {width} workers on cores as {crowd:?}");
            }
        }
    }
}

/// The nodes in which the workers sit.
fn nodes(machine: &Topology, layout: &Layout) -> Vec<usize> {
    let at =
        |worker| machine.cpus().iter().find(|cpu| cpu.number == layout.cpus(worker)[0]).unwrap();
    (0..layout.width()).map(|worker| at(worker).node).collect()
}

#[test]
fn compact_fills_a_node_and_spread_shares_out() {
    let machine = synthetic("pack:2 [numa] l3:2 core:2 pu:2");
    assert_eq!(nodes(&machine, &Layout::compact(&machine, 4)), [0, 0, 0, 0]);
    assert_eq!(nodes(&machine, &Layout::compact(&machine, 5)), [0, 0, 0, 0, 1]);
    let spread = Layout::spread(&machine, 4);
    assert_eq!(nodes(&machine, &spread), [0, 0, 1, 1]);
    // One in each third-level cache.
    assert!((0..4).map(|worker| spread.cpus(worker)).eq([[0, 1], [4, 5], [8, 9], [12, 13]]));
}

#[test]
fn fast_cores_are_taken_first() {
    let machine = hybrid();
    for layout in [Layout::compact(&machine, 8), Layout::spread(&machine, 8)] {
        assert!((0..8).all(|worker| layout.cpus(worker)[0] < 16));
    }
    let layout = Layout::spread(&machine, 10);
    let slow = (0..10).filter(|&worker| layout.cpus(worker)[0] >= 16).collect::<Vec<_>>();
    assert_eq!(slow.len(), 2);
    assert_ne!(layout.distance(slow[0], slow[1]), Some(Distance::L2), "of two clusters, one each");
}

#[test]
fn one_node_alone() {
    let machine = uneven();
    let node = machine.only_node(1).unwrap();
    assert_eq!((node.threads().get(), node.cores().get()), (4, 4));
    assert_eq!(nodes(&machine, &Layout::compact(&node, 6)), [1; 6]);
    assert_eq!(machine.only_node(2), None, "a node of memory only");
    assert_eq!(machine.only_node(7), None);
    assert_eq!(node.allow(&[0]).only_node(1), None);
}

#[test]
fn told_distances_order_the_nodes() {
    let ring = |from: usize| (0..4usize).map(|to| [10, 16, 22, 16][(4 + to - from) % 4]).collect();
    let nodes = (0..4).map(|number| Node { number, bytes: None, distances: ring(number) });
    let machine = synthetic("pack:4 [numa] core:2").with_nodes(nodes.collect());
    let layout = Layout::compact(&machine, 8);
    assert!(layout.victims(0).eq([1, 2, 3, 6, 7, 4, 5]));
    assert!(layout.victims(5).eq([4, 7, 6, 3, 2, 1, 0]));
}

#[test]
fn siblings_are_robbed_first_and_woken_last() {
    let machine = synthetic("l3:1 core:2 pu:2");
    let layout = Layout::compact(&machine, 4);
    assert!(layout.victims(0).eq([1, 2, 3]));
    assert!(layout.wakes(0).eq([2, 3, 1]));
    assert!(layout.wakes(3).eq([0, 1, 2]));
}

#[test]
fn where_a_thread_is() {
    let machine = synthetic("pack:2 [numa] l3:1 core:4");
    let layout = Layout::spread(&machine, 2);
    assert_eq!([0, 3, 4, 7].map(|cpu| layout.near_cpu(cpu)), [0, 0, 1, 1]);
    assert_eq!(layout.near_cpu(1000), 0);
    assert_eq!(Layout::floating(8).near_cpu(7), 0);
    assert_eq!(Layout::floating(8).cpus(7), []);
}

#[test]
fn a_worker_that_does_not_exist_has_no_order() {
    let layout = Layout::floating(2);
    assert_eq!((layout.victims(2).count(), layout.wakes(9).count()), (0, 0));
    assert_eq!(layout.distance(0, 1), None);
}

#[test]
fn rows_that_contradict_each_other() {
    assert_eq!(Topology::new([]), None);
    assert_eq!(Topology::new([Cpu::alone(1), Cpu::alone(1)]), None);
    assert_eq!(Topology::new([Cpu { usable: false, ..Cpu::alone(1) }]), None);
    // A cache that reaches over two nodes, and a node over two packages.
    let odd =
        (0..8).map(|i| Cpu { l3: Some(i % 3), node: i / 2 % 2, package: i / 4, ..Cpu::alone(i) });
    let machine = Topology::new(odd).unwrap();
    let mut seen = 0;
    for worker in 0..8 {
        let mut victims: Vec<_> = Layout::compact(&machine, 8).victims(worker).collect();
        victims.sort_unstable();
        seen += victims.len();
        victims.dedup();
        assert_eq!(victims.len(), 7);
    }
    assert_eq!(seen, 56);
}

#[test]
fn descriptions() {
    for (description, counts) in [
        ("", None),
        ("pu:3", Some([3, 3])),
        ("PACKAGE:2 NUMANode:2 L3Cache:2 L2Cache:2 L1dCache:1 Core:1 PU:2", Some([32, 16])),
        ("numa:2 pack:2 core:2", Some([8, 8])),
        ("group:2 group:2 core:1", Some([4, 4])),
        ("pack:2 [numa(memory=4GB)] l2:2(size=1024kB) core:1", Some([4, 4])),
        ("core:0", None),
        ("core:70000", None),
        ("core:4294967296 pu:4294967296", None),
        ("core:x", None),
        ("core", None),
        ("core:2 core:2", None),
        ("pu:2 core:2", None),
        ("[core]", None),
        ("l3:1(size=3XB)", None),
        ("l3:1(color=3)", None),
        ("core:2 [numa]", None),
    ] {
        let found = Topology::synthetic(description).ok();
        let found = found.map(|machine| [machine.threads().get(), machine.cores().get()]);
        assert_eq!(found, counts, "{description}");
    }
    let error = Topology::synthetic("core:2 disc:1").unwrap_err().to_string();
    assert!(error.contains("disc:1"), "{error}");
    let machine = synthetic("numa:2(memory=1TB) l3:2(size=32MB) l2:2(size=1MiB) core:1");
    assert_eq!(machine.nodes()[1].bytes, Some(1 << 40));
    assert_eq!(machine.caches()[machine.cpus()[7].l3.unwrap()].bytes, Some(32 << 20));
    assert_eq!(machine.caches()[machine.cpus()[7].l2.unwrap()].bytes, Some(1 << 20));
    assert_eq!(machine.caches().len(), 12);
}
