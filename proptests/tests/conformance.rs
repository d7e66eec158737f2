//! The conformance table over the workspace's own backends, and chains of one in chains of another.

use spanwise::prelude::*;
use spanwise_backend::{Seeded, Serial};
use spanwise_deque::DequePool;
use spanwise_proptests::{
    backends::{AnyPool, pools},
    conformance,
    staged::{FarFirst, NearFirst},
};
use spanwise_rayon::RayonPool;

#[test]
fn serial() {
    conformance::check(|_| Serial);
}

#[test]
fn the_deque_pool() {
    let build = |width| DequePool::new(width).expect("threads");
    conformance::Suite::new(build).guise(AnyPool::Deque).run().hold();
}

#[test]
fn rayon_core() {
    conformance::check(|width| RayonPool::new(width).expect("threads"));
}

#[test]
fn halves_in_a_fixed_order() {
    conformance::check(NearFirst);
    conformance::check(FarFirst);
}

#[test]
fn seeded_schedules() {
    conformance::check(|width| Seeded::new(7, width));
}

#[test]
fn a_chain_of_one_backend_in_a_chain_of_another() {
    let expected: u64 = (0..70).map(|i| (0..i).map(|j| i ^ j).sum::<u64>()).sum();
    for outer in pools() {
        for inner in pools() {
            let row = |i| (0..i).par(inner).map(|j| i ^ j).sum::<u64>();
            let sum: u64 = (0..70).par(outer).map(row).sum();
            assert_eq!(sum, expected, "{inner:?} in {outer:?}");
        }
    }
}
