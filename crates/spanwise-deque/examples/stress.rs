//! Uses a pool from many threads in every way at once for some seconds (the first argument, 5 by
//! default), and ends with an error if nothing moves for 20 s. For sanitizers and small machines:
//! `taskset -c 0`, `-Zsanitizer=thread`.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    process,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use spanwise_deque::{DequePool, Injector, Steal, Worker};

/// A small generator of numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Sums `from..to` in a tree of random shape whose leaves sometimes take long.
fn tree(pool: &DequePool, from: u64, to: u64, seed: u64) -> u64 {
    let mut dice = Dice(seed | 1);
    if to - from <= 1 + dice.below(4) {
        if dice.below(500) == 0 {
            thread::sleep(Duration::from_micros(dice.below(300)));
        }
        return (from..to).sum();
    }
    let middle = from + 1 + dice.below(to - from - 1);
    let (near, far) = (dice.below(u64::MAX), dice.below(u64::MAX));
    let (a, b) = pool.join(|| tree(pool, from, middle, near), || tree(pool, middle, to, far));
    a + b
}

/// Spawns a tree of tasks; each adds one.
fn tasks(pool: &DequePool, count: u64) -> u64 {
    let done = AtomicU64::new(0);
    pool.scope(|s| {
        for _ in 0..count {
            s.spawn(|s| {
                done.fetch_add(1, Ordering::Relaxed);
                s.spawn(|_| _ = done.fetch_add(tree(pool, 0, 3, 7), Ordering::Relaxed));
            });
        }
    });
    done.into_inner()
}

/// Sends boxes through a deque that grows, and back through an injector.
fn deque(count: u64) -> u64 {
    let worker = Worker::new();
    let back = Injector::new();
    let total = AtomicU64::new(0);
    thread::scope(|s| {
        let thief = |_| {
            let (stealer, back) = (worker.stealer(), &back);
            s.spawn(move || {
                for _ in 0..2 * count {
                    if let Steal::Success(item) = stealer.steal() {
                        back.push(item);
                    }
                }
            })
        };
        let thieves: Vec<_> = (0..2).map(thief).collect();
        for item in 1..=count {
            worker.push(Box::new(item));
            if item % 3 == 0 {
                total.fetch_add(worker.pop().map_or(0, |item| *item), Ordering::Relaxed);
            }
        }
        join_all(thieves);
    });
    while let Some(item) = worker.pop() {
        total.fetch_add(*item, Ordering::Relaxed);
    }
    while let Steal::Success(item) = back.steal() {
        total.fetch_add(*item, Ordering::Relaxed);
    }
    total.into_inner()
}

fn panics(pool: &DequePool, near: bool) -> bool {
    let fail = |fails: bool| {
        move || {
            if fails {
                resume_unwind(Box::new(()))
            }
        }
    };
    catch_unwind(AssertUnwindSafe(|| pool.join(fail(near), fail(!near)))).is_err()
}

fn caller(pool: &DequePool, seed: u64, over: &AtomicBool, moves: &AtomicU64) {
    let mut dice = Dice(seed);
    while !over.load(Ordering::Relaxed) {
        let size = 1 + dice.below(400);
        match dice.below(8) {
            0 => assert_eq!(tasks(pool, size % 20), size % 20 * 4),
            1 => assert!(panics(pool, size % 2 == 0)),
            2 => {
                thread::sleep(Duration::from_micros(size));
                let nested = |_| pool.broadcast(|share| share.index()).len();
                assert!(pool.broadcast(nested).into_iter().all(|len| len == pool.width().get()));
            }
            3 => assert_eq!(deque(10 * size), 10 * size * (10 * size + 1) / 2),
            4 => {
                let short = DequePool::new(1 + size as usize % 3).expect("a few threads");
                assert_eq!(tree(&short, 0, size, size), size * (size - 1) / 2);
            }
            _ => {
                let sum = pool.enter(|| tree(pool, 0, size, dice.below(u64::MAX)));
                assert_eq!(sum, size * (size - 1) / 2);
            }
        }
        moves.fetch_add(1, Ordering::Relaxed);
    }
}

/// A sanitizer sees a join, and not how the end of a scope waits.
fn join_all<'s>(threads: impl IntoIterator<Item = thread::ScopedJoinHandle<'s, ()>>) {
    threads.into_iter().for_each(|thread| thread.join().expect("a caller"));
}

fn main() {
    let seconds = std::env::args().nth(1).map_or(5, |text| text.parse().expect("seconds"));
    let (over, moves) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|s| {
        let watchdog = s.spawn(|| {
            let (mut seen, mut since) = (0, Instant::now());
            while !over.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(50));
                let now = moves.load(Ordering::Relaxed);
                if now != seen {
                    (seen, since) = (now, Instant::now());
                } else if since.elapsed() > Duration::from_secs(20) {
                    eprintln!("nothing moves");
                    process::abort();
                }
            }
        });
        let began = Instant::now();
        let mut round = 1;
        while began.elapsed() < Duration::from_secs(seconds) {
            let pool = DequePool::new(round % 6 + 1).expect("a few threads");
            let stop = AtomicBool::new(false);
            thread::scope(|s| {
                let start = |number| {
                    let seed = (round * 100 + number) as u64;
                    let (pool, stop, moves) = (&pool, &stop, &moves);
                    s.spawn(move || caller(pool, seed, stop, moves))
                };
                let callers: Vec<_> = (0..4).map(start).collect();
                thread::sleep(Duration::from_millis(200));
                stop.store(true, Ordering::Relaxed);
                join_all(callers);
            });
            round += 1;
        }
        over.store(true, Ordering::Relaxed);
        join_all([watchdog]);
    });
    println!("{} calls", moves.into_inner());
}
