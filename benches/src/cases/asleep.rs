//! Calls after sleep: workers are parked, and caches and branch predictors have forgotten.

use std::{hint::black_box, thread, time::Duration};

use spanwise::prelude::*;
use spanwise_deque::DequePool;

use super::{
    early::searches,
    skew::{MILLI, shapes},
    suite::suite,
    visit::Cold,
};
use crate::{
    cell::{Limit, Most, Place},
    chains::Sum,
    input::{burn, cheap, list},
    peers::Peers,
    pipeline::{Pipeline, sleepers},
    sample::{Ask, Rounds, Variant, sample},
    session::Session,
};

/// The pipelines, searches and shapes, each call after 5 ms of sleep.
///
/// # Errors
///
/// If answers differ.
pub fn asleep(session: &mut Session, peers: &Peers) -> Result<(), String> {
    let full = session.is_full();
    let all = [10, 100, 1000, 10_000, 100_000, 1_000_000];
    let cheaps = session.sizes(if full { &all } else { &[1000, 100_000, 1_000_000] }, 1_000_000);
    let expensives = session.sizes(if full { &all[1..5] } else { &[1000, 20_000] }, 20_000);
    let mut visit = Cold { session, peers };
    suite(&cheaps, &expensives, &mut visit)?;
    if full {
        searches(&[100, 10_000, 1_000_000], &[1000], &mut visit)?;
        shapes(&[("0.3 ms", 3 * MILLI / 10), ("1 ms", MILLI)], &mut visit)?;
    }
    Ok(())
}

/// Two rows, each of which is worth a thread. The number makes the call site another one.
#[inline(never)]
fn two<const SITE: i64>(pool: &DequePool, rows: &[i64]) -> i64 {
    // Folded in and out again: else all sites were one.
    rows.iter().par(pool).map(|&steps| burn(steps) + SITE).sum::<i64>() - 2 * SITE
}

/// Call sites that nothing is known of, once each.
const SITES: [fn(&DequePool, &[i64]) -> i64; 7] =
    [two::<2>, two::<3>, two::<4>, two::<5>, two::<6>, two::<7>, two::<8>];

/// Two items of 10 ms while all workers sleep: at a site that is known, at one that is new, and at one
/// that has seen rows of all costs.
///
/// # Errors
///
/// If answers differ.
pub fn two_items(session: &mut Session, peers: &Peers) -> Result<(), String> {
    // Longer than any pool spins.
    let mut ask = Ask { sleep: Duration::from_millis(20), ..Ask::ONCE };
    let mut steps = 10 * MILLI as i64;
    if session.is_check() {
        (ask, steps) = (Ask::ONCE, 1000);
    }
    let rows = [steps, steps];
    let job = Sum { rows: &rows, f: burn, leaf: 1 };
    let rounds = session.times(5, SITES.len());
    let rounds = Rounds { least: rounds, most: rounds, budget: Duration::ZERO };
    let mut sites = SITES.iter();
    let (pool, hidden) = (&peers.deque, || black_box(&rows));
    let first = Variant::with("deque", |ask| {
        let site = sites.next().expect("a site for each round");
        sample(ask, || site(pool, hidden()))
    });
    let known = Variant::new("deque", || two::<1>(pool, hidden()));
    let any = Variant::new("deque", || black_box(&job).spanwise(pool));
    for (case, mut deque, most) in [
        ("two items", known, Some(0.54)),
        ("two items, first call of a site", first, Some(0.54)),
        ("two items, where other rows were cheap", any, None),
    ] {
        let mut variants = sleepers(&job, peers);
        std::mem::swap(&mut variants[2], &mut deque);
        let place = Place { state: "after sleep", ..Place::hot(case, "10 ms each", 2) };
        let cell = session.add(place, &ask, rounds, &mut variants)?;
        if let Some(most) = most {
            let row = "two items of 10 ms, all workers asleep";
            cell.judge(Limit::serial(row, Most::Times(most)));
        }
    }
    Ok(())
}

/// Small calls back to back: a thousand of a thousand rows each, after sleep.
///
/// # Errors
///
/// If answers differ.
pub fn burst(session: &mut Session, peers: &Peers) -> Result<(), String> {
    let calls = if session.is_check() { 1 } else { 1000 };
    let rows = list(1000);
    let job = Sum { rows: &rows, f: cheap, leaf: 8192 };
    let many = |call: &dyn Fn() -> i64| (0..calls).map(|_| call()).fold(0, i64::wrapping_add);
    let hidden = || black_box(&job);
    let mut variants = [
        Variant::new("serial", || many(&|| hidden().serial())),
        Variant::new("deque", || many(&|| hidden().spanwise(&peers.deque))),
        Variant::new("rayon-core", || many(&|| hidden().spanwise(&peers.over_rayon))),
        Variant::new("rayon in", || peers.rayon.install(|| many(&|| hidden().rayon()))),
        Variant::new("rayon out", || many(&|| peers.rayon.install(|| hidden().rayon()))),
    ];
    let (ask, rounds) = session.cold();
    let place = Place { state: "after sleep", ..Place::hot("calls back to back", "cheap", 1000) };
    session.add(place, &ask, rounds, &mut variants)?;
    // Let those workers sleep that the last variant has woken.
    thread::sleep(ask.sleep);
    Ok(())
}
