//! The machine under the benchmarks: which CPU a thread runs on, and the CPU time that is used. The
//! only unsafe code of this crate: three calls of the C library with plain structs.

#![allow(unsafe_code)]

use std::{mem, time::Duration};

use spanwise_backend::{Builder, FromSettings, PoolError};

/// Keeps the calling thread, and those it starts from now on, on these CPUs.
pub fn pin(cpus: &[usize]) {
    // SAFETY: a set of CPUs is plain bits, for which all zeros is the empty set.
    let mut set: libc::cpu_set_t = unsafe { mem::zeroed() };
    for &cpu in cpus {
        // SAFETY: the macro's function checks the index against the set's size.
        unsafe { libc::CPU_SET(cpu, &mut set) };
    }
    // SAFETY: the set lives through the call, and its size is given.
    let failed = unsafe { libc::sched_setaffinity(0, size_of_val(&set), &raw const set) };
    assert!(failed == 0, "the system refused to pin a thread to {cpus:?}");
}

/// Keeps the calling thread on the first so many CPUs, which may be all of them.
pub fn pin_to_first(cpus: usize) {
    pin(&(0..cpus).collect::<Vec<_>>());
}

/// A pool of two threads; pinned, the caller stays on CPU 0 and the other is on CPU 1. A pool whose maker
/// is bound to one CPU takes that for all there is, and its threads make way for each other: so the
/// caller is bound last.
///
/// # Errors
///
/// If the system refuses a thread.
pub fn pair<B: FromSettings>(pinned: bool) -> Result<B, PoolError> {
    let builder = Builder::new().threads(2);
    if !pinned {
        return builder.build();
    }
    pin_to_first(2);
    let pool = builder.on_start(|_| pin(&[1])).build();
    pin(&[0]);
    pool
}

/// CPUs there are.
pub fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

/// CPU time that this process has used, by all its threads, in the program and in the kernel.
pub fn cpu_time() -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on Linux, and the struct lives through the call.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut now) };
    assert!(failed == 0, "there is no clock of the process");
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
