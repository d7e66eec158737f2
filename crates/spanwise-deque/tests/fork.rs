//! A forked child has none of the pool's threads: it works alone, or says clearly that it cannot.
#![cfg(unix)]
#![allow(unsafe_code)]

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Barrier,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use spanwise_deque::DequePool;

unsafe extern "C" {
    safe fn fork() -> i32;
    safe fn alarm(seconds: u32) -> u32;
    safe fn _exit(status: i32) -> !;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
}

/// Ends the child, well or not; an alarm ends it if it hangs.
fn end(good: bool) -> ! {
    _exit(if good { 0 } else { 1 })
}

/// Waits for the child and says whether it ended well.
fn ended_well(child: i32) -> bool {
    let mut status = -1;
    // SAFETY: `status` is there to be written.
    let waited = unsafe { waitpid(child, &raw mut status, 0) };
    waited == child && status == 0
}

fn sum(pool: &DequePool, from: u64, to: u64) -> u64 {
    if to - from == 1 {
        return from;
    }
    let middle = from + (to - from) / 2;
    let (a, b) = pool.join(|| sum(pool, from, middle), || sum(pool, middle, to));
    a + b
}

// One test, so that no other one forks or allocates at the same time.
#[test]
fn a_child_works_alone_or_says_why_not() {
    std::panic::set_hook(Box::new(|_| ()));
    for nap in [0, 5] {
        let pool = DequePool::new(3).unwrap();
        assert_eq!(sum(&pool, 0, 1_000), 499_500);
        thread::sleep(Duration::from_millis(nap));
        let child = fork();
        if child == 0 {
            alarm(20);
            let mut good = sum(&pool, 0, 1_000) == 499_500;
            let total = std::sync::atomic::AtomicU64::new(0);
            pool.scope(|s| {
                for i in 0..100 {
                    let total = &total;
                    s.spawn(move |_| _ = total.fetch_add(i, Ordering::Relaxed));
                }
            });
            good &= total.into_inner() == 4950;
            good &= pool.broadcast(|share| share.index()) == [0, 1, 2];
            drop(pool);
            // A pool of the child's own has threads again.
            let pool = DequePool::new(2).unwrap();
            let both = Barrier::new(2);
            let meet = || {
                thread::sleep(Duration::from_millis(1));
                both.wait();
            };
            pool.join(meet, meet);
            drop(pool);
            end(good);
        }
        assert!(ended_well(child));
        assert_eq!(sum(&pool, 0, 1_000), 499_500);
    }

    // Forked while every seat is taken: no thread of the child will ever free one.
    let pool = DequePool::new(2).unwrap();
    let (seated, may_leave) = (Barrier::new(10), AtomicBool::new(false));
    thread::scope(|s| {
        for _ in 0..9 {
            s.spawn(|| {
                pool.enter(|| {
                    seated.wait();
                    while !may_leave.load(Ordering::Acquire) {
                        thread::sleep(Duration::from_millis(1));
                    }
                });
            });
        }
        seated.wait();
        let child = fork();
        if child == 0 {
            alarm(20);
            let total = std::sync::atomic::AtomicU64::new(0);
            pool.scope(|s| s.spawn(|_| _ = total.fetch_add(sum(&pool, 0, 99), Ordering::Relaxed)));
            end(total.into_inner() == 4851 && pool.enter(|| sum(&pool, 0, 1_000)) == 499_500);
        }
        may_leave.store(true, Ordering::Release);
        assert!(ended_well(child));
    });

    // Forked while a thread of the parent has the far half.
    let pool = DequePool::new(2).unwrap();
    let (far_runs, may_end) = (AtomicBool::new(false), AtomicBool::new(false));
    let wait_for = |flag: &AtomicBool| {
        while !flag.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(1));
        }
    };
    let mut child = -1;
    let result = catch_unwind(AssertUnwindSafe(|| {
        pool.join(
            || {
                wait_for(&far_runs);
                child = fork();
                if child == 0 {
                    alarm(20);
                }
                may_end.store(true, Ordering::Release);
            },
            || {
                far_runs.store(true, Ordering::Release);
                wait_for(&may_end);
            },
        )
    }));
    if child == 0 {
        let message = result.map_err(|payload| payload.downcast::<&str>().map(|text| *text));
        end(matches!(message, Err(Ok(text)) if text.contains("forked inside a join")));
    }
    assert!(result.is_ok());
    assert!(ended_well(child));
}
