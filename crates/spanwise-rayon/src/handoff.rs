//! A half that a rayon thread may take, or the caller take back. In comes a closure that borrows from
//! the caller's frame, out goes a closure for `ThreadPool::spawn`, which outlives it.
//!
//! U-handoff. The job is reached through the state alone, and leaves it once. `Offer` does not leave
//! the frame that it borrows from before the job has left the state and, where a thread took it,
//! has ended; so nothing that the job borrows is gone while it runs, and a spawned closure that
//! comes later finds nothing.

#![allow(unsafe_code)]

use std::{
    marker::PhantomData,
    mem,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

enum State {
    Offered(Job<'static>),
    /// The caller has it, or a thread is running it.
    Taken,
    Done,
}

struct Shared {
    state: Mutex<State>,
    done: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<Job<'static>> {
        let mut state = self.lock();
        match mem::replace(&mut *state, State::Taken) {
            State::Offered(job) => Some(job),
            other => {
                *state = other;
                None
            }
        }
    }
}

/// A job that waits for somebody to take it.
pub(crate) struct Offer<'a> {
    shared: Arc<Shared>,
    job: PhantomData<Job<'a>>,
}

impl<'a> Offer<'a> {
    /// Offers a job, which must not unwind.
    pub(crate) fn new(job: impl FnOnce() + Send + 'a) -> Self {
        let job: Job<'a> = Box::new(job);
        // SAFETY: U-handoff: only the lifetime changes, and `drop` waits until the job is gone.
        let job = unsafe { mem::transmute::<Job<'a>, Job<'static>>(job) };
        let shared = Shared { state: Mutex::new(State::Offered(job)), done: Condvar::new() };
        Self { shared: Arc::new(shared), job: PhantomData }
    }

    /// What a thread is to run, whenever it comes to it.
    pub(crate) fn taker(&self) -> impl FnOnce() + Send + 'static {
        let shared = Arc::clone(&self.shared);
        move || {
            if let Some(job) = shared.take() {
                job();
                *shared.lock() = State::Done;
                shared.done.notify_one();
            }
        }
    }

    /// The job, if nobody has taken it.
    pub(crate) fn take_back(&self) -> Option<Job<'a>> {
        let job = self.shared.take()?;
        *self.shared.lock() = State::Done;
        Some(job)
    }
}

impl Drop for Offer<'_> {
    /// Takes the job back unrun, or waits until the thread that took it has ended it.
    fn drop(&mut self) {
        if self.take_back().is_none() {
            let state = self.shared.lock();
            let running = |state: &mut State| matches!(state, State::Taken);
            drop(
                self.shared.done.wait_while(state, running).unwrap_or_else(PoisonError::into_inner),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::atomic::AtomicUsize, thread, time::Duration};

    use super::*;
    use std::sync::atomic::Ordering::SeqCst;

    #[test]
    fn a_job_runs_once_whoever_is_first() {
        for round in 0..2000 {
            let mut runs = AtomicUsize::new(0);
            let offer = Offer::new(|| {
                runs.fetch_add(1, SeqCst);
            });
            let taker = offer.taker();
            let thread = thread::spawn(taker);
            if round % 3 > 0 {
                if let Some(job) = offer.take_back() {
                    job();
                }
            }
            let left = round % 3 == 0;
            drop(offer);
            assert!(*runs.get_mut() == 1 || left && *runs.get_mut() == 0);
            thread.join().unwrap();
            assert!(*runs.get_mut() == 1 || left);
        }
    }

    #[test]
    fn a_frame_stays_until_a_slow_job_has_ended() {
        let mut ended = false;
        let offer = Offer::new(|| {
            thread::sleep(Duration::from_millis(20));
            ended = true;
        });
        let (begun, taker) = (Arc::new(AtomicUsize::new(0)), offer.taker());
        let begins = Arc::clone(&begun);
        let thread = thread::spawn(move || {
            begins.store(1, SeqCst);
            taker();
        });
        while begun.load(SeqCst) == 0 {
            thread::yield_now();
        }
        thread::sleep(Duration::from_millis(5));
        drop(offer);
        assert!(ended);
        thread.join().unwrap();
    }

    #[test]
    fn a_taker_that_comes_late_finds_nothing() {
        let mut run = false;
        let offer = Offer::new(|| run = true);
        let taker = offer.taker();
        drop(offer);
        taker();
        assert!(!run);
    }
}
