//! What pools make of the machine: their widths, their pins, and what they do where little may be
//! used. Some tests run themselves again as another process, with less allowed.

use std::{
    collections::BTreeSet,
    env,
    num::NonZeroUsize,
    process::{Command, Output},
    sync::{Arc, Mutex},
    thread,
};

use spanwise::{
    Pin, Width,
    backend::{Backend, Builder, FromSettings, Serial},
    prelude::*,
};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;
use spanwise_topology::{Layout, Topology, usable_threads};

const PINS: [Pin; 4] = [Pin::None, Pin::Cores, Pin::Spread, Pin::Node(0)];
const WIDTHS: [Width; 3] = [Width::Threads, Width::Cores, Width::PerformanceCores];

#[test]
fn widths_follow_their_names() {
    let here = Topology::here();
    let width = |width| match width {
        Width::Threads => here.threads(),
        Width::Cores => here.cores(),
        Width::PerformanceCores => here.performance_cores(),
    };
    for policy in WIDTHS {
        assert_eq!(DequePool::builder().width(policy).build().unwrap().width(), width(policy));
        assert_eq!(RayonPool::builder().width(policy).build().unwrap().width(), width(policy));
        let told = DequePool::builder().width(policy).threads(3).build().unwrap();
        assert_eq!(told.width().get(), 3);
    }
    assert_eq!(DequePool::builder().build().unwrap().width(), usable_threads());
    if cfg!(target_os = "linux") {
        let pinned = DequePool::builder().pin(Pin::Cores).build().unwrap();
        assert_eq!(pinned.width(), here.cores());
    }
}

/// The same bits, whatever is pinned where, and the same as without threads.
#[test]
fn pins_and_widths_change_no_result() {
    fn answers(pool: &impl Backend) -> (u64, f64, Vec<u32>) {
        let sum = (0..50_000u64).par(pool).map(|i| i * i).sum();
        let float = (0..50_000u32).par(pool).map(|i| f64::from(i).sqrt()).sum::<f64>();
        (sum, float, (0..5_000u32).par(pool).filter(|i| i % 7 == 0).collect())
    }
    fn check<P: Backend + FromSettings>() {
        for pin in PINS {
            for threads in [1, 2, 5] {
                let pool = Builder::<P>::new().threads(threads).pin(pin).build().unwrap();
                assert_eq!(answers(&pool), answers(&Serial), "{threads} threads, {pin:?}");
            }
            for width in WIDTHS {
                let pool = Builder::<P>::new().width(width).pin(pin).build().unwrap();
                assert_eq!(answers(&pool), answers(&Serial), "{width:?}, {pin:?}");
            }
        }
    }
    if cfg!(target_os = "linux") {
        check::<DequePool>();
        check::<RayonPool>();
    }
}

#[test]
fn a_node_that_is_not_there() {
    fn refused<P: FromSettings>() -> String {
        let built = Builder::<P>::new().threads(2).pin(Pin::Node(4321)).build();
        built.map(|_| ()).unwrap_err().to_string()
    }
    for text in [refused::<DequePool>(), refused::<RayonPool>()] {
        assert!(text.contains("memory node 4321"), "{text}");
    }
}

#[cfg(not(target_os = "linux"))]
#[test]
fn elsewhere_pins_are_refused() {
    assert!(DequePool::builder().threads(2).pin(Pin::Cores).build().is_err());
    assert!(RayonPool::builder().threads(2).pin(Pin::Spread).build().is_err());
}

/// The CPUs that the calling thread may run on, as the kernel says.
#[cfg(target_os = "linux")]
fn may_run_on() -> String {
    let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    line.unwrap().trim().to_owned()
}

#[cfg(target_os = "linux")]
#[test]
fn threads_are_where_the_layout_says() {
    fn check<P: FromSettings>(pin: Pin, threads: usize, layout: &Layout) {
        let found = Arc::new(Mutex::new(BTreeSet::new()));
        let seen = Arc::clone(&found);
        let (told, heard) = std::sync::mpsc::channel();
        let start = move |index| {
            seen.lock().unwrap().insert((index, may_run_on()));
            told.send(()).unwrap();
        };
        let caller = may_run_on();
        let pool = Builder::<P>::new().threads(threads).pin(pin).on_start(start).build().unwrap();
        (1..threads).for_each(|_| heard.recv().unwrap());
        assert_eq!(may_run_on(), caller, "the caller's own thread is left alone");
        drop(pool);
        let expected = (1..threads).map(|worker| (worker, list(layout.cpus(worker))));
        assert!(found.lock().unwrap().iter().cloned().eq(expected), "{found:?}");
    }
    let here = Topology::here();
    for threads in [2, 3, 6] {
        let compact = Layout::compact(&here, threads);
        check::<DequePool>(Pin::Cores, threads, &compact);
        check::<RayonPool>(Pin::Cores, threads, &compact);
        let spread = Layout::spread(&here, threads);
        check::<DequePool>(Pin::Spread, threads, &spread);
        check::<RayonPool>(Pin::Spread, threads, &spread);
        let node = here.nodes().iter().find_map(|node| Some((node, here.only_node(node.number)?)));
        let (node, alone) = node.unwrap();
        check::<DequePool>(Pin::Node(node.number), threads, &Layout::compact(&alone, threads));
    }
}

/// As the kernel writes CPUs: `0-2,5`.
#[cfg(target_os = "linux")]
fn list(cpus: &[usize]) -> String {
    let runs = cpus.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => unreachable!("runs are not empty"),
    });
    runs.collect::<Vec<_>>().join(",")
}

/// Runs the test of this name again with a marker that makes it act; `None` if that cannot be.
fn again(program: &[&str], test: &str, variable: (&str, &str)) -> Option<Output> {
    let me = env::current_exe().unwrap();
    let (first, rest) = program.split_first()?;
    let mut command = Command::new(first);
    command.args(rest).arg(me).args(["--exact", test, "--nocapture"]);
    let output = command.env("SPANWISE_AGAIN", "1").env(variable.0, variable.1).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    Some(output)
}

fn is_again() -> bool {
    env::var_os("SPANWISE_AGAIN").is_some()
}

/// One CPU: one thread, nothing to pin, and more threads than CPUs where they are asked for.
#[test]
fn one_cpu() {
    if !is_again() {
        let first = Topology::here().usable_cores()[0].cpus[0].to_string();
        let done = again(&["taskset", "-c", &first], "one_cpu", ("SPANWISE_NONE", ""));
        return done.map_or_else(|| eprintln!("skipped: no taskset"), drop);
    }
    assert_eq!(usable_threads().get(), 1);
    assert_eq!(spanwise::default_pool().width().get(), 1);
    for pin in PINS {
        for width in WIDTHS {
            let one = DequePool::builder().width(width).pin(pin).build().unwrap();
            let other = RayonPool::builder().width(width).pin(pin).build().unwrap();
            assert_eq!((one.width(), other.width()), (NonZeroUsize::MIN, NonZeroUsize::MIN));
        }
        let crowd = DequePool::builder().threads(3).pin(pin).build().unwrap();
        let rows: Vec<u64> = (0..10_000).collect();
        let callers = || rows.iter().par(&crowd).map(|x| x * 3).sum::<u64>();
        let sums =
            thread::scope(|scope| [0; 4].map(|_| scope.spawn(callers)).map(|t| t.join().unwrap()));
        assert_eq!(sums, [149_985_000; 4]);
    }
}

/// A quota of one and a half CPUs is two threads, or one where there is one CPU. The control group
/// is a real one, so this needs the right to make it.
#[cfg(target_os = "linux")]
#[test]
fn a_quota_of_one_and_a_half() {
    struct Group(String);

    impl Drop for Group {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir(&self.0);
        }
    }

    if is_again() {
        let allowed = Topology::here().cpus().iter().filter(|cpu| cpu.usable).count();
        assert_eq!(Topology::here().quota(), Some(1.5));
        for width in [usable_threads(), spanwise::default_pool().width()] {
            assert_eq!(width.get(), allowed.min(2));
        }
        let pinned = DequePool::builder().pin(Pin::Spread).build().unwrap();
        assert!(pinned.width() <= usable_threads());
        assert_eq!((0..100_000u64).par(&pinned).sum::<u64>(), 4_999_950_000);
        return;
    }
    for (parent, file, text) in [
        ("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "150000"),
        ("/sys/fs/cgroup", "cpu.max", "150000 100000"),
    ] {
        let group = Group(format!("{parent}/spanwise-{}", std::process::id()));
        // A folder that is no control group has no such file yet.
        let file = format!("{}/{file}", group.0);
        let made = std::fs::create_dir(&group.0).is_ok() && std::path::Path::new(&file).exists();
        if made && std::fs::write(&file, text).is_ok() {
            let enter = "echo $$ > \"$GROUP/cgroup.procs\" && exec \"$0\" \"$@\"";
            let test = "a_quota_of_one_and_a_half";
            assert!(again(&["sh", "-c", enter], test, ("GROUP", &group.0)).is_some());
            return;
        }
    }
    eprintln!("skipped: no right to make a control group with a quota");
}

/// hwloc describes a machine of CPUs none of which this process may use.
#[cfg(all(feature = "hwloc", target_os = "linux"))]
#[test]
fn a_machine_that_excludes_this_process() {
    let test = "a_machine_that_excludes_this_process";
    if !is_again() {
        let machine = (
            "HWLOC_SYNTHETIC",
            "pack:2 core:2 pu:2(indexes=1000,1001,1002,1003,1004,1005,1006,1007)",
        );
        assert!(again(&["env"], test, machine).is_some());
        return;
    }
    let here = Topology::here();
    assert_eq!(here.cpus().iter().filter(|cpu| cpu.number >= 1000).count(), 8);
    assert!(here.cpus().iter().all(|cpu| cpu.usable == (cpu.number < 1000)));
    assert_eq!(here.threads(), usable_threads());
    for pin in [Pin::None, Pin::Cores, Pin::Spread] {
        let pool = DequePool::builder().pin(pin).build().unwrap();
        assert_eq!(pool.width(), usable_threads());
        assert_eq!((0..1000u64).par(&pool).sum::<u64>(), 499_500);
    }
}

/// hwloc's notation and ours describe the same machine, of which this process uses what it may.
#[cfg(all(feature = "hwloc", target_os = "linux"))]
#[test]
fn a_machine_that_hwloc_makes_up() {
    const MACHINE: &str = "pack:2 [numa] l3:2 core:4 pu:2";
    if !is_again() {
        assert!(
            again(&["env"], "a_machine_that_hwloc_makes_up", ("HWLOC_SYNTHETIC", MACHINE))
                .is_some()
        );
        return;
    }
    let (told, ours) = (Topology::here(), Topology::synthetic(MACHINE).unwrap());
    let rows = |machine: &Topology| {
        let at = machine.cpus().iter().map(|cpu| (cpu.number, cpu.core, cpu.node, cpu.package));
        (at.collect::<Vec<_>>(), machine.nodes().len(), machine.caches().len())
    };
    assert_eq!(rows(&told), rows(&ours));
    assert_eq!(told.threads(), usable_threads());
}
