//! What a callback may do: call the pool again by every entry, make and drop pools, let go of the pool
//! it runs on, start a process.

use std::{
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use spanwise::prelude::*;
use spanwise_backend::{Backend, Serial};
use spanwise_deque::DequePool;
use spanwise_proptests::backends::all_pools;
use spanwise_rayon::RayonPool;

/// Calls the function at least once from inside a call of the pool.
type Entry<P> = (&'static str, fn(&P, &(dyn Fn() + Sync)));

macro_rules! entries {
    ($pool:ty) => {{
        let entries: &[Entry<$pool>] = &[
            ("join", |pool, f| _ = pool.join(f, f)),
            ("scope", |pool, f| {
                pool.scope(|s| {
                    s.spawn(|_| f());
                    s.spawn(|_| f());
                });
            }),
            ("broadcast", |pool, f| _ = pool.broadcast(|_| f())),
            ("for_each", |pool, f| (0..70).par(pool).filter(|i| i % 30 == 7).for_each(|_| f())),
            ("find_first", |pool, f| {
                let hit = |i: &i32| {
                    if i % 200 == 190 {
                        f();
                    }
                    *i == 200
                };
                assert_eq!((0..400).par(pool).find_first(hit), Some(200));
            }),
            ("bridge", |pool, f| {
                (0..70).par_bridge(pool).filter(|i| i % 30 == 7).for_each(|_| f());
            }),
            ("next of a bridge", |pool, f| {
                let source = (0..70).inspect(|i| {
                    if i % 30 == 7 {
                        f();
                    }
                });
                assert_eq!(source.par_bridge(pool).count(), 70);
            }),
            ("merge", |pool, f| {
                let merge = |x: u32, y: u32| {
                    if x == 0 {
                        f();
                    }
                    x + y
                };
                assert_eq!((0..9).par(pool).reduce_tree(merge), Some(36));
            }),
            ("sort", |pool, f| {
                let mut rows: Vec<u32> = (0..3000).rev().collect();
                rows.par_sort_by(pool, |x, y| {
                    if (*x, *y) == (1, 0) || (*x, *y) == (0, 1) {
                        f();
                    }
                    x.cmp(y)
                });
                assert!(rows.is_sorted());
            }),
        ];
        entries
    }};
}

/// Every entry in every other in every other.
fn nest<P: Sync>(pool: &P, entries: &[Entry<P>]) {
    for (outer, a) in entries {
        for (middle, b) in entries {
            for (inner, c) in entries {
                let calls = AtomicUsize::new(0);
                let count = || _ = calls.fetch_add(1, Ordering::Relaxed);
                a(pool, &|| b(pool, &|| c(pool, &count)));
                assert!(calls.into_inner() > 0, "{inner} in {middle} in {outer}");
            }
        }
    }
}

#[test]
fn call_the_same_pool_by_every_entry() {
    nest(&Serial, entries!(Serial));
    for width in [1, 2, 4] {
        nest(&DequePool::new(width).unwrap(), entries!(DequePool));
        nest(&RayonPool::new(width).unwrap(), entries!(RayonPool));
    }
}

#[test]
fn make_and_drop_pools() {
    for pool in all_pools() {
        let total = (0..40_u32).par(pool).map(|i| {
            let inner = DequePool::new(1 + i as usize % 3).unwrap();
            let other = RayonPool::new(1 + i as usize % 3).unwrap();
            let sum = (0..i).par(&inner).sum::<u32>();
            assert_eq!(inner.join(|| other.join(|| 1, || 2), || 3), ((1, 2), 3));
            sum
        });
        assert_eq!(total.sum::<u32>(), (0..40).map(|i: u32| (0..i).sum::<u32>()).sum());
    }
}

/// The callback lets go of the last handle but the caller's own, which goes right after the call.
#[test]
fn let_go_of_the_pool_they_run_on() {
    fn on<P: Backend + Send + Sync>(pool: P) {
        let mine = Arc::new(pool);
        let others = Mutex::new(vec![Arc::clone(&mine); 8]);
        let count = (0..100).par(&*mine).filter(|_| {
            drop(others.lock().unwrap().pop());
            true
        });
        assert_eq!(count.count(), 100);
        assert_eq!(Arc::strong_count(&mine), 1);
        drop(mine);
    }
    for width in [1, 2, 4] {
        for _ in 0..20 {
            on(DequePool::new(width).unwrap());
            on(RayonPool::new(width).unwrap());
        }
    }
}

/// Which is a fork and an exec, in the middle of a call.
#[cfg(unix)]
#[test]
fn start_a_process() {
    for pool in all_pools().filter(|pool| pool.width().get() < 5) {
        let ended = (0..8).par(pool).map(|i| {
            let child = Command::new("sh").args(["-c", &format!("exit {i}")]).status();
            child.unwrap().code()
        });
        assert!(ended.collect::<Vec<_>>().into_iter().eq((0..8).map(Some)), "{pool:?}");
    }
}
