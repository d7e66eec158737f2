//! The six pipelines that every reference system has, at all sizes. In comes a visitor, which sees each
//! of them once; hot, cold and unpinned cells are three visitors.

use super::visit::Visit;
use crate::{
    cell::Place,
    chains::{Call, Collect, FilterCount, Sum, SumRange},
    folds::{FloatSum, Max},
    input::{cheap, cheap_float, cheap_of_range, expensive, expensive_float, floats, list},
};

/// Names of the pipelines.
pub const NAMES: [&str; 6] = [
    "map, collect",
    "filter, count",
    "sum of i64, list",
    "sum of i64, range",
    "reduce to max",
    "sum of f64",
];

/// Rows that chili is best not to cut, for cheap and for expensive items.
pub const LEAVES: [usize; 2] = [8192, 64];

/// Shows all pipelines to the visitor, at these sizes.
///
/// # Errors
///
/// The visitor's first.
pub fn suite(cheaps: &[usize], expensives: &[usize], visit: &mut impl Visit) -> Result<(), String> {
    for name in NAMES {
        for &items in cheaps {
            one(visit, name, "cheap", items, cheap, cheap_of_range, cheap_float)?;
        }
        for &items in expensives {
            one(visit, name, "expensive", items, expensive, expensive, expensive_float)?;
        }
    }
    Ok(())
}

fn one(
    visit: &mut impl Visit,
    case: &str,
    cost: &str,
    items: usize,
    f: impl Call<i64>,
    g: impl Call<i64>,
    h: impl Call<f64>,
) -> Result<(), String> {
    let leaf = LEAVES[usize::from(cost == "expensive")];
    let place = Place::hot(case, cost, items);
    if case == "sum of f64" {
        return visit.visit(place, &FloatSum { rows: &floats(items), f: h, leaf });
    }
    if case == "sum of i64, range" {
        return visit.visit(place, &SumRange { rows: 0..items as i64, f: g, leaf });
    }
    let rows = &list(items)[..];
    match case {
        "map, collect" => visit.visit(place, &Collect { rows, f, leaf }),
        "filter, count" => visit.visit(place, &FilterCount { rows, f, leaf }),
        "reduce to max" => visit.visit(place, &Max { rows, f, leaf }),
        _ => visit.visit(place, &Sum { rows, f, leaf }),
    }
}
