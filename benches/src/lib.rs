//! What the benchmarks share, in the order that data meets it:
//!
//! - [`machine`]: pinning, and the CPU time that is used;
//! - [`fork`]: fork-join pools under one trait, ours and the peers';
//! - [`work`]: the programs that run on them, each with a known answer;
//! - [`queue`]: deques under one trait, ours and crossbeam's;
//! - [`race`]: variants in turns, medians and percentiles.
//!
//! And for the report:
//!
//! - [`stats`]: medians and quartiles;
//! - [`answer`]: what a variant answered, and whether two agree;
//! - [`sample`]: one sample of a variant, and variants in turns;
//! - [`input`]: rows and callbacks;
//! - [`halves`]: work cut in two by hand;
//! - [`peers`]: a pool of each library;
//! - [`rows`]: each library's parallel iterator over rows;
//! - [`pipeline`]: one job in each library's words, of which [`chains`], [`folds`] and [`search`] have
//!   the usual ones;
//! - [`mod@format`]: numbers as text;
//! - [`cell`]: what is measured at one size, and the limits it is held to;
//! - [`table`]: Markdown tables;
//! - [`session`]: a run of the report, to which [`cases`] add;
//! - [`chart`], [`docs`]: what a reader gets beside the tables.
//!
//! And [`scaling`], which puts the pools on machines that we do not have.

pub mod machine;
pub mod fork;
pub mod work;
pub mod queue;
pub mod race;
pub mod stats;
pub mod answer;
pub mod sample;
pub mod input;
pub mod halves;
pub mod peers;
pub mod rows;
pub mod pipeline;
pub mod chains;
pub mod folds;
pub mod search;
pub mod format;
pub mod cell;
pub mod table;
pub mod session;
#[path = "../../crates/spanwise/examples/tour/sha256.rs"]
mod sha256;
pub mod cases;
pub mod chart;
pub mod docs;
pub mod scaling;
