//! One random call from a stream of numbers: what the soak and the fuzz targets run. In come numbers,
//! from a generator or from a fuzzer, and a pool; out comes a failed assertion if std disagrees.

use std::iter;

use spanwise::prelude::*;

use crate::{
    backends::AnyPool,
    ends::{End, Ending, Few},
    ledger::{Ledger, Raised, Row, row_of},
    program::{Keep, Op, Program, Step},
};

/// Where random numbers come from.
pub trait Dice {
    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: u64) -> u64;
}

impl<F: FnMut() -> u64> Dice for F {
    fn below(&mut self, limit: u64) -> u64 {
        self() % limit
    }
}

/// What kind of call it was, so that a run can say what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A chain that ran to its end.
    Whole,
    /// A chain in which a row panicked.
    Panic,
    /// Chains inside a chain.
    Nested,
    /// Owned rows whose drops were counted.
    Owned,
    /// A sort.
    Sort,
}

/// How many kinds there are.
pub const KINDS: usize = 5;

/// Runs one random call on the pool and compares it with std.
///
/// # Panics
///
/// If the two differ, with the call.
pub fn call(dice: &mut impl Dice, pool: &AnyPool) -> Kind {
    match dice.below(16) {
        0 | 1 => panics(dice, pool),
        2 => nested(dice, pool),
        3 => owned(dice, pool),
        4 => sort(dice, pool),
        _ => whole(dice, pool),
    }
}

/// Lengths around the plan's borders, most of them short.
fn length(dice: &mut impl Dice) -> usize {
    let most = [4, 70, 70, 300, 1100][dice.below(5) as usize];
    dice.below(most) as usize
}

fn number(dice: &mut impl Dice) -> i64 {
    match dice.below(8) {
        0 => [i64::MIN, i64::MAX, i64::MIN + 1, 0][dice.below(4) as usize],
        1 => dice.below(u64::MAX) as i64,
        _ => dice.below(41) as i64 - 20,
    }
}

/// A few random numbers over and over: each costs far more than a row.
fn rows(dice: &mut impl Dice) -> Vec<i64> {
    let length = length(dice);
    let some: Vec<i64> = (0..length.min(20)).map(|_| number(dice)).collect();
    some.iter().cycle().take(length).enumerate().map(|(i, x)| x ^ (i as i64 / 20)).collect()
}

fn grain(dice: &mut impl Dice) -> Option<usize> {
    [None, Some(1), Some(2), Some(7), Some(200)][dice.below(5) as usize]
}

fn op(dice: &mut impl Dice) -> Op {
    match dice.below(4) {
        0 => Op::Same,
        1 => Op::Add(number(dice)),
        2 => Op::Times(number(dice)),
        _ => Op::Flip(number(dice)),
    }
}

fn keep(dice: &mut impl Dice) -> Keep {
    match dice.below(6) {
        0 => Keep::All,
        1 => Keep::Nothing,
        2 | 3 => {
            let by = 1 + dice.below(8) as i64;
            Keep::Modulo(dice.below(by as u64) as i64, by)
        }
        4 => Keep::Below(number(dice)),
        _ => Keep::Is(number(dice)),
    }
}

fn program(dice: &mut impl Dice) -> Program {
    let step = |dice: &mut _| match Dice::below(dice, 4) {
        0 => Step::Map(op(dice)),
        1 => Step::Filter(keep(dice)),
        2 => Step::FilterMap(keep(dice), op(dice)),
        _ => Step::Repeat(Dice::below(dice, 3) as u8, op(dice)),
    };
    Program((0..dice.below(4)).map(|_| step(dice)).collect())
}

fn end(dice: &mut impl Dice) -> End {
    match dice.below(28) {
        0 => End::Collect,
        1 => End::Boxed,
        2 => End::Deque,
        3 => End::Set,
        4 => End::Map,
        5 => End::Text,
        6 => End::ForEach,
        7 => End::Count,
        8 => End::CheckedSum,
        9 => End::WrappingSum,
        10 => End::ExactSum,
        11 => End::CheckedProduct,
        12 => End::WrappingProduct,
        13 => End::Min,
        14 => End::Max,
        15 => End::MinByKey,
        16 => End::MaxBy,
        17 => End::Reduce,
        18 => End::ReduceTree,
        19 => End::Fold,
        20 => End::CollectInto(vec![number(dice); dice.below(3) as usize]),
        21 => End::Fallible(keep(dice)),
        22 => End::Any(keep(dice)),
        23 => End::All(keep(dice)),
        24 | 25 => End::FindFirst(keep(dice)),
        26 => End::FindAny(keep(dice)),
        _ => End::PositionFirst(keep(dice)),
    }
}

fn few(dice: &mut impl Dice) -> Few {
    Few(match dice.below(4) {
        0 => End::Collect,
        1 => End::Fold,
        2 => End::ForEach,
        _ => End::PositionFirst(keep(dice)),
    })
}

/// The chain and std's iterator, written once: `on!(rows.iter() => copied().map(f))`.
macro_rules! compare {
    ($pool:expr, $grain:expr, $end:expr, $source:expr => $($adapters:tt)*) => {{
        let expected = $end.of_iter($source.$($adapters)*);
        let chain = $source.par($pool);
        let chain = match $grain {
            Some(grain) => chain.with_grain(grain),
            None => chain,
        };
        let got = $end.of_chain(chain.$($adapters)*);
        assert_eq!(
            got, expected,
            "{:?} rows, grain {:?}, {:?} on {:?}: {}",
            $source.len(), $grain, $end, $pool, stringify!($source.$($adapters)*)
        );
    }};
}

fn whole(dice: &mut impl Dice, pool: &AnyPool) -> Kind {
    let (xs, grain) = (rows(dice), grain(dice));
    match dice.below(10) {
        0..3 => {
            let (op, end) = (op(dice), end(dice));
            compare!(pool, grain, end, xs.iter() => map(|&x| op.of(x)));
        }
        3..6 => {
            let (program, end) = (program(dice), end(dice));
            compare!(pool, grain, end, xs.iter() => flat_map(|&x| program.of(x)));
        }
        6 => {
            let (skip, take, end) = (length(dice), length(dice), few(dice));
            compare!(pool, grain, end, xs.iter() => skip(skip).rev().take(take).copied());
        }
        7 => {
            let (other, end) = (rows(dice), few(dice));
            compare!(pool, grain, end, xs.iter() => zip(&other).map(|(x, y)| x.wrapping_sub(*y)));
        }
        8 => {
            let (keep, step, end) = (keep(dice), 1 + length(dice), few(dice));
            let kept = xs.iter().copied().filter(|&x| keep.of(x)).step_by(step);
            let expected = end.of_iter(kept.clone());
            let bridged = kept.par_bridge(pool).with_grain(grain.unwrap_or(1));
            assert_eq!(end.of_chain(bridged), expected, "{end:?}, bridge, {xs:?}, {pool:?}");
        }
        _ => {
            let (keep, capacity) = (keep(dice), 1 + length(dice));
            let expected: Vec<i64> = xs.iter().copied().filter(|&x| keep.of(x)).collect();
            let stream = xs.par(pool).copied().filter(|&x| keep.of(x)).stream(capacity);
            assert!(stream.eq(expected), "stream({capacity}) of {keep:?}, {xs:?}, {pool:?}");
        }
    }
    Kind::Whole
}

fn panics(dice: &mut impl Dice, pool: &AnyPool) -> Kind {
    let (n, grain, end) = (length(dice), grain(dice), end(dice));
    let (bad, by) = (length(dice), 1 + length(dice));
    let is_bad = |i: usize| i >= bad && i % by == bad % by;
    let raised = Raised::default();
    let chain = (0..n).par(pool).with_grain(grain.unwrap_or(3));
    let at = |i: usize| if is_bad(i) { raised.raise(i) } else { i as i64 };
    let got = row_of(|| end.of_chain(chain.map(at)));
    match (got, raised.first()) {
        (Ok(got), None) => assert_eq!(got, end.of_iter((0..n).map(|i| i as i64)), "{end:?}"),
        (got, raised) => assert_eq!(got.err(), raised, "{end:?}, {n} rows on {pool:?}"),
    }
    Kind::Panic
}

fn nested(dice: &mut impl Dice, pool: &AnyPool) -> Kind {
    let (n, m) = (1 + dice.below(40), dice.below(200));
    let inner = |i: u64| (0..i * m).par(pool).map(|x| x ^ i).max();
    let got: Vec<_> = (0..n).par(pool).map(inner).collect();
    let expected = (0..n).map(|i| (0..i * m).map(|x| x ^ i).max());
    assert!(got.into_iter().eq(expected), "{n} times up to {m} rows on {pool:?}");
    Kind::Nested
}

fn owned(dice: &mut impl Dice, pool: &AnyPool) -> Kind {
    let (n, by, bad) = (length(dice), 1 + length(dice), length(dice));
    // Some ledgers have a row whose destructor panics.
    let bad = (dice.below(3) == 0 && bad < n).then_some(bad);
    let ledger = Ledger::new(n, bad);
    let chain = ledger.rows().into_iter().par(pool);
    let which = dice.below(6);
    let unwound = row_of(|| match which {
        0 => chain.for_each(drop),
        1 => drop(chain.collect::<Vec<_>>()),
        2 => drop(chain.filter(|row| row.index() % by > 0).collect::<Vec<_>>()),
        3 => drop(chain.find_first(|row| row.index() % by == by - 1)),
        4 => drop(chain.map(Some).stream(by).take(n / 2).collect::<Vec<Option<Row>>>()),
        _ => {
            // std's map leaks what is left of it when a destructor panics, a vector does not.
            let groups = chain.rev().skip(by).group_by_key(|row| row.index() % 5);
            drop(groups.into_values().collect::<Vec<_>>());
        }
    });
    // In the stream the row may be among those that nobody asked for, and dropped with it.
    assert_eq!(unwound.err(), bad, "terminal {which}, {n} rows on {pool:?}");
    ledger.settle(&format!("terminal {which} by {by}, row {bad:?} panics, {pool:?}"));
    Kind::Owned
}

fn sort(dice: &mut impl Dice, pool: &AnyPool) -> Kind {
    let (mut xs, by) = (rows(dice), 1 + dice.below(50) as i64);
    if dice.below(4) == 0 {
        let seed = number(dice);
        let next = |x: &i64| Some(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        xs.extend(iter::successors(Some(seed), next).take(3000));
    }
    let mut expected = xs.clone();
    if dice.below(2) == 0 {
        expected.sort_by_key(|x| x.rem_euclid(by));
        xs.par_sort_by_key(pool, |x| x.rem_euclid(by));
    } else {
        expected.sort_unstable();
        xs.par_sort_unstable(pool);
    }
    assert!(xs == expected, "a sort of {} rows on {pool:?}", xs.len());
    Kind::Sort
}
