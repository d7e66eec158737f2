//! Terminals against std and naive loops: every function, backend, length and grain.

use std::{
    cmp::Ordering,
    hash::{Hash, Hasher},
};

use spanwise::{Chain, control::Control};

const LENGTHS: [usize; 12] = [0, 1, 2, 3, 63, 64, 65, 255, 1000, 1024, 1025, 5000];
const GRAINS: [Option<usize>; 4] = [None, Some(1), Some(3), Some(64)];

/// Runs a generic check on every backend; another one is another line.
macro_rules! on_every_backend {
    ($check:ident) => {
        $check(&spanwise::backend::Serial);
        for width in [1, 2, 3, 4, 7, 8, 16] {
            $check(&spanwise_rayon::RayonPool::new(width).unwrap());
            $check(&spanwise_deque::DequePool::new(width).unwrap());
        }
    };
}

mod answers;
mod collections;
mod folds;
mod ledger;
mod nothing;
mod overscan;

/// `with_grain`, where there is one.
trait Grain {
    fn grain(self, grain: Option<usize>) -> Self;
}

impl<I, L, C: Control> Grain for Chain<I, L, C> {
    fn grain(self, grain: Option<usize>) -> Self {
        match grain {
            None => self,
            Some(rows) => self.with_grain(rows),
        }
    }
}

/// Many equal numbers, in no order.
fn numbers(n: usize) -> Vec<i64> {
    (0..n as i64).map(|i| i * i * 31 % 97 - i % 5).collect()
}

/// Every length with every grain.
fn each_case(check: impl Fn(&[i64], Option<usize>)) {
    for n in LENGTHS {
        GRAINS.into_iter().for_each(|grain| check(&numbers(n), grain));
    }
}

/// Of equal keys the tag tells which it is.
#[derive(Clone, Copy, Debug)]
struct Tagged(i64, usize);

impl PartialEq for Tagged {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Tagged {}

impl PartialOrd for Tagged {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Tagged {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl Hash for Tagged {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Tagged {
    fn both(self) -> (i64, usize) {
        (self.0, self.1)
    }
}

fn tagged(rows: &[i64]) -> Vec<Tagged> {
    rows.iter().enumerate().map(|(i, &x)| Tagged(x, i)).collect()
}
