//! The job pointer. In comes a closure on its owner's stack, out goes one thin pointer that a
//! thief can run, and the result; `join` makes jobs, workers run stolen ones.
//!
//! - U1: A pointer made by `pointer` is followed only while the frame that holds the job waits for
//!   it: by the thief that took it from the ring or the mailbox, until the latch is set.
//! - U2: The closure leaves its cell once: taken by the owner that took the pointer back, or by the
//!   thief that won it. Ring and mailbox give a pointer to one of the two only.
//! - U3: The result is there once the latch is set, and is read once, by the owner.
#![allow(unsafe_code)]

use std::{
    any::Any,
    mem::{ManuallyDrop, MaybeUninit},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr::{self, NonNull},
};

use crate::{
    latch::Latch,
    sync::{AtomicU32, Ordering, Shared},
};

/// A result, or the payload of a panic.
pub(crate) type Outcome<R> = Result<R, Box<dyn Any + Send>>;

/// What thieves see of any job.
#[derive(Debug)]
pub(crate) struct Job {
    run: unsafe fn(NonNull<Job>),
    pub(crate) latch: Latch,
    /// The number of the thread that runs it, plus one.
    thief: AtomicU32,
}

impl Job {
    /// Who is running it, if a thief has begun.
    pub(crate) fn thief(&self) -> Option<usize> {
        // Acquire: pairs with the Release in `run_stolen`: the thief's seat is there.
        (self.thief.load(Ordering::Acquire) as usize).checked_sub(1)
    }
}

/// Runs a job that was stolen by thread `thief` and says whom to wake.
///
/// # Safety
///
/// U1: `job` came from `pointer`, and this thread alone won it from a ring.
pub(crate) unsafe fn run_stolen(job: NonNull<Job>, thief: usize) -> Option<usize> {
    // SAFETY: U1: the frame that holds the job waits until the latch below is set.
    let header = unsafe { job.as_ref() };
    let thief = u32::try_from(thief).expect("seats are counted in u32");
    // Release: pairs with the Acquire in `thief`.
    header.thief.store(thief + 1, Ordering::Release);
    // SAFETY: U1 and U2: this thread won the job and runs it once.
    unsafe { (header.run)(job) };
    header.latch.set()
}

/// The far half of a join, on the stack of its owner.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct StackJob<F, R> {
    job: Job,
    half: Shared<ManuallyDrop<F>>,
    outcome: Shared<MaybeUninit<Outcome<R>>>,
}

impl<F: FnOnce() -> R + Send, R: Send> StackJob<F, R> {
    #[inline]
    pub(crate) fn new(half: F) -> Self {
        Self {
            job: Job { run: Self::run, latch: Latch::new(), thief: AtomicU32::new(0) },
            half: Shared::new(ManuallyDrop::new(half)),
            outcome: Shared::new(MaybeUninit::uninit()),
        }
    }

    #[inline]
    pub(crate) fn job(&self) -> &Job {
        &self.job
    }

    /// A number that all jobs of this type share, and few others.
    #[inline]
    pub(crate) fn site() -> usize {
        Self::run as *const () as usize
    }

    /// The pointer for the ring; U1 binds whoever follows it.
    #[inline]
    pub(crate) fn pointer(&self) -> *mut Job {
        ptr::from_ref(self).cast::<Job>().cast_mut()
    }

    /// Takes the closure out.
    ///
    /// # Safety
    ///
    /// U2: the caller has taken the pointer back from the ring, or it was never pushed.
    #[inline]
    pub(crate) unsafe fn take(&self) -> F {
        self.half.with_mut(|half| {
            // SAFETY: U2: nobody else reaches the cell now.
            let half = unsafe { &mut *half };
            // SAFETY: U2: the closure is still there, and this is the one time it leaves.
            unsafe { ManuallyDrop::take(half) }
        })
    }

    /// Takes the result out.
    ///
    /// # Safety
    ///
    /// U3: the latch was seen to be set, and nobody has taken the result.
    pub(crate) unsafe fn outcome(&self) -> Outcome<R> {
        self.outcome.with_mut(|outcome| {
            // SAFETY: U3: the thief is done with the cell.
            let outcome = unsafe { &*outcome };
            // SAFETY: U3: the thief wrote it before it set the latch; it is read this once.
            unsafe { outcome.assume_init_read() }
        })
    }

    unsafe fn run(job: NonNull<Job>) {
        let this = job.cast::<Self>();
        // SAFETY: U1: `pointer` made `job` from a `Self` that is still there.
        let this = unsafe { this.as_ref() };
        // SAFETY: U2: this thief won the pointer, so the owner will not take the closure.
        let half = unsafe { this.take() };
        let result = catch_unwind(AssertUnwindSafe(half));
        this.outcome.with_mut(|outcome| {
            // SAFETY: U3: the owner keeps off the cell until the latch is set.
            let outcome = unsafe { &mut *outcome };
            outcome.write(result);
        });
    }
}
