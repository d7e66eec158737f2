//! The `par_sort` family on every backend against std: results and stability, and what is left of the rows
//! when something goes wrong.

mod faults;
mod results;

use std::{cmp::Ordering, hint::black_box};

use spanwise::backend::{Backend, Serial};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

/// Something that is done on each backend.
trait Visit {
    fn on<B: Backend>(&mut self, pool: &B);
}

/// The backends: one line each.
fn each_backend(visit: &mut impl Visit) {
    visit.on(&Serial);
    for width in [1, 2, 3, 4, 7, 8, 16] {
        visit.on(&RayonPool::new(width).unwrap());
        visit.on(&DequePool::new(width).unwrap());
    }
}

/// Around every border: of what std does alone, of leaves, of blocks.
const LENGTHS: [usize; 15] =
    [0, 1, 2, 3, 63, 64, 65, 255, 1000, 1023, 1024, 1025, 4097, 5000, 9001];

const SHAPES: [&str; 9] = [
    "sorted",
    "reversed",
    "random",
    "few values",
    "one value",
    "saw",
    "pipe",
    "last out of place",
    "first out of place",
];

fn noise(i: usize) -> usize {
    let x = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20) as usize
}

fn key(shape: &str, i: usize, n: usize) -> usize {
    match shape {
        "sorted" => i,
        "reversed" => n - i,
        "random" => noise(i),
        "few values" => noise(i) % 5,
        "one value" => 7,
        "saw" => i % 100,
        "pipe" => i.min(n - i),
        "last out of place" => {
            if i + 1 == n {
                0
            } else {
                i + 1
            }
        }
        "first out of place" => {
            if i == 0 {
                n
            } else {
                i
            }
        }
        _ => unreachable!(),
    }
}

/// Dear enough that a thousand rows are sorted on all threads.
fn dear(x: &usize, y: &usize) -> Ordering {
    for i in 0..6 {
        black_box(i);
    }
    x.cmp(y)
}

type Pairs = [(usize, usize)];

/// Rows with a key to sort by and the index they had.
fn pairs(shape: &str, n: usize) -> Vec<(usize, usize)> {
    (0..n).map(|i| (key(shape, i, n), i)).collect()
}
