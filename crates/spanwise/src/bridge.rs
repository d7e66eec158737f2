//! Any iterator as the input of a chain. In comes an `Iterator`, out come its items in its order,
//! pulled by one thread at a time and run by all; users call `.par_bridge`.

use std::num::NonZeroUsize;

use spanwise_backend::Backend;

use crate::{
    chain::Chain,
    control::{Control, On, Stopped},
    feed::Feed,
    input::Input,
    leaf::{Inexact, Rows},
    owned::Owned,
    plan::{Leaves, Plan},
    pull::{SOLO, pull},
    work::Work,
};

/// Makes a chain of any iterator: for sources that cannot be cut, and behind serial adapters.
pub trait ParBridge: Iterator + Sized {
    /// A chain over the items of this iterator that runs on `backend`.
    ///
    /// The items keep the iterator's order: `collect`, `find_first` and all others give what the serial
    /// chain gives. Each thread pulls a few items under a lock, and lets it go before it runs them. The
    /// iterator may itself call the same pool, may be endless where a terminal stops early (threads have
    /// then pulled some items behind the last that was needed), and is asked for nothing after its
    /// first `None`. Items that cost less than some 50 ns are pulled no
    /// faster than one thread can, and each costs about half a nanosecond more than in a serial loop.
    ///
    /// # Panics
    ///
    /// A panic of the iterator reaches the caller, once.
    ///
    /// # Deadlocks
    ///
    /// If the iterator's `next` waits until items that it gave before have been handled: some of them may
    /// still be waiting with the thread that asks for the next.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let text = "one\ntwo\nthree";
    /// let lengths: Vec<usize> = text.lines().par_bridge(&pool).map(|line| line.len()).collect();
    /// assert_eq!(lengths, [3, 3, 5]);
    /// assert_eq!((1..).par_bridge(&pool).find_first(|x| x % 99 == 0), Some(99));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    fn par_bridge<B: Backend>(self, backend: &B) -> Chain<Bridge<Self>, Rows, On<'_, B>>
    where
        Self: Iterator<Item: Send> + Send,
    {
        Chain { input: Bridge(self), leaf: Rows, control: On::new(backend) }
    }
}

impl<I: Iterator> ParBridge for I {}

/// An iterator as an input.
#[derive(Clone, Debug)]
pub struct Bridge<I>(I);

impl<I: Iterator<Item: Send> + Send> Input for Bridge<I> {
    type Span = Owned<I::Item>;
    type Length = Inexact;

    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped> {
        let mut rows = Vec::new();
        for row in self.0 {
            rows.push(row);
            if let Some(why) = control.stopped() {
                return Err(why);
            }
        }
        Ok(Owned::from(rows))
    }

    fn drive<C, W>(self, control: &C, work: &W) -> Result<W::Partial, Stopped>
    where
        C: Control,
        W: Work<Self::Span>,
    {
        let feed = self.pulled(control.grain());
        let none = feed.leaves.filled(0);
        let (partial, _) = pull(control, feed, work, SOLO)?;
        Ok(partial.unwrap_or_else(|| work.run(none, Owned::from(Vec::new()))))
    }

    fn feed<C: Control>(self, control: C) -> (C, Result<impl Feed<Span = Self::Span>, Stopped>) {
        (control, Ok(self.pulled(None)))
    }
}

impl<I> Bridge<I> {
    fn pulled(self, grain: Option<NonZeroUsize>) -> Pulled<I> {
        Pulled { items: Some(self.0), leaves: Plan::endless(grain).all() }
    }
}

/// Bytes of items in a claim, unless a leaf has more.
const MOST: usize = 1 << 15;

/// The items that nobody has claimed.
#[derive(Debug)]
pub struct Pulled<I> {
    /// `None` once the iterator has ended.
    items: Option<I>,
    leaves: Leaves,
}

impl<I: Iterator<Item: Send> + Send> Feed for Pulled<I> {
    type Span = Owned<I::Item>;

    fn claim(&mut self, leaves: usize) -> Option<(Leaves, Self::Span)> {
        let items = self.items.as_mut()?;
        // What is still in the cache when it is run.
        let most = MOST / size_of::<I::Item>().max(1);
        let (now, later) = self.leaves.cut(leaves.min(self.leaves.leaves_of(most)));
        let wanted = now.rows();
        let (least, _) = items.size_hint();
        let mut rows = Vec::with_capacity(least.min(wanted));
        while rows.len() < wanted {
            let Some(row) = items.next() else {
                self.items = None;
                break;
            };
            rows.push(row);
        }
        self.leaves = later;
        (!rows.is_empty()).then(|| (now.filled(rows.len()), Owned::from(rows)))
    }

    fn next_leaf(&self) -> usize {
        self.leaves.first()
    }
}
