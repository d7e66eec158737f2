//! Whole calls of the library on the deque pool under shuttle, which runs both on threads of its own and
//! chooses at each atomic, lock and wake who goes on:
//!
//! `RUSTFLAGS="--cfg spanwise_shuttle" cargo test -p spanwise --release --test shuttle`
//!
//! Every stretch of time is as long as any other in a model.
#![cfg(spanwise_shuttle)]

#[path = "../../spanwise-deque/tests/shuttle/check.rs"]
mod check;

use std::{
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use shuttle::thread;
use spanwise::{Pool, prelude::*};
use spanwise_backend::{Backend, Serial};

use check::check;

/// A pool on which chains are cut at once, instead of where a thread is seen to want work.
struct AtOnce(Pool);

impl AtOnce {
    fn new(width: usize) -> Self {
        Self(Pool::new(width).unwrap())
    }
}

impl Backend for AtOnce {
    const RUNS_STRANGERS: bool = Pool::RUNS_STRANGERS;

    fn width(&self) -> NonZeroUsize {
        self.0.width()
    }

    fn cuts_at_once(&self) -> bool {
        true
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        self.0.join(a, b)
    }

    fn enter<F: FnOnce() -> R, R>(&self, op: F) -> R {
        self.0.enter(op)
    }
}

/// Panics with a row as payload, past the hook that prints.
fn raise(row: usize) -> ! {
    resume_unwind(Box::new(row))
}

/// The row whose panic came out.
fn unwound<R>(call: impl FnOnce() -> R) -> Option<usize> {
    let payload = catch_unwind(AssertUnwindSafe(call)).err()?;
    payload.downcast_ref::<usize>().copied()
}

/// The same bits however the parts fall to threads; and they do fall to several.
#[test]
fn sums() {
    let shared = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&shared);
    let all = check(100, move || {
        let pool = AtOnce::new(3);
        let rows = [1e16, 1.0, -1e16, 3.0, 0.1, 0.2, 0.3, 1e-9];
        let main = thread::current().id();
        let elsewhere = AtomicUsize::new(0);
        let chain = rows.par(&pool).with_grain(1).inspect(|_| {
            elsewhere.fetch_add(usize::from(thread::current().id() != main), Relaxed);
        });
        let sum: f64 = chain.sum();
        let serial: f64 = rows.par(&Serial).with_grain(1).sum();
        assert_eq!(sum.to_bits(), serial.to_bits());
        count.fetch_add(usize::from(elsewhere.into_inner() > 0), Relaxed);
    });
    let shared = shared.load(Relaxed);
    println!("{shared} calls on several threads");
    assert!(shared * 10 >= all);
}

/// The pool itself decides who gets a half.
#[test]
fn sums_where_somebody_wants_work() {
    check(30, || {
        let pool = Pool::new(2).unwrap();
        for rows in [7_u64, 300] {
            assert_eq!((0..rows).par(&pool).with_grain(2).map(|x| x * x).sum::<u64>(), {
                (0..rows).map(|x| x * x).sum()
            });
        }
    });
}

#[test]
fn two_callers() {
    check(200, || {
        let pool = Arc::new(AtOnce::new(2));
        let theirs = Arc::clone(&pool);
        let call = |pool: &AtOnce| {
            let rows: Vec<usize> = (0..5).par(pool).with_grain(1).map(|x| x * 2).collect();
            assert_eq!(rows, [0, 2, 4, 6, 8]);
        };
        let other = thread::spawn(move || call(&theirs));
        call(&pool);
        other.join().unwrap();
    });
}

#[test]
fn the_first_hit_and_the_first_error() {
    check(150, || {
        let pool = AtOnce::new(3);
        assert_eq!((0..9_usize).par(&pool).with_grain(1).find_first(|&i| i % 4 == 3), Some(3));
        let tried =
            (0..6_usize).par(&pool).with_grain(1).map(|i| if i > 1 { Err(i) } else { Ok(i) });
        assert_eq!(tried.collect::<Result<Vec<_>, _>>(), Err(2));
    });
}

#[test]
fn a_bridge() {
    check(150, || {
        let pool = AtOnce::new(3);
        let rows = (0..6_usize).filter(|i| i % 2 == 0);
        let items: Vec<usize> = rows.par_bridge(&pool).map(|i| i + 5).collect();
        assert_eq!(items, [5, 7, 9]);
        assert_eq!((0..5_usize).par_bridge(&pool).find_first(|&i| i == 2), Some(2));
    });
}

#[test]
fn a_bridge_that_panics() {
    check(100, || {
        let pool = AtOnce::new(3);
        let next = (0..4_usize).inspect(|&i| {
            if i == 2 {
                raise(i)
            }
        });
        assert_eq!(unwound(|| next.par_bridge(&pool).count()), Some(2));
        assert_eq!((0..4_usize).par(&pool).with_grain(1).count(), 4);
    });
}

/// Of the panics that happened the first, whoever was faster.
#[test]
fn a_bridge_of_rows_that_panic() {
    check(100, || {
        let pool = AtOnce::new(3);
        let first = AtomicUsize::new(usize::MAX);
        let panicked = unwound(|| {
            (0..4_usize).par_bridge(&pool).for_each(|i| {
                first.fetch_min(i, Relaxed);
                raise(i)
            });
        });
        assert_eq!(panicked, Some(first.into_inner()));
    });
}

/// Of the panics that happened the first; each row is dropped once.
#[test]
fn rows_that_panic() {
    struct Row<'c>(usize, &'c AtomicUsize);

    impl Drop for Row<'_> {
        fn drop(&mut self) {
            self.1.fetch_add(1, Relaxed);
        }
    }

    check(100, || {
        let pool = AtOnce::new(2);
        let drops = AtomicUsize::new(0);
        let first = AtomicUsize::new(usize::MAX);
        let rows: Vec<_> = (0..5).map(|i| Row(i, &drops)).collect();
        let panicked = unwound(|| {
            rows.into_iter().par(&pool).with_grain(1).for_each(|row| {
                if row.0 % 2 == 1 {
                    first.fetch_min(row.0, Relaxed);
                    raise(row.0)
                }
            });
        });
        assert_eq!(panicked, Some(first.into_inner()));
        assert_eq!(drops.into_inner(), 5);
    });
}

#[test]
fn chains_in_chains() {
    check(200, || {
        let pool = AtOnce::new(3);
        let inner = |i: usize| (0..i + 2).par(&pool).with_grain(1).sum::<usize>();
        let all: Vec<usize> = (0..3_usize).par(&pool).with_grain(1).map(inner).collect();
        assert_eq!(all, [1, 3, 6]);
    });
}
