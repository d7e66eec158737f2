//! The deque pool beside its peers, in one run: joins, halves beside a hungry worker, the deque alone,
//! dispatch, and the CPU that a pool uses. Prints a table; every answer is checked.
//!
//! `cargo run --release -p spanwise-benches --bin pool`, with `--unpinned` as a user gets it and
//! `--quick` for a look.

use std::{
    env,
    hint::{black_box, spin_loop},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use spanwise_benches::{
    fork::{Deque, Pools, Program, Serial},
    machine,
    queue::{self, Owner},
    race::{Variant, median, percentile, race},
    work::{Fib, Linefit, Pair, WordCount},
};
use spanwise_deque::DequePool;

fn main() {
    let flag = |name: &str| env::args().any(|argument| argument == name);
    let rounds = if flag("--quick") { 5 } else { 21 };
    let cpus = machine::cpus();
    let pinned = !flag("--unpinned") && cpus >= 2;
    if pinned {
        machine::pin(&[0]);
    }
    let one = Pools::new(1);
    let two = if pinned { Pools::pinned_pair() } else { Pools::new(2) };
    println!(
        "{} CPUs, {}, {rounds} rounds, medians",
        cpus,
        if pinned { "caller on CPU 0 and workers on CPU 1" } else { "not pinned" }
    );
    joins(rounds, &one, &two);
    programs(rounds, &one, &two);
    pairs(rounds, &two);
    deques(rounds, pinned);
    dispatch(rounds * 40, &two, pinned);
    drop((one, two));
    processor();
}

/// Nanoseconds for each of so many parts.
fn each(time: Duration, parts: u64) -> f64 {
    time.as_nanos() as f64 / parts as f64
}

/// The three pools' variants of one program.
fn variants<'a, P: Program>(pools: &'a Pools, program: &'a P) -> Vec<Variant<'a>> {
    let expected = program.run(&mut Serial);
    let again = program.run(&mut Serial);
    let third = program.run(&mut Serial);
    vec![
        ("deque", Box::new(move || assert_eq!(pools.on_deque(black_box(program)), expected))),
        ("rayon", Box::new(move || assert_eq!(pools.on_rayon(black_box(program)), again))),
        ("chili", Box::new(move || assert_eq!(pools.on_chili(black_box(program)), third))),
    ]
}

fn joins(rounds: usize, one: &Pools, two: &Pools) {
    let fib = Fib(32);
    let mut all = vec![(
        "serial",
        Box::new(|| assert_eq!(black_box(fib).run(&mut Serial), 2_178_309)) as Box<dyn FnMut()>,
    )];
    all.extend(variants(one, &fib));
    all.extend(variants(two, &fib));
    let alone = || beside_a_busy_worker(two, || assert_eq!(two.on_deque(&fib), 2_178_309));
    all.push(("deque, other worker busy", Box::new(alone)));
    let times = race(rounds, &mut all);
    let per_join: Vec<f64> = times.iter().map(|times| each(median(times), fib.joins())).collect();
    println!("\nfib(32) without a cut-off, ns a join      serial {:.2}", per_join[0]);
    for (threads, at) in [(1, 1), (2, 4)] {
        let [deque, rayon, chili] = [per_join[at], per_join[at + 1], per_join[at + 2]];
        println!(
            "  {threads} threads  deque {deque:5.2}  rayon {rayon:5.2} (ours {:.2} of it)  \
             chili {chili:5.2} (ours {:.2} of it)",
            deque / rayon,
            deque / chili
        );
    }
    // A pool of one thread calls both halves and is done, so the parallel path is also shown alone.
    println!(
        "  two threads take {:.3} of one's time, and {:.3} of the {:.2} ns that one of the two takes \
         while the other is busy elsewhere",
        per_join[4] / per_join[1],
        per_join[4] / per_join[7],
        per_join[7]
    );
}

/// Keeps the other thread of a pool of two busy while `run` runs.
fn beside_a_busy_worker(two: &Pools, run: impl FnOnce()) {
    let (begun, over) = (Padded(AtomicBool::new(false)), Padded(AtomicBool::new(false)));
    let wait = |flag: &Padded| {
        while !flag.0.load(Ordering::Acquire) {
            spin_loop();
        }
    };
    two.deque.scope(|s| {
        s.spawn(|_| {
            begun.0.store(true, Ordering::Release);
            wait(&over);
        });
        wait(&begun);
        run();
        over.0.store(true, Ordering::Release);
    });
}

/// A flag on lines of its own, so that who spins on it does not slow down its neighbours.
#[repr(align(128))]
struct Padded(AtomicBool);

fn programs(rounds: usize, one: &Pools, two: &Pools) {
    let (fit, text) = (Linefit::new(1 << 18, 256), WordCount::new(1 << 21, 2048));
    println!("\nwhole programs, µs");
    for (threads, pools) in [(1, one), (2, two)] {
        let line = race(rounds, &mut variants(pools, &fit));
        let words = race(rounds, &mut variants(pools, &text));
        for (name, times) in [("linefit", line), ("wc", words)] {
            let [deque, rayon, chili] = [0, 1, 2].map(|i| median(&times[i]).as_secs_f64() * 1e6);
            println!(
                "  {name:8} {threads} threads  deque {deque:7.0}  rayon {rayon:7.0}  chili {chili:7.0}"
            );
        }
    }
}

/// Two equal halves, over and over, beside a worker that has nothing else to do.
fn pairs(rounds: usize, two: &Pools) {
    println!("\na pair of equal halves beside a hungry worker, ratio to serial");
    for steps in [2, 10, 30, 50, 65, 80, 120, 250, 500, 1000, 2000] {
        let pair = Pair(steps);
        // Some milliseconds: the worker has to be woken first, which counts for little then.
        let repeats = 4_000_000 / (steps as usize + 20);
        let expected = pair.run(&mut Serial);
        let serial = move || (0..repeats).for_each(|_| assert_eq!(pair.run(&mut Serial), expected));
        let deque = move || {
            two.deque.enter(|| {
                let mut fork = Deque(&two.deque);
                (0..repeats).for_each(|_| assert_eq!(pair.run(&mut fork), expected));
            });
        };
        let mut all: Vec<Variant<'_>> =
            vec![("serial", Box::new(serial)), ("deque", Box::new(deque))];
        let times = race(rounds, &mut all);
        let (serial, deque) = (median(&times[0]), median(&times[1]));
        println!(
            "  halves of {:7.1} ns: {:.2}",
            each(serial, repeats as u64) / 2.0,
            deque.as_secs_f64() / serial.as_secs_f64()
        );
    }
}

fn deques(rounds: usize, pinned: bool) {
    const ITEMS: usize = 200_000;
    const SUM: usize = ITEMS * (ITEMS - 1) / 2;
    type Ours = spanwise_deque::Worker<usize>;
    type Theirs = crossbeam_deque::Worker<usize>;
    type Run = fn(usize) -> usize;
    fn cases<O: Owner>() -> [(&'static str, Run); 5] {
        [
            ("push and pop by the owner", |n| queue::lifo::<O>(n, 100)),
            ("oldest first, one thread", |n| queue::fifo::<O>(n, 100)),
            ("one adder, 1 taker", |n| queue::messages::<O>(n, 1)),
            ("one adder, 2 takers", |n| queue::messages::<O>(n, 2)),
            ("one adder, 4 takers", |n| queue::messages::<O>(n, 4)),
        ]
    }
    if pinned {
        // Adder and takers spread over both, as the system likes.
        machine::pin(&[0, 1]);
    }
    println!("\nthe deque alone, ns an item, and crossbeam-deque's time over ours");
    for ((name, ours), (_, theirs)) in cases::<Ours>().into_iter().zip(cases::<Theirs>()) {
        let mut all: Vec<Variant<'_>> = vec![
            ("ours", Box::new(move || assert_eq!(ours(ITEMS), SUM))),
            ("crossbeam", Box::new(move || assert_eq!(theirs(ITEMS), SUM))),
        ];
        let times = race(rounds, &mut all);
        let [ours, theirs] = [0, 1].map(|i| each(median(&times[i]), ITEMS as u64));
        println!("  {name:28} ours {ours:6.2}  crossbeam {theirs:6.2}  {:.2}", theirs / ours);
    }
    if pinned {
        machine::pin(&[0]);
    }
}

/// Two trivial halves from outside: hot, after 5 ms of sleep, and hot with both threads taking part.
fn dispatch(calls: usize, two: &Pools, pinned: bool) {
    let trivial = || {
        let answer = two.deque.join(|| black_box(1), || black_box(2));
        assert_eq!(answer, (1, 2));
    };
    let rayon = || {
        let answer = two.rayon.join(|| black_box(1), || black_box(2));
        assert_eq!(answer, (1, 2));
    };
    let chili = || {
        let answer = two.chili.scope().join(|_| black_box(1), |_| black_box(2));
        assert_eq!(answer, (1, 2));
    };
    let both = || {
        let begun = AtomicBool::new(false);
        let wait = || {
            while !begun.load(Ordering::Acquire) {
                spin_loop();
            }
        };
        two.deque.join(wait, || begun.store(true, Ordering::Release));
    };
    println!("\ndispatch of two trivial halves from outside, µs: median, p75, p99");
    let line = |name: &str, times: &[Duration], of: f64| {
        let [median, p75, p99] =
            [0.5, 0.75, 0.99].map(|part| percentile(times, part).as_secs_f64() * 1e6 / of);
        println!("  {name:34} {median:8.3} {p75:8.3} {p99:8.3}");
    };
    // A clock read costs as much as a hot call, so ten calls are timed at once.
    const TEN: usize = 10;
    for (name, call) in [("deque", &trivial as &dyn Fn()), ("rayon", &rayon), ("chili", &chili)] {
        let mut hot: Vec<Variant<'_>> = vec![("", Box::new(|| (0..TEN).for_each(|_| call())))];
        line(&format!("{name}, hot"), &race(calls, &mut hot)[0], TEN as f64);
        let mut cold: Vec<Duration> = (0..calls / 4).map(|_| after_sleep(call)).collect();
        cold.sort_unstable();
        line(&format!("{name}, after 5 ms of sleep"), &cold, 1.0);
    }
    both();
    let mut hot: Vec<Variant<'_>> = vec![("", Box::new(|| (0..TEN).for_each(|_| both())))];
    line("deque, hot, both threads take part", &race(calls, &mut hot)[0], TEN as f64);
    let inside = || two.deque.enter(|| (0..TEN).for_each(|_| both()));
    let mut hot: Vec<Variant<'_>> = vec![("", Box::new(inside))];
    line("the same from inside", &race(calls, &mut hot)[0], TEN as f64);
    line("two lines there and back", &there_and_back(calls, pinned), 1.0);
}

/// What the machine takes to bring one line to the other thread and another back: what every
/// hand-off waits for, several times. It depends on which processors the threads are on.
fn there_and_back(calls: usize, pinned: bool) -> Vec<Duration> {
    const TRIPS: u32 = 100;
    let (there, back) = (Padded(AtomicBool::new(false)), Padded(AtomicBool::new(false)));
    let wait = |flag: &Padded, value: bool| {
        while flag.0.load(Ordering::Acquire) != value {
            spin_loop();
        }
    };
    let turns = |number: usize| (0..number * TRIPS as usize).map(|i| i % 2 == 0);
    thread::scope(|s| {
        s.spawn(|| {
            if pinned {
                machine::pin(&[1]);
            }
            turns(calls).for_each(|value| {
                wait(&there, value);
                back.0.store(value, Ordering::Release);
            });
        });
        let trips = |_| {
            let start = Instant::now();
            turns(1).for_each(|value| {
                there.0.store(value, Ordering::Release);
                wait(&back, value);
            });
            start.elapsed() / TRIPS
        };
        let mut times: Vec<Duration> = (0..calls).map(trips).collect();
        times.sort_unstable();
        times
    })
}

fn after_sleep(call: &dyn Fn()) -> Duration {
    thread::sleep(Duration::from_millis(5));
    let start = Instant::now();
    call();
    start.elapsed()
}

/// CPU time while nothing happens, and for a small job every millisecond. No other pool is there.
fn processor() {
    println!("\nCPU time");
    let pool = DequePool::new(2).expect("a pool");
    pool.join(|| (), || ());
    thread::sleep(Duration::from_millis(20));
    let idle = measured(|| thread::sleep(Duration::from_secs(3)));
    println!("  idle for 3 s: {:.3} ms", ms(idle));
    let rows: Vec<u64> = (0..200).collect();
    let sum: u64 = rows.iter().sum();
    let job = || {
        let (front, back) = rows.split_at(100);
        let halves = pool.join(|| front.iter().sum::<u64>(), || back.iter().sum::<u64>());
        assert_eq!(black_box(halves.0 + halves.1), sum);
    };
    let plain = || assert_eq!(black_box(&rows).iter().sum::<u64>(), sum);
    for (name, call) in [("serial", &plain as &dyn Fn()), ("deque", &job)] {
        const CALLS: u32 = 2000;
        let start = Instant::now();
        let used = measured(|| {
            (0..CALLS).for_each(|_| {
                call();
                thread::sleep(Duration::from_millis(1));
            });
        });
        println!(
            "  200 items every millisecond, {name:6}: {:5.1} µs of CPU a call, timer included, \
             {:.1} % of a core",
            ms(used) * 1e3 / f64::from(CALLS),
            used.as_secs_f64() / start.elapsed().as_secs_f64() * 100.0
        );
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn measured(run: impl FnOnce()) -> Duration {
    let before = machine::cpu_time();
    run();
    machine::cpu_time() - before
}
