//! Terminals as values. In comes a chain or std's iterator over integers, out comes what the
//! terminal gives, in one type so that the two compare.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    sync::Mutex,
};

use proptest::prelude::*;
use spanwise::{Chain, control::On, input::Input, leaf::Leaf};

use crate::{
    backends::AnyPool,
    generate::{keep, number},
    naive,
    program::Keep,
};

/// How a chain ends.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "each is the terminal of its name")]
pub enum End {
    Collect,
    CollectInto(Vec<i64>),
    Boxed,
    Deque,
    Set,
    Map,
    Text,
    Fallible(Keep),
    ForEach,
    Count,
    CheckedSum,
    WrappingSum,
    ExactSum,
    CheckedProduct,
    WrappingProduct,
    Min,
    Max,
    MinByKey,
    MaxBy,
    Reduce,
    ReduceTree,
    Fold,
    Any(Keep),
    All(Keep),
    FindFirst(Keep),
    FindAny(Keep),
    PositionFirst(Keep),
}

/// What a terminal gave.
#[derive(Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Outcome {
    Rows(Vec<i64>),
    Pairs(HashMap<i64, i64>),
    Text(String),
    Tried(Result<Vec<i64>, i64>),
    Count(usize),
    Item(Option<i64>),
    Total(i128),
    Flag(bool),
    Place(Option<usize>),
}

/// Any of them.
pub fn end() -> impl Strategy<Value = End> {
    let plain = vec![
        End::Collect,
        End::Boxed,
        End::Deque,
        End::Set,
        End::Map,
        End::Text,
        End::ForEach,
        End::Count,
        End::CheckedSum,
        End::WrappingSum,
        End::ExactSum,
        End::CheckedProduct,
        End::WrappingProduct,
        End::Min,
        End::Max,
        End::MinByKey,
        End::MaxBy,
        End::Reduce,
        End::ReduceTree,
        End::Fold,
    ];
    prop_oneof![
        20 => prop::sample::select(plain),
        1 => prop::collection::vec(number(), 0..20).prop_map(End::CollectInto),
        1 => keep().prop_map(End::Fallible),
        1 => keep().prop_map(End::Any),
        1 => keep().prop_map(End::All),
        2 => keep().prop_map(End::FindFirst),
        1 => keep().prop_map(End::FindAny),
        2 => keep().prop_map(End::PositionFirst),
    ]
}

/// A terminal of those few that stand for all: in place, by leaf, with early stop, by item. Each is
/// compiled for each type of chain, so most types have only these.
#[derive(Clone, Debug)]
pub struct Few(pub End);

/// Any of the few.
pub fn few() -> impl Strategy<Value = Few> {
    let plain = prop::sample::select(vec![End::Collect, End::Fold, End::ForEach]);
    prop_oneof![3 => plain, 1 => keep().prop_map(End::PositionFirst)].prop_map(Few)
}

/// Something a chain can end in.
pub trait Ending {
    /// Runs a chain.
    fn of_chain<S, L>(&self, chain: Chain<S, L, On<'_, AnyPool>>) -> Outcome
    where
        S: Input,
        L: Leaf<S::Span, Item = i64>;

    /// Runs std's iterator.
    fn of_iter(&self, items: impl Iterator<Item = i64>) -> Outcome;
}

impl Ending for End {
    fn of_chain<S, L>(&self, chain: Chain<S, L, On<'_, AnyPool>>) -> Outcome
    where
        S: Input,
        L: Leaf<S::Span, Item = i64>,
    {
        of_chain(chain, self)
    }

    fn of_iter(&self, items: impl Iterator<Item = i64>) -> Outcome {
        of_iter(items, self)
    }
}

impl Ending for Few {
    fn of_chain<S, L>(&self, chain: Chain<S, L, On<'_, AnyPool>>) -> Outcome
    where
        S: Input,
        L: Leaf<S::Span, Item = i64>,
    {
        match &self.0 {
            End::Fold => folded(chain),
            End::ForEach => each(chain),
            &End::PositionFirst(keep) => Outcome::Place(chain.position_first(|x| keep.of(x))),
            _ => Outcome::Rows(chain.collect()),
        }
    }

    fn of_iter(&self, items: impl Iterator<Item = i64>) -> Outcome {
        of_iter(items, &self.0)
    }
}

fn folded<S, L>(chain: Chain<S, L, On<'_, AnyPool>>) -> Outcome
where
    S: Input,
    L: Leaf<S::Span, Item = i64>,
{
    let push = |mut all: Vec<_>, x| {
        all.push(x);
        all
    };
    Outcome::Rows(chain.fold(Vec::new, push, |left, right| [left, right].concat()))
}

fn each<S, L>(chain: Chain<S, L, On<'_, AnyPool>>) -> Outcome
where
    S: Input,
    L: Leaf<S::Span, Item = i64>,
{
    let seen = Mutex::new(Vec::new());
    chain.for_each(|x| seen.lock().expect("nobody panics").push(x));
    let mut seen = seen.into_inner().expect("nobody panics");
    seen.sort_unstable();
    Outcome::Rows(seen)
}

/// Not associative, so that it shows the shape of a tree.
fn mix(left: i64, right: i64) -> i64 {
    left.wrapping_mul(31).wrapping_add(right) ^ 5
}

fn letter(x: i64) -> char {
    char::from(b'a' + x.rem_euclid(26) as u8)
}

/// A key with ties, so that `min_by_key` and `max_by` must take the right one.
fn key(x: i64) -> i64 {
    x.rem_euclid(3)
}

fn good(x: i64, keep: Keep) -> Result<i64, i64> {
    if keep.of(x) { Ok(x) } else { Err(x) }
}

/// The terminal on a chain.
///
/// # Panics
///
/// If `find_any` gives an item that is none of those sought.
pub fn of_chain<S, L>(chain: Chain<S, L, On<'_, AnyPool>>, end: &End) -> Outcome
where
    S: Input,
    L: Leaf<S::Span, Item = i64>,
{
    match end {
        End::Collect => Outcome::Rows(chain.collect()),
        End::CollectInto(before) => {
            let mut all = before.clone();
            chain.collect_into(&mut all);
            Outcome::Rows(all)
        }
        End::Boxed => Outcome::Rows(chain.collect::<Box<[_]>>().into_vec()),
        End::Deque => Outcome::Rows(chain.collect::<VecDeque<_>>().into()),
        End::Set => Outcome::Rows(chain.collect::<BTreeSet<_>>().into_iter().collect()),
        End::Map => Outcome::Pairs(chain.map(|x| (key(x), x)).collect()),
        End::Text => Outcome::Text(chain.map(letter).collect()),
        &End::Fallible(keep) => Outcome::Tried(chain.map(|x| good(x, keep)).collect()),
        End::ForEach => each(chain),
        End::Count => Outcome::Count(chain.count()),
        End::CheckedSum => Outcome::Item(chain.checked_sum()),
        End::WrappingSum => Outcome::Item(Some(chain.wrapping_sum())),
        End::ExactSum => Outcome::Total(chain.exact_sum()),
        End::CheckedProduct => Outcome::Item(chain.checked_product()),
        End::WrappingProduct => Outcome::Item(Some(chain.wrapping_product())),
        End::Min => Outcome::Item(chain.min()),
        End::Max => Outcome::Item(chain.max()),
        End::MinByKey => Outcome::Item(chain.min_by_key(|&x| key(x))),
        End::MaxBy => Outcome::Item(chain.max_by(|&x, &y| key(x).cmp(&key(y)))),
        End::Reduce => Outcome::Item(chain.reduce(i64::wrapping_add)),
        End::ReduceTree => Outcome::Item(chain.reduce_tree(mix)),
        End::Fold => folded(chain),
        &End::Any(keep) => Outcome::Flag(chain.any(|x| keep.of(x))),
        &End::All(keep) => Outcome::Flag(chain.all(|x| keep.of(x))),
        &End::FindFirst(keep) => Outcome::Item(chain.find_first(|&x| keep.of(x))),
        &End::FindAny(keep) => {
            let found = chain.find_any(|&x| keep.of(x));
            assert!(found.is_none_or(|x| keep.of(x)), "{found:?} is no hit");
            Outcome::Flag(found.is_some())
        }
        &End::PositionFirst(keep) => Outcome::Place(chain.position_first(|x| keep.of(x))),
    }
}

/// The same by std, or by a loop where std has no such terminal.
pub fn of_iter(mut items: impl Iterator<Item = i64>, end: &End) -> Outcome {
    match end {
        End::Collect | End::Boxed | End::Deque | End::Fold => Outcome::Rows(items.collect()),
        End::CollectInto(before) => Outcome::Rows(before.iter().copied().chain(items).collect()),
        End::Set => Outcome::Rows(items.collect::<BTreeSet<_>>().into_iter().collect()),
        End::Map => Outcome::Pairs(items.map(|x| (key(x), x)).collect()),
        End::Text => Outcome::Text(items.map(letter).collect()),
        &End::Fallible(keep) => Outcome::Tried(items.map(|x| good(x, keep)).collect()),
        End::ForEach => {
            let mut seen: Vec<_> = items.collect();
            seen.sort_unstable();
            Outcome::Rows(seen)
        }
        End::Count => Outcome::Count(items.count()),
        End::CheckedSum => Outcome::Item(i64::try_from(items.map(i128::from).sum::<i128>()).ok()),
        End::WrappingSum | End::Reduce => {
            let sum = items.reduce(i64::wrapping_add);
            Outcome::Item(if matches!(end, End::Reduce) { sum } else { sum.or(Some(0)) })
        }
        End::ExactSum => Outcome::Total(items.map(i128::from).sum()),
        End::CheckedProduct => {
            let items: Vec<_> = items.collect();
            let product = items.iter().try_fold(1_i128, |p, &x| p.checked_mul(i128::from(x)));
            let product = product.and_then(|p| i64::try_from(p).ok());
            Outcome::Item(if items.contains(&0) { Some(0) } else { product })
        }
        End::WrappingProduct => Outcome::Item(Some(items.fold(1, i64::wrapping_mul))),
        End::Min => Outcome::Item(items.min()),
        End::Max => Outcome::Item(items.max()),
        End::MinByKey => Outcome::Item(items.min_by_key(|&x| key(x))),
        End::MaxBy => Outcome::Item(items.max_by(|&x, &y| key(x).cmp(&key(y)))),
        End::ReduceTree => Outcome::Item(naive::tree(items, mix)),
        &End::Any(keep) => Outcome::Flag(items.any(|x| keep.of(x))),
        &End::All(keep) => Outcome::Flag(items.all(|x| keep.of(x))),
        &End::FindFirst(keep) => Outcome::Item(items.find(|&x| keep.of(x))),
        &End::FindAny(keep) => Outcome::Flag(items.any(|x| keep.of(x))),
        &End::PositionFirst(keep) => Outcome::Place(items.position(|x| keep.of(x))),
    }
}
