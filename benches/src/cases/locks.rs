//! What a lock and a signal cost: new or used before, with warm or cold caches.

use std::{
    hint::black_box,
    sync::{Condvar, Mutex, TryLockError},
    time::Instant,
};

use crate::{peers::Peers, session::Session, stats::Summary};

/// A lock, and a signal that nobody waits for, on cache lines of their own.
#[repr(align(128))]
#[derive(Debug, Default)]
struct Both {
    lock: Mutex<u64>,
    signal: Condvar,
}

/// As many as are used for one sample.
const MANY: usize = 256;

/// What is done with one of them.
type Act = fn(&Both);

const ACTS: [(&str, Act); 4] = [
    ("acquire and release", |both| *lock(both) += 1),
    ("try to acquire, free", |both| *both.lock.try_lock().expect("it is free") += 1),
    ("try to acquire, held", |both| {
        // Held by this very thread, which `try_lock` allows.
        assert!(matches!(both.lock.try_lock(), Err(TryLockError::WouldBlock)));
    }),
    ("signal, nobody waits", |both| both.signal.notify_one()),
];

fn lock(both: &Both) -> std::sync::MutexGuard<'_, u64> {
    both.lock.lock().expect("nobody panics with it")
}

/// Four operations in four scenarios.
///
/// # Errors
///
/// None.
pub fn locks(session: &mut Session, _: &Peers) -> Result<(), String> {
    // More than the last cache.
    let mut evict = vec![1_u8; if session.is_check() { 1 << 12 } else { 64 << 20 }];
    let samples = session.times(9, 41);
    for (name, act) in ACTS {
        session.show(name);
        let held = name == "try to acquire, held";
        let mut numbers = Vec::new();
        for (scenario, fresh, cold) in [
            ("used before, warm", false, false),
            ("new, warm", true, false),
            ("used before, cold", false, true),
            ("new, cold", true, true),
        ] {
            let mut nanos: Vec<f64> =
                (0..samples).map(|_| one(act, held, fresh, cold, &mut evict)).collect();
            numbers.push((scenario, Summary::of(&mut nanos).median));
        }
        session.figure("Locks and signals", name, "ns", numbers);
    }
    Ok(())
}

fn one(act: Act, held: bool, fresh: bool, cold: bool, evict: &mut [u8]) -> f64 {
    let all: Vec<Both> = (0..MANY).map(|_| Both::default()).collect();
    if !fresh {
        all.iter().for_each(|both| {
            *lock(both) += 1;
            both.signal.notify_one();
        });
    }
    let guards: Vec<_> = all.iter().filter(|_| held).map(lock).collect();
    if cold {
        evict.iter_mut().step_by(64).for_each(|byte| *byte = byte.wrapping_add(1));
        black_box(&evict);
    }
    // Far from each other in time and place, so that no prefetcher helps.
    let order = (0..MANY).map(|i| i * 101 % MANY);
    let start = Instant::now();
    order.for_each(|i| act(black_box(&all[i])));
    let took = start.elapsed().as_nanos() as f64 / MANY as f64;
    drop(guards);
    took
}
