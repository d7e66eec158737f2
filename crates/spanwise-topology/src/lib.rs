//! What this machine is, as plain data. Pools ask it how many threads to have.

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
