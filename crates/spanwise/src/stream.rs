//! A chain as an ordinary iterator. In comes a chain, out come its items one by one, in order; the
//! chain is run in batches, by the threads of its backend, while somebody asks for the next item.

use std::{
    iter::FusedIterator,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
    vec,
};

use crate::{
    chain::Chain,
    control::{Control, Stopped},
    feed::Feed,
    gather::{Gather, gathered},
    input::Input,
    leaf::{Count, Leaf},
    plan::Leaves,
    pull::{SOLO, pull},
    span::Span,
    terminal::Terminal,
    work::Work,
};

impl<I: Input, L: Leaf<I::Span, Item: Send>, C: Control> Chain<I, L, C> {
    /// An iterator over the items, in input order, computed in parallel a batch at a time.
    ///
    /// When it has no item left, `next` runs the next rows on all threads until `capacity` rows are run,
    /// and returns the first item; nothing runs in between. So at most `capacity` items are in flight
    /// where a row gives at most one. After `flat_map` the items of a row come together, and a row is
    /// begun only if there is room for as many as any row lately gave: more than `capacity` are in
    /// flight only where a row gives more than those before it, or more than `capacity` alone. Dropping
    /// the iterator drops what is left and asks the source for nothing more. After `until` or `deadline`
    /// the items are `Result`s, and a stop is the last one.
    ///
    /// # Cost
    ///
    /// Each batch costs some 150 ns and each item some 3 ns, so small capacities are for dear items.
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
        let room = Room::new(capacity, <<I::Length as Count>::And<L::Count>>::EXACT.then_some(1));
        Stream { feed, leaf, control, room, ready, stopped, solo: SOLO }
    }
}

struct Stream<F, L, C, T> {
    /// `None` at the end.
    feed: Option<F>,
    leaf: L,
    control: C,
    room: Mutex<Room>,
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
            lock(&self.room).clear();
            let batch = Roomy { feed, room: &self.room, ended: false };
            let work = Measured { leaf: &self.leaf, room: &self.room };
            let start = Instant::now();
            match pull(&self.control, batch, &work, self.solo) {
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

/// What a batch of a stream has room for.
struct Room {
    capacity: usize,
    /// Items that have come.
    items: usize,
    /// Rows that have been begun and are not done.
    running: usize,
    /// Items that each of them is given room for; `None` as long as no row has been done.
    most: Option<usize>,
    /// The most items that a row of this batch gave.
    seen: usize,
}

impl Room {
    fn new(capacity: usize, most: Option<usize>) -> Mutex<Self> {
        Mutex::new(Self { capacity, items: 0, running: 0, most, seen: 0 })
    }

    /// Begins the next batch. Rows of many items are forgotten by and by.
    fn clear(&mut self) {
        let most = self.most.map(|most| self.seen.max(most - most / 8));
        *self = Self { capacity: self.capacity, items: 0, running: 0, most, seen: 0 };
    }

    /// Begins as many rows as there is room for, at most so many: one at least while there is nothing.
    fn begin(&mut self, rows: usize) -> usize {
        let most = self.most.unwrap_or(self.capacity);
        let taken = self.items.saturating_add(self.running.saturating_mul(most));
        let room = self.capacity.saturating_sub(taken) / most;
        let begun = rows.min(room.max(usize::from(taken == 0)));
        self.running += begun;
        begun
    }

    fn done(&mut self, rows: usize, items: usize) {
        self.running -= rows;
        self.items = self.items.saturating_add(items);
        self.seen = self.seen.max(items.div_ceil(rows.max(1))).max(1);
        self.most = Some(self.most.unwrap_or(1).max(self.seen));
    }
}

fn lock(room: &Mutex<Room>) -> MutexGuard<'_, Room> {
    room.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The next rows of a feed, as far as there is room for what they give.
struct Roomy<'a, F> {
    feed: F,
    room: &'a Mutex<Room>,
    ended: bool,
}

impl<F: Feed> Feed for Roomy<'_, F> {
    type Span = F::Span;

    fn claim(&mut self, leaves: usize) -> Option<(Leaves, F::Span)> {
        if self.ended {
            return None;
        }
        // Each leaf is a row.
        let begun = lock(self.room).begin(leaves);
        if begun == 0 {
            return None;
        }
        let claimed = self.feed.claim(begun);
        self.ended = claimed.is_none();
        let rows = claimed.as_ref().map_or(0, |(leaves, _)| leaves.rows());
        lock(self.room).running -= begun - rows;
        claimed
    }

    fn next_leaf(&self) -> usize {
        self.feed.next_leaf()
    }
}

/// Gathers the items of rows, and tells how many they were.
struct Measured<'a, L> {
    leaf: &'a L,
    room: &'a Mutex<Room>,
}

impl<S: Span, L: Leaf<S, Item: Send>> Work<S> for Measured<'_, L> {
    type Partial = Vec<Vec<L::Item>>;

    fn run(&self, leaves: Leaves, part: S) -> Self::Partial {
        self.run_on(Vec::new(), leaves, part)
    }

    fn merge(&self, left: Self::Partial, right: Self::Partial) -> Self::Partial {
        Terminal::<L::Item>::merge(&Gather::<Vec<L::Item>>::new(), left, right)
    }

    fn run_on(&self, left: Self::Partial, leaves: Leaves, part: S) -> Self::Partial {
        let before = count(&left);
        let items = self.leaf.iter(part);
        let pieces = Gather::<Vec<L::Item>>::new().run_on(left, leaves.at(), items);
        lock(self.room).done(leaves.rows(), count(&pieces) - before);
        pieces
    }

    fn enough(&self, _: &Self::Partial) -> bool {
        let room = lock(self.room);
        room.items >= room.capacity
    }
}

fn count<T>(pieces: &[Vec<T>]) -> usize {
    pieces.iter().map(Vec::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_begun_as_far_as_there_is_room() {
        let room = Room::new(100, None);
        let mut room = room.into_inner().unwrap();
        assert_eq!((room.begin(64), room.begin(64)), (1, 0), "nobody knows what a row gives");
        room.done(1, 10);
        assert_eq!((room.begin(4), room.begin(64), room.begin(64)), (4, 5, 0));
        room.done(4, 2);
        assert_eq!(room.begin(64), 3, "they gave less");
        room.done(5, 200);
        assert_eq!(room.begin(64), 0, "they gave more");
        room.clear();
        assert_eq!(room.begin(64), 2);
        room.done(2, 2);
        room.clear();
        assert_eq!(room.most, Some(35));
        room.done(0, 1000);
        room.clear();
        assert_eq!((room.begin(64), room.begin(64)), (1, 0), "one that has no room runs alone");
    }
}
