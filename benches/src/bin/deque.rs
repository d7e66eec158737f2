//! The deque alone beside crossbeam's, in one run: by its owner, from one adder to takers. Prints a
//! table; every answer is checked.
//!
//! `cargo run --release -p spanwise-benches --bin deque`, with words to run only the cases whose
//! names have one of them.

use std::env;

use spanwise_benches::{
    machine,
    queue::{self, Owner},
    race::{Variant, percentile, race},
};

const ITEMS: usize = 200_000;
const SUM: usize = ITEMS * (ITEMS - 1) / 2;
const ROUNDS: usize = 41;

type Ours = spanwise_deque::Worker<usize>;
type Theirs = crossbeam_deque::Worker<usize>;
type Run = fn(usize) -> usize;

fn cases<O: Owner>() -> Vec<(&'static str, Run)> {
    vec![
        ("push and pop by the owner", |n| queue::lifo::<O>(n, 100)),
        ("oldest first, one thread", |n| queue::fifo::<O>(n, 100)),
        ("one adder, 1 taker", |n| queue::messages::<O>(n, 1)),
        ("one adder, 2 takers", |n| queue::messages::<O>(n, 2)),
        ("one adder, 4 takers", |n| queue::messages::<O>(n, 4)),
    ]
}

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let asked = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word));
    println!("{} CPUs, {ROUNDS} rounds in turns, {ITEMS} items", machine::cpus());
    println!("ns an item: median, and from a quarter to three quarters of the rounds");
    for ((name, ours), (_, theirs)) in cases::<Ours>().into_iter().zip(cases::<Theirs>()) {
        if !asked(name) {
            continue;
        }
        let mut both: Vec<Variant<'_>> = vec![
            ("ours", Box::new(move || assert_eq!(ours(ITEMS), SUM))),
            ("crossbeam", Box::new(move || assert_eq!(theirs(ITEMS), SUM))),
        ];
        let times = race(ROUNDS, &mut both);
        let [ours, theirs] = [0, 1].map(|i| {
            [0.25, 0.5, 0.75]
                .map(|part| percentile(&times[i], part).as_nanos() as f64 / ITEMS as f64)
        });
        let show = |[low, middle, high]: [f64; 3]| format!("{middle:6.2} ({low:6.2} {high:6.2})");
        println!(
            "  {name:28} ours {}  crossbeam {}  theirs over ours {:.2}",
            show(ours),
            show(theirs),
            theirs[1] / ours[1]
        );
    }
}
