//! Whole calls of the pool under shuttle, which runs the library itself on threads of its own and chooses
//! at each atomic, lock and wake who goes on. More threads and longer calls than loom can bear, but
//! every access is sequentially consistent here:
//!
//! `RUSTFLAGS="--cfg spanwise_shuttle" cargo test -p spanwise-deque --release --test shuttle`
//!
//! A deadlock, an endless schedule or a failed assertion ends a model, and the schedule is printed for
//! `shuttle::replay`. Time stands still in it: nobody spins, and each wait parks at once.
#![cfg(spanwise_shuttle)]

mod check;

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use shuttle::{sync::Mutex, thread};
use spanwise_deque::DequePool;

use check::check;

fn pool(width: usize) -> DequePool {
    DequePool::new(width).unwrap()
}

/// Numbers below `n` by joins of joins.
fn sum(pool: &DequePool, from: usize, to: usize) -> usize {
    if to - from <= 1 {
        return from;
    }
    let middle = (from + to) / 2;
    let (left, right) = pool.join(|| sum(pool, from, middle), || sum(pool, middle, to));
    left + right
}

/// The payload of a call that panics with a number.
fn unwound<R>(call: impl FnOnce() -> R) -> Option<usize> {
    let payload = catch_unwind(AssertUnwindSafe(call)).err()?;
    payload.downcast_ref::<usize>().copied()
}

/// Counts its drops.
struct Counted<'c>(&'c AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Relaxed);
    }
}

#[test]
fn joins_nest() {
    check(100, || assert_eq!(sum(&pool(3), 0, 8), 28));
}

/// And halves do get stolen here: else all the rest would show little.
#[test]
fn halves_are_stolen() {
    let stolen = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&stolen);
    let all = check(30, move || {
        let (near, far) = pool(2).join(|| thread::current().id(), || thread::current().id());
        count.fetch_add(usize::from(near != far), Relaxed);
    });
    let stolen = stolen.load(Relaxed);
    println!("{stolen} halves stolen");
    assert!(stolen * 10 >= all);
}

#[test]
fn callers_from_outside() {
    check(150, || {
        let pool = Arc::new(pool(2));
        let callers: Vec<_> = (0..2)
            .map(|caller| {
                let pool = Arc::clone(&pool);
                thread::spawn(move || sum(&pool, caller, caller + 4))
            })
            .collect();
        let mine = sum(&pool, 2, 6);
        let theirs: Vec<_> = callers.into_iter().map(|caller| caller.join().unwrap()).collect();
        assert_eq!((mine, theirs), (14, vec![6, 10]));
    });
}

/// A lock that is held across a call is never met again by the thread that holds it.
#[test]
fn locks_across_calls() {
    check(150, || {
        let pool = pool(3);
        let lock = Mutex::new(0);
        let locked = || {
            let mut number = lock.lock().unwrap();
            let (left, right) = pool.join(|| sum(&pool, 0, 2), || sum(&pool, 2, 4));
            *number += left + right;
        };
        pool.join(|| pool.join(locked, locked), || pool.join(locked, locked));
        assert_eq!(*lock.lock().unwrap(), 24);
    });
}

/// Nor by one that waits at the end of a scope, or in a task, also where a join is around the scope.
#[test]
fn locks_across_scopes() {
    check(150, || {
        let pool = pool(2);
        let lock = Mutex::new(0);
        let add = || *lock.lock().unwrap() += 1;
        let steps = shuttle::sync::atomic::AtomicUsize::new(0);
        let task = || {
            let mut number = lock.lock().unwrap();
            pool.join(|| steps.fetch_add(1, Relaxed), || steps.fetch_add(1, Relaxed));
            *number += 2;
        };
        let scope = || pool.scope(|scope| scope.spawn(|_| task()));
        pool.join(scope, add);
        assert_eq!(*lock.lock().unwrap(), 3);
    });
}

/// A scope that holds a lock, beside strangers who want it.
#[test]
fn scopes_inside_of_locks() {
    check(150, || {
        let pool = Arc::new(pool(2));
        let lock = Arc::new(Mutex::new(0));
        let (their_pool, their_lock) = (Arc::clone(&pool), Arc::clone(&lock));
        let add = |lock: &Mutex<i32>| *lock.lock().unwrap() += 1;
        let other = thread::spawn(move || {
            let both = || their_pool.join(|| add(&their_lock), || add(&their_lock));
            their_pool.join(both, both);
        });
        let mut number = lock.lock().unwrap();
        pool.scope(|scope| scope.spawn(|_| _ = pool.join(|| (), || ())));
        *number += 1;
        drop(number);
        other.join().unwrap();
        assert_eq!(*lock.lock().unwrap(), 5);
    });
}

#[test]
fn scopes_end_after_their_tasks() {
    check(100, || {
        let pool = pool(3);
        let ran = AtomicUsize::new(0);
        pool.scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|scope| {
                    pool.join(|| ran.fetch_add(1, Relaxed), || ran.fetch_add(1, Relaxed));
                    scope.spawn(|_| _ = ran.fetch_add(1, Relaxed));
                });
            }
        });
        assert_eq!(ran.load(Relaxed), 6);
    });
}

#[test]
fn a_scope_with_a_task_that_panics() {
    check(100, || {
        let pool = pool(2);
        let ran = AtomicUsize::new(0);
        let panicked = unwound(|| {
            pool.scope(|scope| {
                scope.spawn(|_| resume_unwind(Box::new(7_usize)));
                scope.spawn(|_| _ = ran.fetch_add(1, Relaxed));
            });
        });
        assert_eq!((panicked, ran.load(Relaxed)), (Some(7), 1));
        assert_eq!(sum(&pool, 0, 3), 3);
    });
}

/// Of two panics the near one comes out, after both halves; what nobody ran is dropped once.
#[test]
fn halves_that_panic() {
    check(80, || {
        let pool = pool(2);
        let raise = |number: usize| resume_unwind(Box::new(number));
        assert_eq!(unwound(|| pool.join(|| 1, || raise(2))), Some(2));
        let drops = AtomicUsize::new(0);
        let kept = Counted(&drops);
        let both = || {
            pool.join(
                || raise(3),
                move || {
                    let _kept = kept;
                    raise(4)
                },
            )
        };
        assert_eq!(unwound(both), Some(3));
        assert_eq!(drops.load(Relaxed), 1);
        assert_eq!(sum(&pool, 0, 3), 3);
    });
}

#[test]
fn broadcasts_reach_every_thread() {
    check(100, || {
        let pool = pool(3);
        let (near, far) = pool.join(
            || pool.broadcast(|share| share.index()),
            || pool.broadcast(|share| share.index() * 2),
        );
        assert_eq!((near, far), (vec![0, 1, 2], vec![0, 2, 4]));
        let mut threads = pool.broadcast(|_| usize::from(thread::current().id()));
        threads.sort_unstable();
        threads.dedup();
        assert_eq!(threads.len(), 3);
    });
}

/// Two broadcasts from outside, whose shares wait for each other.
#[test]
fn broadcasts_come_in_one_order() {
    check(100, || {
        let pool = Arc::new(pool(3));
        let theirs = Arc::clone(&pool);
        let meet = |pool: &DequePool| {
            let (here, came) = (Mutex::new(0), shuttle::sync::Condvar::new());
            pool.broadcast(|_| {
                let mut count = here.lock().unwrap();
                *count += 1;
                came.notify_all();
                while *count < 3 {
                    count = came.wait(count).unwrap();
                }
            });
        };
        let other = thread::spawn(move || meet(&theirs));
        meet(&pool);
        other.join().unwrap();
    });
}

#[test]
fn pools_end() {
    check(40, || {
        drop(pool(3));
        let used = pool(2);
        used.enter(|| assert_eq!(sum(&used, 0, 2), 1));
        // By another thread than the one that made it.
        thread::spawn(move || drop(used)).join().unwrap();
    });
}

#[test]
fn pools_in_pools() {
    check(100, || {
        let (outer, inner) = (pool(2), pool(2));
        let both = || inner.join(|| sum(&outer, 0, 2), || sum(&inner, 2, 4));
        let (left, right) = outer.join(both, both);
        assert_eq!((left, right), ((1, 5), (1, 5)));
        let wide = pool(3);
        let (threads, _) = outer.join(|| wide.broadcast(|_| ()).len(), || inner.join(|| 1, || 2));
        assert_eq!(threads, 3);
    });
}
