//! Scans of floats: the bits that the grid of leaves fixes, on every backend, wherever they are cut.

use std::iter;

use spanwise::{
    backend::{Backend, Serial},
    prelude::*,
};

use crate::support::{Check, grained, on_every_backend, table};

fn floats(n: usize) -> Vec<f64> {
    (0..n).map(|i| 1.0 / (i as f64 * 0.7 - 100.3) * 10f64.powi(i as i32 % 13)).collect()
}

/// The definition: a serial scan of each leaf, then what came before in front of it.
fn by_leaf(rows: &[f64], grain: usize, init: f64) -> Vec<f64> {
    let mut all: Vec<f64> = Vec::new();
    let mut before = None;
    for leaf in rows.chunks(grain) {
        let mut acc = None;
        let from = all.len();
        for x in leaf {
            let next = match (acc, before) {
                (Some(acc), _) => acc + x,
                (None, None) => init + x,
                (None, Some(_)) => *x,
            };
            acc = Some(next);
            all.push(before.map_or(next, |before: f64| before + next));
        }
        before = acc.map(|total| before.map_or(total, |before: f64| before + total));
        assert!(all.len() > from);
    }
    all
}

fn bits(floats: impl IntoIterator<Item = f64>) -> Vec<u64> {
    floats.into_iter().map(f64::to_bits).collect()
}

struct Floats;

impl Check for Floats {
    fn on<B: Backend>(&self, backend: &B) {
        for (n, grain) in table() {
            let rows = floats(n);
            let scan = || grained(rows.par(backend), grain).copied().scan(0.1, |a, b| a + b);
            let got = scan().collect::<Vec<_>>();
            let serial = grained(rows.par(&Serial), grain).copied().scan(0.1, |a, b| a + b);
            let serial: Vec<f64> = serial.collect();
            assert_eq!(bits(got.clone()), bits(serial.clone()), "{n} rows, {grain:?}");
            // Up to 64 rows each one is a leaf.
            if let Some(grain) = grain.or((n <= 64).then_some(1)) {
                assert_eq!(bits(got), bits(by_leaf(&rows, grain, 0.1)));
            }
            let exclusive = grained(rows.par(backend), grain).copied();
            let exclusive: Vec<f64> = exclusive.scan_exclusive(0.1, |a, b| a + b).collect();
            let before = iter::once(0.1).chain(serial.iter().copied()).take(n);
            assert_eq!(bits(exclusive), bits(before), "{n} rows, {grain:?}");
            // Read from the middle and backwards an item is the same.
            let middle = scan().skip(n / 3).step_by(5).rev().collect::<Vec<_>>();
            let same = serial.iter().skip(n / 3).step_by(5).copied().collect::<Vec<_>>();
            assert_eq!(bits(middle), bits(same.into_iter().rev()));
            let kept = grained(rows.par(backend), grain).copied().filter(|x| *x > 0.0);
            let kept_serial = grained(rows.par(&Serial), grain).copied().filter(|x| *x > 0.0);
            assert_eq!(
                bits(kept.scan(0.1, |a, b| a + b).collect::<Vec<_>>()),
                bits(kept_serial.scan(0.1, |a, b| a + b).collect::<Vec<_>>())
            );
        }
    }
}

#[test]
fn scans_of_floats_have_the_same_bits_everywhere() {
    on_every_backend(&Floats);
}

/// One leaf is std's scan, also where that is not associative.
#[test]
fn one_leaf_is_the_serial_scan() {
    let rows = floats(500);
    let scan = rows.par(&Serial).with_grain(500).copied().scan(0.1, |a, b| a * 0.5 + b);
    let std = rows.iter().scan(0.1, |acc, x| {
        *acc = *acc * 0.5 + x;
        Some(*acc)
    });
    assert_eq!(bits(scan.collect::<Vec<_>>()), bits(std));
}

/// Text is joined in order, and what comes before is on the left.
struct Text;

impl Check for Text {
    fn on<B: Backend>(&self, backend: &B) {
        for (n, grain) in table().filter(|(n, _)| *n <= 255) {
            let rows: Vec<String> = (0..n).map(|i| format!("{i} ")).collect();
            let got = grained(rows.par(backend), grain).cloned().scan("> ".into(), |a, b| a + &b);
            let std = rows.iter().scan(String::from("> "), |acc, row| {
                acc.push_str(row);
                Some(acc.clone())
            });
            assert!(got.collect::<Vec<_>>().into_iter().eq(std), "{n} rows, {grain:?}");
        }
    }
}

#[test]
fn the_order_of_operands_is_the_inputs() {
    on_every_backend(&Text);
}
