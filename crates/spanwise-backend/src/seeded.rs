//! A backend for tests. In come two halves, out go their results; which of them runs first, and how
//! they take turns where they run at once, a seed decides, so that a failure comes again.

use std::{
    collections::HashMap,
    env,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread::{self, ThreadId},
};

use crate::{
    Backend, discard,
    turns::{Dice, Far, Turns},
};

/// The backend whose schedule a seed decides, for tests of code that runs on any backend.
///
/// At each join the seed decides whether the far half runs before the near one, after it, or on a
/// thread of its own. The threads of a call take turns: one runs, the others wait, and at every join
/// and every [`pause`](Self::pause) the seed decides who runs next, so a half may be delayed as long
/// as others can run. The same seed gives the same schedule, hence the same failure; a pool that is
/// dropped by a panic prints its seed. Chains are cut at once on it, however cheap their rows are.
///
/// Halves that block on each other, by a lock say, do not hang: after 50 ms somebody else takes the
/// turn, and the schedule is no longer the seed's alone.
///
/// # Cost
///
/// A thread is started for half of the joins. For tests only.
///
/// # Examples
///
/// A closure that looks right, with a race that few runs of a pool would show:
///
/// ```
/// use spanwise_backend::{Backend, Seeded};
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// fn count_to_two(pool: &Seeded) -> u32 {
///     let count = AtomicU32::new(0);
///     let add = || {
///         let seen = count.load(Relaxed);
///         pool.pause();
///         count.store(seen + 1, Relaxed);
///     };
///     pool.join(add, add);
///     count.into_inner()
/// }
///
/// let lost = (0..100).find(|&seed| count_to_two(&Seeded::new(seed, 2)) == 1);
/// let seed = lost.expect("one of the schedules shows it");
/// // And it does so every time.
/// assert_eq!(count_to_two(&Seeded::new(seed, 2)), 1);
/// ```
#[derive(Debug)]
pub struct Seeded {
    seed: u64,
    width: NonZeroUsize,
    /// Calls so far.
    calls: AtomicU64,
    /// Which thread is which in what call.
    cast: Mutex<HashMap<ThreadId, Role>>,
}

#[derive(Clone, Debug)]
struct Role {
    turns: Arc<Turns>,
    number: usize,
}

impl Seeded {
    /// The schedule of this seed, on at most `width` threads.
    ///
    /// # Panics
    ///
    /// If `width` is 0.
    pub fn new(seed: u64, width: usize) -> Self {
        Self {
            seed,
            width: NonZeroUsize::new(width).expect("a backend of no width"),
            calls: AtomicU64::new(0),
            cast: Mutex::new(HashMap::new()),
        }
    }

    /// Runs `test` under the schedule of each seed, one after another, each on a new backend; or of
    /// the one seed that the variable `SPANWISE_SEED` names.
    ///
    /// # Panics
    ///
    /// As `test` does, and then prints the seed.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise_backend::{Backend, Seeded};
    ///
    /// Seeded::each(0..100, 3, |pool| {
    ///     let (left, right) = pool.join(|| "left", || pool.join(|| "middle", || "right"));
    ///     assert_eq!((left, right), ("left", ("middle", "right")));
    /// });
    /// ```
    pub fn each(seeds: impl IntoIterator<Item = u64>, width: usize, test: impl Fn(&Self)) {
        match env::var("SPANWISE_SEED") {
            Err(_) => seeds.into_iter().for_each(|seed| test(&Self::new(seed, width))),
            Ok(seed) => test(&Self::new(seed.parse().expect("SPANWISE_SEED is a number"), width)),
        }
    }

    /// The seed that decides.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Lets the other threads of this call run before this one goes on, if the seed says so. Closures
    /// call it where a race may lie; outside of a call it does nothing.
    pub fn pause(&self) {
        if let Some(Role { turns, number }) = self.role() {
            turns.pause(number);
        }
    }

    fn role(&self) -> Option<Role> {
        self.cast().get(&thread::current().id()).cloned()
    }

    fn cast(&self) -> MutexGuard<'_, HashMap<ThreadId, Role>> {
        self.cast.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `op` in the role that this thread has, or in the first of a new call.
    fn play<R>(&self, op: impl FnOnce(&Role) -> R) -> R {
        if let Some(role) = self.role() {
            return op(&role);
        }
        // Relaxed: a count.
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let seed = Dice::new(self.seed).roll(usize::MAX) as u64 ^ call;
        let role = Role { turns: Arc::new(Turns::new(seed)), number: 0 };
        let _part = self.take(role.clone());
        op(&role)
    }

    /// Gives this thread a role, for as long as the guard is there.
    fn take(&self, role: Role) -> Part<'_> {
        self.cast().insert(thread::current().id(), role);
        Part(self)
    }

    fn apart<A, B, RA, RB>(&self, role: &Role, far: usize, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA,
        B: FnOnce() -> RB + Send,
        RB: Send,
    {
        let Role { turns, number } = role;
        // What the thread takes, so that it stays here if there can be no thread.
        let half = Mutex::new(Some(b));
        let run = || {
            let b = half.lock().unwrap_or_else(PoisonError::into_inner).take();
            let b = b.expect("it is taken once");
            catch_unwind(AssertUnwindSafe(b))
        };
        let (near, far) = thread::scope(|scope| {
            let thread = thread::Builder::new().spawn_scoped(scope, || {
                let part = self.take(Role { turns: Arc::clone(turns), number: far });
                turns.begin(far);
                let outcome = run();
                drop(part);
                turns.end(far);
                outcome
            });
            turns.pause(*number);
            let near = catch_unwind(AssertUnwindSafe(a));
            let Ok(thread) = thread else {
                let outcome = run();
                turns.end(far);
                turns.wait_for(far, *number);
                return (near, outcome);
            };
            turns.wait_for(far, *number);
            (near, thread.join().expect("its panic is caught"))
        });
        match (near, far) {
            (Ok(near), Ok(far)) => (near, far),
            (Ok(near), Err(payload)) => {
                drop(near);
                resume_unwind(payload)
            }
            (Err(payload), far) => {
                discard(far);
                resume_unwind(payload)
            }
        }
    }
}

/// A thread's role; it ends with this.
struct Part<'a>(&'a Seeded);

impl Drop for Part<'_> {
    fn drop(&mut self) {
        self.0.cast().remove(&thread::current().id());
    }
}

impl Drop for Seeded {
    fn drop(&mut self) {
        if thread::panicking() {
            let Self { seed, width, .. } = self;
            eprintln!("the schedule was that of Seeded::new({seed}, {width})");
        }
    }
}

impl Backend for Seeded {
    const RUNS_STRANGERS: bool = false;

    fn width(&self) -> NonZeroUsize {
        self.width
    }

    fn cuts_at_once(&self) -> bool {
        true
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        self.play(|role| {
            role.turns.pause(role.number);
            let results = match role.turns.choose(self.width.get()) {
                Far::Last => (a(), b()),
                Far::First => {
                    let far = catch_unwind(AssertUnwindSafe(b));
                    let near = match catch_unwind(AssertUnwindSafe(a)) {
                        Ok(near) => near,
                        Err(payload) => {
                            discard(far);
                            resume_unwind(payload)
                        }
                    };
                    (near, far.unwrap_or_else(|payload| resume_unwind(payload)))
                }
                Far::Apart(far) => self.apart(role, far, a, b),
            };
            role.turns.pause(role.number);
            results
        })
    }

    fn enter<F, R>(&self, op: F) -> R
    where
        F: FnOnce() -> R,
    {
        self.play(|_| op())
    }
}
