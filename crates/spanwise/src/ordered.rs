//! `fold_ordered`: the serial left fold of what a chain makes in parallel. In come a chain and a
//! function that only ever runs once at a time, out comes what the serial fold gives.
//!
//! The rows go through in windows: while the items of one are folded, those of the next are made. A
//! window ends for all threads at once, by a join, so nobody ever waits for the fold inside a leaf and
//! at most two windows of items exist.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    time::{Duration, Instant},
};

use spanwise_backend::{Backend, discard};

use crate::{
    chain::Chain,
    control::{Control, Stopped},
    drive::drive,
    feed::{Feed, SpanFeed},
    gather::Gather,
    input::Input,
    leaf::{Count, Leaf},
    pull::{SOLO, pull},
    span::Span,
    stream::Batch,
    terminal::Whole,
};

/// What a window should take: long against a join, short against a call.
const TARGET: Duration = Duration::from_micros(500);

/// The most rows in a window.
const MOST: usize = 1 << 15;

/// Rows in a window for each thread, at least: what is left to balance skewed rows with.
const LEAST: usize = 8;

/// Up to this many rows each may be heavy, so none is run alone.
const FEW: usize = 64;

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// Folds the items in input order with a function that is never called twice at once, while
    /// threads run the chain for the items that follow.
    ///
    /// The result is exactly that of std's `fold` over the serial chain, whatever `f` does: write a
    /// file, update a hash, add floats. At most two windows of 32,768 rows each are on their way; a
    /// row may become many items in `flat_map`. The call takes as long as the slower of chain and
    /// fold. A panic of `f` reaches the caller before one of the rows behind.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let text = (1..=4).par(&pool).map(|i| i * i).fold_ordered(String::new(), |text, x| {
    ///     text + &x.to_string() + " "
    /// });
    /// assert_eq!(text, "1 4 9 16 ");
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn fold_ordered<A, F>(self, init: A, f: F) -> C::Out<A>
    where
        A: Send,
        L::Item: Send,
        F: FnMut(A, L::Item) -> A + Send,
    {
        let Self { input, leaf, control } = self;
        if !<I::Length>::EXACT {
            let (control, feed) = input.feed(control);
            let folded = feed.and_then(|feed| fold_feed(feed, &leaf, &control, init, f));
            return control.finish(folded, |folded| folded);
        }
        let folded =
            input.open(&control).and_then(|rows| fold_span(rows, &leaf, &control, init, f));
        control.finish(folded, |folded| folded)
    }
}

/// Folds rows whose number is known.
fn fold_span<S, L, C, A, F>(rows: S, leaf: &L, control: &C, init: A, f: F) -> Result<A, Stopped>
where
    S: Span,
    L: Leaf<S, Item: Send>,
    C: Control,
    A: Send,
    F: FnMut(A, L::Item) -> A + Send,
{
    if control.width() == 1 && !C::WATCHED {
        return Ok(leaf.iter(rows).fold(init, f));
    }
    if rows.len() <= FEW {
        let terminal = &Gather::<Vec<L::Item>>::new();
        let made = drive(control, rows, &Whole { leaf, terminal })?;
        return Ok(made.into_iter().flatten().fold(init, f));
    }
    fold_feed(SpanFeed::by_row(rows, None), leaf, control, init, f)
}

/// Folds what a feed gives, window by window.
fn fold_feed<S, L, C, A, F>(
    mut feed: S,
    leaf: &L,
    control: &C,
    init: A,
    mut f: F,
) -> Result<A, Stopped>
where
    S: Feed,
    L: Leaf<S::Span, Item: Send>,
    C: Control,
    A: Send,
    F: FnMut(A, L::Item) -> A + Send,
{
    let width = control.width();
    let solo = if control.backend().cuts_at_once() { Duration::ZERO } else { SOLO };
    control.backend().enter(|| {
        let mut folded = init;
        let mut window = Window { least: 1, rows: 1 };
        let mut spent = Duration::ZERO;
        while width == 1 || spent < solo {
            if let Some(why) = control.stopped() {
                return Err(why);
            }
            let start = Instant::now();
            let Some((leaves, rows)) = feed.claim(window.rows) else { return Ok(folded) };
            folded = leaf.iter(rows).fold(folded, &mut f);
            control.ran(leaves.rows());
            let took = start.elapsed();
            spent += took;
            window.adapt(took);
        }
        window.least = width.saturating_mul(LEAST);
        window.rows = window.rows.max(window.least);
        // Made and not yet folded.
        let mut made: Vec<Vec<L::Item>> = Vec::new();
        loop {
            let start = Instant::now();
            let batch = Batch::new(feed, window.rows);
            let fold = || made.into_iter().flatten().fold(folded, &mut f);
            let make = || {
                let terminal = &Gather::<Vec<L::Item>>::new();
                pull(control, batch, &Whole { leaf, terminal }, SOLO)
            };
            let (next, done) = control.backend().join(
                || catch_unwind(AssertUnwindSafe(make)),
                || catch_unwind(AssertUnwindSafe(fold)),
            );
            // What is folded comes first in the input, and so do its panics.
            folded = match done {
                Ok(folded) => folded,
                Err(payload) => {
                    discard(next);
                    resume_unwind(payload)
                }
            };
            let (next, batch) = next.unwrap_or_else(|payload| resume_unwind(payload))?;
            made = next.unwrap_or_default();
            if batch.ended {
                return Ok(made.into_iter().flatten().fold(folded, f));
            }
            feed = batch.feed;
            window.adapt(start.elapsed());
        }
    })
}

/// How many rows a window has.
struct Window {
    least: usize,
    rows: usize,
}

impl Window {
    /// Fits the next window to what this one took.
    fn adapt(&mut self, took: Duration) {
        if took < TARGET / 2 {
            self.rows = self.rows.saturating_mul(2).min(MOST);
        } else if took > TARGET * 2 {
            self.rows = self.rows.div_ceil(2).max(self.least);
        }
    }
}
