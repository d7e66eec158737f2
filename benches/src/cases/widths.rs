//! Pools of many widths on the CPUs there are: more workers than CPUs must not cost much.

use spanwise_deque::DequePool;

use super::suite::LEAVES;
use crate::{
    cell::{Limit, Most, Place},
    chains::Sum,
    input::{expensive, list},
    machine,
    peers::Peers,
    pipeline::Pipeline,
    sample::{Variant, sample},
    session::{Session, once},
};

/// Workers, the caller included, and what the tables call our pool and rayon's of that width.
pub const WIDTHS: [(usize, &str, &str); 5] = [
    (1, "deque, 1", "rayon, 1"),
    (2, "deque, 2", "rayon, 2"),
    (4, "deque, 4", "rayon, 4"),
    (8, "deque, 8", "rayon, 8"),
    (16, "deque, 16", "rayon, 16"),
];

/// The case's name, by which the chart knows it.
pub const CASE: &str = "sum of i64 by many workers";

/// Expensive sums by 1 to 16 workers, none of them pinned.
///
/// # Errors
///
/// If answers differ.
pub fn widths(session: &mut Session, _: &Peers) -> Result<(), String> {
    machine::pin_to_first(session.cpus);
    let pools = WIDTHS.map(|(threads, ours, theirs)| {
        let rayon = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let deque = DequePool::new(threads);
        (ours, deque.expect("a deque pool"), theirs, rayon.expect("a rayon pool"))
    });
    for items in session.sizes(&[1000, 10_000, 100_000], 10_000) {
        let rows = list(items);
        let job = Sum { rows: &rows, f: expensive, leaf: LEAVES[1] };
        let hidden = || std::hint::black_box(&job);
        let mut variants = vec![Variant::new("serial", || hidden().serial())];
        for (ours, deque, theirs, rayon) in &pools {
            variants.push(Variant::new(ours, move || hidden().spanwise(deque)));
            variants.push(Variant::with(theirs, move |ask| {
                rayon.install(|| sample(ask, || hidden().rayon()))
            }));
        }
        let (serial, _) = once(|| job.serial());
        let place = Place { state: "unpinned", ..Place::hot(CASE, "expensive", items) };
        let cell = session.add_hot(place, serial, &mut variants)?;
        for of in ["deque, 8", "deque, 16"] {
            let row = "8 and 16 workers on two cores";
            cell.judge(Limit { row, of, beside: "deque, 2", most: Most::Times(1.15) });
        }
    }
    drop(pools);
    if session.pinned {
        machine::pin(&[0]);
    }
    Ok(())
}
