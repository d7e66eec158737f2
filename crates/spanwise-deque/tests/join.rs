//! Join from every side: results, panics, locks held, callers at once, pools in pools.

use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Barrier, Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use spanwise_backend::Backend;
use spanwise_deque::DequePool;

const WIDTHS: [usize; 5] = [1, 2, 3, 4, 16];

fn pool(width: usize) -> DequePool {
    DequePool::new(width).unwrap()
}

fn fib(pool: &DequePool, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = pool.join(|| fib(pool, n - 1), || fib(pool, n - 2));
    a + b
}

/// Waits for the others, having taken long enough that a pool never doubts the worth of a wake.
fn meet(barrier: &Barrier) {
    thread::sleep(Duration::from_millis(1));
    barrier.wait();
}

/// Sums a range down to single numbers.
fn sum(backend: &impl Backend, from: u64, to: u64) -> u64 {
    if to - from == 1 {
        return from;
    }
    let middle = from + (to - from) / 2;
    let (a, b) = backend.join(|| sum(backend, from, middle), || sum(backend, middle, to));
    a + b
}

#[test]
fn recursion_gives_the_serial_result() {
    for width in WIDTHS {
        let pool = pool(width);
        assert_eq!(pool.width().get(), width);
        assert_eq!(fib(&pool, 20), 6765);
        assert_eq!(pool.enter(|| fib(&pool, 15)), 610);
        assert_eq!(sum(&pool, 0, 10_000), 49_995_000);
    }
}

#[test]
fn a_near_spine_outgrows_the_first_buffer() {
    // Each level leaves one far half behind it.
    fn spine(pool: &DequePool, depth: usize) -> usize {
        if depth == 0 {
            return 0;
        }
        let (near, far) = pool.join(|| spine(pool, depth - 1), || 1);
        near + far
    }
    for width in WIDTHS {
        assert_eq!(spine(&pool(width), 1_000), 1_000);
    }
}

#[test]
fn both_halves_run_at_once_also_after_sleep() {
    let pool = pool(2);
    for nap in [0, 5, 0, 30] {
        thread::sleep(Duration::from_millis(nap));
        // Passes only if two threads are in it together.
        let both = Barrier::new(2);
        pool.join(|| meet(&both), || meet(&both));
    }
}

#[test]
fn a_parked_waiter_comes_back_for_parts_of_its_half() {
    for spin in [0, 80] {
        let pool = DequePool::builder().threads(2).spin(Duration::from_micros(spin));
        let pool = pool.build().unwrap();
        for nap in [0, 1, 5, 20] {
            let stolen = Barrier::new(2);
            let far = || {
                stolen.wait();
                // Longer than any spin: the caller has nothing to do and parks.
                thread::sleep(Duration::from_millis(nap));
                // Passes only if the caller takes one of the two.
                let both = Barrier::new(2);
                pool.join(|| meet(&both), || meet(&both));
            };
            pool.join(|| stolen.wait(), far);
        }
    }
}

#[test]
fn every_thread_is_used() {
    let pool = pool(4);
    let all = Barrier::new(4);
    let one = || meet(&all);
    for _ in 0..20 {
        pool.join(|| pool.join(one, one), || pool.join(one, one));
    }
}

/// Runs `join` with halves that panic or not; a barrier forces a theft where one is asked for. The
/// two are different types, for a pool that knows halves as short would not wake anyone.
fn panics<const THEFT: bool>(pool: &DequePool, near: bool, far: bool) -> Result<(u8, u8), String> {
    let both = Barrier::new(2);
    let half = |name: &'static str, fails: bool, value: u8| {
        let both = &both;
        move || {
            if THEFT {
                meet(both);
            }
            assert!(!fails, "{name}");
            value
        }
    };
    let (a, b) = (half("near", near, 1), half("far", far, 2));
    catch_unwind(AssertUnwindSafe(|| pool.join(a, b)))
        .map_err(|payload| (*payload.downcast::<String>().unwrap()).clone())
}

#[test]
fn the_four_panic_cases() {
    fn all<const THEFT: bool>(pool: &DequePool) {
        for _ in 0..10 {
            assert_eq!(panics::<THEFT>(pool, false, false), Ok((1, 2)));
            assert_eq!(panics::<THEFT>(pool, true, false), Err("near".into()));
            assert_eq!(panics::<THEFT>(pool, false, true), Err("far".into()));
            assert_eq!(panics::<THEFT>(pool, true, true), Err("near".into()));
        }
        assert_eq!(fib(pool, 15), 610);
    }
    for width in WIDTHS {
        all::<false>(&pool(width));
        if width > 1 {
            all::<true>(&pool(width));
        }
    }
}

#[test]
fn a_panic_deep_inside_leaves_no_half_behind() {
    fn tree(pool: &DequePool, depth: u32, ran: &AtomicUsize, bomb: usize) {
        if depth == 0 {
            assert_ne!(ran.fetch_add(1, Ordering::Relaxed), bomb, "bomb");
            return;
        }
        let half = || tree(pool, depth - 1, ran, bomb);
        pool.join(half, half);
    }
    for width in WIDTHS {
        let pool = pool(width);
        for bomb in 0..64 {
            let ran = AtomicUsize::new(0);
            let result = catch_unwind(AssertUnwindSafe(|| tree(&pool, 6, &ran, bomb)));
            assert!(result.is_err());
            let after = ran.load(Ordering::Relaxed);
            assert!((bomb + 1..=64).contains(&after));
            // Nothing is still running.
            thread::yield_now();
            assert_eq!(ran.load(Ordering::Relaxed), after);
        }
        assert_eq!(fib(&pool, 12), 144);
    }
}

/// Counts its drops.
struct Counted<'a>(&'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn captures_and_results_are_dropped_once() {
    for width in WIDTHS {
        let pool = pool(width);
        let drops = AtomicUsize::new(0);
        let mut made = 0;
        for fails in [false, true] {
            for _ in 0..100 {
                let (a, b) = (Counted(&drops), Counted(&drops));
                made += 2;
                let near = move || {
                    assert!(!fails, "near");
                    a
                };
                let result = catch_unwind(AssertUnwindSafe(|| pool.join(near, move || b)));
                assert_eq!(result.is_err(), fails);
                drop(result);
                assert_eq!(drops.load(Ordering::Relaxed), made);
            }
        }
    }
}

/// Panics when it is dropped.
struct Mine;

impl Drop for Mine {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

#[test]
fn a_lost_payload_that_panics_on_drop_does_no_harm() {
    let pool = pool(2);
    for _ in 0..20 {
        let both = Barrier::new(2);
        let near = || {
            meet(&both);
            panic!("near");
        };
        let far = || {
            meet(&both);
            std::panic::panic_any(Mine);
        };
        let result = catch_unwind(AssertUnwindSafe(|| pool.join::<_, _, (), ()>(near, far)));
        assert_eq!(*result.unwrap_err().downcast::<&str>().unwrap(), "near");
    }
    assert_eq!(fib(&pool, 15), 610);
}

#[test]
fn a_lock_held_across_a_join_is_never_taken_twice() {
    for width in 1..=16 {
        let pool = pool(width);
        let lock = Mutex::new(0);
        for _ in 0..200 {
            outer(&pool, 64, &lock);
        }
        assert_eq!(lock.into_inner().unwrap(), 200 * 64 * 130_816);
    }

    fn outer(pool: &DequePool, items: usize, lock: &Mutex<u64>) {
        if items == 1 {
            let mut total = lock.lock().unwrap();
            *total += sum(pool, 0, 512);
            return;
        }
        let half = || outer(pool, items / 2, lock);
        pool.join(half, half);
    }
}

#[test]
fn a_borrow_or_an_initialiser_across_a_join_is_never_entered_again() {
    thread_local!(static BUSY: RefCell<u64> = const { RefCell::new(0) });

    fn items(pool: &DequePool, count: u64) {
        if count > 1 {
            let half = || items(pool, count / 2);
            pool.join(half, half);
            return;
        }
        // A second borrow on this thread would panic, a second initialiser would hang.
        BUSY.with(|busy| *busy.borrow_mut() += sum(pool, 0, 100));
        let cell = OnceLock::new();
        assert_eq!(*cell.get_or_init(|| sum(pool, 0, 100)), 4950);
    }
    for width in WIDTHS {
        let pool = pool(width);
        for _ in 0..50 {
            items(&pool, 64);
        }
    }
}

#[test]
fn many_callers_at_once() {
    for width in WIDTHS {
        let pool = pool(width);
        thread::scope(|s| {
            for _ in 0..16 {
                s.spawn(|| {
                    for _ in 0..20 {
                        assert_eq!(fib(&pool, 14), 377);
                    }
                });
            }
        });
    }
}

#[test]
fn a_small_call_is_not_held_up_by_a_long_one() {
    let pool = &pool(2);
    let (end, ended) = mpsc::channel::<()>();
    let (started, starts) = mpsc::channel();
    thread::scope(|s| {
        s.spawn(move || {
            // Occupies the caller and the pool's thread until it is told.
            let both = &Barrier::new(2);
            let far = move || {
                meet(both);
                started.send(()).unwrap();
                ended.recv().unwrap_err();
            };
            pool.join(|| meet(both), far);
        });
        starts.recv().unwrap();
        assert_eq!(fib(pool, 15), 610);
        drop(end);
    });
}

#[test]
fn pools_in_pools() {
    let (one, two, three) = (pool(1), pool(2), pool(3));
    for _ in 0..50 {
        let (a, (b, (c, d))) = two.join(
            || fib(&three, 10),
            || three.join(|| fib(&two, 10), || one.join(|| fib(&three, 9), || fib(&two, 9))),
        );
        assert_eq!((a, b, c, d), (55, 55, 34, 34));
    }
    // One-thread pools inside each other.
    let other = pool(1);
    assert_eq!(
        one.enter(|| other.enter(|| one.join(|| 1, || other.join(|| 2, || 3)))),
        (1, (2, 3))
    );
}

#[test]
fn flat_joins_move_the_indices_past_the_buffer() {
    let pool = pool(2);
    let total: u64 =
        pool.enter(|| (0..500_000).map(|i| pool.join(|| i, || 1)).map(|(a, b)| a + b).sum());
    assert_eq!(total, 500_000 * 499_999 / 2 + 500_000);
}
