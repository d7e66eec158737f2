//! Oracles. In come items, out comes what a terminal must give, by the plainest loop that its
//! definition allows.

use spanwise::prelude::*;

use crate::backends::serial;

/// The tree of `reduce_tree`, level by level: neighbours become one, an odd last one goes up.
pub fn tree<T>(items: impl IntoIterator<Item = T>, merge: impl Fn(T, T) -> T) -> Option<T> {
    let mut level: Vec<T> = items.into_iter().collect();
    while level.len() > 1 {
        let mut above = Vec::new();
        let mut items = level.into_iter();
        while let Some(left) = items.next() {
            above.push(match items.next() {
                Some(right) => merge(left, right),
                None => left,
            });
        }
        level = above;
    }
    level.pop()
}

/// The sizes of the leaves over so many rows, as `fold` on the reference shows them.
pub fn grid(rows: usize, grain: Option<usize>) -> Vec<usize> {
    let chain = (0..rows).par(serial());
    let chain = match grain {
        Some(grain) => chain.with_grain(grain),
        None => chain,
    };
    let sizes = |sizes: Vec<usize>, _| vec![sizes[0] + 1];
    chain.fold(|| vec![0], sizes, |left, right| [left, right].concat())
}

/// Leaf by leaf from left to right, then the leaves' results along the tree: what `fold` promises, and
/// `reduce` with a grain. Only for chains with one item a row.
pub fn grouped<T: Clone, A>(
    rows: &[T],
    grid: &[usize],
    identity: impl Fn() -> A,
    fold: impl Fn(A, T) -> A,
    merge: impl Fn(A, A) -> A,
) -> A {
    let mut rest = rows.iter();
    let leaves = grid.iter().map(|&size| rest.by_ref().take(size).cloned().fold(identity(), &fold));
    let leaves: Vec<A> = leaves.collect();
    tree(leaves, merge).expect("a grid has a leaf")
}

/// What `reduce` promises where each row gives one item: the tree, or leaf by leaf with a grain.
pub fn reduced<T: Clone>(
    rows: &[T],
    grain: Option<usize>,
    merge: impl Fn(T, T) -> T + Copy,
) -> Option<T> {
    if grain.is_none() {
        return tree(rows.iter().cloned(), merge);
    }
    let join = |left: Option<T>, right: T| match left {
        Some(left) => Some(merge(left, right)),
        None => Some(right),
    };
    grouped(rows, &grid(rows.len(), grain), || None, join, |left, right| join(left, right?))
}

/// A float sum or product as it is promised where each row gives one item and there is no grain: eight
/// lanes, each along the tree, then their total. `identity` is what no items give.
pub fn laned<T: Copy>(rows: &[T], identity: T, op: impl Fn(T, T) -> T + Copy) -> T {
    let lane = |lane| tree(rows.iter().copied().skip(lane).step_by(8), op);
    total([0, 1, 2, 3, 4, 5, 6, 7].map(|i| lane(i).unwrap_or(identity)), op)
}

/// The same leaf by leaf: the leaves' items, for chains that do not give one item a row.
pub fn laned_by_leaf<T: Copy>(leaves: &[Vec<T>], identity: T, op: impl Fn(T, T) -> T + Copy) -> T {
    let leaf = |items: &Vec<T>| {
        let lane = |lane| items.iter().copied().skip(lane).step_by(8).fold(identity, op);
        total([0, 1, 2, 3, 4, 5, 6, 7].map(lane), op)
    };
    tree(leaves.iter().map(leaf), op).expect("a grid has a leaf")
}

fn total<T: Copy>(lanes: [T; 8], op: impl Fn(T, T) -> T) -> T {
    let mut lanes = lanes.to_vec();
    while lanes.len() > 1 {
        let back = lanes.split_off(lanes.len() / 2);
        lanes.iter_mut().zip(back).for_each(|(front, back)| *front = op(*front, back));
    }
    lanes[0]
}

/// The rows of each leaf of a grid.
pub fn leaves<'a, T>(rows: &'a [T], grid: &'a [usize]) -> impl Iterator<Item = &'a [T]> {
    let mut rest = rows;
    grid.iter().map(move |&size| {
        let (leaf, behind) = rest.split_at(size);
        rest = behind;
        leaf
    })
}

/// The bits of a float that arithmetic made. Rust leaves the bits of such a NaN open, so all NaN are
/// one.
pub fn bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
}

/// The first index at which `bad` is true, or the length.
pub fn first<T>(rows: &[T], bad: impl Fn(&T) -> bool) -> usize {
    rows.iter().position(bad).unwrap_or(rows.len())
}

/// The correctly rounded sum of finite floats, by Shewchuk's expansions, as long as no part of it
/// overflows.
pub fn exact_sum(rows: &[f64]) -> f64 {
    // Non-overlapping, growing in magnitude, their sum is exact.
    let mut parts: Vec<f64> = Vec::new();
    for &row in rows {
        let (mut x, mut kept) = (row, Vec::new());
        for &part in &parts {
            let (great, small) = if x.abs() < part.abs() { (part, x) } else { (x, part) };
            let high = great + small;
            let low = small - (high - great);
            kept.extend((low != 0.0).then_some(low));
            x = high;
        }
        kept.push(x);
        parts = kept;
    }
    let Some(mut high) = parts.pop() else { return 0.0 };
    let mut low = 0.0;
    while let Some(part) = parts.pop() {
        let great = high;
        high = great + part;
        low = part - (high - great);
        if low != 0.0 {
            break;
        }
    }
    // Half a unit off: what lies below decides to which side.
    if parts.last().is_some_and(|part| (low < 0.0) == (*part < 0.0) && *part != 0.0) {
        let twice = low * 2.0;
        let up = high + twice;
        if twice == up - high {
            high = up;
        }
    }
    high + 0.0
}
