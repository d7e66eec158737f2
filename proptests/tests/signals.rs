//! Signals in a storm: handlers run on every thread while calls run, wait and sleep, each system call
//! that a signal can interrupt is interrupted, and every answer stays right.
//!
//! U-signals. The handler adds to an atomic number and does nothing else. A thread is sent signals only
//! between its start hook and its exit hook, so its handle is one of a living thread.
#![cfg(unix)]
#![expect(unsafe_code, reason = "handlers and signals to threads are the system's")]

use std::{
    mem, ptr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use spanwise::prelude::*;
use spanwise_backend::{Backend, Builder, FromSettings};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

static HANDLED: AtomicUsize = AtomicUsize::new(0);

extern "C" fn count(_: libc::c_int) {
    // Relaxed: a number to look at later.
    HANDLED.fetch_add(1, Ordering::Relaxed);
}

/// Handles a signal by counting it; calls that it interrupts are not restarted.
fn handle(signal: libc::c_int) {
    // SAFETY: U-signals: all of the struct's fields may be zero.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = count as extern "C" fn(libc::c_int) as usize;
    action.sa_flags = 0;
    // SAFETY: U-signals: the handler may run anywhere and at any time.
    let done = unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) };
    assert_eq!(done, 0);
}

/// Threads to send signals to.
#[derive(Clone, Default)]
struct Targets(Arc<Mutex<Vec<libc::pthread_t>>>);

impl Targets {
    fn me() -> libc::pthread_t {
        // SAFETY: U-signals: it asks for nothing.
        unsafe { libc::pthread_self() }
    }

    fn add_me(&self) {
        self.0.lock().unwrap().push(Self::me());
    }

    fn remove_me(&self) {
        self.0.lock().unwrap().retain(|&thread| thread != Self::me());
    }

    fn signal_all(&self) {
        // Under the lock, so that no thread ends meanwhile.
        for &thread in &*self.0.lock().unwrap() {
            // SAFETY: U-signals: the thread is between its hooks.
            let sent = unsafe { libc::pthread_kill(thread, libc::SIGUSR1) };
            assert_eq!(sent, 0);
        }
    }
}

/// Everything that waits: joins, pulls, naps between calls, callbacks that sleep.
fn calls(pool: &impl Backend, until: Instant) {
    let mut round = 0;
    while Instant::now() < until {
        round += 1;
        let n = 100 + round % 300;
        assert_eq!((0..n).par(pool).map(|x| x * 3).sum::<u64>(), (0..n).map(|x| x * 3).sum());
        let slow = (0..20_u64).par(pool).map(|i| {
            thread::sleep(Duration::from_micros(i * 10));
            i
        });
        assert!(slow.collect::<Vec<_>>().into_iter().eq(0..20));
        let mut bridged = (0..n).par_bridge(pool).filter(|x| x % 3 == 1).stream(16);
        assert!(bridged.by_ref().eq((0..n).filter(|x| x % 3 == 1)));
        assert_eq!((0..n * 50).par(pool).position_first(|x| x == n * 40), Some(n as usize * 40));
        // Long enough for the pool's threads to fall asleep.
        thread::sleep(Duration::from_micros(round % 7 * 100));
    }
}

fn storm<P: FromSettings + Backend>() {
    let targets = Targets::default();
    let (start, exit) = (targets.clone(), targets.clone());
    let builder = Builder::<P>::new().threads(4);
    let builder = builder.on_start(move |_| start.add_me()).on_exit(move |_| exit.remove_me());
    let pool = builder.build().unwrap();
    let before = HANDLED.load(Ordering::Relaxed);
    let over = AtomicBool::new(false);
    let until = Instant::now() + Duration::from_millis(700);
    thread::scope(|scope| {
        let callers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    targets.add_me();
                    calls(&pool, until);
                    targets.remove_me();
                })
            })
            .collect();
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                targets.signal_all();
                thread::sleep(Duration::from_micros(50));
            }
        });
        let ended: Vec<_> = callers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        over.store(true, Ordering::Relaxed);
        ended.into_iter().for_each(|ended| ended.unwrap());
    });
    drop(pool);
    let handled = HANDLED.load(Ordering::Relaxed) - before;
    assert!(handled > 100, "only {handled} signals came: this was no storm");
}

#[test]
fn a_storm_of_signals_changes_no_answer() {
    handle(libc::SIGUSR1);
    storm::<DequePool>();
    storm::<RayonPool>();
}
