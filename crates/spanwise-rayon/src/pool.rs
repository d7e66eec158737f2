//! The pool. In come two halves, out go their results; rayon-core's join for its own threads, a
//! hand-off for callers from outside.

use std::{
    fmt,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use rayon_core::{ThreadPool, ThreadPoolBuilder};
use spanwise_backend::{
    Backend, Builder, FirstPanic, FromSettings, PoolError, SerialScope, Settings, Share, discard,
};

use crate::{handoff::Offer, place};

/// A backend whose threads are rayon-core's.
///
/// The caller counts: a pool of 8 has 7 threads and the thread that calls. Clones share the threads,
/// which end with the last clone.
///
/// # Examples
///
/// ```
/// use spanwise_rayon::RayonPool;
///
/// let pool = RayonPool::new(2)?;
/// assert_eq!(pool.join(|| 1 + 1, || "far"), (2, "far"));
/// # Ok::<(), spanwise_backend::PoolError>(())
/// ```
#[derive(Clone)]
pub struct RayonPool {
    /// `None` for a pool of one: the caller is all of it.
    pool: Option<Arc<ThreadPool>>,
    width: NonZeroUsize,
}

impl RayonPool {
    /// A pool of this many threads, the caller included.
    ///
    /// # Errors
    ///
    /// If `threads` is 0 or too many, or if the system refuses a thread.
    pub fn new(threads: usize) -> Result<Self, PoolError> {
        Self::builder().threads(threads).build()
    }

    /// Settings to choose before building.
    pub fn builder() -> Builder<Self> {
        Builder::new()
    }

    /// A backend over a thread pool that exists, which stays usable for everything else.
    ///
    /// Its width is the pool's number of threads and one more, the caller.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    /// use spanwise_rayon::RayonPool;
    ///
    /// let mine = Arc::new(rayon_core::ThreadPoolBuilder::new().num_threads(2).build()?);
    /// let pool = RayonPool::over(mine.clone());
    /// assert_eq!(pool.width().get(), 3);
    /// assert_eq!(mine.install(|| pool.join(|| 1, || 2)), (1, 2));
    /// # Ok::<(), rayon_core::ThreadPoolBuildError>(())
    /// ```
    pub fn over(pool: Arc<ThreadPool>) -> Self {
        let width = NonZeroUsize::MIN.saturating_add(pool.current_num_threads());
        Self { pool: Some(pool), width }
    }

    /// Threads that can work on one call at once, the caller included.
    pub fn width(&self) -> NonZeroUsize {
        self.width
    }

    /// Runs both halves, perhaps at once, and returns both results once both are done.
    ///
    /// The calling thread runs `a`, then `b` too if no thread has taken it.
    ///
    /// # Panics
    ///
    /// With the payload of `a` if `a` panicked, else with that of `b`, after both have ended.
    pub fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        match &self.pool {
            None => (a(), b()),
            Some(pool) if pool.current_thread_index().is_some() => {
                // rayon-core drops a second payload while the first unwinds, where the destructor of
                // the payload may not panic: so it gets to see neither.
                let caught = rayon_core::join(
                    || catch_unwind(AssertUnwindSafe(a)),
                    || catch_unwind(AssertUnwindSafe(b)),
                );
                both(caught.0, caught.1)
            }
            Some(pool) => join_from_outside(pool, a, b),
        }
    }

    /// Runs `op` on the calling thread, and the tasks that it spawns on the pool's; returns once all
    /// have ended.
    ///
    /// # Panics
    ///
    /// With the payload of `op` if it panicked, else with that of a task that did.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = spanwise_rayon::RayonPool::new(2)?;
    /// let mut words = ["one".to_owned(), "two".to_owned()];
    /// pool.scope(|s| words.iter_mut().for_each(|word| s.spawn(|_| word.push('!'))));
    /// assert_eq!(words, ["one!", "two!"]);
    /// # Ok::<(), spanwise_backend::PoolError>(())
    /// ```
    pub fn scope<'scope, F, R>(&self, op: F) -> R
    where
        F: FnOnce(&Scope<'_, 'scope>) -> R,
    {
        match &self.pool {
            None => SerialScope::run(|scope| op(&Scope::Alone(scope))),
            Some(pool) => {
                let panics = Arc::new(FirstPanic::new());
                let result = pool.in_place_scope(|scope| {
                    let scope = Scope::Pool(scope, Arc::clone(&panics));
                    catch_unwind(AssertUnwindSafe(|| op(&scope)))
                });
                panics.settle(result)
            }
        }
    }

    /// Runs `op` once on each thread of the pool and on the calling one, whose share is the first.
    ///
    /// A thread of the pool comes for its share when it is free or waits; so `op` may run on a thread
    /// whose own call holds a lock. On a thread of the pool this call runs two shares: the first and
    /// that thread's own.
    ///
    /// # Panics
    ///
    /// With the payload of the lowest index among those that panicked, after all have ended.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = spanwise_rayon::RayonPool::new(3)?;
    /// assert_eq!(pool.broadcast(|share| share.index() * 10), [0, 10, 20]);
    /// # Ok::<(), spanwise_backend::PoolError>(())
    /// ```
    pub fn broadcast<F, R>(&self, op: F) -> Vec<R>
    where
        F: Fn(Share) -> R + Sync,
        R: Send,
    {
        let width = self.width.get();
        let Some(pool) = &self.pool else { return vec![op(Share::new(0, width))] };
        let others: Vec<Mutex<Option<thread::Result<R>>>> =
            (1..width).map(|_| Mutex::new(None)).collect();
        let slot = |i: usize| others[i].lock().unwrap_or_else(PoisonError::into_inner);
        let mine = pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, thread| {
                let share = Share::new(thread.index() + 1, width);
                let result = catch_unwind(AssertUnwindSafe(|| op(share)));
                *slot(thread.index()) = Some(result);
            });
            catch_unwind(AssertUnwindSafe(|| op(Share::new(0, width))))
        });
        let theirs = (1..width).map(|i| slot(i - 1).take().expect("each thread had its share"));
        let (mut results, mut panics) = (Vec::with_capacity(width), Vec::new());
        for share in std::iter::once(mine).chain(theirs) {
            match share {
                Ok(result) => results.push(result),
                Err(payload) => panics.push(payload),
            }
        }
        if panics.is_empty() {
            return results;
        }
        let first = panics.remove(0);
        panics.into_iter().for_each(discard);
        resume_unwind(first)
    }
}

/// Where tasks are spawned; [`RayonPool::scope`] makes one.
#[derive(Debug)]
pub enum Scope<'a, 'scope> {
    /// On the threads of a pool.
    #[doc(hidden)]
    Pool(&'a rayon_core::Scope<'scope>, Arc<FirstPanic>),
    /// In a pool of one.
    #[doc(hidden)]
    Alone(&'a SerialScope),
}

impl<'scope> Scope<'_, 'scope> {
    /// Lets `task` run on some thread of the pool before the scope ends. It may spawn more.
    pub fn spawn<F>(&self, task: F)
    where
        F: FnOnce(&Scope<'_, 'scope>) + Send + 'scope,
    {
        match self {
            Self::Pool(scope, panics) => {
                // As in `join`, rayon-core sees no panic.
                let panics = Arc::clone(panics);
                scope.spawn(move |scope| {
                    panics.catch(|| task(&Scope::Pool(scope, Arc::clone(&panics))));
                });
            }
            Self::Alone(scope) => scope.spawn(|scope| task(&Scope::Alone(scope))),
        }
    }
}

/// `rayon_core::ThreadPool::join` would send both halves away and put the caller to sleep. Here the
/// caller keeps `a`, and takes `b` back when nobody has begun it. A scope would do for that in safe
/// code, but waits for its spawned job even when there is nothing left in it: with the pool's threads
/// busy, the caller idled through most of a call.
fn join_from_outside<A, B, RA, RB>(pool: &ThreadPool, a: A, b: B) -> (RA, RB)
where
    A: FnOnce() -> RA,
    B: FnOnce() -> RB + Send,
    RB: Send,
{
    let mut far: Option<thread::Result<RB>> = None;
    let offer = Offer::new(|| far = Some(catch_unwind(AssertUnwindSafe(b))));
    pool.spawn(offer.taker());
    let near = catch_unwind(AssertUnwindSafe(a));
    if near.is_ok() {
        if let Some(b) = offer.take_back() {
            b();
        }
    }
    // Unstarted after a panic of `a`, `b` is dropped here; begun elsewhere, it ends here.
    drop(offer);
    match (near, far) {
        (near, Some(far)) => both(near, far),
        (Err(payload), None) => resume_unwind(payload),
        (Ok(_), None) => unreachable!("what nobody took was taken back and run"),
    }
}

/// Both results, or the near panic, or the far one.
fn both<RA, RB>(near: thread::Result<RA>, far: thread::Result<RB>) -> (RA, RB) {
    match (near, far) {
        (Ok(near), Ok(far)) => (near, far),
        (Err(payload), far) => {
            discard(far);
            resume_unwind(payload)
        }
        (Ok(_), Err(payload)) => resume_unwind(payload),
    }
}

impl FromSettings for RayonPool {
    fn from_settings(settings: Settings) -> Result<Self, PoolError> {
        let layout = place::layout(&settings)?;
        let width = NonZeroUsize::new(layout.width()).expect("the caller is one");
        let workers = width.get() - 1;
        if workers == 0 {
            return Ok(Self { pool: None, width });
        }
        let mut builder = ThreadPoolBuilder::new().num_threads(workers);
        if let Some(bytes) = settings.stack_size {
            builder = builder.stack_size(bytes);
        }
        let on_start = settings.on_start.clone();
        builder = builder.start_handler(move |index| {
            // It was tried above. A CPU that went offline since costs speed alone.
            let _ = layout.bind(index + 1);
            if let Some(hook) = &on_start {
                hook(index + 1);
            }
        });
        if let Some(hook) = settings.on_exit.clone() {
            builder = builder.exit_handler(move |index| hook(index + 1));
        }
        let pool = builder
            .thread_name(move |index| settings.thread_name(index + 1))
            .build()
            .map_err(PoolError::other)?;
        Ok(Self { pool: Some(Arc::new(pool)), width })
    }
}

impl Backend for RayonPool {
    fn width(&self) -> NonZeroUsize {
        self.width
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        Self::join(self, a, b)
    }
}

/// A panic in a half leaves nothing in the pool that a later call could see.
impl UnwindSafe for RayonPool {}
impl RefUnwindSafe for RayonPool {}

impl fmt::Debug for RayonPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RayonPool").field("width", &self.width).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn broadcast_runs_on_all_threads_at_once() {
        for width in [1, 2, 4] {
            let pool = RayonPool::new(width).unwrap();
            let barrier = Barrier::new(width);
            let indices = pool.broadcast(|share| {
                barrier.wait();
                share.index()
            });
            assert!(indices.into_iter().eq(0..width));
            let unwound =
                catch_unwind(|| pool.broadcast(|share| assert!(share.index() < 1, "far")));
            assert_eq!(unwound.is_err(), width > 1);
            assert_eq!(pool.join(|| 1, || 2), (1, 2));
        }
    }
}
