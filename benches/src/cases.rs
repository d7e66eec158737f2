//! The cases, one module a subject. In come a session and the pools, out come its cells and figures.

pub mod visit;
pub mod suite;
pub mod pipelines;
pub mod sums;
pub mod early;
pub mod skew;
pub mod asleep;
pub mod turns;
pub mod processor;
pub mod widths;
pub mod unpinned;
pub mod programs;
pub mod dispatch;
pub mod locks;
pub mod bounded;

use crate::{peers::Peers, session::Session};

/// Adds its cells to the session; an answer that differs is an error.
pub type Case = fn(&mut Session, &Peers) -> Result<(), String>;

/// All cases by name, in the order of the report.
pub const CASES: [(&str, Case); 17] = [
    ("pipelines", pipelines::pipelines),
    ("sums", sums::sums),
    ("early", early::early),
    ("skew", skew::skew),
    ("nested", skew::nested),
    ("asleep", asleep::asleep),
    ("two-items", asleep::two_items),
    ("burst", asleep::burst),
    ("turns", turns::turns),
    ("unpinned", unpinned::unpinned),
    ("widths", widths::widths),
    ("processor", processor::processor),
    ("programs", programs::programs),
    ("dispatch", dispatch::dispatch),
    ("breakeven", dispatch::breakeven),
    ("locks", locks::locks),
    ("bounded", bounded::bounded),
];
