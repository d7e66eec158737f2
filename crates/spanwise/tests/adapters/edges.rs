//! Where lengths meet their limits: steps and chunks of every size, rows of no size, spans as long as
//! `usize` counts, and the panics that are promised.

use std::{
    fmt::Debug,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicUsize, Ordering},
};

use spanwise::{
    backend::{Backend, Serial},
    prelude::*,
};

use crate::support::{Check, GRAINS, LENGTHS, grained, on_every_backend, table};

struct Sizes;

impl Check for Sizes {
    fn on<B: Backend>(&self, backend: &B) {
        for (n, grain) in table() {
            let rows: Vec<u64> = (0..n as u64).map(|x| x * x % 1009).collect();
            for size in [1, 2, 3, 63, 64, 65, 1000, n.max(1), n + 1, usize::MAX] {
                let stepped = grained(rows.par(backend), grain).step_by(size);
                assert!(stepped.collect::<Vec<_>>().into_iter().eq(rows.iter().step_by(size)));
                let chunks = grained(rows.par(backend), grain).copied().chunks(size);
                assert!(chunks.collect::<Vec<_>>().iter().eq(rows.chunks(size)));
                let numbered = grained(rows.par(backend), grain).chunks(size).enumerate().skip(1);
                let weights = numbered.map(|(i, chunk)| i as u64 * chunk.into_iter().sum::<u64>());
                let naive = rows.chunks(size).enumerate().skip(1);
                let naive: u64 = naive.map(|(i, chunk)| i as u64 * chunk.iter().sum::<u64>()).sum();
                assert_eq!(weights.sum::<u64>(), naive);
            }
        }
    }
}

#[test]
fn steps_and_chunks_of_every_size() {
    on_every_backend(&Sizes);
}

/// What a step passes over goes through the adapters before it, also the rows behind the last item.
struct PassedOver;

impl Check for PassedOver {
    fn on<B: Backend>(&self, backend: &B) {
        for (n, grain) in table() {
            for step in [1, 3, 64, 1000, usize::MAX] {
                let seen = AtomicUsize::new(0);
                let see = |_: &usize| _ = seen.fetch_add(1, Ordering::Relaxed);
                let rows = || grained((0..n).par(backend), grain).inspect(see).step_by(step);
                let all = |what| assert_eq!(seen.swap(0, Ordering::Relaxed), n, "{what}, {step}");
                let items: Vec<usize> = (0..n).step_by(step).collect();
                assert_eq!(rows().count(), items.len());
                all("count");
                assert_eq!(rows().collect::<Vec<_>>(), items);
                all("collect");
                assert!(rows().rev().collect::<Vec<_>>().iter().eq(items.iter().rev()));
                all("rev");
                assert!(rows().enumerate().all(|(i, x)| items[i] == x));
                all("enumerate");
                assert!(rows().enumerate().rev().all(|(i, x)| items[i] == x));
                all("enumerate and rev");
                assert_eq!(
                    rows().zip(0..items.len()).filter(|(x, i)| items[*i] == *x).count(),
                    items.len()
                );
                all("zip");
            }
        }
    }
}

#[test]
fn adapters_before_a_step_see_what_is_passed_over() {
    on_every_backend(&PassedOver);
}

struct Lengths;

impl Check for Lengths {
    fn on<B: Backend>(&self, backend: &B) {
        for n in LENGTHS {
            for others in [0, 1, n / 3, n.saturating_sub(1), n, n + 1, 2 * n + 1] {
                let woven =
                    |grain| grained((0..n).par(backend), grain).interleave(10_000..10_000 + others);
                let mut naive = Vec::new();
                for i in 0..n.max(others) {
                    naive.extend((i < n).then_some(i));
                    naive.extend((i < others).then_some(10_000 + i));
                }
                for grain in GRAINS {
                    assert_eq!(woven(grain).collect::<Vec<_>>(), naive);
                    // Cut where no leaf begins, from either end, and folded rather than collected.
                    for at in [1, 2, others, n + others / 2] {
                        let rest = woven(grain).skip(at).rev().fold_text();
                        assert_eq!(rest, text(naive.iter().skip(at).rev()));
                        let front = woven(grain).rev().skip(at).rev().fold_text();
                        assert_eq!(front, text(naive.iter().rev().skip(at).rev()));
                    }
                }
            }
        }
    }
}

fn text<'a>(numbers: impl Iterator<Item = &'a usize>) -> String {
    numbers.map(|x| format!("{x} ")).collect()
}

trait FoldText {
    fn fold_text(self) -> String;
}

impl<I, L, B> FoldText for spanwise::Chain<I, L, spanwise::control::On<'_, B>>
where
    I: spanwise::input::Input,
    L: spanwise::leaf::Leaf<I::Span, Item = usize>,
    B: Backend,
{
    fn fold_text(self) -> String {
        self.map(|x| format!("{x} ")).collect()
    }
}

#[test]
fn interleave_of_every_two_lengths() {
    on_every_backend(&Lengths);
}

struct NoSize;

impl Check for NoSize {
    fn on<B: Backend>(&self, backend: &B) {
        for (n, grain) in table() {
            let rows = || grained(vec![(); n].into_iter().par(backend), grain);
            assert_eq!(rows().step_by(3).count(), n.div_ceil(3));
            assert_eq!(rows().chunks(3).map(|chunk| chunk.len()).sum::<usize>(), n);
            assert_eq!(rows().interleave(vec![(); 7].into_iter()).collect::<Vec<_>>().len(), n + 7);
            assert_eq!(rows().intersperse(()).collect::<Vec<_>>().len(), (2 * n).saturating_sub(1));
            assert_eq!(rows().scan((), |(), ()| ()).collect::<Vec<_>>().len(), n);
            assert_eq!(rows().scan_exclusive((), |(), ()| ()).rev().count(), n);
            assert_eq!(rows().zip_eq(vec![(); n].into_iter()).count(), n);
            assert_eq!(rows().map(|()| [(); 2]).flatten().collect::<Vec<_>>().len(), 2 * n);
            assert_eq!(rows().update(|()| ()).map_init(|| (), |(), ()| ()).count(), n);
        }
    }
}

#[test]
fn rows_of_no_size_are_counted() {
    on_every_backend(&NoSize);
}

struct Longest;

impl Check for Longest {
    fn on<B: Backend>(&self, backend: &B) {
        let most = usize::MAX;
        let third = most / 3;
        let stepped: Vec<usize> = (0..most).par(backend).step_by(third).collect();
        assert_eq!(stepped, [0, third, 2 * third]);
        assert_eq!((0..most).par(backend).step_by(most).collect::<Vec<_>>(), [0]);
        let last = (0..most).par(backend).interleave(0..0).skip(most - 2).collect::<Vec<_>>();
        assert_eq!(last, [most - 2, most - 1]);
        let last = (0..most / 2 + 1).par(backend).intersperse(7).skip(most - 3).collect::<Vec<_>>();
        assert_eq!(last, [most / 2 - 1, 7, most / 2]);
    }
}

#[test]
fn spans_as_long_as_usize_counts() {
    on_every_backend(&Longest);
}

fn message<R: Debug>(f: impl FnOnce() -> R) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("a panic was promised");
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| payload.downcast_ref::<String>().cloned()).expect("a message")
}

struct Promised;

impl Check for Promised {
    fn on<B: Backend>(&self, backend: &B) {
        for (n, others) in [(0, 1), (5, 4), (4, 5), (1000, 0)] {
            let said = message(|| (0..n).par(backend).zip_eq(0..others).count());
            assert!(said.contains(&format!("{n} rows with {others}")), "{said}");
        }
        assert!(message(|| drop((0..9).par(backend).step_by(0))).contains("0 items"));
        assert!(message(|| drop((0..9).par(backend).chunks(0))).contains("0 items"));
        let long = || (0..usize::MAX).par(backend);
        assert!(message(|| long().interleave(0..1).rev().first()).contains("usize::MAX"));
        assert!(message(|| long().intersperse(0).count()).contains("usize::MAX"));
    }
}

#[test]
fn the_panics_that_are_promised() {
    on_every_backend(&Promised);
}

/// By type: what needs an index takes each of these.
#[test]
fn they_keep_the_index() {
    let n = (0..20).par(&Serial).step_by(2).chunks(3).map(|chunk| chunk.len()).interleave(0..2);
    let n = n.intersperse(0).zip_eq(0..11).update(|x| x.0 += 1).map_init(|| (), |(), x| x);
    let n = n.map(|x| x.0).scan(0, |a, b| a + b).scan_exclusive(0, |a, b| a + b);
    assert_eq!(n.enumerate().rev().count(), 11);
}
