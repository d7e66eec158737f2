//! The loops of `docs/assembly.md`, serial and parallel side by side, each in a function of its own.
//!
//! `cargo rustc --release -p spanwise --example loops -- --emit asm -C debuginfo=0`

use std::hint::black_box;

use spanwise::{Pool, prelude::*};

/// Serial: items that survive a filter.
#[inline(never)]
fn serial_count(rows: &[i64]) -> usize {
    rows.iter().map(|x| x * 3 + 1).filter(|x| x % 7 == 0).count()
}

/// The same chain after `.par`.
#[inline(never)]
fn parallel_count(rows: &[i64], pool: &Pool) -> usize {
    rows.iter().par(pool).map(|x| x * 3 + 1).filter(|x| x % 7 == 0).count()
}

/// Serial: a sum of mapped rows.
#[inline(never)]
fn serial_sum(rows: &[i64]) -> i64 {
    rows.iter().map(|x| x * 3 + 1).sum()
}

/// The same chain after `.par`.
#[inline(never)]
fn parallel_sum(rows: &[i64], pool: &Pool) -> i64 {
    rows.iter().par(pool).map(|x| x * 3 + 1).sum()
}

/// Serial: rows mapped into a new vector.
#[inline(never)]
fn serial_collect(rows: &[i64]) -> Vec<i64> {
    rows.iter().map(|x| x * 3 + 1).collect()
}

/// The same chain after `.par`.
#[inline(never)]
fn parallel_collect(rows: &[i64], pool: &Pool) -> Vec<i64> {
    rows.iter().par(pool).map(|x| x * 3 + 1).collect()
}

fn main() -> Result<(), spanwise::PoolError> {
    let pool = Pool::new(2)?;
    let rows: Vec<i64> = black_box((0..1_000_000).collect());
    assert_eq!(serial_count(&rows), parallel_count(&rows, &pool));
    assert_eq!(serial_sum(&rows), parallel_sum(&rows, &pool));
    assert_eq!(serial_collect(&rows), parallel_collect(&rows, &pool));
    println!("three loops, equal answers");
    Ok(())
}
