//! Pipelines by std. In comes a pipeline, out comes what it must give: each adapter is std's, or a
//! plain loop where std has none, over the items of the one before.

use std::iter;

use super::{Adapter, From, Got, Item, Pipeline, raise};

/// The pipeline's answer.
pub(super) fn run<T: Item>(pipeline: &Pipeline) -> Got<T> {
    let items = pipeline.adapters.iter().fold(rows(&pipeline.from), apply);
    pipeline.finish.of_items(items)
}

/// The items of a source.
pub(super) fn rows<'p, T: Item>(from: &'p From) -> Box<dyn Iterator<Item = T> + 'p> {
    let of = |&x: &i64| T::of(x);
    match from {
        From::Owned(xs) | From::Slice(xs) | From::Mut(xs) | From::Mapped(xs) => {
            Box::new(xs.iter().map(of))
        }
        From::Lines(xs) | From::Bridge(xs) => Box::new(xs.iter().map(of)),
        From::Chunks(xs, n) => Box::new(xs.chunks(*n).flatten().map(of)),
        From::Windows(xs, n) => Box::new(xs.windows(*n).flatten().map(of)),
        From::Deque(xs, turn) => {
            let turn = turn % xs.len().max(1);
            Box::new(xs[turn..].iter().chain(&xs[..turn]).map(of))
        }
        From::Drained(xs, from) => Box::new(xs[(*from).min(xs.len())..].iter().map(of)),
        &From::Range(first, n) => Box::new((first..first + n as i64).map(T::of)),
        &From::Inclusive(first, n) => Box::new((first..=first + n as i64).map(T::of)),
        &From::Stepped(first, n, step) => {
            Box::new((first..first + n as i64).step_by(step).map(T::of))
        }
    }
}

/// All that an item-wise adapter makes of an item.
pub(super) fn each<T: Item>(adapter: &Adapter, item: T) -> Vec<T> {
    let x = item.number();
    match *adapter {
        Adapter::Map(op) | Adapter::Update(op) | Adapter::MapInit(op) => vec![T::of(op.of(x))],
        Adapter::Raise(keep) => {
            if keep.of(x) {
                raise(x);
            }
            vec![item]
        }
        Adapter::Filter(keep) => keep.of(x).then_some(item).into_iter().collect(),
        Adapter::FilterMap(keep, op) => keep.of(x).then(|| T::of(op.of(x))).into_iter().collect(),
        Adapter::FlatMap(times, op) => {
            iter::successors(Some(x), |&x| Some(op.of(x))).take(times.into()).map(T::of).collect()
        }
        Adapter::Flatten(times) => vec![item; times.into()],
        _ => vec![item],
    }
}

/// Two items into one.
pub(super) fn pair<T: Item>(left: &T, right: &T) -> T {
    T::of(left.number().wrapping_mul(7) ^ right.number())
}

/// An item and its number.
pub(super) fn numbered<T: Item>((i, item): (usize, T)) -> T {
    pair(&T::of(i as i64), &item)
}

/// Some neighbours into one.
pub(super) fn packed<T: Item>(items: Vec<T>) -> T {
    items.into_iter().reduce(|left, right| pair(&left, &right)).expect("no chunk is empty")
}

/// The sum so far: associative, as `scan` wants it, but not for floats that round.
pub(super) fn running<T: Item>(left: T, right: T) -> T {
    T::of((left.number() ^ right.number()) & 0xff_ffff)
}

type Items<'p, T> = Box<dyn Iterator<Item = T> + 'p>;

fn apply<'p, T: Item>(items: Items<'p, T>, adapter: &'p Adapter) -> Items<'p, T> {
    let others = |ys: &'p [i64]| ys.iter().map(|&y| T::of(y));
    let gathered = |items: Items<'p, T>| items.collect::<Vec<_>>();
    match adapter {
        adapter if adapter.is_item_wise() => {
            Box::new(items.flat_map(move |item| each(adapter, item)))
        }
        Adapter::Enumerate => Box::new(items.enumerate().map(numbered)),
        Adapter::Zip(ys) => Box::new(items.zip(others(ys)).map(|(x, y)| pair(&x, &y))),
        Adapter::ZipEq => Box::new(items.enumerate().map(|(i, x)| pair(&x, &T::of(i as i64)))),
        Adapter::Chain(ys) => Box::new(items.chain(others(ys))),
        Adapter::Interleave(ys) => {
            let (mut xs, mut ys) = (items.fuse(), others(ys).fuse());
            let turns = iter::from_fn(move || {
                let two = [xs.next(), ys.next()];
                two.iter().any(Option::is_some).then_some(two)
            });
            Box::new(turns.flatten().flatten())
        }
        &Adapter::Intersperse(x) => {
            let mut items = items.peekable();
            let one = iter::from_fn(move || {
                let item = items.next()?;
                Some([Some(item), items.peek().map(|_| T::of(x))])
            });
            Box::new(one.flatten().flatten())
        }
        Adapter::Rev => Box::new(gathered(items).into_iter().rev()),
        &Adapter::Skip(n) => Box::new(items.skip(n)),
        &Adapter::Take(n) => Box::new(items.take(n)),
        &Adapter::StepBy(n) => Box::new(items.step_by(n)),
        &Adapter::Chunks(n) => {
            // One after another: rows behind the answer are not run.
            let mut items = items.fuse();
            Box::new(iter::from_fn(move || {
                let chunk: Vec<_> = items.by_ref().take(n).collect();
                (!chunk.is_empty()).then(|| packed(chunk))
            }))
        }
        &Adapter::SkipWhile(keep) => Box::new(items.skip_while(move |x| keep.of(x.number()))),
        &Adapter::TakeWhile(keep) => Box::new(items.take_while(move |x| keep.of(x.number()))),
        &Adapter::MapWhile(keep, op) => Box::new(
            items.map_while(move |x| keep.of(x.number()).then(|| T::of(op.of(x.number())))),
        ),
        &Adapter::Scan(init) => Box::new(items.scan(T::of(init), |all, x| {
            *all = running(all.clone(), x);
            Some(all.clone())
        })),
        &Adapter::ScanExclusive(init) => {
            let mut all = vec![T::of(init)];
            for x in items {
                let next = running(all.last().expect("the first is there").clone(), x);
                all.push(next);
            }
            all.pop();
            Box::new(all.into_iter())
        }
        _ => items,
    }
}
