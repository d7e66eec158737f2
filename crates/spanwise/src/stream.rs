//! A chain as an ordinary iterator. In comes a chain, out come its items one by one, in order; the
//! chain is run in batches, by the threads of its backend, while somebody asks for the next item.

use std::{
    iter::FusedIterator,
    time::{Duration, Instant},
    vec,
};

use crate::{
    chain::Chain,
    control::{Control, Stopped},
    gather::{Gather, gathered},
    input::Input,
    leaf::Leaf,
    plan::Leaves,
    pull::{Feed, SOLO, pull},
    terminal::{Terminal, Whole},
    work::Call,
};

impl<I: Input, L: Leaf<I::Span, Item: Send>, C: Control> Chain<I, L, C> {
    /// An iterator over the items, in input order, computed in parallel a batch at a time.
    ///
    /// When it has no item left, `next` runs the next rows on all threads until `capacity` rows are run,
    /// and returns the first item; nothing runs in between. So at most `capacity` items are in flight
    /// where a row gives at most one. After `flat_map` a batch ends at the row that brings it to
    /// `capacity` items, or a few rows later, since a row's items come together. Dropping the iterator
    /// drops what is left and asks the source for nothing more. After `until` or `deadline` the items
    /// are `Result`s, and a stop is the last one.
    ///
    /// # Panics
    ///
    /// If `capacity` is 0. A panic of a closure reaches the caller of `next`, and the stream is over.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let mut squares = (1..).par_bridge(&pool).map(|x: u64| x * x).stream(64);
    /// assert_eq!(squares.next(), Some(1));
    /// assert_eq!(squares.find(|x| x % 5 == 0), Some(25));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn stream(self, capacity: usize) -> impl FusedIterator<Item = C::Out<L::Item>> {
        assert!(capacity > 0, "a stream of capacity 0");
        let Self { input, leaf, control } = self;
        let (control, feed) = input.feed(control);
        let stopped = feed.as_ref().err().copied();
        let feed = feed.ok();
        let ready = Vec::new().into_iter();
        Stream { feed, leaf, control, capacity, ready, stopped, solo: SOLO }
    }
}

struct Stream<F, L, C, T> {
    /// `None` at the end.
    feed: Option<F>,
    leaf: L,
    control: C,
    capacity: usize,
    ready: vec::IntoIter<T>,
    /// Still to be told.
    stopped: Option<Stopped>,
    /// For how long a batch may be one thread's.
    solo: Duration,
}

impl<F, L, C> Iterator for Stream<F, L, C, L::Item>
where
    F: Feed,
    L: Leaf<F::Span, Item: Send>,
    C: Control,
{
    type Item = C::Out<L::Item>;

    fn next(&mut self) -> Option<C::Out<L::Item>> {
        loop {
            if let Some(item) = self.ready.next() {
                return Some(C::out(Ok(item)));
            }
            // Taken out while it runs: if that unwinds, the stream is over.
            let Some(feed) = self.feed.take() else {
                return self.stopped.take().map(|why| C::out(Err(why)));
            };
            let batch = Batch::new(feed, self.capacity);
            let work = Whole { leaf: &self.leaf, terminal: &UpTo(self.capacity, Gather::new()) };
            let start = Instant::now();
            match pull(Call::new(&self.control, &work), batch, None, self.solo) {
                Ok((items, batch)) => {
                    // The next batch costs about as much: if that is worth a thread, no time is lost.
                    self.solo = if start.elapsed() > 2 * SOLO { Duration::ZERO } else { SOLO };
                    self.ready = gathered(items.unwrap_or_default()).into_iter();
                    self.feed = (!batch.ended).then_some(batch.feed);
                }
                Err(why) => self.stopped = Some(why),
            }
        }
    }
}

impl<F, L, C> FusedIterator for Stream<F, L, C, L::Item>
where
    F: Feed,
    L: Leaf<F::Span, Item: Send>,
    C: Control,
{
}

/// The next rows of a feed, until so many are claimed.
pub(crate) struct Batch<F> {
    pub(crate) feed: F,
    rows: usize,
    pub(crate) ended: bool,
}

impl<F> Batch<F> {
    pub(crate) fn new(feed: F, rows: usize) -> Self {
        Self { feed, rows, ended: false }
    }
}

impl<F: Feed> Feed for Batch<F> {
    type Span = F::Span;

    fn claim(&mut self, leaves: usize) -> Option<(Leaves, F::Span)> {
        if self.rows == 0 || self.ended {
            return None;
        }
        let claimed = self.feed.claim(leaves.min(self.rows));
        self.ended = claimed.is_none();
        self.rows -= claimed.as_ref().map_or(0, |(leaves, _)| leaves.rows());
        claimed
    }

    fn next_leaf(&self) -> usize {
        self.feed.next_leaf()
    }
}

/// Gathers until so many items have come.
struct UpTo<T>(usize, Gather<Vec<T>>);

impl<T: Send> Terminal<T> for UpTo<T> {
    type Partial = Vec<Vec<T>>;

    fn run(&self, at: usize, items: impl Iterator<Item = T>) -> Vec<Vec<T>> {
        self.1.run(at, items)
    }

    fn merge(&self, left: Vec<Vec<T>>, right: Vec<Vec<T>>) -> Vec<Vec<T>> {
        Terminal::<T>::merge(&self.1, left, right)
    }

    fn enough(&self, first: &Vec<Vec<T>>) -> bool {
        first.iter().map(Vec::len).sum::<usize>() >= self.0
    }
}
