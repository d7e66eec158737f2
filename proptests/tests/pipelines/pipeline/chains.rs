//! Pipelines by chains. In comes a pipeline, out comes what it gives on a backend. Two adapters after
//! one another meet with their own types; then the chain is opened and goes on as rows of one type.

use std::{
    collections::VecDeque,
    hint,
    time::{Duration, Instant},
};

use spanwise::{
    Chain,
    control::On as Control,
    input::Input,
    leaf::{BackLeaf, Exact, Leaf},
    prelude::*,
};

use super::{
    Adapter, From, Got, Item, Pipeline,
    erased::{Rows, Spread, open, open_both},
    raise,
    serial::{each, numbered, packed, pair, running},
};
use spanwise_proptests::{backends::AnyPool, shape::On};

type Chained<'p, S, L> = Chain<S, L, Control<'p, AnyPool>>;

/// What is still to come of a run.
#[derive(Clone, Copy)]
struct Rest<'p> {
    adapters: &'p [Adapter],
    pipeline: &'p Pipeline,
    on: On<'p>,
}

impl<'p> Rest<'p> {
    fn behind_first(self) -> Self {
        Self { adapters: &self.adapters[1..], ..self }
    }

    fn at<S: spanwise::source::Source<Input: Input<Span: IntoIterator>>>(
        self,
        source: S,
    ) -> Chained<'p, S::Input, spanwise::leaf::Rows> {
        self.on.of(source)
    }
}

/// The pipeline's answer on a backend.
pub(super) fn run<T: Item>(pipeline: &Pipeline, on: On<'_>) -> Got<T> {
    let rest = Rest { adapters: &pipeline.adapters, pipeline, on };
    let of = |&x: &i64| T::of(x);
    let items = |xs: &[i64]| xs.iter().map(of).collect::<Vec<T>>();
    match &pipeline.from {
        From::Owned(xs) => structural(rest.at(items(xs).into_iter()), rest),
        From::Slice(xs) => structural(rest.at(&items(xs)).cloned(), rest),
        From::Mut(xs) => structural(rest.at(&mut items(xs)).map(|x| x.clone()), rest),
        From::Mapped(xs) => structural(rest.at(xs).map(of), rest),
        From::Chunks(xs, n) => {
            let items = items(xs);
            let chain = rest.at(items.chunks(*n)).flat_map(|chunk| chunk.iter().cloned());
            open(chain, on, |rows| spread(rows, rest))
        }
        From::Windows(xs, n) => {
            let items = items(xs);
            let chain = rest.at(items.windows(*n)).flat_map(<[T]>::to_vec);
            open(chain, on, |rows| spread(rows, rest))
        }
        From::Deque(xs, turn) => {
            let mut deque: VecDeque<T> = items(xs).into();
            deque.rotate_left(turn % xs.len().max(1));
            structural(rest.at(&deque).cloned(), rest)
        }
        From::Drained(xs, from) => {
            let mut items = items(xs);
            let from = (*from).min(items.len());
            structural(rest.at(items.drain(from..)), rest)
        }
        &From::Range(first, n) => structural(rest.at(first..first + n as i64).map(T::of), rest),
        &From::Inclusive(first, n) => {
            structural(rest.at(first..=first + n as i64).map(T::of), rest)
        }
        &From::Stepped(first, n, step) => {
            structural(rest.at((first..first + n as i64).step_by(step)).map(T::of), rest)
        }
        From::Lines(xs) => {
            let text: String = xs.iter().map(|x| format!("{x}\n")).collect();
            let number = |line: &str| T::of(line.parse().expect("a number in each line"));
            open(text.par_lines(on.pool).map(number), on, |rows| spread(rows, rest))
        }
        From::Bridge(xs) => bridged(items(xs), rest),
    }
}

/// Pulled one by one, with the item-wise adapters on the way; what follows them begins anew.
fn bridged<T: Item>(items: Vec<T>, rest: Rest<'_>) -> Got<T> {
    let first = rest.adapters.iter().take_while(|adapter| adapter.is_item_wise()).count();
    let (on_the_way, behind) = rest.adapters.split_at(first);
    let all = |item: T| {
        on_the_way.iter().fold(vec![item], |items, adapter| {
            items.into_iter().flat_map(|item| dear_or_each(adapter, item)).collect()
        })
    };
    let chain = items.into_iter().par_bridge(rest.on.pool);
    let chain = match rest.on.grain {
        Some(grain) => chain.with_grain(grain),
        None => chain,
    };
    let chain = chain.flat_map(all);
    if behind.is_empty() {
        return rest.pipeline.finish.of_chain(chain, rest.on.pool);
    }
    let rows: Vec<T> = chain.collect();
    go(Rest { adapters: behind, ..rest }, |rest| rest.at(rows.into_iter()))
}

/// Begins anew with rows that are items.
fn go<'p, T: Item, S, L>(
    rest: Rest<'p>,
    chain: impl FnOnce(Rest<'p>) -> Chained<'p, S, L>,
) -> Got<T>
where
    S: Input<Length = Exact>,
    L: BackLeaf<S::Span, Item = T> + Send,
{
    structural(chain(rest), rest)
}

fn dear_or_each<T: Item>(adapter: &Adapter, item: T) -> Vec<T> {
    if matches!(adapter, Adapter::Dear) {
        dear(&item);
    }
    each(adapter, item)
}

/// Takes its time over some items, so that the call is worth a second thread.
fn dear<T: Item>(item: &T) {
    if item.number() % 4 == 0 {
        let since = Instant::now();
        while since.elapsed() < Duration::from_micros(1) {
            hint::spin_loop();
        }
    }
}

/// An adapter behind another, with both their types, where that differs from an adapter over rows.
fn structural<T: Item, S, L>(chain: Chained<'_, S, L>, rest: Rest<'_>) -> Got<T>
where
    S: Input<Length = Exact>,
    L: BackLeaf<S::Span, Item = T> + Send,
{
    let (on, next) = (rest.on, rest);
    let others = |ys: &[i64]| ys.iter().map(|&y| T::of(y)).collect::<Vec<_>>().into_iter();
    let Some(adapter) = rest.adapters.first() else {
        return open_both(chain, on, |rows| exact(rows, rest));
    };
    let behind = rest.behind_first();
    match adapter {
        &Adapter::Map(op) => {
            open_both(chain.map(|x| T::of(op.of(x.number()))), on, |rows| exact(rows, behind))
        }
        Adapter::Enumerate => {
            open_both(chain.enumerate().map(numbered), on, |rows| exact(rows, behind))
        }
        Adapter::Zip(ys) => {
            let chain = chain.zip(others(ys)).map(|(x, y)| pair(&x, &y));
            open_both(chain, on, |rows| exact(rows, behind))
        }
        Adapter::Chain(ys) => open_both(chain.chain(others(ys)), on, |rows| exact(rows, behind)),
        Adapter::Interleave(ys) => {
            open_both(chain.interleave(others(ys)), on, |rows| exact(rows, behind))
        }
        Adapter::Rev => open_both(chain.rev(), on, |rows| exact(rows, behind)),
        &Adapter::Skip(n) => open_both(chain.skip(n), on, |rows| exact(rows, behind)),
        &Adapter::Take(n) => open_both(chain.take(n), on, |rows| exact(rows, behind)),
        &Adapter::StepBy(n) => open_both(chain.step_by(n), on, |rows| exact(rows, behind)),
        &Adapter::Filter(keep) => {
            open(chain.filter(|x| keep.of(x.number())), on, |rows| spread(rows, behind))
        }
        _ => open_both(chain, on, |rows| exact(rows, next)),
    }
}

/// Any adapter over rows that are items.
fn exact<T: Item>(rows: Rows<'_, T>, rest: Rest<'_>) -> Got<T> {
    let Some(adapter) = rest.adapters.first() else {
        return rest.pipeline.finish.of_chain(rest.at(rows), rest.on.pool);
    };
    let (on, count) = (rest.on, spanwise::span::Span::len(&rows));
    let rest = rest.behind_first();
    let chain = rest.at(rows);
    let number = |x: &T| x.number();
    let others = |ys: &[i64]| ys.iter().map(|&y| T::of(y)).collect::<Vec<_>>().into_iter();
    match adapter {
        &Adapter::Map(op) => structural(chain.map(|x| T::of(op.of(x.number()))), rest),
        &Adapter::Update(op) => structural(chain.update(|x| *x = T::of(op.of(x.number()))), rest),
        &Adapter::MapInit(op) => {
            let init = || T::of(5);
            let chain = chain.map_init(init, |state, x| {
                *state = x;
                T::of(op.of(state.number()))
            });
            structural(chain, rest)
        }
        Adapter::Inspect => structural(chain.inspect(|x| assert!(x.cmp(x).is_eq())), rest),
        Adapter::Dear => structural(chain.inspect(dear), rest),
        &Adapter::Raise(keep) => structural(
            chain.inspect(|x| {
                if keep.of(number(x)) {
                    raise(number(x))
                }
            }),
            rest,
        ),
        Adapter::Enumerate => structural(chain.enumerate().map(numbered), rest),
        Adapter::Zip(ys) => structural(chain.zip(others(ys)).map(|(x, y)| pair(&x, &y)), rest),
        Adapter::ZipEq => {
            let numbers = (0..count).par(on.pool).rev().rev();
            let chain = chain.zip_eq(numbers).map(|(x, i)| pair(&x, &T::of(i as i64)));
            structural(chain, rest)
        }
        Adapter::Chain(ys) => structural(chain.chain(others(ys)), rest),
        Adapter::Interleave(ys) => structural(chain.interleave(others(ys)), rest),
        &Adapter::Intersperse(x) => structural(chain.intersperse(T::of(x)), rest),
        Adapter::Rev => structural(chain.rev(), rest),
        &Adapter::Skip(n) => structural(chain.skip(n), rest),
        &Adapter::Take(n) => structural(chain.take(n), rest),
        &Adapter::StepBy(n) => structural(chain.step_by(n), rest),
        &Adapter::Chunks(n) => structural(chain.chunks(n).map(packed), rest),
        &Adapter::TakeWhile(keep) => structural(chain.take_while(|x| keep.of(number(x))), rest),
        &Adapter::MapWhile(keep, op) => {
            let some = |x: T| keep.of(x.number()).then(|| T::of(op.of(x.number())));
            structural(chain.map_while(some), rest)
        }
        &Adapter::Scan(init) => {
            open(chain.scan(T::of(init), running), on, |rows| exact(rows, rest))
        }
        &Adapter::ScanExclusive(init) => {
            open(chain.scan_exclusive(T::of(init), running), on, |rows| exact(rows, rest))
        }
        &Adapter::Grain(n) => structural(chain.with_grain(n), again(rest, n)),
        &Adapter::MaxThreads(n) => structural(chain.max_threads(n), rest),
        _ => open(chain, on, |rows| one_more(Spread(rows), adapter, rest)),
    }
}

/// The rest with another grain.
fn again(rest: Rest<'_>, grain: usize) -> Rest<'_> {
    Rest { on: On { grain: Some(grain), ..rest.on }, ..rest }
}

/// Any adapter over rows that give no item or many.
fn spread<T: Item>(rows: Rows<'_, T>, rest: Rest<'_>) -> Got<T> {
    match rest.adapters.first() {
        None => rest.pipeline.finish.of_chain(rest.at(Spread(rows)), rest.on.pool),
        Some(adapter) => one_more(Spread(rows), adapter, rest.behind_first()),
    }
}

fn one_more<T: Item>(rows: Spread<'_, T>, adapter: &Adapter, rest: Rest<'_>) -> Got<T> {
    let on = rest.on;
    let chain = rest.at(rows);
    let number = |x: &T| x.number();
    match adapter {
        &Adapter::Map(op) => more(chain.map(|x| T::of(op.of(x.number()))), rest),
        &Adapter::Update(op) => more(chain.update(|x| *x = T::of(op.of(x.number()))), rest),
        &Adapter::MapInit(op) => {
            let chain = chain.map_init(|| T::of(5), |_, x| T::of(op.of(x.number())));
            more(chain, rest)
        }
        Adapter::Dear => more(chain.inspect(dear), rest),
        &Adapter::Raise(keep) => more(
            chain.inspect(|x| {
                if keep.of(number(x)) {
                    raise(number(x))
                }
            }),
            rest,
        ),
        &Adapter::Filter(keep) => more(chain.filter(|x| keep.of(number(x))), rest),
        &Adapter::FilterMap(keep, op) => {
            let some = |x: T| keep.of(x.number()).then(|| T::of(op.of(x.number())));
            more(chain.filter_map(some), rest)
        }
        Adapter::FlatMap(..) => more(chain.flat_map(|x| each(adapter, x)), rest),
        Adapter::Flatten(_) => more(chain.map(|x| each(adapter, x)).flatten(), rest),
        Adapter::Chain(ys) => {
            more(chain.chain(ys.iter().map(|&y| T::of(y)).collect::<Vec<_>>().into_iter()), rest)
        }
        &Adapter::Skip(n) => more(chain.skip(n), rest),
        &Adapter::SkipWhile(keep) => more(chain.skip_while(|x| keep.of(number(x))), rest),
        &Adapter::Take(n) => structural(chain.take(n), rest),
        &Adapter::TakeWhile(keep) => structural(chain.take_while(|x| keep.of(number(x))), rest),
        &Adapter::MapWhile(keep, op) => {
            let some = |x: T| keep.of(x.number()).then(|| T::of(op.of(x.number())));
            structural(chain.map_while(some), rest)
        }
        &Adapter::Scan(init) => {
            open(chain.scan(T::of(init), running), on, |rows| exact(rows, rest))
        }
        &Adapter::ScanExclusive(init) => {
            open(chain.scan_exclusive(T::of(init), running), on, |rows| exact(rows, rest))
        }
        &Adapter::Grain(n) => more(chain.with_grain(n), again(rest, n)),
        &Adapter::MaxThreads(n) => more(chain.max_threads(n), rest),
        _ => more(chain.inspect(|x| assert!(x.cmp(x).is_eq())), rest),
    }
}

/// As `structural`, where rows are no items: one more adapter with its own type.
fn more<T: Item, S, L>(chain: Chained<'_, S, L>, rest: Rest<'_>) -> Got<T>
where
    S: Input,
    L: Leaf<S::Span, Item = T>,
{
    let on = rest.on;
    match rest.adapters.first() {
        Some(&Adapter::Filter(keep)) => {
            let chain = chain.filter(|x| keep.of(x.number()));
            open(chain, on, |rows| spread(rows, rest.behind_first()))
        }
        Some(&Adapter::Map(op)) => {
            let chain = chain.map(|x| T::of(op.of(x.number())));
            open(chain, on, |rows| spread(rows, rest.behind_first()))
        }
        _ => open(chain, on, |rows| spread(rows, rest)),
    }
}
