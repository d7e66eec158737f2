//! What another thread costs: until it has been asked, until it has begun, and how much work it needs to
//! be worth it.

use std::{
    hint::{black_box, spin_loop},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use spanwise_deque::DequePool;

use super::skew::MILLI;
use crate::{
    cell::{Cell, PEERS, Place},
    chains::Sum,
    input::burn,
    peers::Peers,
    pipeline::{sleepers, variants},
    rows,
    sample::{Ask, Variant, sample},
    session::{Session, once},
    stats::quantile,
};

/// A clock read costs as much as a hot call, so ten calls are timed at once.
const TEN: usize = 10;

/// Percentiles of two trivial halves, hot and after sleep, and of halves that both threads take part in.
///
/// # Errors
///
/// None: a wrong answer panics.
pub fn dispatch(session: &mut Session, peers: &Peers) -> Result<(), String> {
    let two = [1_i64, 2];
    let check = |sum: i64| assert_eq!(sum, 3);
    let job = || {
        let (a, b) = peers.deque.join(|| black_box(1), || black_box(2));
        check(a + b);
    };
    let rayon = || {
        let (a, b) = rayon::join(|| black_box(1), || black_box(2));
        check(a + b);
    };
    let mut all: Vec<Variant<'_>> = vec![
        ten("deque", job),
        ten("rayon out", || peers.rayon.install(rayon)),
        Variant::with("rayon in", |ask| peers.rayon.install(|| sample_ten(ask, rayon))),
        ten("paralight", || {
            use paralight::prelude::ParallelIteratorExt as _;
            check(rows::paralight(&two, &mut peers.paralight.borrow_mut()).map(|&x| x).sum());
        }),
        ten("orx", || {
            use orx_parallel::Par as _;
            check(rows::orx(&two, &peers.orx).copied().sum());
        }),
        Variant::with("chili", |ask| {
            let pool = peers.chili();
            let mut scope = pool.scope();
            sample_ten(ask, || {
                let (a, b) = scope.join(|_| black_box(1), |_| black_box(2));
                check(a + b);
            })
        }),
        Variant::with("fork_union", |ask| fork_union(peers, ask)),
        ten("deque, both take part", || both(&peers.deque)),
    ];
    if !cfg!(feature = "fork_union") {
        all.retain(|variant| variant.name != "fork_union");
    }
    let (hot, _) = session.hot(Duration::ZERO);
    let hot = Ask { target: Duration::ZERO, ..hot };
    let (cold, _) = session.cold();
    let title = "Dispatch of two trivial halves, hot";
    percentiles(session, title, &mut all, hot, [300, 2000], TEN as f64);
    let title = "Dispatch of two trivial halves, ten calls after 5 ms of sleep, a call";
    percentiles(session, title, &mut all, cold, [20, 200], TEN as f64);
    drop(all);
    let mut all = [
        Variant::new("deque", job),
        Variant::new("rayon out", || peers.rayon.install(rayon)),
        Variant::new("deque, both take part", || both(&peers.deque)),
    ];
    let title = "Dispatch of two trivial halves, one call after 5 ms of sleep";
    percentiles(session, title, &mut all, cold, [20, 200], 1.0);
    Ok(())
}

fn ten<'a>(name: &'static str, call: impl Fn() + 'a) -> Variant<'a> {
    Variant::with(name, move |ask| sample_ten(ask, &call))
}

fn sample_ten(ask: &Ask, mut call: impl FnMut()) -> crate::sample::Sample {
    sample(ask, || (0..TEN).for_each(|_| call()))
}

#[cfg(feature = "fork_union")]
fn fork_union(peers: &Peers, ask: &Ask) -> crate::sample::Sample {
    let mut pool = peers.fork_union();
    sample_ten(ask, || drop(pool.for_threads(|_, _| ())))
}

#[cfg(not(feature = "fork_union"))]
fn fork_union(_: &Peers, _: &Ask) -> crate::sample::Sample {
    unreachable!("it is left out of the variants")
}

/// The near half ends when the far half has begun, so it takes two threads.
fn both(pool: &DequePool) {
    let begun = AtomicBool::new(false);
    let wait = || {
        // Acquire: pairs with the Release below; nothing but the flag travels.
        while !begun.load(Ordering::Acquire) {
            spin_loop();
        }
    };
    // Release: pairs with the Acquire above.
    pool.join(wait, || begun.store(true, Ordering::Release));
}

fn percentiles(
    session: &mut Session,
    title: &'static str,
    variants: &mut [Variant<'_>],
    ask: Ask,
    [quick, full]: [usize; 2],
    calls: f64,
) {
    let samples = session.times(quick, full);
    for variant in variants {
        session.show(format!("{title}: {}", variant.name));
        let take = |_| variant.take(&ask).nanos / calls / 1e3;
        let mut micros: Vec<f64> = (0..samples).map(take).collect();
        micros.sort_unstable_by(f64::total_cmp);
        let at = |part| quantile(&micros, part);
        let numbers = vec![("median", at(0.5)), ("p75", at(0.75)), ("p99", at(0.99))];
        session.figure(title, variant.name, "µs", numbers);
    }
}

/// The case's name, by which chart and page know it.
pub const BREAKEVEN_CASE: &str = "calls of 128 equal rows";

/// Rows of the calls whose break-even is looked for.
const ROWS: usize = 128;

/// About the serial times of these calls, in nanoseconds; short ones overlap and take less.
const NANOS: [usize; 12] =
    [250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000];

/// A ratio from which on a second thread pays.
const PAYS: f64 = 0.95;

/// Calls of growing length: the least serial time from which on each pool is faster, hot and cold.
///
/// # Errors
///
/// If answers differ.
pub fn breakeven(session: &mut Session, peers: &Peers) -> Result<(), String> {
    let first = session.cells.len();
    for nanos in session.sizes(&NANOS, usize::MAX) {
        let steps = (nanos * MILLI / 1_000_000 / ROWS) as i64;
        let rows = vec![steps; ROWS];
        let job = Sum { rows: &rows, f: burn, leaf: 16 };
        let (serial, _) = once(|| crate::pipeline::Pipeline::serial(&job));
        let place = Place::hot(BREAKEVEN_CASE, &format!("{steps} steps"), ROWS);
        session.add_hot(place.clone(), serial, &mut variants(&job, peers))?;
        let (ask, rounds) = session.cold();
        let place = Place { state: "after sleep", ..place };
        session.add(place, &ask, rounds, &mut sleepers(&job, peers))?;
    }
    // Hot and cold cells were measured in turns; tables want them apart.
    session.cells[first..].sort_by_key(|cell| cell.place.state != "hot");
    let cells = session.cells[first..].to_vec();
    for (state, base) in [("hot", "serial"), ("after sleep", "serial again")] {
        let cells: Vec<&Cell> = cells.iter().filter(|cell| cell.place.state == state).collect();
        for name in ["deque", "rayon-core"].into_iter().chain(PEERS) {
            if cells.iter().all(|cell| cell.ratio(name).is_some()) {
                let micros = least_that_pays(&cells, name, base).map_or(f64::NAN, |ns| ns / 1e3);
                let title = "The least serial time from which on a second thread pays";
                session.figure(
                    title,
                    format!("{name}, {state}"),
                    "µs",
                    vec![("serial time", micros)],
                );
            }
        }
    }
    Ok(())
}

/// The serial time of the first cell from which on all are faster.
fn least_that_pays(cells: &[&Cell], name: &str, base: &str) -> Option<f64> {
    let slow = cells.iter().rposition(|cell| cell.nanos(name) > PAYS * cell.nanos(base));
    cells.get(slow.map_or(0, |last| last + 1)).map(|cell| cell.nanos(base))
}
