//! Schedules by seed: they replay, they reach every interleaving, and they keep the contract.

use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
};

use spanwise_backend::{Backend, Seeded};

/// The order in which the halves of a small tree take their steps.
fn order(pool: &Seeded) -> String {
    let log = Mutex::new(String::new());
    let steps = |name: char| {
        for _ in 0..3 {
            log.lock().unwrap().push(name);
            pool.pause();
        }
    };
    pool.join(
        || pool.join(|| steps('a'), || steps('b')),
        || pool.join(|| steps('c'), || pool.join(|| steps('d'), || steps('e'))),
    );
    log.into_inner().unwrap()
}

#[test]
fn a_seed_replays() {
    let mut orders = BTreeSet::new();
    for seed in 0..150 {
        let first = order(&Seeded::new(seed, 4));
        for _ in 0..2 {
            assert_eq!(order(&Seeded::new(seed, 4)), first, "seed {seed}");
        }
        orders.insert(first);
    }
    assert!(orders.len() > 100, "only {} orders", orders.len());
}

#[test]
fn calls_on_one_backend_differ_and_replay_together() {
    let orders = |seed| {
        let pool = Seeded::new(seed, 3);
        [(); 4].map(|()| order(&pool))
    };
    for seed in 0..20 {
        let all = orders(seed);
        assert_eq!(all, orders(seed), "seed {seed}");
        assert!(all.iter().collect::<BTreeSet<_>>().len() > 1, "seed {seed}: {all:?}");
    }
}

/// Two halves of three steps have twenty interleavings.
#[test]
fn every_interleaving_comes() {
    let seen = Mutex::new(BTreeSet::new());
    Seeded::each(0..1500, 2, |pool| {
        let log = Mutex::new(String::new());
        let steps = |name: char| {
            for _ in 0..3 {
                log.lock().unwrap().push(name);
                pool.pause();
            }
        };
        pool.join(|| steps('n'), || steps('f'));
        seen.lock().unwrap().insert(log.into_inner().unwrap());
    });
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.len(), 20, "{seen:?}");
}

/// Threads take turns, and no more are begun than the width allows.
#[test]
fn one_half_runs_at_a_time() {
    fn tree(pool: &Seeded, depth: usize, inside: &AtomicUsize) -> usize {
        assert_eq!(inside.fetch_add(1, SeqCst), 0, "two halves run at once");
        inside.fetch_sub(1, SeqCst);
        pool.pause();
        if depth == 0 {
            return 1;
        }
        let half = || tree(pool, depth - 1, inside);
        let (near, far) = pool.join(half, half);
        near + far
    }

    for width in [1, 2, 5] {
        for seed in 0..30 {
            let pool = Seeded::new(seed, width);
            assert_eq!(tree(&pool, 5, &AtomicUsize::new(0)), 32, "seed {seed} of {width}");
        }
    }
}

#[test]
fn the_first_panic_comes_out_and_both_halves_have_ended() {
    for seed in 0..200 {
        let pool = Seeded::new(seed, 3);
        for (near_panics, far_panics) in [(true, false), (false, true), (true, true)] {
            let inside = AtomicUsize::new(0);
            let half = |panics: bool, payload: u32| {
                inside.fetch_add(1, SeqCst);
                pool.pause();
                inside.fetch_sub(1, SeqCst);
                if panics {
                    resume_unwind(Box::new(payload));
                }
            };
            let join = || pool.join(|| half(near_panics, 1), || half(far_panics, 2));
            let payload = catch_unwind(AssertUnwindSafe(join)).unwrap_err();
            let expected = if near_panics { 1_u32 } else { 2 };
            assert_eq!(payload.downcast_ref(), Some(&expected), "seed {seed}");
            assert_eq!(inside.into_inner(), 0, "seed {seed}");
        }
        assert_eq!(pool.join(|| 1, || 2), (1, 2));
    }
}

/// A turn that its thread cannot use, since another holds what it needs, is taken from it.
#[test]
fn halves_that_wait_for_each_other_do_not_hang() {
    for seed in 0..8 {
        let pool = Seeded::new(seed, 2);
        let lock = Mutex::new(0);
        let add = || {
            let mut total = lock.lock().unwrap();
            pool.pause();
            *total += 1;
        };
        pool.join(add, add);
        assert_eq!(lock.into_inner().unwrap(), 2);
    }
}

/// A panic that drops the backend says by which seed it comes again.
#[test]
fn a_failure_names_its_seed() {
    let found = AtomicBool::new(false);
    let run = || {
        Seeded::each(0..50, 2, |pool| {
            let log = Mutex::new(Vec::new());
            pool.join(|| log.lock().unwrap().push(1), || log.lock().unwrap().push(2));
            if log.into_inner().unwrap() == [2, 1] {
                found.store(true, SeqCst);
                resume_unwind(Box::new(pool.seed()));
            }
        });
    };
    let seed = *catch_unwind(AssertUnwindSafe(run)).unwrap_err().downcast::<u64>().unwrap();
    assert!(found.into_inner());
    let pool = Seeded::new(seed, 2);
    let log = Mutex::new(Vec::new());
    pool.join(|| log.lock().unwrap().push(1), || log.lock().unwrap().push(2));
    assert_eq!(log.into_inner().unwrap(), [2, 1]);
}
