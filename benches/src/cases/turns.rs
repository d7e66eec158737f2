//! Cheap and expensive calls of one length, in turns at one call site: what one says of the other is
//! wrong.

use std::{hint::black_box, time::Instant};

use crate::{
    cell::{Limit, Most, Place},
    chains::Sum,
    input::burn,
    peers::Peers,
    pipeline::Pipeline,
    sample::Measured,
    session::Session,
    stats::Summary,
};

use super::skew::MILLI;

const ROWS: usize = 1000;

/// Calls in a row by one variant.
const CALLS: usize = 40;

/// Strictly in turns, and one expensive call in ten.
///
/// # Errors
///
/// If answers differ.
pub fn turns(session: &mut Session, peers: &Peers) -> Result<(), String> {
    for (case, cycle) in [("strictly in turns", 2), ("nine cheap, one expensive", 10)] {
        one(session, peers, case, cycle)?;
    }
    Ok(())
}

fn one(session: &mut Session, peers: &Peers, case: &str, cycle: usize) -> Result<(), String> {
    let steps = if session.is_check() { 10 } else { (MILLI / ROWS) as i64 };
    let rows = [1, steps].map(|steps| vec![steps; ROWS]);
    let rounds = session.times(12, 50);
    session.show(case);
    let names = ["serial", "deque", "rayon in"];
    // Times of cheap and of expensive calls for each of the three.
    let mut times: [[Vec<f64>; 2]; 3] = Default::default();
    let mut sums = [0_i64; 3];
    let deque = &peers.deque;
    for round in 0..rounds {
        for turn in 0..names.len() {
            let who = (round + turn) % names.len();
            let mut calls = || {
                for call in 0..CALLS {
                    let dear = usize::from(call % cycle == cycle - 1);
                    let job = black_box(Sum { rows: &rows[dear], f: burn, leaf: 64 });
                    let start = Instant::now();
                    let sum = match who {
                        0 => job.serial(),
                        1 => job.spanwise(deque),
                        _ => job.rayon(),
                    };
                    times[who][dear].push(start.elapsed().as_nanos() as f64);
                    sums[who] = sums[who].wrapping_add(sum);
                }
            };
            if who == 2 { peers.rayon.install(calls) } else { calls() }
        }
    }
    if sums.iter().any(|&sum| sum != sums[0]) {
        return Err(format!("{case}: {sums:?}"));
    }
    for (dear, cost, most) in [(0, "cheap", 1.2), (1, "1 ms", 0.65)] {
        let measured = names
            .iter()
            .zip(&mut times)
            .map(|(name, times)| Measured { name, nanos: Summary::of(&mut times[dear]) });
        let cell = session.keep(Place::hot(case, cost, ROWS), measured.collect());
        let row = "cheap and expensive calls at one site";
        cell.judge(Limit::serial(row, Most::Times(most)));
    }
    Ok(())
}
