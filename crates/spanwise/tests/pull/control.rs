//! Stops, progress, and how many threads may come.

use std::{
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    thread,
    time::{Duration, Instant},
};

use spanwise::{CancelToken, Stopped, backend::Backend, prelude::*};

use crate::{Check, LENGTHS, everywhere, rows};

#[test]
fn a_stopped_call_gives_no_part_of_an_answer() {
    struct Stops;
    impl Check for Stops {
        fn on(&self, pool: &impl Backend) {
            for at in [0, 1, 100, 5_000] {
                let token = CancelToken::new();
                let cancel = |i: &usize| {
                    if *i == at {
                        token.cancel();
                    }
                };
                let calls = AtomicUsize::new(0);
                let chain = || {
                    (0..1_000_000).par(pool).inspect(cancel).until(&token).inspect(|_| {
                        calls.fetch_add(1, SeqCst);
                    })
                };
                assert_eq!(chain().sum::<usize>(), Err(Stopped::Cancelled));
                assert_eq!(chain().collect::<Vec<_>>(), Err(Stopped::Cancelled));
                assert_eq!(chain().filter(|_| true).take(9_000).count(), Err(Stopped::Cancelled));
                assert!(calls.load(SeqCst) < 1_500_000);
            }
            let past = Instant::now();
            assert_eq!((0..10).par(pool).deadline(past).count(), Err(Stopped::DeadlinePassed));
            let later = past + Duration::from_secs(3600);
            assert_eq!(
                (0..10).par(pool).deadline(later).until(&CancelToken::new()).count(),
                Ok(10)
            );
        }
    }
    everywhere(Stops);
}

#[test]
fn progress_tells_every_row() {
    struct Tells;
    impl Check for Tells {
        fn on(&self, pool: &impl Backend) {
            for n in LENGTHS {
                let told = AtomicUsize::new(0);
                let tell = |rows| {
                    told.fetch_add(rows, SeqCst);
                };
                let rows = rows(n);
                assert!(rows.par(pool).progress(tell).filter(|x| **x > 3).count() <= n);
                assert_eq!(told.swap(0, SeqCst), n);
                rows.iter().par_bridge(pool).with_grain(9).progress(tell).for_each(drop);
                assert_eq!(told.swap(0, SeqCst), n);
            }
        }
    }
    everywhere(Tells);
}

/// Counts the threads that are in a call at once.
#[test]
fn max_threads_is_kept() {
    struct Most;
    impl Check for Most {
        fn on(&self, pool: &impl Backend) {
            for most in [1, 2, 5] {
                let (now, peak) = (AtomicUsize::new(0), AtomicUsize::new(0));
                (0..200).par(pool).max_threads(most).for_each(|_| {
                    peak.fetch_max(now.fetch_add(1, SeqCst) + 1, SeqCst);
                    thread::sleep(Duration::from_micros(50));
                    now.fetch_sub(1, SeqCst);
                });
                assert!(peak.into_inner() <= most);
            }
        }
    }
    everywhere(Most);
}
