//! Six pipelines over lists and ranges, each with a cheap and an expensive function, at three sizes.
//! In come the wishes, out go rows of the table. Each serial chain stands beside its parallel twin.

use std::io;

use spanwise::prelude::*;

use super::{args::Options, race::Pools, report::Report};

const SIZES: [usize; 3] = [1_000, 100_000, 10_000_000];

/// With `expensive` more items than this take seconds a run, so they need `--full`.
const EXPENSIVE: usize = 1_000_000;

pub(crate) fn show(options: &Options, pools: &Pools, report: &mut Report<'_>) -> io::Result<()> {
    let sizes = || SIZES.into_iter().filter(|&size| size <= options.max_items);
    if sizes().next().is_none() {
        return report.note("left out, since --max-items is below 1,000");
    }
    report.note(
        "cheap: 3x + 1 (on ranges also xor x / 16, else a sum is a formula to the compiler)",
    )?;
    report.heads("items")?;
    for items in sizes() {
        pipelines(items, cheap, cheap_of_range, |x| x * 3.0 + 1.0, pools, report)?;
    }
    report.note("")?;
    report.note(
        "expensive: 100 rounds of a congruential step, each with its own shifted value mixed in",
    )?;
    report.heads("items")?;
    for items in sizes() {
        let items = if options.full { items } else { items.min(EXPENSIVE) };
        pipelines(items, expensive, expensive, expensive_float, pools, report)?;
    }
    report.note("")?;
    report.note("(a) a float sum has the same bits on every backend; std's, from left to right, is within 1e-9")?;
    if !options.full && options.max_items > EXPENSIVE {
        report.note(
            "expensive stops at 1,000,000 items to keep this short; --full goes to 10,000,000",
        )?;
    }
    Ok(())
}

fn cheap(x: i64) -> i64 {
    x * 3 + 1
}

/// The sum of `3x + 1` over a range is a formula, and LLVM finds it: the serial loop would vanish.
fn cheap_of_range(x: i64) -> i64 {
    (x * 3 + 1) ^ (x >> 4)
}

/// A hundred dependent rounds. Without the shift, a congruential generator's hundred steps are one
/// step with other constants, and LLVM finds that too.
fn expensive(x: i64) -> i64 {
    let mut state = x as u64;
    for _ in 0..100 {
        state = (state ^ (state >> 29))
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
    }
    // 31 bits, so that sums fit.
    (state >> 33) as i64
}

fn expensive_float(x: f64) -> f64 {
    expensive(x.to_bits() as i64) as f64 * 0.1
}

/// All pipelines at one size: `f` for lists, `g` for ranges, `h` for floats.
fn pipelines(
    items: usize,
    f: impl Fn(i64) -> i64 + Sync,
    g: impl Fn(i64) -> i64 + Sync,
    h: impl Fn(f64) -> f64 + Sync,
    pools: &Pools,
    report: &mut Report<'_>,
) -> io::Result<()> {
    let n = items as i64;
    // Scrambled, so that no branch predictor learns it.
    let list: Vec<i64> = (0..n).map(|i| i * 2_654_435_761 % 1_000_003).collect();
    let floats: Vec<f64> = list.iter().map(|&x| x as f64 * 0.1).collect();

    report.row(&compare!(
        pools, ("map, collect", "list", items), rows = &list[..],
        serial: rows.iter().map(|&x| f(x)).collect::<Vec<_>>(),
        spanwise: |pool| rows.iter().par(pool).map(|&x| f(x)).collect::<Vec<_>>(),
    ))?;
    report.row(&compare!(
        pools, ("map, collect", "range", items), rows = 0..n,
        serial: rows.map(&g).collect::<Vec<_>>(),
        spanwise: |pool| rows.par(pool).map(&g).collect::<Vec<_>>(),
    ))?;
    report.row(&compare!(
        pools, ("filter, count", "list", items), rows = &list[..],
        serial: rows.iter().map(|&x| f(x)).filter(|x| x % 7 == 0).count(),
        spanwise: |pool| rows.iter().par(pool).map(|&x| f(x)).filter(|x| x % 7 == 0).count(),
    ))?;
    report.row(&compare!(
        pools, ("filter, count", "range", items), rows = 0..n,
        serial: rows.map(&g).filter(|x| x % 7 == 0).count(),
        spanwise: |pool| rows.par(pool).map(&g).filter(|x| x % 7 == 0).count(),
    ))?;
    report.row(&compare!(
        pools, ("sum of i64", "list", items), rows = &list[..],
        serial: rows.iter().map(|&x| f(x)).sum::<i64>(),
        spanwise: |pool| rows.iter().par(pool).map(|&x| f(x)).sum::<i64>(),
    ))?;
    report.row(&compare!(
        pools, ("sum of i64", "range", items), rows = 0..n,
        serial: rows.map(&g).sum::<i64>(),
        spanwise: |pool| rows.par(pool).map(&g).sum::<i64>(),
    ))?;
    report.row(&compare!(
        pools, ("sum of f64", "list", items), rows = &floats[..],
        serial: rows.iter().map(|&x| h(x)).sum::<f64>(),
        spanwise: |pool| rows.iter().par(pool).map(|&x| h(x)).sum::<f64>(),
    ))?;
    report.row(&compare!(
        pools, ("reduce to max", "list", items), rows = &list[..],
        serial: rows.iter().map(|&x| f(x)).reduce(i64::max),
        spanwise: |pool| rows.iter().par(pool).map(|&x| f(x)).reduce(i64::max),
    ))?;
    report.row(&compare!(
        pools, ("reduce to max", "range", items), rows = 0..n,
        serial: rows.map(&g).reduce(i64::max),
        spanwise: |pool| rows.par(pool).map(&g).reduce(i64::max),
    ))
}
