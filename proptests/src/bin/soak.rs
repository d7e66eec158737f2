//! Hours in minutes: random calls from several threads on pools that stay and pools that come and go,
//! until the time is over (`--minutes 20`, by default 1; `--seed N`). It fails on a wrong answer, on
//! memory or threads that grow, and if nothing moves for a minute, and ends with a line of counts.

use std::{
    env, fs, process,
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use spanwise_backend::{Backend, Serial};
use spanwise_deque::DequePool;
use spanwise_proptests::{
    backends::AnyPool,
    dice::{Dice, KINDS, Kind, call},
};
use spanwise_rayon::RayonPool;

/// Threads that call.
const CALLERS: u64 = 6;

/// The most threads of a pool that comes and goes.
const WIDEST: u64 = 6;

/// Growth of memory that is no leak: the allocator's own, whose arenas come with threads.
const SLACK: usize = 48 << 20;

/// What has been done so far.
#[derive(Default)]
struct Counts {
    kinds: [AtomicU64; KINDS],
    pools: AtomicU64,
}

impl Counts {
    fn of(&self, kind: Kind) -> u64 {
        self.kinds[kind as usize].load(Ordering::Relaxed)
    }

    fn calls(&self) -> u64 {
        self.kinds.iter().map(|kind| kind.load(Ordering::Relaxed)).sum()
    }
}

/// A generator of numbers that look random.
fn dice(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

fn pool(dice: &mut impl Dice) -> AnyPool {
    let width = 1 + dice.below(WIDEST) as usize;
    match dice.below(8) {
        0 => AnyPool::Serial(Serial),
        1 | 2 => AnyPool::erased(RayonPool::new(width).expect("a few threads")),
        _ => AnyPool::Deque(DequePool::new(width).expect("a few threads")),
    }
}

fn caller(seed: u64, shared: &[AnyPool], counts: &Counts, over: &AtomicBool) {
    let mut dice = dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut own = pool(&mut dice);
    while !over.load(Ordering::Relaxed) {
        if dice.below(200) == 0 {
            own = pool(&mut dice);
            counts.pools.fetch_add(1, Ordering::Relaxed);
        }
        let at = dice.below(2 * shared.len() as u64) as usize;
        let kind = call(&mut dice, shared.get(at).unwrap_or(&own));
        counts.kinds[kind as usize].fetch_add(1, Ordering::Relaxed);
        if dice.below(500) == 0 {
            // Pools fall asleep meanwhile.
            thread::sleep(Duration::from_micros(dice.below(3000)));
        }
    }
}

/// A line of `/proc/self/status`, in its own unit; 0 where there is no such file.
fn status(key: &str) -> usize {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    let number = line.and_then(|line| line.trim_start_matches(':').split_whitespace().next());
    number.map_or(0, |number| number.parse().expect("a number"))
}

/// Bytes in memory.
fn resident() -> usize {
    status("VmRSS") << 10
}

fn threads() -> usize {
    status("Threads")
}

/// Looks at memory, threads and progress until the time is over.
struct Watch {
    /// The most threads there may be at any moment.
    most_threads: usize,
    /// The most memory that was seen during the first tenth, when pools and arenas come into being.
    settled: usize,
    peak: usize,
    threads: usize,
}

impl Watch {
    fn run(&mut self, time: Duration, counts: &Counts) {
        let start = Instant::now();
        let (mut seen, mut since) = (0, start);
        while start.elapsed() < time {
            thread::sleep(Duration::from_millis(100));
            let (memory, threads) = (resident(), threads());
            self.peak = self.peak.max(memory);
            self.threads = self.threads.max(threads);
            assert!(threads <= self.most_threads, "{threads} threads are too many");
            if start.elapsed() < time / 10 {
                self.settled = self.settled.max(memory);
            }
            let grown = memory.saturating_sub(self.settled);
            assert!(grown < SLACK, "{grown} bytes more than at the beginning");
            let calls = counts.calls();
            if calls != seen {
                (seen, since) = (calls, Instant::now());
            } else if since.elapsed() > Duration::from_secs(60) {
                eprintln!("nothing moves after {calls} calls");
                process::abort();
            }
        }
    }
}

/// The number behind an argument of this name.
fn argument(name: &str) -> Option<f64> {
    let mut words = env::args().skip_while(|word| word != name);
    words.nth(1).map(|word| word.parse().expect("a number"))
}

fn main() {
    let minutes = argument("--minutes").unwrap_or(1.0);
    let seed = argument("--seed").unwrap_or(1.0) as u64;
    let before = threads();
    let shared = [
        AnyPool::Deque(DequePool::new(2).expect("threads")),
        AnyPool::Deque(DequePool::new(4).expect("threads")),
        AnyPool::erased(RayonPool::new(3).expect("threads")),
    ];
    let (counts, over, failed) = (Counts::default(), AtomicBool::new(false), AtomicUsize::new(0));
    let standing: usize = shared.iter().map(|pool| pool.width().get() - 1).sum();
    // Each caller with a pool of its own, twice, since rayon-core's threads end a little later.
    let passing = CALLERS as usize * (1 + 2 * WIDEST as usize);
    let mut watch =
        Watch { most_threads: before + standing + passing, settled: 0, peak: 0, threads: 0 };
    thread::scope(|scope| {
        for number in 0..CALLERS {
            let (shared, counts, over, failed) = (&shared, &counts, &over, &failed);
            thread::Builder::new()
                .spawn_scoped(scope, move || {
                    // A caller that fails has said why; the others need not go on.
                    struct Fails<'a>(&'a AtomicBool, &'a AtomicUsize);

                    impl Drop for Fails<'_> {
                        fn drop(&mut self) {
                            if thread::panicking() {
                                self.0.store(true, Ordering::Relaxed);
                                self.1.fetch_add(1, Ordering::Relaxed);
                            }
                        }
                    }

                    let _fails = Fails(over, failed);
                    caller(seed * CALLERS + number + 1, shared, counts, over);
                })
                .expect("a thread");
        }
        let end = Stop(&over);
        watch.run(Duration::from_secs_f64(minutes * 60.0), &counts);
        drop(end);
    });
    drop(shared);
    let start = Instant::now();
    while threads() > before && start.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(threads(), before, "threads are left behind");
    println!(
        "soak: {} calls ({} whole, {} with panics, {} nested, {} owned, {} sorts), {} pools, \
         {minutes} minutes, seed {seed}; memory {} MiB after a tenth, at most {} MiB; at most {} \
         threads, {} at the end; no wrong answer",
        counts.calls(),
        counts.of(Kind::Whole),
        counts.of(Kind::Panic),
        counts.of(Kind::Nested),
        counts.of(Kind::Owned),
        counts.of(Kind::Sort),
        counts.pools.load(Ordering::Relaxed),
        watch.settled >> 20,
        watch.peak >> 20,
        watch.threads,
        threads(),
    );
}

/// Tells the callers to stop, also when the watch fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
