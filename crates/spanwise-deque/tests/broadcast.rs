//! Broadcasts: once on each thread from outside, and never a deadlock from inside.

use std::{
    cell::Cell,
    collections::HashSet,
    panic::{AssertUnwindSafe, catch_unwind, panic_any},
    sync::{
        Barrier, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use spanwise_deque::DequePool;

const WIDTHS: [usize; 4] = [1, 2, 4, 8];

fn pool(width: usize) -> DequePool {
    DequePool::new(width).unwrap()
}

#[test]
fn each_thread_has_its_own_share_hot_and_cold() {
    for width in WIDTHS {
        let pool = pool(width);
        let name = |index| format!("spanwise-{index}");
        let me = thread::current().id();
        for nap in [0, 0, 3] {
            thread::sleep(Duration::from_millis(nap));
            // All at once, or the barrier does not open.
            let all = Barrier::new(width);
            let threads = pool.broadcast(|share| {
                assert_eq!(share.width(), width);
                all.wait();
                let thread = thread::current();
                if share.index() == 0 {
                    assert_eq!(thread.id(), me);
                } else {
                    assert_eq!(thread.name(), Some(&*name(share.index())));
                }
                (share.index(), thread.id())
            });
            assert!(threads.iter().map(|&(index, _)| index).eq(0..width));
            assert_eq!(threads.iter().map(|&(_, id)| id).collect::<HashSet<_>>().len(), width);
        }
    }
}

#[test]
fn in_entered_code_and_in_near_halves_too() {
    for width in WIDTHS {
        let pool = pool(width);
        let all = Barrier::new(width);
        let meet = || {
            let ids = pool.broadcast(|_| {
                all.wait();
                thread::current().id()
            });
            ids.into_iter().collect::<HashSet<_>>().len()
        };
        assert_eq!(pool.enter(meet), width);
        assert_eq!(pool.scope(|_| meet()), width);
        // Whoever takes the far half is free again after it.
        assert_eq!(pool.join(meet, || ()).0, width);
    }
}

#[test]
fn callers_at_once_see_the_same_order() {
    for width in WIDTHS {
        let pool = pool(width);
        thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(|| {
                    for _ in 0..50 {
                        let all = Barrier::new(width);
                        assert_eq!(pool.broadcast(|_| all.wait().is_leader()).len(), width);
                    }
                });
            }
        });
    }
}

#[test]
fn a_busy_thread_comes_when_it_is_free() {
    let pool = pool(2);
    let (busy, may_end) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|s| {
        s.spawn(|| {
            pool.scope(|scope| {
                scope.spawn(|_| {
                    busy.store(true, Ordering::SeqCst);
                    while !may_end.load(Ordering::SeqCst) {
                        thread::yield_now();
                    }
                });
                // The worker must take it.
                while !busy.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
            });
        });
        while !busy.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        let order = Mutex::new(Vec::new());
        pool.broadcast(|share| {
            order.lock().unwrap().push((share.index(), may_end.load(Ordering::SeqCst)));
            may_end.store(true, Ordering::SeqCst);
        });
        assert_eq!(order.into_inner().unwrap(), [(0, false), (1, true)]);
    });
}

#[test]
fn inside_of_jobs_each_share_runs_once_and_nothing_hangs() {
    fn tree(pool: &DequePool, depth: usize, calls: &AtomicUsize) {
        if depth == 0 {
            calls.fetch_add(pool.broadcast(|share| share.index()).len(), Ordering::Relaxed);
            return;
        }
        let half = || tree(pool, depth - 1, calls);
        pool.join(half, half);
    }
    for width in WIDTHS {
        let pool = pool(width);
        for _ in 0..20 {
            let calls = AtomicUsize::new(0);
            thread::scope(|s| {
                for _ in 0..3 {
                    s.spawn(|| tree(&pool, 4, &calls));
                }
            });
            assert_eq!(calls.into_inner(), 3 * 16 * width);
        }
        // In tasks, and in shares three deep.
        let calls = AtomicUsize::new(0);
        let count = |_| _ = calls.fetch_add(1, Ordering::Relaxed);
        pool.scope(|s| (0..20).for_each(|_| s.spawn(|_| _ = pool.broadcast(count))));
        pool.broadcast(|_| pool.broadcast(|_| pool.broadcast(count)));
        assert_eq!(calls.load(Ordering::Relaxed), 20 * width + width.pow(3));
        // In the share of the caller while the others wait for it.
        let all = Barrier::new(width);
        let nested = pool.broadcast(|_| {
            let inner = pool.broadcast(|share| share.index());
            all.wait();
            inner.len()
        });
        assert_eq!(nested, vec![width; width]);
    }
}

#[test]
fn two_jobs_that_broadcast_at_once_do_not_wait_for_each_other() {
    for width in WIDTHS.into_iter().skip(1) {
        let pool = pool(width);
        for _ in 0..50 {
            let both = Barrier::new(2);
            let half = || {
                thread::yield_now();
                both.wait();
                pool.broadcast(|share| share.index()).len()
            };
            // The tasks are on two threads, each busy while the other broadcasts.
            pool.scope(|s| {
                s.spawn(|_| assert_eq!(half(), width));
                s.spawn(|_| assert_eq!(half(), width));
            });
        }
    }
}

#[test]
fn no_share_runs_where_a_join_waits() {
    thread_local!(static WAITS: Cell<bool> = const { Cell::new(false) });

    fn tree(pool: &DequePool, depth: usize) {
        if depth == 0 {
            return thread::yield_now();
        }
        let before = WAITS.replace(true);
        pool.join(|| tree(pool, depth - 1), || tree(pool, depth - 1));
        WAITS.set(before);
    }
    for width in WIDTHS {
        let pool = pool(width);
        let over = AtomicBool::new(false);
        thread::scope(|s| {
            s.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    tree(&pool, 6);
                }
            });
            for _ in 0..200 {
                assert!(pool.broadcast(|_| !WAITS.get()).into_iter().all(|free| free));
            }
            over.store(true, Ordering::Relaxed);
        });
    }
}

#[test]
fn the_lowest_panic_is_resumed_and_results_are_dropped_once() {
    struct Counted<'a>(&'a AtomicUsize);

    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    for width in WIDTHS {
        let pool = pool(width);
        for bomb in 0..width {
            let drops = AtomicUsize::new(0);
            let result = catch_unwind(AssertUnwindSafe(|| {
                pool.broadcast(|share| {
                    if share.index() >= bomb {
                        panic_any(share.index());
                    }
                    Counted(&drops)
                })
            }));
            assert_eq!(*result.err().unwrap().downcast::<usize>().unwrap(), bomb);
            assert_eq!(drops.into_inner(), bomb);
        }
        assert_eq!(pool.broadcast(|_| 7), vec![7; width]);
    }
}

#[test]
fn the_share_of_a_thread_that_was_lost_runs_on_the_caller() {
    for round in 0..200 {
        let builder = DequePool::builder().threads(4).on_start(move |index| {
            // It is lost before, while or after the caller looks for it.
            (0..round % 20).for_each(|_| thread::yield_now());
            assert_ne!(index, 2, "lost on purpose");
        });
        let pool = builder.build().unwrap();
        let me = thread::current().id();
        for _ in 0..3 {
            let here = pool.broadcast(|_| thread::current().id() == me);
            assert_eq!(here, [true, false, true, false]);
        }
    }
}
