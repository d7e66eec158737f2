//! Join. In come a member and two halves, out go both results: the far half is offered, the near
//! one run here, then the far one taken back and run here too, or waited for where a thief has it.
#![allow(unsafe_code)]

use std::{mem, panic::resume_unwind};

use spanwise_backend::discard;

use crate::{job::StackJob, member::Member};

/// Runs both halves; all the joins of a pool end up here.
#[inline(always)]
pub(crate) fn join<A, B, RA, RB>(member: &Member<'_>, a: A, b: B) -> (RA, RB)
where
    A: FnOnce() -> RA,
    B: FnOnce() -> RB + Send,
    RB: Send,
{
    let job = StackJob::new(b);
    // SAFETY: U1: both ways out of this frame, and `Far` where it unwinds, take back or wait.
    let at = unsafe { member.push(job.pointer(), StackJob::<B, RB>::site()) };
    let far = Far { member, job: &job, at };
    let near = a();
    mem::forget(far);
    if member.take_back(at) {
        // SAFETY: U2: taken back just now.
        let b = unsafe { job.take() };
        return (near, b());
    }
    (near, stolen(member, &job))
}

/// Waits for the far half that a thief has.
#[cold]
fn stolen<B, RB>(member: &Member<'_>, job: &StackJob<B, RB>) -> RB
where
    B: FnOnce() -> RB + Send,
    RB: Send,
{
    if !member.wait(job.job(), true) {
        panic!("this process was forked inside a join: the thread with the other half is not here");
    }
    // SAFETY: U3: `wait` saw the latch set.
    let outcome = unsafe { job.outcome() };
    outcome.unwrap_or_else(|payload| resume_unwind(payload))
}

/// The far half while the near one runs. It is dropped only if that unwinds.
struct Far<'w, 'c, B: FnOnce() -> RB + Send, RB: Send> {
    member: &'w Member<'c>,
    job: &'w StackJob<B, RB>,
    at: usize,
}

impl<B: FnOnce() -> RB + Send, RB: Send> Drop for Far<'_, '_, B, RB> {
    // Inlined, so that the three fields need no place in memory.
    #[inline(always)]
    fn drop(&mut self) {
        give_up(self.member, self.job, self.at);
    }
}

/// Ends a far half whose near one unwinds: unrun if nobody has it, else after its thief.
#[cold]
#[inline(never)]
fn give_up<B, RB>(member: &Member<'_>, job: &StackJob<B, RB>, at: usize)
where
    B: FnOnce() -> RB + Send,
    RB: Send,
{
    if member.take_back(at) {
        // SAFETY: U2: taken back just now.
        discard(unsafe { job.take() });
    } else if member.wait(job.job(), false) {
        // SAFETY: U3: `wait` saw the latch set.
        let outcome = unsafe { job.outcome() };
        // This runs while unwinding, where a second panic would end the process.
        discard(outcome);
    }
}
