//! Forks around and inside calls, on every pool. A child has one thread: a call that it begins works
//! on that, a call that it was born in ends or panics. An alarm ends a child that hangs.
//!
//! U-fork. The child runs on the one thread that it has and leaves by `_exit`, so nothing of the
//! parent's is undone twice.
#![cfg(unix)]
#![expect(unsafe_code, reason = "forking is the system's")]

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Barrier,
        atomic::{AtomicBool, AtomicI32, Ordering},
    },
    thread,
    time::Duration,
};

use spanwise::prelude::*;
use spanwise_backend::{Backend, Serial};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

/// 0 in the child, which is ended by an alarm if it hangs.
fn fork() -> i32 {
    // SAFETY: U-fork: what the child does next is up to the callers in this file.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        // SAFETY: U-fork: an alarm that nobody handles ends the child.
        unsafe { libc::alarm(20) };
    }
    child
}

fn exit(good: bool) -> ! {
    // SAFETY: U-fork: the child's way out.
    unsafe { libc::_exit(if good { 0 } else { 1 }) }
}

/// Waits for the child, which must have ended well.
fn wait(child: i32, what: &str) {
    let mut status = -1;
    // SAFETY: U-fork: `status` is there to be written.
    let waited = unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!((waited, status), (child, 0), "{what}: an alarm is signal 14");
}

fn good(pool: &impl Backend) -> bool {
    let n = 5000_u64;
    (0..n).par(pool).map(|x| x * 3).sum::<u64>() == (0..n).map(|x| x * 3).sum()
        && (0..n).par(pool).filter(|x| x % 7 == 1).collect::<Vec<_>>().len() == 715
        && (0..n).par(pool).find_first(|x| x % 4999 == 4998) == Some(4998)
        && (0..n).par_bridge(pool).map(|x| x + 1).max() == Some(n)
        && (0..n).par(pool).stream(100).eq(0..n)
        && (0..8_u64).par(pool).map(|x| (0..x * 100).par(pool).count()).sum::<usize>() == 2800
}

/// A child begins calls of its own on the parent's pool.
fn child_calls(pool: &impl Backend, nap: u64, what: &str) {
    assert!(good(pool));
    thread::sleep(Duration::from_millis(nap));
    let child = fork();
    if child == 0 {
        exit(catch_unwind(AssertUnwindSafe(|| good(pool))).unwrap_or(false));
    }
    wait(child, what);
    assert!(good(pool));
}

/// A callback forks; the child does nothing but end, as one that becomes another program.
fn callback_forks(pool: &impl Backend) {
    let count = (0..40).par(pool).filter(|i| {
        if i % 13 == 5 {
            let child = fork();
            if child == 0 {
                exit(true);
            }
            wait(child, "a child that ends at once");
        }
        true
    });
    assert_eq!(count.count(), 40);
}

/// Both halves of a call are running when one forks, and the child goes on in that call.
fn child_goes_on(pool: &DequePool) {
    let (both, forked) = (Barrier::new(2), AtomicBool::new(false));
    let child = AtomicI32::new(-1);
    let me = std::process::id();
    let half = |i: usize| {
        both.wait();
        if i == 0 {
            child.store(fork(), Ordering::SeqCst);
            forked.store(true, Ordering::SeqCst);
        }
        while !forked.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        i
    };
    // A join, since a chain whose rows were cheap before may run both on one thread. Halves that a new
    // pool has never seen are worth a wake.
    let ran = catch_unwind(AssertUnwindSafe(|| pool.join(|| half(0), || half(1))));
    if std::process::id() != me {
        // The other half is with a thread that the child does not have.
        exit(ran.is_err());
    }
    assert_eq!(ran.unwrap(), (0, 1));
    wait(child.into_inner(), "a child that goes on");
}

// One test, so that no other thread of this program holds a lock when it forks.
#[test]
fn children_work_alone_or_say_why_not() {
    std::panic::set_hook(Box::new(|_| ()));
    for nap in [0, 5] {
        child_calls(&Serial, nap, "serial");
        for width in [1, 2, 4] {
            child_calls(&DequePool::new(width).unwrap(), nap, "deque");
            child_calls(&RayonPool::new(width).unwrap(), nap, "rayon");
        }
    }
    for width in [1, 3] {
        callback_forks(&DequePool::new(width).unwrap());
        callback_forks(&RayonPool::new(width).unwrap());
    }
    for _ in 0..20 {
        child_goes_on(&DequePool::new(2).unwrap());
    }
}
