//! Machines as Linux describes them, in folders made for the test.

use super::read;
use crate::{
    cpu::{Distance, Kind},
    files::{Root, fake::Fake},
    topology::Topology,
};

/// One CPU's files: its core's threads, its package, its second and third-level caches' threads.
fn cpu(fake: &Fake, number: usize, core: &str, package: i64, l2: &str, l3: &str) {
    let write = |path: &str, text: &str| {
        fake.write(&format!("sys/devices/system/cpu/cpu{number}/{path}"), &format!("{text}\n"));
    };
    write("topology/core_cpus_list", core);
    write("topology/physical_package_id", &package.to_string());
    for (index, level, kind, with, size) in [
        (0, "1", "Data", core, "48K"),
        (1, "1", "Instruction", core, "32K"),
        (2, "2", "Unified", l2, "2048K"),
        (3, "3", "Unified", l3, "36M"),
    ] {
        let write = |name: &str, text: &str| write(&format!("cache/index{index}/{name}"), text);
        write("level", level);
        write("type", kind);
        write("shared_cpu_list", with);
        write("size", size);
    }
}

fn counts(machine: &Topology) -> [usize; 3] {
    [machine.threads(), machine.cores(), machine.performance_cores()].map(std::num::NonZero::get)
}

fn distance(machine: &Topology, a: usize, b: usize) -> Distance {
    let at = |number| machine.cpus().iter().find(|cpu| cpu.number == number).unwrap();
    Distance::between(at(a), at(b))
}

#[test]
fn two_packages() {
    let fake = Fake::new("sys-two", [("sys/devices/system/cpu/online", "0-7\n")]);
    for number in 0..8 {
        // As firmware numbers them: the second threads of all cores come last.
        let (first, package) = (number % 4, number % 4 / 2);
        let core = format!("{first},{}", first + 4);
        let l3 = ["0-1,4-5", "2-3,6-7"][package];
        cpu(&fake, number, &core, package as i64, &core, l3);
    }
    fake.write("sys/devices/system/node/online", "0-1");
    fake.write("sys/devices/system/node/node0/cpulist", "0-1,4-5");
    fake.write("sys/devices/system/node/node1/cpulist", "2-3,6-7");
    fake.write("sys/devices/system/node/node0/distance", "10 21");
    fake.write("sys/devices/system/node/node1/distance", "21 10");
    fake.write(
        "sys/devices/system/node/node0/meminfo",
        "Node 0 MemTotal:  4096 kB\nNode 0 MemFree: 1 kB",
    );
    let machine = read(&fake.root()).unwrap();
    assert_eq!(counts(&machine), [8, 4, 4]);
    assert_eq!(distance(&machine, 1, 5), Distance::Core);
    assert_eq!(distance(&machine, 1, 4), Distance::L3);
    assert_eq!(distance(&machine, 1, 2), Distance::Machine);
    assert_eq!((machine.node_distance(0, 1), machine.node_distance(1, 1)), (21, 10));
    assert_eq!((machine.nodes()[0].bytes, machine.nodes()[1].bytes), (Some(4 << 20), None));
    let caches: Vec<_> =
        machine.caches().iter().map(|c| (c.level, c.bytes.unwrap() >> 20)).collect();
    assert_eq!(caches, [(2, 2), (3, 36), (2, 2), (2, 2), (3, 36), (2, 2)]);
    let tree = machine.allow(&[0, 1, 2, 4, 5]).to_string();
    assert_eq!(
        tree,
        "8 hardware threads online, 5 usable on 3 cores\n\
         package 0\n  node 0 4 MiB\n    L3 36 MiB\n      core, CPU 0 4, L2 2 MiB\n      core, CPU 1 5, L2 2 MiB\n\
         package 1\n  node 1\n    L3 36 MiB\n      core, CPU 2 (6), L2 2 MiB\n      core, CPU (3) (7), L2 2 MiB\n"
    );
}

#[test]
fn fast_and_slow_cores() {
    let fake = Fake::new("sys-hybrid", [("sys/devices/system/cpu/online", "0-23")]);
    for number in 0..16 {
        let core = format!("{}-{}", number / 2 * 2, number / 2 * 2 + 1);
        cpu(&fake, number, &core, 0, &core, "0-23");
    }
    for number in 16..24 {
        let four = ["16-19", "20-23"][(number - 16) / 4];
        cpu(&fake, number, &number.to_string(), 0, four, "0-23");
    }
    fake.write("sys/devices/cpu_core/cpus", "0-15");
    fake.write("sys/devices/cpu_atom/cpus", "16-23");
    let machine = read(&fake.root()).unwrap();
    assert_eq!(counts(&machine), [24, 16, 8]);
    assert_eq!(distance(&machine, 16, 19), Distance::L2);
    assert_eq!(distance(&machine, 16, 20), Distance::L3);
    let tree = machine.to_string();
    assert!(tree.contains("core, CPU 14 15, L2 2 MiB, performance\n"), "{tree}");
    assert!(tree.contains("core, CPU 19, L2 of CPU 16, efficiency\n"), "{tree}");
}

#[test]
fn capacities_tell_cores_apart() {
    let with = |name: &str, capacities: &[&str]| {
        let fake = Fake::new(name, [("sys/devices/system/cpu/online", "0-3")]);
        for (number, capacity) in capacities.iter().enumerate() {
            fake.write(&format!("sys/devices/system/cpu/cpu{number}/cpu_capacity"), capacity);
        }
        read(&fake.root()).unwrap().cpus().iter().map(|cpu| cpu.kind).collect::<Vec<_>>()
    };
    let (fast, slow) = (Kind::Performance, Kind::Efficiency);
    assert_eq!(with("sys-arm", &["1024", "870", "250", "250"]), [fast, fast, slow, slow]);
    assert_eq!(with("sys-alike", &["1024", "1024", "1024", "1024"]), [Kind::Unknown; 4]);
    assert_eq!(with("sys-unsaid", &[]), [Kind::Unknown; 4]);
    assert_eq!(with("sys-some", &["1024", "250"]), [fast, slow, Kind::Unknown, Kind::Unknown]);
}

#[test]
fn offline_cpus_and_odd_nodes() {
    let fake = Fake::new("sys-holes", [("sys/devices/system/cpu/online", "0-1,4,6")]);
    for (number, core) in [(0, "0-1"), (1, "0-1"), (4, "4"), (6, "6")] {
        cpu(&fake, number, core, 0, core, "0-1,4,6");
    }
    fake.write("sys/devices/system/node/online", "0-2");
    fake.write("sys/devices/system/node/node0/cpulist", "0-3");
    fake.write("sys/devices/system/node/node1/cpulist", "4-7");
    fake.write("sys/devices/system/node/node1/meminfo", "Node 1 MemTotal: 0 kB");
    fake.write("sys/devices/system/node/node2/cpulist", "");
    fake.write("sys/devices/system/node/node2/meminfo", "Node 2 MemTotal: 1048576 kB");
    let machine = read(&fake.root()).unwrap();
    assert_eq!(counts(&machine), [4, 3, 3]);
    assert_eq!(machine.only_node(1).map(|node| counts(&node)), Some([2, 2, 2]));
    assert_eq!(machine.only_node(2), None);
    let tree = machine.to_string();
    assert!(tree.contains("  node 1, no memory\n"), "{tree}");
    assert!(tree.ends_with("node 2 1 GiB, no CPUs\n"), "{tree}");
}

#[test]
fn what_is_broken_is_unknown() {
    assert_eq!(read(&Root::new("/nowhere/at/all")), None);
    for (name, online) in [("sys-empty", ""), ("sys-text", "all"), ("sys-huge", "0-4294967295")] {
        let fake = Fake::new(name, [("sys/devices/system/cpu/online", online)]);
        assert_eq!(read(&fake.root()), None, "{online}");
    }
    // Only the list of CPUs can be read.
    let fake = Fake::new("sys-bare", [("sys/devices/system/cpu/online", "0-3")]);
    assert_eq!(counts(&read(&fake.root()).unwrap()), [4, 4, 4]);
    // Files that lie, or cannot be understood, or are folders.
    cpu(&fake, 0, "7-9", -1, "none", "0-3");
    cpu(&fake, 1, "0-1", 0, "1", "0-3");
    fake.write("sys/devices/system/cpu/cpu2/topology/core_cpus_list/x", "");
    fake.write("sys/devices/system/cpu/cpu2/topology/thread_siblings_list", "2-3");
    fake.write("sys/devices/system/cpu/cpu2/cache/index0/level", "x");
    fake.write("sys/devices/system/node/online", "0,5");
    fake.write("sys/devices/system/node/node5/distance", "10 far");
    fake.write("sys/devices/system/node/node5/meminfo", "MemTotal: much");
    let machine = read(&fake.root()).unwrap();
    assert_eq!(machine.threads().get(), 4);
    assert_eq!(distance(&machine, 2, 3), Distance::Core);
    assert_eq!(machine.nodes().len(), 2);
}
