//! Sums and products of floats: eight at a time, so that no addition waits for the one before. In come
//! items, out comes a total whose grouping depends on the rows and their number alone.
//!
//! Item `j` of leaf `i` goes to lane `(i + j) % 8`. Each lane folds the items of a leaf from left to
//! right and merges leaves along the fixed tree; in the end lanes 4 to 7 are folded onto 0 to 3, then
//! 2 and 3 onto 0 and 1, then 1 onto 0. Where each row is a leaf a lane is thus the fixed tree over
//! every eighth item. An empty lane holds the operation's identity, which changes no bit of what it
//! meets: -0.0 for a sum, 1.0 for a product.

use std::array;

use crate::terminal::Terminal;

/// A float, under one of its two operations.
pub(crate) trait Op<T>: Sync {
    /// What changes nothing.
    const IDENTITY: T;

    fn apply(left: T, right: T) -> T;
}

/// Addition.
pub(crate) struct Add;

/// Multiplication.
pub(crate) struct Mul;

macro_rules! ops {
    ($($float:ident)*) => {$(
        impl Op<$float> for Add {
            const IDENTITY: $float = -0.0;

            #[inline]
            fn apply(left: $float, right: $float) -> $float {
                left + right
            }
        }

        impl Op<$float> for Mul {
            const IDENTITY: $float = 1.0;

            #[inline]
            fn apply(left: $float, right: $float) -> $float {
                left * right
            }
        }
    )*};
}

ops! { f32 f64 }

/// Folds floats by an operation.
pub(crate) struct Lanes<O>(pub(crate) O);

/// The total of all lanes.
pub(crate) fn total<T: Copy, O: Op<T>>(lanes: [T; 8]) -> T {
    let [a, b, c, d, e, f, g, h] = lanes;
    let even = O::apply(O::apply(a, e), O::apply(c, g));
    let odd = O::apply(O::apply(b, f), O::apply(d, h));
    O::apply(even, odd)
}

impl<T: Copy + Send, O: Op<T>> Terminal<T> for Lanes<O> {
    type Partial = [T; 8];

    const BY_ROW: bool = true;

    #[inline]
    fn run(&self, at: usize, items: impl Iterator<Item = T>) -> [T; 8] {
        self.leaf(0, at, items)
    }

    #[inline]
    fn leaf(&self, leaf: usize, _: usize, items: impl Iterator<Item = T>) -> [T; 8] {
        let (mut lanes, mut lane) = ([O::IDENTITY; 8], leaf % 8);
        items.for_each(|item| {
            lanes[lane] = O::apply(lanes[lane], item);
            lane = (lane + 1) % 8;
        });
        lanes
    }

    #[inline]
    fn eight(&self, _: usize, items: [T; 8]) -> [T; 8] {
        items
    }

    #[inline]
    fn merge(&self, left: [T; 8], right: [T; 8]) -> [T; 8] {
        array::from_fn(|lane| O::apply(left[lane], right[lane]))
    }
}
