//! The protocols under loom, which tries every interleaving up to a bound. The modules are the
//! crate's own sources, compiled here over loom's atomics:
//!
//! `RUSTFLAGS="--cfg spanwise_loom" LOOM_MAX_PREEMPTIONS=2 cargo test -p spanwise-deque --release --test loom`
//!
//! A deadlock, a torn cell or a failed assertion ends a model. Each one also says how many
//! interleavings it must have tried, because a model that tried few has shown little.
#![cfg(spanwise_loom)]
#![allow(dead_code, missing_docs, unreachable_pub, unsafe_code)]

#[path = "../../src/clock.rs"]
mod clock;
#[path = "../../src/crew.rs"]
mod crew;
#[path = "../../src/gate.rs"]
mod gate;
#[path = "../../src/injector.rs"]
mod injector;
#[path = "../../src/job.rs"]
mod job;
#[path = "../../src/join.rs"]
mod join;
#[path = "../../src/latch.rs"]
mod latch;
#[path = "../../src/mailbox.rs"]
mod mailbox;
#[path = "../../src/member.rs"]
mod member;
#[path = "../../src/ring.rs"]
mod ring;
#[path = "../../src/rounds.rs"]
mod rounds;
#[path = "../../src/seats.rs"]
mod seats;
#[path = "../../src/sleep.rs"]
mod sleep;
#[path = "../../src/sync.rs"]
mod sync;
#[path = "../../src/tact.rs"]
mod tact;
#[path = "../../src/tasks.rs"]
mod tasks;

mod deque;
mod descent;
mod handoff;
mod waiting;
mod whole;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use loom::cell::UnsafeCell;

use ring::{Owner, Ring};

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

/// A number that loom watches: whoever reads it must have synchronised with whoever wrote it.
struct Watched(UnsafeCell<usize>);

// SAFETY: loom checks each access.
unsafe impl Sync for Watched {}

impl Watched {
    fn new(number: usize) -> Self {
        Self(UnsafeCell::new(number))
    }

    fn add(&self, more: usize) {
        self.0.with_mut(|number| {
            // SAFETY: loom checks that nobody else is at it.
            unsafe { *number += more };
        });
    }

    fn get(&self) -> usize {
        self.0.with(|number| {
            // SAFETY: loom checks that nobody writes.
            unsafe { *number }
        })
    }
}

/// What goes through a ring here.
type Item = Watched;

fn item(number: usize) -> *mut Item {
    Box::into_raw(Box::new(Watched::new(number)))
}

fn open(item: *mut Item) -> usize {
    // SAFETY: each pointer is opened by its one taker; that there is one is what is tested.
    unsafe { Box::from_raw(item) }.get()
}

fn push(end: &Owner<&Ring<Item>>, number: usize) {
    end.push(item(number));
    end.publish(1);
}

fn pop(end: &Owner<&Ring<Item>>) -> Option<usize> {
    end.pop().map(open)
}
