//! Spans that lie about their length: a clear panic or a right answer, never a short vector, and each
//! item dropped once.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicUsize, Ordering},
};

use spanwise::{
    backend::{Backend, Serial},
    prelude::*,
    source::Source,
    span::Span,
};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

/// Rows whose length is said to be `off` more than it is.
struct Lie<'a> {
    rows: &'a [u32],
    off: isize,
}

impl Span for Lie<'_> {
    fn len(&self) -> usize {
        self.rows.len().saturating_add_signed(self.off)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (front, back) = self.rows.split_at(at.min(self.rows.len()));
        (Self { rows: front, off: 0 }, Self { rows: back, off: self.off })
    }
}

impl<'a> IntoIterator for Lie<'a> {
    type Item = &'a u32;
    type IntoIter = std::slice::Iter<'a, u32>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter()
    }
}

impl Source for Lie<'_> {
    type Input = Self;

    fn into_input(self) -> Self {
        self
    }
}

struct Counted<'a>(&'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn collecting_a_lie_panics(pool: &impl Backend) {
    for n in [0, 1, 2, 63, 64, 65, 1000] {
        let rows: Vec<u32> = (0..n).collect();
        for off in [-1, 1, 7] {
            if n == 0 && off < 0 {
                continue;
            }
            let (made, dropped) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let make = || {
                made.fetch_add(1, Ordering::Relaxed);
                Counted(&dropped)
            };
            let lie = || Lie { rows: &rows, off }.par(pool);
            let collected =
                catch_unwind(AssertUnwindSafe(|| lie().map(|_| make()).collect::<Vec<_>>().len()));
            let unzipped = catch_unwind(AssertUnwindSafe(|| {
                let pairs = lie().map(|_| (make(), make()));
                pairs.unzip::<_, _, Vec<_>, Vec<_>>().0.len()
            }));
            for result in [collected, unzipped] {
                let payload = result.expect_err("a lie was collected");
                let message = payload.downcast_ref::<String>().expect("a formatted message");
                assert!(message.contains("rows gave"), "{n} rows, off by {off}: {message}");
            }
            assert_eq!(made.into_inner(), dropped.into_inner());
        }
    }
}

#[test]
fn on_the_serial_backend() {
    collecting_a_lie_panics(&Serial);
}

#[test]
fn on_threads() {
    for width in [2, 3, 8] {
        collecting_a_lie_panics(&RayonPool::new(width).unwrap());
        collecting_a_lie_panics(&DequePool::new(width).unwrap());
    }
}

/// A terminal that does not need the length gives the answer of the rows that came.
#[test]
fn counting_a_lie_counts_what_came() {
    let rows: Vec<u32> = (0..1000).collect();
    assert_eq!(Lie { rows: &rows, off: 5 }.par(&Serial).count(), 1000);
}

/// Rows that come one more often than the span and the iterator's own `size_hint` say.
struct Understated(u32);

struct Understating(std::ops::Range<u32>);

impl Span for Understated {
    fn len(&self) -> usize {
        self.0 as usize
    }

    fn cut(self, at: usize) -> (Self, Self) {
        (Self(at as u32), Self(self.0 - at as u32))
    }
}

impl IntoIterator for Understated {
    type Item = u32;
    type IntoIter = Understating;

    fn into_iter(self) -> Understating {
        Understating(0..self.0 + 1)
    }
}

impl Iterator for Understating {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rows = self.0.size_hint().0.saturating_sub(1);
        (rows, Some(rows))
    }
}

impl Source for Understated {
    type Input = Self;

    fn into_input(self) -> Self {
        self
    }
}

#[test]
fn a_lie_that_agrees_with_itself_panics_too() {
    for n in [0, 1, 64, 1000] {
        let collected =
            catch_unwind(|| Understated(n).par(&Serial).collect::<Vec<_>>().len()).unwrap_err();
        assert!(collected.downcast_ref::<String>().is_some_and(|text| text.contains("gave more")));
        let unzipped = || {
            let (xs, ys): (Vec<_>, Vec<_>) = Understated(n).par(&Serial).map(|x| (x, x)).unzip();
            xs.len() + ys.len()
        };
        assert!(catch_unwind(unzipped).is_err(), "{n} rows");
    }
}
