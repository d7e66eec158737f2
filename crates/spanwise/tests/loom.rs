//! Early stops and the bridge under loom, which tries every interleaving up to a bound. The chains are
//! whole calls of the library, whose locks and atomics are loom's:
//!
//! `RUSTFLAGS="--cfg spanwise_loom" LOOM_MAX_PREEMPTIONS=2 cargo test -p spanwise --release --test loom`
//!
//! A deadlock or a failed assertion ends a model. Each one also says how many interleavings it must
//! have tried, because a model that tried few has shown little.
//!
//! - U-model: a far half, whose lifetime is erased, has ended before `join` returns or unwinds.
#![cfg(spanwise_loom)]
#![expect(unsafe_code, reason = "loom's threads take what lives for ever")]

use std::{
    mem,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use spanwise::prelude::*;
use spanwise_backend::Backend;

/// A thread for each far half. Chains are cut at once: a model has no time to find out what is worth it.
struct Threads;

impl Backend for Threads {
    const RUNS_STRANGERS: bool = false;

    fn width(&self) -> NonZeroUsize {
        const { NonZeroUsize::new(2).unwrap() }
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
        let mut far = None;
        let run: Box<dyn FnOnce() + Send + '_> =
            Box::new(|| far = Some(catch_unwind(AssertUnwindSafe(b))));
        // SAFETY: U-model: nothing between here and the thread's end unwinds.
        let run: Box<dyn FnOnce() + Send> = unsafe { mem::transmute(run) };
        let thread = loom::thread::spawn(run);
        let near = catch_unwind(AssertUnwindSafe(a));
        thread.join().expect("its panic is caught");
        match (near, far.expect("it has run")) {
            (Ok(near), Ok(far)) => (near, far),
            (Err(payload), _) | (_, Err(payload)) => resume_unwind(payload),
        }
    }
}

/// Checks a model and that it tried at least `least` interleavings.
fn check(least: usize, model: impl Fn() + Send + Sync + 'static) {
    let tried = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&tried);
    loom::model(move || {
        count.fetch_add(1, Relaxed);
        model();
    });
    let tried = tried.load(Relaxed);
    println!("{tried} interleavings");
    assert!(tried >= least, "only {tried} interleavings");
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

#[test]
fn the_first_of_two_hits_is_found() {
    check(10, || {
        let hit = (0..3_usize).par(&Threads).find_first(|&i| i > 0);
        assert_eq!(hit, Some(1));
    });
}

#[test]
fn any_hit_ends_the_call() {
    check(10, || assert!((0..3_usize).par(&Threads).any(|i| i == 1)));
}

#[test]
fn the_first_error_comes_out() {
    check(10, || {
        let tried = (0..3_usize).par(&Threads).map(|i| if i > 0 { Err(i) } else { Ok(i) });
        assert_eq!(tried.collect::<Result<Vec<_>, _>>(), Err(1));
    });
}

/// Of the panics that happened, the first; row 0's part may be left out once another has panicked.
#[test]
fn a_panic_ends_the_call() {
    check(10, || {
        let panicked = unwound(|| {
            (0..3_usize).par(&Threads).for_each(|i| {
                if i > 0 {
                    raise(i)
                }
            })
        });
        assert!(panicked == Some(1) || panicked == Some(2), "{panicked:?}");
    });
}

#[test]
fn a_bridge_gives_all_items_in_order() {
    check(100, || {
        let items: Vec<usize> = (0..2_usize).par_bridge(&Threads).map(|i| i + 5).collect();
        assert_eq!(items, [5, 6]);
    });
}

/// Of an iterator with an end: one thread could pull an endless one for ever, while loom lets no other run.
#[test]
fn a_bridge_ends_at_a_hit() {
    check(40, || {
        assert_eq!((0..3_usize).par_bridge(&Threads).find_first(|&i| i == 1), Some(1));
    });
}

/// The iterator's own panic comes out, and nobody waits for the feed it took along.
#[test]
fn a_bridge_whose_iterator_panics() {
    check(40, || {
        let next = (0..3_usize).inspect(|&i| {
            if i == 1 {
                raise(i)
            }
        });
        assert_eq!(unwound(|| next.par_bridge(&Threads).count()), Some(1));
    });
}

#[test]
fn a_bridge_with_a_row_that_panics() {
    check(100, || {
        let call = || {
            (0..2_usize).par_bridge(&Threads).for_each(|i| {
                if i == 0 {
                    raise(i)
                }
            })
        };
        assert_eq!(unwound(call), Some(0));
    });
}
