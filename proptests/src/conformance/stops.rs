//! Rows about calls that end early: by a hit, an error or a token; and that the first in input order
//! is the answer, however late it is found in time.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Instant,
};

use spanwise::{CancelToken, Stopped, prelude::*};

use super::ChainRow;
use crate::{backends::AnyPool, shape::On};

pub(super) const ROWS: &[ChainRow] = &[
    ("the first hit", "of hits anywhere the first in input order is found", first_hit),
    ("the first error", "of errors anywhere the first in input order comes out", first_error),
    ("a hit stops the call", "of a million rows behind it most are never visited", hits_stop),
    ("an error stops the call", "so does an error", errors_stop),
    ("a bridge stops", "an endless iterator is asked for no more behind a hit", bridge_stops),
    ("a token stops the call", "a call that is cancelled gives no part of an answer", tokens),
    ("some threads only", "`max_threads` lets no more threads in", max_threads),
];

fn first_hit(pool: &AnyPool) {
    for n in [1, 2, 65, 500] {
        for at in [0, 1, n / 3, n / 2, n - 1, n] {
            // Hits behind the first are found sooner, since rows before it are dear.
            let hit = |i: usize| {
                if i < at && i % 16 == 1 {
                    thread::yield_now();
                }
                i >= at
            };
            let found = (at < n).then_some(at);
            let on = On { pool, grain: Some(1) };
            assert_eq!(on.of(0..n).find_first(|&i| hit(i)), found, "{at} of {n}");
            assert_eq!(on.of(0..n).position_first(hit), found, "{at} of {n}");
            assert_eq!(on.of(0..n).any(hit), found.is_some(), "{at} of {n}");
            assert_eq!(on.of(0..n).all(|i| !hit(i)), found.is_none(), "{at} of {n}");
            let any = on.of(0..n).find_any(|&i| hit(i));
            assert!(any.map_or(found.is_none(), hit), "{any:?}, where {at} of {n} is the first");
            let bridged = (0..n).par_bridge(pool).find_first(|&i| hit(i));
            assert_eq!(bridged, found, "{at} of {n}, bridged");
        }
    }
}

fn first_error(pool: &AnyPool) {
    for n in [1, 2, 65, 500] {
        for at in [0, 1, n / 3, n - 1, n] {
            let tried = |i: usize| if i >= at { Err(i) } else { Ok(i) };
            let rows = || On { pool, grain: Some(1) }.of(0..n).map(tried);
            let expected = if at < n { Err(at) } else { Ok((0..n).collect::<Vec<_>>()) };
            assert_eq!(rows().collect::<Result<Vec<_>, _>>(), expected, "{at} of {n}");
            let done: Result<(), usize> = rows().try_for_each(|row| row.map(drop));
            assert_eq!(done.err(), expected.err(), "{at} of {n}");
        }
    }
}

const ROWS_BEHIND: usize = 1_000_000;

fn hits_stop(pool: &AnyPool) {
    for at in [0, 1, 300] {
        let visited = AtomicUsize::new(0);
        let hit = |i: usize| {
            visited.fetch_add(1, Ordering::Relaxed);
            if i > at {
                // Lets the thread with the hit go first.
                thread::yield_now();
            }
            i == at
        };
        let on = On { pool, grain: Some(100) };
        assert_eq!(on.of(0..ROWS_BEHIND).find_first(|&i| hit(i)), Some(at));
        assert_eq!(on.of(0..ROWS_BEHIND).position_first(hit), Some(at));
        assert!(on.of(0..ROWS_BEHIND).any(hit));
        assert!(!on.of(0..ROWS_BEHIND).all(|i| !hit(i)));
        assert_eq!(on.of(0..ROWS_BEHIND).find_any(|&i| hit(i)), Some(at));
        let visited = visited.into_inner();
        assert!(visited < 5 * ROWS_BEHIND / 2, "{visited} visits for a hit at {at}");
    }
}

/// Errors come wherever a thread begins, so each soon has a reason to end.
fn errors_stop(pool: &AnyPool) {
    for at in [0, 1, 300] {
        let visited = AtomicUsize::new(0);
        let rows = On { pool, grain: Some(100) }.of(0..ROWS_BEHIND).map(|i| {
            visited.fetch_add(1, Ordering::Relaxed);
            if i > at {
                thread::yield_now();
            }
            if i % 1000 == at { Err(i) } else { Ok(()) }
        });
        assert_eq!(rows.collect::<Result<(), _>>(), Err(at));
        let visited = visited.into_inner();
        assert!(visited < ROWS_BEHIND / 2, "{visited} visits for an error at {at}");
    }
}

fn bridge_stops(pool: &AnyPool) {
    for at in [0_usize, 1, 100, 3000] {
        let asked = AtomicUsize::new(0);
        let endless = (0..).inspect(|_| _ = asked.fetch_add(1, Ordering::Relaxed));
        assert_eq!(endless.par_bridge(pool).find_first(|&i| i == at), Some(at));
        let before = asked.load(Ordering::Relaxed);
        thread::yield_now();
        assert_eq!(asked.load(Ordering::Relaxed), before, "asked for after the call");
        let mut after = 0..20;
        assert_eq!(after.by_ref().par_bridge(pool).take(20).count(), 20);
        assert_eq!(after.next(), None);
    }
}

fn tokens(pool: &AnyPool) {
    let on = On { pool, grain: None };
    let token = CancelToken::new();
    assert_eq!(on.of(0..5000).until(&token).checked_sum(), Ok(Some(12_497_500)));
    let stopper = |i: usize| {
        if i == 2500 {
            token.cancel();
        }
    };
    let stopped = on.of(0..ROWS_BEHIND).inspect(|&i| stopper(i)).until(&token).count();
    // Who had begun its last rows by then ended them, and so did the call if those were all.
    assert!(stopped == Err(Stopped::Cancelled) || stopped == Ok(ROWS_BEHIND), "{stopped:?}");
    assert_eq!(on.of(0..5000).until(&token).count(), Err(Stopped::Cancelled));
    let passed = on.of(0..5000).deadline(Instant::now()).collect::<Vec<_>>();
    assert_eq!(passed, Err(Stopped::DeadlinePassed));
}

/// Asked where that is fewer than the backend's width: it may have more threads than it says.
fn max_threads(pool: &AnyPool) {
    let width = spanwise_backend::Backend::width(pool).get();
    for most in 1..width.min(3) {
        let (inside, peak) = (AtomicUsize::new(0), AtomicUsize::new(0));
        On { pool, grain: Some(1) }.of(0..40).max_threads(most).for_each(|_| {
            let now = inside.fetch_add(1, Ordering::SeqCst) + 1;
            peak.fetch_max(now, Ordering::SeqCst);
            thread::yield_now();
            inside.fetch_sub(1, Ordering::SeqCst);
        });
        let peak = peak.into_inner();
        assert!(peak <= most, "{peak} threads at once, {most} were allowed");
    }
}
