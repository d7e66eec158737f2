//! Chains that may end early: what is looked for is absent, or stands at one hundredth of the rows.

use super::{
    suite::LEAVES,
    visit::{Hot, Visit},
};
use crate::{
    cell::Place,
    chains::Call,
    input::{cheap, expensive, list},
    peers::Peers,
    search::{Any, FindFirst},
    session::Session,
};

const CHEAP: [usize; 5] = [100, 1000, 10_000, 100_000, 1_000_000];
const EXPENSIVE: [usize; 3] = [100, 1000, 10_000];

/// What no callback returns.
const ABSENT: i64 = i64::MIN;

/// Searches in vain and with an early hit.
///
/// # Errors
///
/// If answers differ.
pub fn early(session: &mut Session, peers: &Peers) -> Result<(), String> {
    let (cheaps, expensives) = (session.sizes(&CHEAP, usize::MAX), session.sizes(&EXPENSIVE, 1000));
    searches(&cheaps, &expensives, &mut Hot { session, peers })
}

/// Shows the searches to the visitor, at these sizes.
///
/// # Errors
///
/// The visitor's first.
pub fn searches(
    cheaps: &[usize],
    expensives: &[usize],
    visit: &mut impl Visit,
) -> Result<(), String> {
    for case in ["find_first, absent", "any, absent", "any, hit at 1 %"] {
        for &items in cheaps {
            one(visit, Place::hot(case, "cheap", items), cheap)?;
        }
        for &items in expensives {
            one(visit, Place::hot(case, "expensive", items), expensive)?;
        }
    }
    Ok(())
}

fn one(visit: &mut impl Visit, place: Place, f: impl Call<i64>) -> Result<(), String> {
    let mut rows = list(place.items);
    // No other row is negative.
    rows[place.items / 100] = -5;
    let (rows, leaf) = (&rows[..], LEAVES[usize::from(place.cost == "expensive")]);
    let case = place.case.clone();
    match &case[..] {
        "find_first, absent" => visit.visit(place, &FindFirst { rows, f, wanted: ABSENT, leaf }),
        "any, absent" => visit.visit(place, &Any { rows, f, wanted: ABSENT, leaf }),
        _ => visit.visit(place, &Any { rows, f, wanted: f(-5), leaf }),
    }
}
