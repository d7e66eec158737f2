//! `map_init`: at most one state a thread, never with two parts at once, each dropped once, and gone
//! at once if it was there when the function panicked.

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use spanwise::{CancelToken, backend::Backend, prelude::*};

use crate::support::{
    Check, Item, Ledger, Planned, grained, on_every_backend, planned, table, unwound,
};

struct State<'a> {
    busy: AtomicBool,
    used: usize,
    _ledger: Item<'a>,
}

impl<'a> State<'a> {
    fn new(ledger: &'a Ledger, made: &AtomicUsize) -> Self {
        made.fetch_add(1, Ordering::Relaxed);
        Self { busy: AtomicBool::new(false), used: 0, _ledger: ledger.item(0) }
    }

    /// What a part does with its state; two at once would see each other here.
    fn work<R>(&mut self, f: impl FnOnce() -> R) -> R {
        assert!(!self.busy.swap(true, Ordering::AcqRel), "a state with two parts at once");
        self.used += 1;
        let result = f();
        self.busy.store(false, Ordering::Release);
        result
    }
}

struct OneForEach;

impl Check for OneForEach {
    fn on<B: Backend>(&self, backend: &B) {
        for (n, grain) in table() {
            let (ledger, made) = (Ledger::new(), AtomicUsize::new(0));
            let chain = grained((0..n).par(backend), grain);
            let chain = chain.map_init(
                || State::new(&ledger, &made),
                |state, x| {
                    state.work(|| {
                        // Long enough that all threads come, in the tables' smaller halves.
                        if n <= 65 {
                            thread::sleep(Duration::from_micros(20));
                        }
                        x * 3
                    })
                },
            );
            let sum = chain.filter(|x| x % 2 == 0).sum::<usize>();
            assert_eq!(sum, (0..n).map(|x| x * 3).filter(|x| x % 2 == 0).sum());
            let made = made.into_inner();
            assert!(made <= backend.width().get(), "{made} states for {n} rows, {grain:?}");
            assert_eq!(made == 0, n == 0);
            ledger.close("states");
        }
    }
}

#[test]
fn there_is_at_most_one_state_for_each_thread() {
    on_every_backend(&OneForEach);
}

/// Each leaf is a run of its own here, so states go from part to part.
struct ByLeaf;

impl Check for ByLeaf {
    fn on<B: Backend>(&self, backend: &B) {
        let (ledger, made) = (Ledger::new(), AtomicUsize::new(0));
        let chain = (0..5000_u64).par(backend).with_grain(1);
        let chain = chain.map_init(
            || State::new(&ledger, &made),
            |state, x| {
                state.work(|| ());
                (state.used, x)
            },
        );
        let (most, sum) = chain.fold(
            || (0, 0),
            |(most, sum), (used, x)| (used.max(most), sum + x),
            |left, right| (left.0.max(right.0), left.1 + right.1),
        );
        assert_eq!(sum, (0..5000).sum::<u64>());
        let made = made.into_inner();
        assert!(made <= backend.width().get(), "{made} states");
        assert!(most >= 5000 / made, "{made} states were used {most} times at most");
        ledger.close("states");
    }
}

#[test]
fn states_go_from_part_to_part() {
    on_every_backend(&ByLeaf);
}

struct Panics;

impl Check for Panics {
    fn on<B: Backend>(&self, backend: &B) {
        for (n, grain) in table().filter(|(n, _)| *n > 0) {
            for bad in [0, n / 2, n - 1] {
                let (ledger, made) = (Ledger::new(), AtomicUsize::new(0));
                let got = unwound(|| {
                    let chain = grained((0..n).par(backend), grain);
                    let chain = chain.map_init(
                        || State::new(&ledger, &made),
                        |state, x| {
                            // A state that a panic left busy must not come back.
                            state.work(|| if x == bad { planned(bad as u32) } else { x })
                        },
                    );
                    chain.collect::<Vec<_>>()
                });
                assert_eq!(got, Err(Planned(bad as u32)));
                ledger.close("states");
            }
            let ledger = Ledger::new();
            let got = unwound(|| {
                let chain = grained((0..n).par(backend), grain);
                chain.map_init(|| -> Item<'_> { planned(7) }, |_, x| x).count()
            });
            assert_eq!(got, Err(Planned(7)));
            ledger.close("states that cannot be made");
        }
    }
}

#[test]
fn a_panic_takes_its_state_with_it() {
    on_every_backend(&Panics);
}

struct Stops;

impl Check for Stops {
    fn on<B: Backend>(&self, backend: &B) {
        let (ledger, token, made) = (Ledger::new(), CancelToken::new(), AtomicUsize::new(0));
        let chain = (0..5000).par(backend).with_grain(1).until(&token);
        let chain = chain.map_init(
            || State::new(&ledger, &made),
            |state, x| {
                state.work(|| {
                    if x == 40 {
                        token.cancel();
                    }
                });
            },
        );
        assert!(chain.count().is_err());
        let first =
            (0..5000).par(backend).map_init(|| ledger.item(1), |_, x| x).find_first(|x| *x > 70);
        assert_eq!(first, Some(71));
        ledger.close("states");
    }
}

#[test]
fn stops_drop_every_state() {
    on_every_backend(&Stops);
}

/// A function that uses the pool itself, while other parts may run on top of it.
struct Nested;

impl Check for Nested {
    fn on<B: Backend>(&self, backend: &B) {
        let (ledger, made) = (Ledger::new(), AtomicUsize::new(0));
        let chain = (0..200_u64).par(backend).with_grain(1);
        let chain = chain.map_init(
            || State::new(&ledger, &made),
            |state, x| {
                state.work(|| (0..x).par(backend).map_init(|| 1, |one, y| y + *one).sum::<u64>())
            },
        );
        assert_eq!(chain.sum::<u64>(), (0..200).map(|x| x * (x + 1) / 2).sum());
        ledger.close("states");
    }
}

#[test]
fn states_are_with_one_part_at_a_time_also_when_calls_nest() {
    on_every_backend(&Nested);
}
