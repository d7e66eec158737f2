//! Spans whose length is off: a panic that says so or the right answer, never a short vector.

use std::{
    fmt::Debug,
    panic::{AssertUnwindSafe, catch_unwind},
};

use spanwise::{backend::Backend, prelude::*, source::Source, span::Span};

use crate::support::{Check, GRAINS, grained, on_every_backend};

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

#[track_caller]
fn honest<T: PartialEq + Debug>(collect: impl FnOnce() -> Vec<T>, truth: Vec<T>) {
    match catch_unwind(AssertUnwindSafe(collect)) {
        Ok(collected) => assert_eq!(collected, truth),
        Err(payload) => {
            let message = payload.downcast_ref::<String>().expect("a formatted message");
            let clear = ["rows gave", "outside the span", "zip_eq of"];
            assert!(clear.iter().any(|clear| message.contains(clear)), "{message}");
        }
    }
}

struct Lies;

impl Check for Lies {
    fn on<B: Backend>(&self, backend: &B) {
        for n in [2, 63, 65, 1000] {
            let rows: Vec<u32> = (0..n).collect();
            for (off, grain) in
                [-1, 1, 7].into_iter().flat_map(|off| GRAINS.map(|grain| (off, grain)))
            {
                let lie = || grained(Lie { rows: &rows, off }.par(backend), grain).copied();
                honest(|| lie().step_by(3).collect(), rows.iter().copied().step_by(3).collect());
                honest(|| lie().chunks(3).collect(), rows.chunks(3).map(<[_]>::to_vec).collect());
                honest(|| lie().zip_eq(0..n).collect(), rows.iter().copied().zip(0..n).collect());
                let scanned = rows.iter().scan(0, |acc, x| {
                    *acc += x;
                    Some(*acc)
                });
                honest(|| lie().scan(0, |a, b| a + b).collect(), scanned.collect());
                let woven = rows.iter().flat_map(|x| [*x, 7]).take(2 * rows.len() - 1);
                honest(|| lie().intersperse(7).collect(), woven.collect());
                let woven = rows.iter().flat_map(|x| [*x, 7]);
                honest(
                    || lie().interleave(vec![7; rows.len()].into_iter()).collect(),
                    woven.collect(),
                );
                honest(|| lie().map_init(|| (), |(), x| x).collect(), rows.clone());
            }
        }
    }
}

#[test]
fn no_adapter_hides_a_lie() {
    on_every_backend(&Lies);
}
