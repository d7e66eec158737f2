//! The pools on machines that we do not have: a simulation, event by event, that a seed replays. In come
//! a machine, a call, prices and rules, out comes what the call would take and why.
//!
//! - `dice`: chance that a seed decides;
//! - `load`: the rows of a call, what they cost, and the library's own grid of leaves over them;
//! - `prices`: what a look, a theft and a wake cost;
//! - `rules`: what is compared;
//! - `part`: rows that one thread runs: strides, cuts, and rayon's halves;
//! - `outcome`: what a simulated call tells;
//! - `crew`: the threads and what happens to them, and the call; `hunt`: how they find work, sleep and
//!   are woken;
//! - `measure`: the same calls on this machine, and the prices on it;
//! - `page`: tables and charts.

mod dice;
mod load;
mod prices;
mod rules;
mod part;
mod outcome;
mod crew;
mod hunt;
pub mod measure;
pub mod page;

#[cfg(test)]
mod tests;

pub use crew::{Start, simulate};
pub use load::{Load, Shape};
pub use outcome::Outcome;
pub use prices::Prices;
pub use rules::{Offers, Rule, Waits};
