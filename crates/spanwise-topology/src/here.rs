//! This machine, for this process. In come what the system says and what the process may use, out
//! goes a topology; what cannot be read is filled in by counting, so there always is one.

use std::{num::NonZeroUsize, sync::OnceLock};

use crate::{
    bind::allowed,
    cgroup,
    cpu::Cpu,
    files::Root,
    sys,
    topology::{Topology, at_most},
};

impl Topology {
    /// This machine, and what of it the calling thread, and those that it starts, may use.
    ///
    /// It never fails. On Linux the machine is what `/sys` says, what may be used is the affinity
    /// mask and the quota of the control groups, both versions. What cannot be read is taken from
    /// hwloc, if the feature `hwloc` is on, else from the crate `num_cpus`, which counts threads and
    /// cores. One of the variables `HWLOC_SYNTHETIC` and `HWLOC_XMLFILE` makes the feature ask hwloc
    /// first.
    ///
    /// # Cost
    ///
    /// About a dozen small files for each core. The quota is read once in the life of a process.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise_topology::Topology;
    ///
    /// let machine = Topology::here();
    /// assert!(machine.cores() <= machine.threads());
    /// println!("{machine}");
    /// ```
    pub fn here() -> Self {
        within_limits(known(&root()), allowed(), quota())
    }
}

/// Hardware threads that this process may use: affinity and cgroup quota counted, never 0.
///
/// What [`Topology::here`] counts, without a look at the rest of the machine.
///
/// # Examples
///
/// ```
/// use spanwise_topology::{Topology, usable_threads};
///
/// assert_eq!(usable_threads(), Topology::here().threads());
/// ```
pub fn usable_threads() -> NonZeroUsize {
    let count = allowed().map_or_else(num_cpus::get, |cpus| cpus.len());
    at_most(count, quota())
}

fn root() -> Root {
    Root::new("/")
}

fn quota() -> Option<f64> {
    static QUOTA: OnceLock<Option<f64>> = OnceLock::new();
    *QUOTA.get_or_init(|| cgroup::quota(&root()))
}

/// What is known of the machine.
fn known(root: &Root) -> Topology {
    #[cfg(feature = "hwloc")]
    if ["HWLOC_SYNTHETIC", "HWLOC_XMLFILE"].iter().any(|name| std::env::var_os(name).is_some()) {
        if let Some(machine) = crate::hwloc::read() {
            return machine;
        }
    }
    let told = sys::read(root);
    #[cfg(feature = "hwloc")]
    let told = told.or_else(crate::hwloc::read);
    told.unwrap_or_else(|| counted(num_cpus::get(), num_cpus::get_physical()))
}

/// So many threads on so many cores, about which nothing else is known.
fn counted(threads: usize, cores: usize) -> Topology {
    let threads = threads.max(1);
    let cores = cores.clamp(1, threads);
    let rows = (0..threads).map(|i| Cpu { core: i % cores, ..Cpu::alone(i) });
    Topology::new(rows).expect("the numbers count up from 0")
}

fn within_limits(machine: Topology, allowed: Option<Vec<usize>>, quota: Option<f64>) -> Topology {
    // Where the system does not name those that may be used, it may still count them.
    let count = allowed.is_none().then(|| num_cpus::get() as f64);
    let count = count.filter(|&count| count < machine.cpus().len() as f64);
    let machine = machine.allow(&allowed.unwrap_or_default());
    match [quota, count].into_iter().flatten().reduce(f64::min) {
        Some(quota) => machine.with_quota(quota),
        None => machine,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::fake::Fake;

    #[test]
    fn nothing_can_be_read() {
        let machine = within_limits(known(&Root::new("/nowhere/at/all")), None, None);
        assert_eq!(machine.threads().get(), num_cpus::get());
        // The mask alone is right.
        let machine = within_limits(machine, Some(vec![3, 70]), None);
        assert_eq!((machine.threads().get(), machine.cores().get()), (2, 2));
    }

    #[test]
    fn threads_and_cores_are_counted() {
        let machine = counted(8, 4);
        assert_eq!((machine.threads().get(), machine.cores().get()), (8, 4));
        assert_eq!(counted(0, 0).threads().get(), 1);
        assert_eq!(counted(3, 9).cores().get(), 3);
    }

    #[test]
    fn mask_and_quota_are_both_kept() {
        let machine = Topology::synthetic("core:8 pu:2").unwrap();
        let limited = |allowed: &[usize], quota| {
            let machine = within_limits(machine.clone(), Some(allowed.into()), quota);
            (machine.threads().get(), machine.cores().get())
        };
        assert_eq!(limited(&[0, 1, 2, 3], None), (4, 2));
        assert_eq!(limited(&[0, 1, 2, 3], Some(1.5)), (2, 2));
        assert_eq!(limited(&[0], Some(7.0)), (1, 1));
        assert_eq!(limited(&[99], Some(7.0)), (1, 1));
    }

    #[test]
    fn a_machine_and_a_quota_from_files() {
        let fake = Fake::new(
            "here",
            [
                ("sys/devices/system/cpu/online", "0-7"),
                ("proc/self/cgroup", "0::/"),
                ("proc/self/mountinfo", "1 1 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw"),
                ("sys/fs/cgroup/cpu.max", "150000 100000"),
            ],
        );
        let machine = within_limits(
            sys::read(&fake.root()).unwrap(),
            Some(vec![0, 1, 2, 3]),
            cgroup::quota(&fake.root()),
        );
        assert_eq!(machine.threads().get(), 2);
        assert_eq!((machine.usable_cores().len(), machine.quota()), (4, Some(1.5)));
    }
}
