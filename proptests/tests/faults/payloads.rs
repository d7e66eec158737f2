//! Several panics at once, whose payloads panic when they are dropped: one comes out, the others must
//! go without a sound. A second panic while one unwinds would end the process.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use spanwise::prelude::*;
use spanwise_backend::{Serial, discard};
use spanwise_deque::DequePool;
use spanwise_proptests::backends::all_pools;
use spanwise_rayon::RayonPool;

use crate::still_works;

/// A payload whose destructor panics with such a payload, and so on.
struct Evil(u32);

impl Drop for Evil {
    fn drop(&mut self) {
        if self.0 > 0 {
            resume_unwind(Box::new(Evil(self.0 - 1)));
        }
    }
}

/// Panics in two places at the same time, if there are two threads for them.
struct Both {
    here: AtomicUsize,
    depth: u32,
}

impl Both {
    fn new(depth: u32) -> Self {
        Self { here: AtomicUsize::new(0), depth }
    }

    fn panic(&self) -> ! {
        self.here.fetch_add(1, Ordering::SeqCst);
        let start = Instant::now();
        // On a pool without a free thread the other one never comes.
        while self.here.load(Ordering::SeqCst) < 2 && start.elapsed() < Duration::from_millis(5) {
            thread::yield_now();
        }
        resume_unwind(Box::new(Evil(self.depth)))
    }
}

/// The payload that came out is one of ours; the caller has to get rid of it.
fn came_out(result: Result<(), Box<dyn Any + Send>>, what: &str) {
    let payload = result.expect_err(what);
    assert!(payload.is::<Evil>(), "{what}");
    discard(payload);
}

#[test]
fn from_rows() {
    const ROWS: usize = 64;
    for pool in all_pools() {
        for depth in 0..3 {
            for terminal in 0..9 {
                let both = Both::new(depth);
                // The outermost rows are in two pieces, whoever runs them.
                let at = |i: usize| if i == 0 || i == ROWS - 1 { both.panic() } else { i };
                let rows = || (0..ROWS).par(pool).map(at);
                let unwound = catch_unwind(AssertUnwindSafe(|| match terminal {
                    0 => rows().for_each(|_| ()),
                    1 => drop(rows().collect::<Vec<_>>()),
                    2 => drop(rows().filter(|_| true).collect::<Vec<_>>()),
                    3 => drop(rows().reduce(|x, y| x ^ y)),
                    4 => drop(rows().find_first(|&i| i == ROWS)),
                    5 => drop((0..ROWS).par_bridge(pool).map(at).collect::<Vec<_>>()),
                    6 => drop(rows().stream(ROWS).count()),
                    7 => {
                        // The chain runs ahead of the fold, and both panic.
                        let folded = (0..5000).par(pool).map(|i| if i > 4000 { at(0) } else { i });
                        folded.fold_ordered((), |(), i| {
                            if i > 2000 {
                                both.panic()
                            }
                        });
                    }
                    _ => drop(rows().map(Ok::<_, ()>).collect::<Result<Vec<_>, _>>()),
                }));
                came_out(unwound, &format!("terminal {terminal} on {pool:?}"));
            }
        }
        still_works(pool);
    }
}

#[test]
fn from_comparisons_of_a_sort() {
    for pool in all_pools() {
        let mut rows: Vec<u32> = (0..20_000).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
        let left = AtomicUsize::new(30_000);
        let unwound = catch_unwind(AssertUnwindSafe(|| {
            rows.par_sort_by(pool, |x, y| {
                if left.fetch_sub(1, Ordering::Relaxed) == 1 {
                    left.store(1, Ordering::Relaxed);
                    resume_unwind(Box::new(Evil(2)));
                }
                x.cmp(y)
            });
        }));
        came_out(unwound, &format!("a sort on {pool:?}"));
        rows.par_sort(pool);
        assert!(rows.is_sorted());
    }
}

/// What pools have beside chains: joins in the pool and from outside, scopes, broadcasts.
macro_rules! pool_calls {
    ($pool:expr) => {{
        let pool = &$pool;
        for depth in 0..3 {
            for _ in 0..20 {
                let both = Both::new(depth);
                let join = || _ = pool.join::<_, _, (), ()>(|| both.panic(), || both.panic());
                came_out(catch_unwind(AssertUnwindSafe(join)), "join");
                let both = Both::new(depth);
                let inside = || {
                    // The nested pair is on a thread of the pool, if that took the far half.
                    let deep = || _ = pool.join::<_, _, (), ()>(|| both.panic(), || both.panic());
                    pool.join(|| thread::sleep(Duration::from_micros(200)), deep);
                };
                came_out(catch_unwind(AssertUnwindSafe(inside)), "join in join");
                let both = Both::new(depth);
                let scope = || {
                    pool.scope(|s| {
                        s.spawn(|_| both.panic());
                        s.spawn(|_| both.panic());
                        both.panic();
                    })
                };
                came_out(catch_unwind(AssertUnwindSafe(scope)), "scope");
                let both = Both::new(depth);
                let tasks = || {
                    pool.scope(|s| {
                        for _ in 0..5 {
                            s.spawn(|_| both.panic());
                        }
                    })
                };
                came_out(catch_unwind(AssertUnwindSafe(tasks)), "tasks");
                let both = Both::new(depth);
                let broadcast = || _ = pool.broadcast(|_| -> () { both.panic() });
                came_out(catch_unwind(AssertUnwindSafe(broadcast)), "broadcast");
            }
        }
        still_works(pool);
    }};
}

#[test]
fn from_halves_tasks_and_shares() {
    pool_calls!(Serial);
    for width in [1, 2, 4] {
        pool_calls!(DequePool::new(width).unwrap());
        pool_calls!(RayonPool::new(width).unwrap());
    }
}
