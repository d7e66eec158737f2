//! How pipelines end: every terminal over integers, and those that differ for other items. In comes a
//! chain or std's iterator, out comes what the terminal gives.

use std::{
    collections::{BTreeMap, BTreeSet, BinaryHeap, LinkedList},
    fmt::Debug,
    iter,
    sync::Mutex,
};

use spanwise::{CancelToken, Chain, control::On, input::Input, leaf::Leaf, prelude::*};

use super::{Item, serial::running};
use spanwise_proptests::{
    backends::AnyPool,
    ends::{self, End, Outcome},
    naive::bits,
    program::{Keep, Op},
};

/// How a pipeline ends.
#[derive(Clone, Debug)]
pub(crate) enum Finish {
    /// A terminal over the items' numbers.
    Numbers(End),
    Items,
    ItemsInto(usize),
    Extend,
    Set,
    Heap,
    List,
    Group(i64),
    Counts(i64),
    Partition(Keep),
    Unzip(Op),
    FoldOrdered,
    Stream(usize),
    Until,
    MinMax,
    MinBy(i64),
    Sorted(Op),
    Compare(Vec<i64>),
    First,
    Last,
    FindFirst(Keep),
    FindMapFirst(Keep, Op),
    FindMapAny(Keep),
    PositionAny(Keep),
    ForEachInit,
    TryForEach(Keep),
    TryReduce(Keep),
    ReduceTree,
    Sort(i64),
    FloatSum,
    FloatProduct,
    FloatReduce,
    FloatExact,
}

/// What a pipeline gave.
#[derive(Debug, PartialEq)]
pub(crate) enum Got<T> {
    /// What a terminal over numbers gave.
    Outcome(Outcome),
    /// Items, in lists.
    Items(Vec<Vec<T>>),
    /// Anything else, as it prints.
    Text(String),
}

fn text<T>(x: impl Debug) -> Got<T> {
    Got::Text(format!("{x:?}"))
}

fn one<T>(item: Option<T>) -> Got<T> {
    Got::Items(item.into_iter().map(|item| vec![item]).collect())
}

fn two<T>((left, right): (Vec<T>, Vec<T>)) -> Got<T> {
    Got::Items(vec![left, right])
}

fn groups<T>(groups: BTreeMap<i64, Vec<T>>) -> Got<T> {
    Got::Items(groups.into_values().collect())
}

fn float<T: Item>(item: T) -> f64 {
    item.number() as f64 / 3.0
}

impl Finish {
    /// Whether its answer depends on how its rows are grouped, so that Serial is the reference.
    pub(crate) fn is_grouped(&self) -> bool {
        matches!(self, Self::FloatSum | Self::FloatProduct | Self::FloatReduce)
    }

    /// Whether some hit will do, so that rows before it need not be run.
    pub(crate) fn is_any(&self) -> bool {
        matches!(
            self,
            Self::Sorted(_)
                | Self::FindMapAny(_)
                | Self::PositionAny(_)
                | Self::Numbers(End::Any(_) | End::All(_) | End::FindAny(_))
        )
    }

    /// Whether rows behind its answer are left out.
    pub(crate) fn stops_early(&self) -> bool {
        let search = matches!(
            self,
            Self::Sorted(_)
                | Self::Compare(_)
                | Self::First
                | Self::FindFirst(_)
                | Self::FindMapFirst(..)
                | Self::TryForEach(_)
                | Self::TryReduce(_)
                | Self::Numbers(End::FindFirst(_) | End::PositionFirst(_) | End::Fallible(_))
        );
        search || self.is_any()
    }

    /// The end of a chain.
    pub(super) fn of_chain<T, S, L>(
        &self,
        chain: Chain<S, L, On<'_, AnyPool>>,
        pool: &AnyPool,
    ) -> Got<T>
    where
        T: Item,
        S: Input,
        L: Leaf<S::Span, Item = T>,
    {
        let key = |by: i64| move |x: &T| x.number().rem_euclid(by);
        match self {
            Self::Numbers(end) => {
                let number: fn(T) -> i64 = |item| item.number();
                Got::Outcome(ends::of_chain(chain.map(number), end))
            }
            Self::Items => Got::Items(vec![chain.collect()]),
            &Self::ItemsInto(room) => {
                let mut all = Vec::with_capacity(room);
                all.push(T::of(7));
                chain.collect_into(&mut all);
                Got::Items(vec![all])
            }
            Self::Extend => {
                let mut all = vec![T::of(7)];
                all.par_extend(chain);
                Got::Items(vec![all])
            }
            Self::Set => Got::Items(vec![chain.collect::<BTreeSet<_>>().into_iter().collect()]),
            Self::Heap => Got::Items(vec![chain.collect::<BinaryHeap<_>>().into_sorted_vec()]),
            Self::List => Got::Items(vec![chain.collect::<LinkedList<_>>().into_iter().collect()]),
            &Self::Group(by) => groups(chain.group_by_key(key(by)).into_iter().collect()),
            &Self::Counts(by) => {
                let counts = chain.counts_by_key(move |x| x.number().rem_euclid(by));
                text(counts.into_iter().collect::<BTreeMap<_, _>>())
            }
            &Self::Partition(keep) => two(chain.partition(|x| keep.of(x.number()))),
            &Self::Unzip(op) => two(chain.map(|x| (T::of(op.of(x.number())), x)).unzip()),
            Self::FoldOrdered => Got::Items(vec![chain.fold_ordered(Vec::new(), |mut all, x| {
                all.push(x);
                all
            })]),
            &Self::Stream(capacity) => Got::Items(vec![chain.stream(capacity).collect()]),
            Self::Until => {
                let all = chain.progress(|_| ()).until(&CancelToken::new()).collect();
                Got::Items(vec![all.expect("nobody cancels")])
            }
            Self::MinMax => {
                two(chain.minmax().map_or((vec![], vec![]), |(x, y)| (vec![x], vec![y])))
            }
            &Self::MinBy(by) => one(chain.min_by(|x, y| key(by)(x).cmp(&key(by)(y)))),
            &Self::Sorted(op) => text(chain.is_sorted_by_key(|x| op.of(x.number()))),
            Self::Compare(ys) => {
                text(chain.cmp(ys.iter().map(|&y| T::of(y)).collect::<Vec<_>>().into_iter()))
            }
            Self::First => one(chain.first()),
            Self::Last => one(chain.last()),
            &Self::FindFirst(keep) => one(chain.find_first(|x| keep.of(x.number()))),
            &Self::FindMapFirst(keep, op) => {
                one(chain.find_map_first(|x| keep.of(x.number()).then(|| T::of(op.of(x.number())))))
            }
            &Self::FindMapAny(keep) => {
                text(chain.find_map_any(|x| keep.of(x.number()).then_some(x)).is_some())
            }
            &Self::PositionAny(keep) => text(chain.position_any(|x| keep.of(x.number())).is_some()),
            Self::ForEachInit => {
                let seen = Mutex::new(Vec::new());
                let push = |state: &mut usize, x| {
                    *state += 1;
                    seen.lock().expect("nobody panics").push(x);
                };
                chain.for_each_init(|| 0, push);
                let mut seen = seen.into_inner().expect("nobody panics");
                seen.sort_unstable();
                Got::Items(vec![seen])
            }
            &Self::TryForEach(keep) => {
                let tried = |x: T| if keep.of(x.number()) { Err(x) } else { Ok(()) };
                one(chain.try_for_each(tried).err())
            }
            &Self::TryReduce(keep) => {
                let tried = chain.map(|x| if keep.of(x.number()) { Err(x) } else { Ok(x) });
                let all = tried.try_reduce(|| T::of(0), |x, y| Ok(running(x, y)));
                text(all.map_err(|x| x.number()).map(|x| x.number()))
            }
            Self::ReduceTree => one(chain.reduce_tree(mixed)),
            &Self::Sort(by) => {
                let mut all: Vec<T> = chain.collect();
                all.par_sort_by_key(pool, key(by));
                Got::Items(vec![all])
            }
            Self::FloatSum => text(bits(chain.map(float).sum())),
            Self::FloatProduct => text(bits(chain.map(|x| 1.0 + float(x).sin() / 9.0).product())),
            Self::FloatReduce => text(chain.map(float).reduce(|x, y| x / 3.0 + y).map(bits)),
            Self::FloatExact => text(bits(chain.map(float).exact_sum())),
        }
    }

    /// The same end by std, or by a loop where std has no such terminal.
    pub(super) fn of_items<T: Item>(&self, mut items: impl Iterator<Item = T>) -> Got<T> {
        let seven = || iter::once(T::of(7));
        match self {
            Self::Numbers(end) => Got::Outcome(ends::of_iter(items.map(|x| x.number()), end)),
            Self::Items | Self::List | Self::FoldOrdered | Self::Stream(_) | Self::Until => {
                Got::Items(vec![items.collect()])
            }
            Self::ItemsInto(_) | Self::Extend => Got::Items(vec![seven().chain(items).collect()]),
            Self::Set => Got::Items(vec![items.collect::<BTreeSet<_>>().into_iter().collect()]),
            Self::Heap | Self::ForEachInit => {
                let mut all: Vec<T> = items.collect();
                all.sort_unstable();
                Got::Items(vec![all])
            }
            &Self::Group(by) => {
                let mut all = BTreeMap::<i64, Vec<T>>::new();
                items.for_each(|x| all.entry(x.number().rem_euclid(by)).or_default().push(x));
                groups(all)
            }
            &Self::Counts(by) => {
                let mut all = BTreeMap::<i64, usize>::new();
                items.for_each(|x| *all.entry(x.number().rem_euclid(by)).or_default() += 1);
                text(all)
            }
            &Self::Partition(keep) => two(items.partition(|x| keep.of(x.number()))),
            &Self::Unzip(op) => two(items.map(|x| (T::of(op.of(x.number())), x)).unzip()),
            Self::MinMax => {
                let all: Vec<T> = items.collect();
                two((
                    all.iter().min().cloned().into_iter().collect(),
                    all.into_iter().max().into_iter().collect(),
                ))
            }
            &Self::MinBy(by) => one(items.min_by_key(|x| x.number().rem_euclid(by))),
            &Self::Sorted(op) => text(items.is_sorted_by_key(|x| op.of(x.number()))),
            Self::Compare(ys) => text(items.cmp(ys.iter().map(|&y| T::of(y)))),
            Self::First => one(items.next()),
            Self::Last => one(items.last()),
            &Self::FindFirst(keep) => one(items.find(|x| keep.of(x.number()))),
            &Self::FindMapFirst(keep, op) => {
                one(items.find_map(|x| keep.of(x.number()).then(|| T::of(op.of(x.number())))))
            }
            &Self::FindMapAny(keep) | &Self::PositionAny(keep) => {
                text(items.any(|x| keep.of(x.number())))
            }
            &Self::TryForEach(keep) => one(items.find(|x| keep.of(x.number()))),
            &Self::TryReduce(keep) => {
                let mut all = T::of(0);
                for x in items {
                    if keep.of(x.number()) {
                        return text(Err::<i64, _>(x.number()));
                    }
                    all = running(all, x);
                }
                text(Ok::<_, i64>(all.number()))
            }
            Self::ReduceTree => one(spanwise_proptests::naive::tree(items, mixed)),
            &Self::Sort(by) => {
                let mut all: Vec<T> = items.collect();
                all.sort_by_key(|x| x.number().rem_euclid(by));
                Got::Items(vec![all])
            }
            Self::FloatExact => text(bits(spanwise_proptests::naive::exact_sum(
                &items.map(float).collect::<Vec<_>>(),
            ))),
            Self::FloatSum | Self::FloatProduct | Self::FloatReduce => {
                unreachable!("these depend on grouping")
            }
        }
    }
}

/// Not associative, so that it shows the shape of a tree.
fn mixed<T: Item>(left: T, right: T) -> T {
    T::of((left.number().wrapping_mul(31) ^ right.number()) & 0xff_ffff)
}
