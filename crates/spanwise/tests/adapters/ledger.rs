//! What errors, panics, destructors that panic and stops leave behind: each item dropped once, the
//! first error, the payload, a pool that works, and never a part of an answer.

use std::{
    marker::PhantomData,
    thread,
    time::{Duration, Instant},
};

use spanwise::{CancelToken, Stopped, backend::Backend, prelude::*};

use crate::{
    shapes::{ForShape, Shape, every_shape},
    support::{Check, Item, Ledger, Planned, grained, on_every_backend, planned, unwound},
};

const LENGTHS: [usize; 6] = [0, 1, 3, 65, 256, 1025];
const GRAINS: [Option<usize>; 2] = [None, Some(3)];

/// The first, a middle and the last of what is expected.
fn places(expected: &[u32]) -> Vec<u32> {
    let last = expected.len().saturating_sub(1);
    [0, last / 2, last].iter().filter_map(|at| expected.get(*at).copied()).collect()
}

/// A question to a shape on a backend, with so many rows.
trait Ask {
    fn ask<S: Shape, B: Backend>(backend: &B, n: usize, grain: Option<usize>);
}

struct Asked<A>(PhantomData<A>);
struct AskedOf<A, S>(PhantomData<(A, S)>);

impl<A: Ask> ForShape for Asked<A> {
    fn shape<S: Shape>(&self) {
        on_every_backend(&AskedOf::<A, S>(PhantomData));
    }
}

impl<A: Ask, S: Shape> Check for AskedOf<A, S> {
    fn on<B: Backend>(&self, backend: &B) {
        for n in LENGTHS {
            GRAINS.iter().for_each(|grain| A::ask::<S, B>(backend, n, *grain));
        }
        assert_eq!((0..1000).par(backend).step_by(2).count(), 500, "{} left the pool", S::NAME);
    }
}

fn every<A: Ask>() {
    every_shape(&Asked::<A>(PhantomData));
}

fn expected<S: Shape>(n: usize) -> Vec<u32> {
    S::expected((0..n as u32).collect())
}

struct Errors;

impl Ask for Errors {
    fn ask<S: Shape, B: Backend>(backend: &B, n: usize, grain: Option<usize>) {
        for bad in [2, 60, u32::MAX] {
            let ledger = Ledger::new();
            let each = fix(|item| if item.id % 61 >= bad { Err(item.id) } else { Ok(item) });
            let source = grained(ledger.items(n).into_iter().par(backend), grain);
            let got = S::run(source, n, &ledger, each).map(|items| items.len());
            let expected = expected::<S>(n);
            let first = expected.iter().copied().find(|id| id % 61 >= bad);
            assert_eq!(got, first.map_or(Ok(expected.len()), Err), "{} of {n}", S::NAME);
            ledger.close(S::NAME);
        }
    }
}

/// Lets a closure be good for any ledger.
fn fix<'a, F: Fn(Item<'a>) -> Result<Item<'a>, u32>>(f: F) -> F {
    f
}

#[test]
fn the_first_error_in_input_order_comes_back() {
    every::<Errors>();
}

struct Panics;

impl Ask for Panics {
    fn ask<S: Shape, B: Backend>(backend: &B, n: usize, grain: Option<usize>) {
        for bad in places(&expected::<S>(n)) {
            let ledger = Ledger::new();
            let each = fix(|item| if item.id == bad { planned(bad) } else { Ok(item) });
            let got = unwound(|| {
                let source = grained(ledger.items(n).into_iter().par(backend), grain);
                S::run(source, n, &ledger, each).map(|items| items.len())
            });
            assert_eq!(got, Err(Planned(bad)), "{} of {n}", S::NAME);
            ledger.close(S::NAME);
        }
    }
}

#[test]
fn a_panic_reaches_the_caller_and_leaks_nothing() {
    every::<Panics>();
}

struct Destructors;

impl Ask for Destructors {
    fn ask<S: Shape, B: Backend>(backend: &B, n: usize, grain: Option<usize>) {
        let middle = n as u32 / 2;
        for bad in [0, middle, n.saturating_sub(1) as u32] {
            let ledger = Ledger::with_bad(bad);
            // All is dropped inside, so a row with this number, if it is kept as it is, panics there.
            let got = unwound(|| {
                let source = grained(ledger.items(n).into_iter().par(backend), grain);
                drop(S::run(source, n, &ledger, Ok));
            });
            assert!(got.is_ok() || got == Err(Planned(bad)), "{} of {n}: {got:?}", S::NAME);
            ledger.close(S::NAME);
        }
    }
}

#[test]
fn a_destructor_that_panics_leaks_nothing() {
    every::<Destructors>();
}

struct Stops;

impl Ask for Stops {
    fn ask<S: Shape, B: Backend>(backend: &B, n: usize, grain: Option<usize>) {
        let expected = expected::<S>(n);
        for at in places(&expected) {
            let (ledger, token) = (Ledger::new(), CancelToken::new());
            let each = fix(|item| {
                if item.id == at {
                    token.cancel();
                }
                Ok(item)
            });
            let source = grained(ledger.items(n).into_iter().par(backend), grain).until(&token);
            match S::run(source, n, &ledger, each) {
                Err(why) => assert_eq!(why, Stopped::Cancelled),
                Ok(all) => assert_eq!(all.expect("nothing is bad").len(), expected.len()),
            }
            // The token stays cancelled.
            let source = grained(ledger.items(n).into_iter().par(backend), grain).until(&token);
            let got = S::run(source, n, &ledger, Ok);
            assert_eq!(got.map(|_| ()), Err(Stopped::Cancelled), "{} of {n}", S::NAME);
            ledger.close(S::NAME);
        }
        let ledger = Ledger::new();
        let past = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
        let source = grained(ledger.items(n).into_iter().par(backend), grain).deadline(past);
        let got = S::run(source, n, &ledger, Ok);
        assert_eq!(got.map(|_| ()), Err(Stopped::DeadlinePassed), "{} of {n}", S::NAME);
        ledger.close(S::NAME);
    }
}

#[test]
fn a_stop_gives_all_or_nothing() {
    every::<Stops>();
}

/// Threads that stop midway leave gaps between what they have done; slow rows make sure of it.
struct Gaps;

impl Check for Gaps {
    fn on<B: Backend>(&self, backend: &B) {
        let (ledger, token) = (Ledger::new(), CancelToken::new());
        let each = |id: usize| {
            thread::sleep(Duration::from_micros(200));
            if id == 40 {
                token.cancel();
            }
            ledger.item(id as u32)
        };
        let chain = (0..64).par(backend).until(&token).map(each);
        // Enough threads may have begun every row before the stop.
        match chain.collect::<Vec<_>>() {
            Err(why) => assert_eq!(why, Stopped::Cancelled),
            Ok(all) => assert_eq!(all.len(), 64),
        }
        let got = unwound(|| {
            let chain = (0..64).par(backend).map(|id| {
                thread::sleep(Duration::from_micros(200));
                if id == 40 { planned(40) } else { ledger.item(id) }
            });
            chain.collect::<Vec<_>>().len()
        });
        assert_eq!(got, Err(Planned(40)));
        ledger.close("gaps");
    }
}

#[test]
fn gaps_are_not_merged() {
    for _ in 0..5 {
        on_every_backend(&Gaps);
    }
}
