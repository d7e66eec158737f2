//! What the benchmarks share, in the order that data meets it:
//!
//! - [`machine`]: pinning, and the CPU time that is used;
//! - [`fork`]: fork-join pools under one trait, ours and the peers';
//! - [`work`]: the programs that run on them, each with a known answer;
//! - [`queue`]: deques under one trait, ours and crossbeam's;
//! - [`race`]: variants in turns, medians and percentiles.

pub mod machine;
pub mod fork;
pub mod work;
pub mod queue;
pub mod race;
