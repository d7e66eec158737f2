//! Sums and products of floats: eight at a time, so that no addition waits for the one before. In come
//! items, out comes a total whose grouping depends on the rows and their number alone.
//!
//! Where each row is a leaf, row `i` goes to lane `i % 8`, and each lane merges its items along the
//! fixed tree. Else item `j` of a leaf goes to lane `j % 8`, in which items are folded from left to
//! right; the lanes' total is the leaf's, and leaves are merged along the fixed tree. For a total lanes
//! 4 to 7 are folded onto 0 to 3, then 2 and 3 onto 0 and 1, then 1 onto 0. An empty lane holds the
//! operation's identity, which changes no bit of what it meets: -0.0 for a sum, 1.0 for a product.

use std::{array, marker::PhantomData};

use crate::{
    chain::Chain,
    control::Control,
    input::Input,
    leaf::{Count, Leaf},
    terminal::Terminal,
};

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

/// Folds a chain of floats by an operation.
pub(crate) fn fold<O, T, I, L, C>(chain: Chain<I, L, C>) -> C::Out<T>
where
    O: Op<T>,
    T: Copy + Send,
    I: Input,
    L: Leaf<I::Span, Item = T>,
    C: Control,
{
    let exact = <I::Length as Count>::EXACT && L::Count::EXACT;
    if exact && chain.control.grain().is_none() {
        chain.by_leaf(&Lanes::<O>(PhantomData), total::<T, O>)
    } else {
        chain.by_leaf(&Leaves::<O>(PhantomData), |total| total)
    }
}

/// The total of all lanes.
#[inline]
fn total<T: Copy, O: Op<T>>(lanes: [T; 8]) -> T {
    let [a, b, c, d, e, f, g, h] = lanes;
    let even = O::apply(O::apply(a, e), O::apply(c, g));
    let odd = O::apply(O::apply(b, f), O::apply(d, h));
    O::apply(even, odd)
}

/// Lanes over rows.
struct Lanes<O>(PhantomData<fn() -> O>);

impl<T: Copy + Send, O: Op<T>> Terminal<T> for Lanes<O> {
    type Partial = [T; 8];

    const BY_ROW: bool = true;

    #[inline]
    fn run(&self, at: usize, items: impl Iterator<Item = T>) -> [T; 8] {
        let (mut lanes, mut lane) = ([O::IDENTITY; 8], at % 8);
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
    fn few(&self, _: usize, count: usize, mut item: impl FnMut() -> T) -> [T; 8] {
        array::from_fn(|lane| if lane < count { item() } else { O::IDENTITY })
    }

    #[inline(always)]
    fn merge(&self, left: [T; 8], right: [T; 8]) -> [T; 8] {
        let [a, b, c, d, e, f, g, h] = left;
        let [i, j, k, l, m, n, o, p] = right;
        let op = O::apply;
        [op(a, i), op(b, j), op(c, k), op(d, l), op(e, m), op(f, n), op(g, o), op(h, p)]
    }
}

/// Lanes within leaves.
struct Leaves<O>(PhantomData<fn() -> O>);

impl<T: Copy + Send, O: Op<T>> Terminal<T> for Leaves<O> {
    type Partial = T;

    #[inline]
    fn run(&self, at: usize, items: impl Iterator<Item = T>) -> T {
        let _ = at;
        let lanes: [T; 8] = Lanes::<O>(PhantomData).run(0, items);
        total::<T, O>(lanes)
    }

    #[inline]
    fn merge(&self, left: T, right: T) -> T {
        O::apply(left, right)
    }
}
