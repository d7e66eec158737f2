//! Owned items of every source that gives them: each dropped once, whatever ends the call.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, LinkedList, VecDeque},
    fmt::Debug,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicUsize, Ordering},
};

use spanwise::{CancelToken, Stopped, input::Input, leaf::Exact, prelude::*, source::Source};

use crate::{Any, GRAINS, backends, grained};

/// Counts itself when dropped, and panics then if it is told to.
#[derive(Debug)]
struct Counted<'a> {
    number: usize,
    dropped: &'a AtomicUsize,
    bad: bool,
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
        assert!(!self.bad, "destructor {}", self.number);
    }
}

impl PartialEq for Counted<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Counted<'_> {}

impl PartialOrd for Counted<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Counted<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.number.cmp(&other.number)
    }
}

const ROWS: [usize; 6] = [0, 1, 3, 64, 65, 1000];

fn message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string)).unwrap()
}

/// Runs calls of every ending over what `source` makes of some items.
fn settle<'a, S, T>(
    pool: &Any,
    dropped: &'a AtomicUsize,
    source: impl Fn(Vec<Counted<'a>>) -> S,
    number: impl Fn(&T) -> usize + Sync,
) where
    S: Source<Input: Input<Span: IntoIterator<Item = T>, Length = Exact>>,
    T: Send + Debug,
{
    let make = |n, bad: Option<usize>| {
        dropped.store(0, Ordering::Relaxed);
        let items = (0..n).map(|number| Counted { number, dropped, bad: bad == Some(number) });
        source(items.collect())
    };
    let settled = |n, what: &str| {
        assert_eq!(dropped.load(Ordering::Relaxed), n, "{n} items, {what}");
    };
    for n in ROWS {
        for grain in GRAINS {
            let chain = |bad| grained(make(n, bad).par(pool), grain);
            drop(chain(None));
            settled(n, "never run");
            chain(None).for_each(drop);
            settled(n, "run to the end");
            let mut numbers: Vec<usize> = chain(None).map(|item| number(&item)).collect();
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..n));
            settled(n, "mapped");
            drop(chain(None).find_any(|item| number(item) == n / 2));
            settled(n, "stopped early");
            drop(chain(None).skip(1).take(3).collect::<Vec<_>>());
            settled(n, "shortened");
            let failed: Result<Vec<T>, usize> = chain(None)
                .map(|item| if number(&item) == n / 3 { Err(n / 3) } else { Ok(item) })
                .collect();
            assert_eq!(failed.is_err(), n > 0);
            settled(n, "failed");
            let token = CancelToken::new();
            let cancelled = chain(None).until(&token).inspect(|_| token.cancel()).count();
            assert!(
                matches!(cancelled, Ok(count) if count == n)
                    || cancelled == Err(Stopped::Cancelled)
            );
            settled(n, "cancelled");
            for at in [0, n / 2, n.saturating_sub(1)] {
                let unwound = catch_unwind(AssertUnwindSafe(|| {
                    chain(None).for_each(|item| assert!(number(&item) != at, "item {at}"));
                }));
                assert_eq!(
                    unwound.map_err(|payload| message(&*payload)).err(),
                    (n > 0).then(|| format!("item {at}"))
                );
                settled(n, "unwound");
                let unwound = catch_unwind(AssertUnwindSafe(|| chain(Some(at)).for_each(drop)));
                assert_eq!(unwound.is_err(), n > 0);
                settled(n, "a destructor unwound");
            }
            assert_eq!(chain(None).count(), n, "the pool goes on");
        }
    }
}

#[test]
fn every_item_is_dropped_once() {
    for pool in backends() {
        let dropped = AtomicUsize::new(0);
        let dropped = &dropped;
        let number = |item: &Counted<'_>| item.number;
        settle(pool, dropped, |items| items.into_boxed_slice().into_iter(), number);
        settle(
            pool,
            dropped,
            |items| {
                let mut deque = VecDeque::from(items);
                deque.rotate_left(deque.len() / 3);
                deque.into_iter()
            },
            number,
        );
        settle(
            pool,
            dropped,
            |items| items.into_iter().collect::<LinkedList<_>>().into_iter(),
            number,
        );
        settle(
            pool,
            dropped,
            |items| items.into_iter().collect::<BTreeSet<_>>().into_iter(),
            number,
        );
        settle(
            pool,
            dropped,
            |items| {
                items
                    .into_iter()
                    .map(|item| (item.number, item))
                    .collect::<HashMap<_, _>>()
                    .into_iter()
            },
            |(number, _): &(usize, Counted<'_>)| *number,
        );
        settle(
            pool,
            dropped,
            |items| {
                items
                    .into_iter()
                    .map(|item| (item.number, item))
                    .collect::<BTreeMap<_, _>>()
                    .into_values()
            },
            number,
        );
    }
}

/// A drained vector keeps the items around the range, and those in it are dropped once.
#[test]
fn drained_items_are_dropped_once() {
    for (pool, n) in backends().iter().flat_map(|pool| ROWS.map(|n| (pool, n))) {
        for at in [0, n / 3, n.saturating_sub(1)] {
            // Up to the end of the vector, and in its middle.
            for range in [n / 4..n, n / 4..n - n / 4] {
                let dropped = AtomicUsize::new(0);
                let item = |number| Counted { number, dropped: &dropped, bad: false };
                let mut items: Vec<_> = (0..n).map(item).collect();
                let unwound = catch_unwind(AssertUnwindSafe(|| {
                    let drained = items.drain(range.clone()).par(pool);
                    drained.for_each(|item| assert!(item.number != at));
                }));
                assert_eq!(unwound.is_err(), range.contains(&at));
                assert_eq!(dropped.load(Ordering::Relaxed), range.len());
                let left = items.iter().map(|item| item.number);
                assert!(left.eq((0..range.start).chain(range.end..n)));
                drop(items);
                assert_eq!(dropped.load(Ordering::Relaxed), n);
            }
        }
    }
}
