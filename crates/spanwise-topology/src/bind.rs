//! Binding threads to CPUs. In come CPU numbers, out goes a thread that stays on them, or why not.
//! Linux only: elsewhere the system is asked for nothing and the answer is an error.

use std::{error::Error, fmt, io};

use crate::layout::Layout;

/// Why threads cannot be bound as asked.
#[derive(Debug)]
pub struct PinError(Kind);

#[derive(Debug)]
enum Kind {
    Node(usize),
    Refused { cpus: Vec<usize>, source: io::Error },
}

impl PinError {
    /// Nothing in the memory node of this number may be used.
    pub fn no_node(number: usize) -> Self {
        Self(Kind::Node(number))
    }

    fn refused(cpus: &[usize], source: io::Error) -> Self {
        Self(Kind::Refused { cpus: cpus.to_vec(), source })
    }
}

impl fmt::Display for PinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Node(number) => {
                write!(f, "there is no memory node {number} with a CPU that this process may use")
            }
            Kind::Refused { cpus, source } => {
                write!(f, "threads cannot be bound to the CPUs {cpus:?}: {source}")
            }
        }
    }
}

impl Error for PinError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.0 {
            Kind::Node(_) => None,
            Kind::Refused { source, .. } => Some(source),
        }
    }
}

impl Layout {
    /// Binds the calling thread to the CPUs of this worker; one that floats stays as it is.
    ///
    /// # Errors
    ///
    /// If the system does not let it, or is not Linux.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise_topology::Layout;
    ///
    /// assert!(Layout::floating(4).bind(3).is_ok());
    /// ```
    pub fn bind(&self, worker: usize) -> Result<(), PinError> {
        match self.cpus(worker) {
            [] => Ok(()),
            cpus => system::bind(cpus).map_err(|source| PinError::refused(cpus, source)),
        }
    }

    /// Whether every worker could be bound, tried on a thread that ends at once.
    ///
    /// # Errors
    ///
    /// As for [`bind`](Self::bind), or if that thread cannot be had.
    ///
    /// # Cost
    ///
    /// A thread and two system calls; nothing where workers float.
    pub fn try_bind(&self) -> Result<(), PinError> {
        let cpus = self.bound_to();
        if cpus.is_empty() {
            return Ok(());
        }
        let tried = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().spawn_scoped(scope, || {
                system::bind(&cpus)?;
                // The system drops in silence those that it does not allow, unless that is all.
                let bound = system::allowed().unwrap_or_default();
                let missing = cpus.iter().any(|cpu| !bound.contains(cpu));
                if missing { Err(io::ErrorKind::InvalidInput.into()) } else { Ok(()) }
            })?;
            thread.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload))
        });
        tried.map_err(|source| PinError::refused(&cpus, source))
    }
}

/// The CPU that the calling thread runs on at this moment, if the system says.
///
/// # Examples
///
/// ```
/// assert_eq!(spanwise_topology::current_cpu().is_some(), cfg!(target_os = "linux"));
/// ```
pub fn current_cpu() -> Option<usize> {
    system::current()
}

/// The CPUs that the calling thread, and those that it starts, may run on, if the system says.
pub(crate) fn allowed() -> Option<Vec<usize>> {
    system::allowed()
}

#[cfg(target_os = "linux")]
mod system {
    use std::io;

    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

    pub(super) fn bind(cpus: &[usize]) -> io::Result<()> {
        let mut set = CpuSet::new();
        for &cpu in cpus {
            if cpu >= CpuSet::MAX_CPU {
                return Err(io::ErrorKind::Unsupported.into());
            }
            set.set(cpu);
        }
        Ok(sched_setaffinity(None, &set)?)
    }

    pub(super) fn allowed() -> Option<Vec<usize>> {
        // It fails where the kernel counts more CPUs than the set holds.
        let set = sched_getaffinity(None).ok()?;
        Some((0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect())
    }

    pub(super) fn current() -> Option<usize> {
        Some(sched_getcpu())
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    pub(super) fn bind(_: &[usize]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn allowed() -> Option<Vec<usize>> {
        None
    }

    pub(super) fn current() -> Option<usize> {
        None
    }
}
