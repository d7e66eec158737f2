//! Scopes and entering.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, panic_any},
    sync::{
        Barrier, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use spanwise_deque::{DequePool, Scope};

const WIDTHS: [usize; 4] = [1, 2, 3, 8];

fn pool(width: usize) -> DequePool {
    DequePool::new(width).unwrap()
}

#[test]
fn every_task_runs_once_before_the_scope_ends() {
    for width in WIDTHS {
        let pool = pool(width);
        for count in [0, 1, 2, 1_000] {
            let mut rows = vec![0; count];
            let result = pool.scope(|s| {
                for row in &mut rows {
                    s.spawn(|_| *row += 1);
                }
                "done"
            });
            assert_eq!(result, "done");
            assert!(rows.iter().all(|&row| row == 1));
        }
    }
}

#[test]
fn tasks_spawn_tasks_and_join() {
    fn tree<'s>(s: &'s Scope<'s, '_>, pool: &'s DequePool, total: &'s AtomicUsize, depth: usize) {
        let (a, b) = pool.join(|| 1, || 2);
        total.fetch_add(a + b, Ordering::Relaxed);
        for _ in 0..depth {
            s.spawn(move |s| tree(s, pool, total, depth - 1));
        }
    }
    for width in WIDTHS {
        let pool = pool(width);
        let total = AtomicUsize::new(0);
        pool.scope(|s| tree(s, &pool, &total, 6));
        // 1 + 6 + 6 * 5 + … + 6! tasks.
        assert_eq!(total.load(Ordering::Relaxed), 3 * 1957);
    }
}

#[test]
fn two_threads_are_in_a_scope_at_once() {
    let pool = pool(2);
    for nap in [0, 5] {
        thread::sleep(Duration::from_millis(nap));
        let both = Barrier::new(2);
        let meet = || {
            thread::sleep(Duration::from_millis(1));
            both.wait();
        };
        pool.scope(|s| {
            s.spawn(|_| meet());
            s.spawn(|_| meet());
        });
    }
}

#[test]
fn the_end_of_a_scope_helps_in_tasks_that_others_run() {
    for spin in [0, 80] {
        let pool = DequePool::builder().threads(2).spin(Duration::from_micros(spin));
        let pool = pool.build().unwrap();
        for nap in [0, 1, 5, 20] {
            let begun = Barrier::new(2);
            pool.scope(|s| {
                s.spawn(|_| {
                    begun.wait();
                    // Longer than any spin: the scope's end has nothing to do and parks.
                    thread::sleep(Duration::from_millis(nap));
                    let both = Barrier::new(2);
                    let meet = || {
                        thread::sleep(Duration::from_millis(1));
                        both.wait();
                    };
                    // Passes only if the scope's thread takes one of the two.
                    pool.join(meet, meet);
                });
                begun.wait();
            });
        }
    }
}

#[test]
fn the_end_of_a_scope_that_offers_something_older_robs_nobody() {
    // If it did, then the task, waiting for its stolen half, could rob it of `far` in return.
    let work = || (0..2_000).for_each(|i| _ = std::hint::black_box(i));
    for width in [2, 3] {
        let pool = pool(width);
        for _ in 0..300 {
            let lock = Mutex::new(0);
            let task = || {
                let mut held = lock.lock().unwrap();
                pool.join(work, work);
                *held += 1;
            };
            let near = || {
                pool.scope(|s| {
                    s.spawn(|_| task());
                    work();
                });
            };
            let far = || *lock.lock().unwrap() += 1;
            pool.join(near, far);
            assert_eq!(lock.into_inner().unwrap(), 2);
        }
    }
}

#[test]
fn a_task_never_runs_where_a_join_waits() {
    // The join holds what the task wants, and the task is spawned inside the join.
    for width in WIDTHS {
        let pool = pool(width);
        for _ in 0..200 {
            let lock = Mutex::new(0);
            pool.scope(|s| {
                let mut held = lock.lock().unwrap();
                pool.join(|| s.spawn(|_| *lock.lock().unwrap() += 1), || ());
                *held += 1;
            });
            assert_eq!(lock.into_inner().unwrap(), 2);
        }
    }
}

#[test]
fn a_panic_is_reported_after_all_tasks_have_ended() {
    for width in WIDTHS {
        let pool = pool(width);
        for body_fails in [false, true] {
            let ran = AtomicUsize::new(0);
            let result = catch_unwind(AssertUnwindSafe(|| {
                pool.scope(|s| {
                    for i in 0..100 {
                        let ran = &ran;
                        s.spawn(move |_| {
                            ran.fetch_add(1, Ordering::Relaxed);
                            if i % 10 == 3 {
                                panic_any("task");
                            }
                        });
                    }
                    if body_fails {
                        panic_any("body");
                    }
                });
            }));
            let wanted = if body_fails { "body" } else { "task" };
            assert_eq!(*result.unwrap_err().downcast::<&str>().unwrap(), wanted);
            assert_eq!(ran.load(Ordering::Relaxed), 100);
        }
        assert_eq!(pool.scope(|_| 1), 1);
    }
}

#[test]
fn scopes_in_scopes_from_many_callers() {
    let pool = pool(3);
    let total = AtomicUsize::new(0);
    thread::scope(|threads| {
        for _ in 0..8 {
            threads.spawn(|| {
                for _ in 0..50 {
                    pool.scope(|s| {
                        for _ in 0..4 {
                            s.spawn(|_| {
                                pool.scope(|s| {
                                    s.spawn(|_| {
                                        total.fetch_add(1, Ordering::Relaxed);
                                    });
                                });
                            });
                        }
                    });
                }
            });
        }
    });
    assert_eq!(total.into_inner(), 8 * 50 * 4);
}

#[test]
fn entering_twice_is_entering_once() {
    for width in WIDTHS {
        let pool = pool(width);
        let text = String::from("kept");
        assert_eq!(pool.enter(|| pool.enter(|| text.len())), 4);
        let result = catch_unwind(AssertUnwindSafe(|| pool.enter(|| panic_any(5))));
        assert_eq!(*result.unwrap_err().downcast::<i32>().unwrap(), 5);
        assert_eq!(pool.enter(|| pool.join(|| 1, || 2)), (1, 2));
    }
}

/// A payload whose destructor panics with a payload whose destructor panics, and so on.
struct Evil(u32);

impl Drop for Evil {
    fn drop(&mut self) {
        if self.0 > 0 {
            panic_any(Evil(self.0 - 1));
        }
    }
}

#[test]
fn a_scope_outlives_payloads_that_panic_on_drop() {
    for width in [1, 2, 4] {
        let pool = pool(width);
        for depth in 0..4 {
            let ended = AtomicUsize::new(0);
            let unwound = catch_unwind(AssertUnwindSafe(|| {
                pool.scope(|s| {
                    for i in 0..20 {
                        let ended = &ended;
                        s.spawn(move |_| {
                            ended.fetch_add(1, Ordering::SeqCst);
                            if i % 2 == 0 {
                                panic_any(Evil(depth));
                            }
                        });
                    }
                });
            }));
            // The caller's own: it must not panic again here.
            spanwise_backend::discard(unwound.expect_err("ten tasks panicked"));
            assert_eq!(ended.into_inner(), 20);
        }
    }
}
