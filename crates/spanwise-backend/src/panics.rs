//! Panics that do not come out. In come payloads of which the caller gets one, out goes that one; the
//! others must end here, since a payload's destructor may panic in turn. For those who write a
//! backend or run callbacks on several threads.

use std::{
    any::Any,
    mem,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Mutex, PoisonError},
    thread,
};

/// Drops a value without ever unwinding, for where a second panic would end the process or hide the
/// first.
///
/// What a destructor panics with is leaked, since the destructor of that may panic in turn.
///
/// # Examples
///
/// ```
/// struct Bad;
///
/// impl Drop for Bad {
///     fn drop(&mut self) {
///         std::panic::resume_unwind(Box::new(Bad));
///     }
/// }
///
/// spanwise_backend::discard(Bad);
/// ```
pub fn discard<T>(value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        mem::forget(payload);
    }
}

/// The first panic of tasks that all run to their end.
///
/// # Examples
///
/// ```
/// use spanwise_backend::FirstPanic;
///
/// let first = FirstPanic::new();
/// first.catch(|| std::panic::resume_unwind(Box::new(1)));
/// first.catch(|| std::panic::resume_unwind(Box::new(2)));
/// let unwound = std::panic::catch_unwind(|| first.settle(Ok(())));
/// assert_eq!(unwound.unwrap_err().downcast_ref(), Some(&1));
/// ```
#[derive(Debug, Default)]
pub struct FirstPanic(Mutex<Option<Box<dyn Any + Send>>>);

impl FirstPanic {
    /// None so far.
    pub const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Runs `task`, whose panic is kept if it is the first, and never unwinds.
    pub fn catch(&self, task: impl FnOnce()) {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(task)) {
            let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let later = if first.is_none() { first.replace(payload) } else { Some(payload) };
            drop(first);
            discard(later);
        }
    }

    /// The result of whoever started the tasks, once they have ended.
    ///
    /// # Panics
    ///
    /// With the payload in `result`, else with the first that was kept.
    pub fn settle<R>(&self, result: thread::Result<R>) -> R {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (result, kept) {
            (Err(payload), kept) => {
                discard(kept);
                resume_unwind(payload)
            }
            (Ok(_), Some(payload)) => resume_unwind(payload),
            (Ok(result), None) => result,
        }
    }
}
