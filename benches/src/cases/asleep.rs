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
    rows.iter().par(pool).map(|&steps| burn(steps) ^ SITE).sum::<i64>() ^ SITE
}

/// Call sites that nothing is known of, once each.
const SITES: [fn(&DequePool, &[i64]) -> i64; 7] =
    [two::<0>, two::<2>, two::<4>, two::<8>, two::<16>, two::<32>, two::<64>];

/// Two items of 10 ms while all workers sleep: a site that is known, and the first call of a site.
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
    let row = "two items of 10 ms, all workers asleep";
    let place = Place { state: "after sleep", ..Place::hot("two items", "10 ms each", 2) };
    let cell = session.add(place.clone(), &ask, rounds, &mut sleepers(&job, peers))?;
    cell.judge(Limit::serial(row, Most::Times(0.54)));

    let mut sites = SITES.iter().enumerate();
    // What a site folds in, its answer leaves out again: all of them are equal.
    let expected = job.serial();
    let first = Variant::with("deque", move |ask| {
        let (i, site) = sites.next().expect("a site for each round");
        let mask = if i == 0 { 0 } else { 1_i64 << i };
        let both = move |x: i64| burn(x) ^ mask;
        let right = rows.map(both).iter().sum::<i64>() ^ mask;
        sample(ask, || {
            assert_eq!(site(black_box(&peers.deque), black_box(&rows)), right, "a first call");
            expected
        })
    });
    let mut variants = [Variant::new("serial", || black_box(&job).serial()), first];
    let place = Place { case: "two items, first call of a site".to_owned(), ..place };
    let cell = session.add(place, &ask, rounds, &mut variants)?;
    cell.judge(Limit::serial(row, Most::Times(0.54)));
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
