//! What this machine is, as plain data, for the pools of spanwise: how many threads to have, where
//! to put them, whom to rob and whom to wake first.
//!
//! The crate in the order that data meets it; a module imports only from those before it:
//!
//! - `cpu`, `topology`: hardware threads, caches, memory nodes, and what is counted of them;
//! - `synthetic`: a topology from a line of text;
//! - `layout`: who sits where, and who is near whom.

mod cpu;

mod topology;

mod synthetic;

mod layout;

pub use cpu::{Cache, Cpu, Distance, Kind, Node};
pub use layout::Layout;
pub use synthetic::SyntheticError;
pub use topology::{Core, Topology};

use std::num::NonZeroUsize;

/// Hardware threads that this process may use: affinity and cgroup quota counted, never 0.
///
/// # Examples
///
/// ```
/// assert!(spanwise_topology::usable_threads().get() >= 1);
/// ```
pub fn usable_threads() -> NonZeroUsize {
    // num_cpus sees cgroup v1 and v2 quotas and the affinity mask.
    NonZeroUsize::new(num_cpus::get()).unwrap_or(NonZeroUsize::MIN)
}

/// Physical cores, never more than [`usable_threads`] and never 0.
///
/// # Examples
///
/// ```
/// assert!(spanwise_topology::usable_cores() <= spanwise_topology::usable_threads());
/// ```
pub fn usable_cores() -> NonZeroUsize {
    NonZeroUsize::new(num_cpus::get_physical()).unwrap_or(NonZeroUsize::MIN).min(usable_threads())
}
