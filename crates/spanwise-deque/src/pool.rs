//! The pool as users hold it. In come settings and calls, out go threads and results; each call
//! finds its seat here and then works on it.

use std::{
    fmt, mem,
    num::NonZeroUsize,
    panic::{RefUnwindSafe, UnwindSafe},
    ptr,
    time::Duration,
};

use spanwise_backend::{Backend, Builder, FromSettings, PoolError, Settings, Share};

use crate::{
    crew::Crew,
    here,
    join::join,
    member::Member,
    place,
    scope::{self, Scope},
    seats::Seat,
    sync::{Arc, thread},
};

/// How long a thread without work looks around before it sleeps, unless the settings say so.
const SPIN: Duration = Duration::from_micros(80);

/// A fork-join pool: each thread has a deque of its own halves, and no thread that waits ever runs
/// a stranger's job.
///
/// A pool of `n` threads has `n - 1` threads of its own; whoever calls it is the other one and
/// works at once. Any number of threads may call at the same time. So a lock, a borrowed `RefCell`
/// or a `OnceLock` that is being filled may be held across a call: while the call waits, it runs
/// nothing but parts of itself.
///
/// What that asks of halves: they may not wait for each other, since nobody promises a second
/// thread. Dropping the pool waits for its threads to end. In a forked child, which has none of
/// them, the pool works on the calling thread alone; a call that was in progress when the process
/// was forked panics there if another thread had a part of it.
///
/// # Examples
///
/// ```
/// use spanwise_deque::DequePool;
///
/// fn sum(pool: &DequePool, rows: &[u64]) -> u64 {
///     if rows.len() <= 1_000 {
///         return rows.iter().sum();
///     }
///     let (left, right) = rows.split_at(rows.len() / 2);
///     let (left, right) = pool.join(|| sum(pool, left), || sum(pool, right));
///     left + right
/// }
///
/// let pool = DequePool::new(4)?;
/// let rows: Vec<u64> = (0..100_000).collect();
/// assert_eq!(sum(&pool, &rows), 4_999_950_000);
/// # Ok::<(), spanwise_backend::PoolError>(())
/// ```
pub struct DequePool {
    crew: Arc<Crew>,
    width: NonZeroUsize,
    threads: Vec<thread::JoinHandle<()>>,
}

impl DequePool {
    /// A pool in which `threads` threads work on a call, the caller included.
    ///
    /// # Errors
    ///
    /// If `threads` is 0 or above [`MAX_THREADS`](spanwise_backend::MAX_THREADS), or if the system
    /// refuses a thread; then none is left behind.
    pub fn new(threads: usize) -> Result<Self, PoolError> {
        Self::builder().threads(threads).build()
    }

    /// Settings to choose before building.
    ///
    /// Threads of the pool have the indices 1 to `threads - 1`; names and hooks get these. Index 0
    /// stands for the caller. A start hook that panics costs the pool that thread and nothing else.
    pub fn builder() -> Builder<Self> {
        Builder::new()
    }

    /// Threads that work on one call, the caller included.
    pub fn width(&self) -> NonZeroUsize {
        self.width
    }

    /// Runs both halves, perhaps at once, and returns both results.
    ///
    /// The caller runs `a`; `b` waits for a thread without work and is run by the caller if none
    /// came. While it waits for a `b` that was taken, the caller runs only parts of that `b`.
    ///
    /// # Panics
    ///
    /// With the payload of `a` if `a` panicked, else with that of `b`, after both have ended. A `b`
    /// that nobody had begun when `a` panicked is dropped unrun.
    ///
    /// # Cost
    ///
    /// Inside the pool a few nanoseconds, from outside a few dozen. A sleeping thread is woken only
    /// where halves of this type have taken long, or have never been seen.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = spanwise_deque::DequePool::new(2)?;
    /// let mut rows = [3, 1, 2, 9, 8, 7];
    /// let (left, right) = rows.split_at_mut(3);
    /// pool.join(|| left.sort(), || right.sort());
    /// assert_eq!(rows, [1, 2, 3, 7, 8, 9]);
    /// # Ok::<(), spanwise_backend::PoolError>(())
    /// ```
    #[inline]
    pub fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        here::with(|here| match here {
            Some(member) if self.is_mine(member) => join(member, a, b),
            _ if self.width == NonZeroUsize::MIN => (a(), b()),
            _ => self.seat_guest(|member| join(member, a, b)),
        })
    }

    /// Runs `op` on the calling thread as part of the pool, so that the joins in it are cheap.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = spanwise_deque::DequePool::new(2)?;
    /// let sums: Vec<i32> = pool.enter(|| {
    ///     (0..100).map(|i| pool.join(|| i, || i * i)).map(|(a, b)| a + b).collect()
    /// });
    /// assert_eq!(sums[9], 90);
    /// # Ok::<(), spanwise_backend::PoolError>(())
    /// ```
    pub fn enter<F, R>(&self, op: F) -> R
    where
        F: FnOnce() -> R,
    {
        if self.width == NonZeroUsize::MIN { op() } else { self.seated(|_| op()) }
    }

    /// Runs `op`, which may spawn tasks, and returns its result once all of them have ended.
    ///
    /// Tasks may borrow what outlives the scope, and may spawn further tasks. At its end the scope
    /// runs tasks of its own and halves of joins in them, nothing else; threads without work take
    /// the rest.
    ///
    /// # Panics
    ///
    /// With the payload of `op` if that panicked, else with that of the first task that did, after
    /// all tasks have ended.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = spanwise_deque::DequePool::new(2)?;
    /// let mut words = ["one".to_owned(), "two".to_owned()];
    /// pool.scope(|s| {
    ///     for word in &mut words {
    ///         s.spawn(move |_| word.push('!'));
    ///     }
    /// });
    /// assert_eq!(words, ["one!", "two!"]);
    /// # Ok::<(), spanwise_backend::PoolError>(())
    /// ```
    ///
    /// A task cannot borrow what the scope's own body owns:
    ///
    /// ```compile_fail,E0373
    /// let pool = spanwise_deque::DequePool::new(2).unwrap();
    /// pool.scope(|s| {
    ///     let short = 1;
    ///     s.spawn(|_| println!("{short}"));
    /// });
    /// ```
    pub fn scope<'env, F, R>(&self, op: F) -> R
    where
        F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> R,
    {
        self.seated(|member| scope::run(member, op))
    }

    /// Runs `op` once on each thread: on the calling one with index 0, on those of the pool with theirs,
    /// 1 and up. Returns the results in order of the indices.
    ///
    /// A thread comes for its share between two jobs, before it looks for others, and all threads
    /// come to several broadcasts in the same order; so the shares of one call may wait for each
    /// other. The call lasts until the busiest thread has come. It must hold nothing that a job in
    /// progress needs: that job's thread would never come.
    ///
    /// Inside of a call of this pool (on a thread of the pool, in a task, in a share, in either half)
    /// other threads may be waiting for this very call. So it waits for nobody who is busy: when the
    /// caller is done with index 0, it runs the shares that no thread has come for as well, and the
    /// call cannot deadlock unless shares wait for each other. No thread ever runs a share while it
    /// waits for something else. A share whose thread was lost to a start hook that panicked, or is
    /// not there in a forked child, runs on the caller.
    ///
    /// # Panics
    ///
    /// With the payload of the lowest index among those that panicked, after all have ended.
    ///
    /// # Cost
    ///
    /// An allocation a thread and a lock, and a wake for each thread that sleeps.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::{collections::HashSet, thread};
    ///
    /// let pool = spanwise_deque::DequePool::new(3)?;
    /// assert_eq!(pool.broadcast(|share| share.index() * 10), [0, 10, 20]);
    ///
    /// let threads: HashSet<_> = pool.broadcast(|_| thread::current().id()).into_iter().collect();
    /// assert_eq!(threads.len(), 3);
    /// # Ok::<(), spanwise_backend::PoolError>(())
    /// ```
    pub fn broadcast<F, R>(&self, op: F) -> Vec<R>
    where
        F: Fn(Share) -> R + Sync,
        R: Send,
    {
        let width = self.width.get();
        let share = |index| op(Share::new(index, width));
        here::with(|here| match here {
            // Other threads may wait for what this one is in.
            Some(member) if self.is_mine(member) => scope::broadcast(member, false, share),
            _ => self.seat_guest(|member| scope::broadcast(member, true, share)),
        })
    }

    /// Runs `op` on this thread's seat, which it takes first if it has none here.
    fn seated<R>(&self, op: impl FnOnce(&Member<'_>) -> R) -> R {
        here::with(|here| match here {
            Some(member) if self.is_mine(member) => op(member),
            _ => self.seat_guest(op),
        })
    }

    #[inline]
    fn is_mine(&self, member: &Member<'_>) -> bool {
        ptr::eq(member.crew, &*self.crew)
    }

    /// Gives the calling thread a guest's seat for the time of `op`.
    #[inline(never)]
    fn seat_guest<R>(&self, op: impl FnOnce(&Member<'_>) -> R) -> R {
        struct Leave<'c>(&'c Seat);

        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                self.0.leave();
            }
        }

        let Some((number, seat)) =
            self.crew.seats.take(here::last_seat(), || self.crew.is_forked())
        else {
            return self.seat_alone(op);
        };
        let _leave = Leave(seat);
        here::remember_seat(number);
        let member = Member::new(&self.crew, number, seat);
        member.ask(here::take_asked());
        here::sit(&member, || op(&member))
    }

    /// Gives the only thread of a forked child a seat that nobody else knows. Its number does not
    /// count: nobody robs it, and nobody wakes it since it never parks.
    #[cold]
    fn seat_alone<R>(&self, op: impl FnOnce(&Member<'_>) -> R) -> R {
        let seat = Box::new(Seat::new());
        let member = Member::new(&self.crew, 0, &seat);
        here::sit(&member, || op(&member))
    }
}

/// A panic in a half leaves nothing in the pool that a later call could see.
impl UnwindSafe for DequePool {}
impl RefUnwindSafe for DequePool {}

impl Backend for DequePool {
    const RUNS_STRANGERS: bool = false;

    fn width(&self) -> NonZeroUsize {
        self.width
    }

    #[inline]
    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        Self::join(self, a, b)
    }

    #[inline]
    fn wants(&self, rest: Duration, age: Duration) -> Option<bool> {
        Some(here::with(|here| match here {
            Some(member) if self.is_mine(member) => member.wants(rest, age),
            _ => {
                let wanted = self.crew.wants(rest, age);
                here::remember_asked(wanted);
                wanted
            }
        }))
    }

    #[inline]
    fn enter<F, R>(&self, op: F) -> R
    where
        F: FnOnce() -> R,
    {
        Self::enter(self, op)
    }
}

impl FromSettings for DequePool {
    fn from_settings(settings: Settings) -> Result<Self, PoolError> {
        let layout = place::layout(&settings)?;
        let width = NonZeroUsize::new(layout.width()).expect("the caller is one");
        let crowded = width > spanwise_topology::usable_threads()
            || layout.is_bound() && width.get() > layout.bound_to().len();
        let crew = Crew::new(layout, settings.spin.unwrap_or(SPIN), crowded);
        // From here on a failure drops the pool, which ends the threads it has.
        let mut pool = Self { crew: Arc::new(crew), width, threads: Vec::new() };
        for index in 1..width.get() {
            pool.threads.push(spawn(&pool.crew, index, &settings)?);
        }
        Ok(pool)
    }
}

fn spawn(
    crew: &Arc<Crew>,
    index: usize,
    settings: &Settings,
) -> Result<thread::JoinHandle<()>, PoolError> {
    let mut builder = thread::Builder::new().name(settings.thread_name(index));
    if let Some(bytes) = settings.stack_size {
        builder = builder.stack_size(bytes);
    }
    let crew = Arc::clone(crew);
    let (on_start, on_exit) = (settings.on_start.clone(), settings.on_exit.clone());
    let work = move || {
        let _lost = Lost(&crew, index);
        // It was tried when the pool was built. A CPU that went offline since costs speed alone.
        let _ = crew.layout.bind(index);
        if let Some(hook) = on_start {
            hook(index);
        }
        let member = Member::new(&crew, index, crew.seats.get(index));
        here::sit(&member, || member.work());
        if let Some(hook) = on_exit {
            hook(index);
        }
    };
    builder.spawn(work).map_err(|source| PoolError::spawn(index, source))
}

/// Tells the others that this thread ends, also when a hook panics.
struct Lost<'c>(&'c Crew, usize);

impl Drop for Lost<'_> {
    fn drop(&mut self) {
        self.0.lose(self.1);
    }
}

impl Drop for DequePool {
    fn drop(&mut self) {
        let threads = mem::take(&mut self.threads);
        if self.crew.is_forked() {
            // None of them is here; their handles would touch memory of dead threads.
            mem::forget(threads);
            return;
        }
        self.crew.close();
        for thread in threads {
            // A pool that is dropped on its own thread cannot wait for that one.
            if thread.thread().id() != thread::current().id() {
                // A hook that panicked has said so; the pool is done either way.
                let _ = thread.join();
            }
        }
    }
}

impl fmt::Debug for DequePool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DequePool").field("width", &self.width).finish_non_exhaustive()
    }
}
