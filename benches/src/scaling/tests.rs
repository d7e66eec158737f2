//! What holds of every simulated call, and what the simulation is built to show.

use super::{
    Load, Prices, Rule, Shape, Start,
    page::{MACHINES, layout, usual},
    simulate,
};

const PRICES: Prices = Prices::MEASURED;
/// Ten million cheap rows.
const ROWS: usize = 10_000_000;

fn machine(width: usize) -> spanwise_topology::Layout {
    let (workers, _, described) = MACHINES.into_iter().find(|one| one.0 == width).expect("known");
    layout(described, workers)
}

#[test]
fn the_leaves_are_the_plans() {
    for (rows, grain) in [(64, 1), (65, 2), (1000, 16), (100_000, 256), (1 << 20, 1024)] {
        assert_eq!(Load::new(Shape::Even, rows, 1).grain(), grain, "{rows} rows");
    }
    assert_eq!(Load::new(Shape::Even, ROWS, 1).leaves(), 611);
}

/// No leaf is lost, none runs twice, none is cut: on any machine, by any rules, from any state.
#[test]
fn every_leaf_runs_exactly_once() {
    for shape in Shape::ALL {
        for (rows, nanos) in [(1, 5_000), (1000, 900_000), (100_000, 4_000_000)] {
            let load = Load::new(shape, rows, nanos);
            for width in [2, 8, 64, 256] {
                let layout = machine(width);
                for (seed, rule) in (0..).zip(Rule::ALL) {
                    for start in [Start::Hot, Start::Cold] {
                        let mut ran = simulate(&load, &layout, &PRICES, rule, start, seed).ran;
                        ran.sort_unstable();
                        let ends = ran.iter().fold(0, |at, &(from, to)| {
                            assert_eq!(at, from, "{rule:?}, {width} workers, {shape:?}");
                            let whole = from % load.grain() == 0;
                            assert!(whole || rule == Rule::HALVING, "a leaf is cut at {from}");
                            to
                        });
                        assert_eq!(ends, rows, "{rule:?}, {width} workers, {shape:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_seed_replays_and_another_does_not() {
    let load = Load::new(Shape::Growing, 100_000, 5_000_000);
    for start in [Start::Hot, Start::Cold] {
        for rule in Rule::ALL {
            let once = |seed| simulate(&load, &machine(32), &PRICES, rule, start, seed);
            assert_eq!(once(7), once(7));
            assert_ne!(once(7), once(8));
        }
    }
}

#[test]
fn one_worker_takes_what_its_rows_take() {
    let load = Load::new(Shape::Even, 100_000, 1_000_000);
    let alone = spanwise_topology::Layout::floating(1);
    let one = simulate(&load, &alone, &PRICES, Rule::OURS, Start::Hot, 1);
    assert_eq!(one.nanos, one.work + PRICES.stride * one.ran.len() as u64);
    assert_eq!((one.steals, one.offers, one.waiting, one.without), (0, 0, 0, 0));
    assert!((1_000_000..1_030_000).contains(&one.work), "{}", one.work);
}

#[test]
fn two_workers_share_evenly_by_our_rules_whatever_the_shape() {
    for shape in Shape::ALL {
        let load = Load::new(shape, 100_000, 10_000_000);
        let one = usual(&load, &machine(2), &PRICES, Rule::OURS, Start::Hot);
        assert!(one.speed_up(load.nanos()) > 1.8, "{shape:?}: {}", one.nanos);
    }
    // Rayon cannot see that the first half is the dear one until it is done.
    let load = Load::new(Shape::FirstEighth, 100_000, 10_000_000);
    let one = usual(&load, &machine(2), &PRICES, Rule::HALVING, Start::Hot);
    assert!(one.speed_up(load.nanos()) < 1.5, "{}", one.nanos);
}

#[test]
fn nobody_begins_before_its_wake_arrives_and_no_call_ends_before_its_heaviest_row() {
    let load = Load::new(Shape::HeavyRow, ROWS, 100_000_000);
    for rule in Rule::ALL {
        let cold = simulate(&load, &machine(64), &PRICES, rule, Start::Cold, 3);
        let first = cold.began[1..].iter().flatten().min().expect("others work");
        assert!(*first >= PRICES.wake.0 && cold.wakes > 0, "{rule:?}: {first}");
        assert!(cold.nanos > load.nanos() / 50, "{rule:?}: {}", cold.nanos);
        let slow = Prices { wake: (900_000, 1_000_000), ..PRICES };
        let later = simulate(&load, &machine(64), &slow, rule, Start::Cold, 3);
        assert!(later.nanos > cold.nanos, "{rule:?}: {} and {}", later.nanos, cold.nanos);
    }
}

/// What part of the ideal speed-up 64 workers reach.
fn part(shape: Shape, nanos: u64, rule: Rule) -> f64 {
    let load = Load::new(shape, ROWS, nanos);
    load.ideal(64) / usual(&load, &machine(64), &PRICES, rule, Start::Hot).nanos as f64
}

/// The goal is nine tenths of the ideal. Our rules miss it; docs/scaling.md says by how much, and which rules
/// come to about that. This holds both where they are.
#[test]
fn what_64_workers_reach() {
    for shape in [Shape::Even, Shape::Growing] {
        let ours = part(shape, 100_000_000, Rule::OURS);
        let awake = part(shape, 100_000_000, Rule::AWAKE);
        assert!(ours > 0.6, "{shape:?}: {ours}");
        assert!(awake > 0.85 && awake > ours, "{shape:?}: {awake}");
    }
}
