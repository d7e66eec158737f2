//! The ring: each item has one taker.

use std::sync::Arc;

use loom::thread;

use crate::{
    Item, check, item, open, pop, push,
    ring::{Owner, Ring, Steal},
};

fn steal(ring: &Ring<Item>, tries: usize) -> Vec<usize> {
    let mut taken = Vec::new();
    for _ in 0..tries {
        if let Steal::Success(item) = ring.steal() {
            taken.push(open(item));
        }
    }
    taken
}

/// Runs an owner beside thieves and checks that each of `1..=count` is taken once.
fn share(thieves: usize, tries: usize, count: usize, owner: fn(&Owner<&Ring<Item>>) -> Vec<usize>) {
    let ring = Arc::new(Ring::new());
    let thieves: Vec<_> = (0..thieves)
        .map(|_| {
            let ring = Arc::clone(&ring);
            thread::spawn(move || steal(&ring, tries))
        })
        .collect();
    let end = Owner::new(&*ring);
    let mut taken = owner(&end);
    taken.extend(thieves.into_iter().flat_map(|thief| thief.join().unwrap()));
    end.publish(usize::MAX);
    taken.extend(std::iter::from_fn(|| end.pop()).map(open));
    taken.sort_unstable();
    assert!(taken.into_iter().eq(1..=count));
}

#[test]
fn two_pops_one_thief() {
    check(150, || {
        share(1, 2, 3, |end| {
            push(end, 1);
            push(end, 2);
            let mut taken: Vec<_> = pop(end).into_iter().collect();
            push(end, 3);
            taken.extend(pop(end));
            taken
        });
    });
}

#[test]
fn last_item_two_thieves() {
    check(1000, || {
        share(2, 1, 2, |end| {
            push(end, 1);
            push(end, 2);
            pop(end).into_iter().chain(pop(end)).collect()
        });
    });
}

#[test]
fn growth_beside_a_thief() {
    check(900, || {
        share(1, 2, 4, |end| {
            (1..=4).for_each(|number| push(end, number));
            pop(end).into_iter().collect()
        });
    });
}

#[test]
fn hidden_items_shown_late() {
    check(80, || {
        share(1, 2, 4, |end| {
            (1..=3).for_each(|number| _ = end.push(item(number)));
            end.publish(2);
            let mut taken: Vec<_> = pop(end).into_iter().chain(pop(end)).collect();
            end.push(item(4));
            end.publish(2);
            taken.extend(pop(end));
            taken
        });
    });
}
