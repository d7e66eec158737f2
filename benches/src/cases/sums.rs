//! Sums of more than one kind: what exactness costs.

use std::hint::black_box;

use spanwise::prelude::*;

use super::pipelines::SIZES;
use crate::{
    cell::{Limit, Most, Place},
    input::{cheap, cheap_float, floats, list},
    peers::Peers,
    sample::Variant,
    session::{Session, once},
};

/// Integer sums of three kinds beside a wrapping loop, float sums of two.
///
/// # Errors
///
/// If answers differ.
pub fn sums(session: &mut Session, peers: &Peers) -> Result<(), String> {
    for items in session.sizes(&SIZES, usize::MAX) {
        integers(session, peers, &list(items))?;
    }
    for items in session.sizes(&SIZES[2..], usize::MAX) {
        floating(session, peers, &floats(items))?;
    }
    Ok(())
}

#[inline(never)]
fn wrapping(rows: &[i64]) -> i64 {
    rows.iter().fold(0, |sum: i64, &x| sum.wrapping_add(cheap(x)))
}

#[inline(never)]
fn sum(rows: &[i64], peers: &Peers) -> i64 {
    rows.iter().par(&peers.deque).map(|&x| cheap(x)).sum()
}

#[inline(never)]
fn checked(rows: &[i64], peers: &Peers) -> Option<i64> {
    rows.iter().par(&peers.deque).map(|&x| cheap(x)).checked_sum()
}

#[inline(never)]
fn exact(rows: &[i64], peers: &Peers) -> i128 {
    rows.iter().par(&peers.deque).map(|&x| cheap(x)).exact_sum()
}

fn integers(session: &mut Session, peers: &Peers, rows: &[i64]) -> Result<(), String> {
    let items = rows.len();
    let mut variants = [
        Variant::new("wrapping fold", || wrapping(black_box(rows))),
        Variant::new("sum", || sum(black_box(rows), peers)),
        Variant::new("checked_sum", || checked(black_box(rows), peers)),
        Variant::new("exact_sum", || exact(black_box(rows), peers)),
    ];
    let (serial, _) = once(|| wrapping(rows));
    let place = Place::hot("sum, checked_sum and exact_sum of i64", "cheap", items);
    let cell = session.add_hot(place, serial, &mut variants)?;
    let small = match items {
        ..1000 => Some(Most::More(15.0)),
        1000 => Some(Most::Times(1.05)),
        10_000 => Some(Most::Times(0.66)),
        100_000 => Some(Most::Times(0.56)),
        1_000_000 => Some(Most::Times(0.55)),
        _ => None,
    };
    let row = "sum of i64 against a wrapping fold";
    if let Some(most) = small {
        cell.judge(Limit { row, of: "sum", beside: "wrapping fold", most });
    }
    let most = Most::Times(if items > 1_000_000 { 1.10 } else { 1.35 });
    for of in ["checked_sum", "exact_sum"] {
        cell.judge(Limit { row: "checked_sum, exact_sum against sum", of, beside: "sum", most });
    }
    Ok(())
}

#[inline(never)]
fn float_loop(rows: &[f64]) -> f64 {
    rows.iter().map(|&x| cheap_float(x)).sum()
}

#[inline(never)]
fn float_exact(rows: &[f64], peers: &Peers) -> f64 {
    rows.iter().par(&peers.deque).map(|&x| cheap_float(x)).exact_sum()
}

fn floating(session: &mut Session, peers: &Peers, rows: &[f64]) -> Result<(), String> {
    let mut variants = [
        Variant::new("serial", || float_loop(black_box(rows))),
        Variant::new("exact_sum", || float_exact(black_box(rows), peers)),
    ];
    let (serial, _) = once(|| float_loop(rows));
    let place = Place::hot("exact_sum of f64", "cheap", rows.len());
    let cell = session.add_hot(place, serial, &mut variants)?;
    if rows.len() >= 1_000_000 {
        let most = Most::Times(1.2);
        cell.judge(Limit { row: "exact_sum of f64", of: "exact_sum", beside: "serial", most });
    }
    Ok(())
}
