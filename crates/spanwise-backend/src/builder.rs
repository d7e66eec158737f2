//! How a pool is asked for. In come a user's wishes, out goes a pool or the reason why not; each
//! pool reads the checked [`Settings`] in its [`FromSettings`].

use std::{fmt, marker::PhantomData, num::NonZeroUsize, sync::Arc, time::Duration};

use crate::PoolError;

/// The most threads a pool may have.
pub const MAX_THREADS: usize = 4096;

/// Called on a worker thread with the worker's index.
pub type Hook = Arc<dyn Fn(usize) + Send + Sync>;

/// Gives the name of the worker thread with this index.
type Namer = Arc<dyn Fn(usize) -> String + Send + Sync>;

/// How many threads a pool has that is not told a number.
///
/// Each counts only what the process may use, by affinity mask and control groups; a quota of less
/// time than there are threads counts as that many, rounded up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// One for each hardware thread.
    Threads,
    /// One for each core.
    Cores,
    /// One for each core that is not made to save power; as `Cores` where all are alike.
    PerformanceCores,
}

/// Where the threads of a pool run. It changes how long a call takes and no result.
///
/// A thread is bound to the hardware threads of one core. The thread that calls is the user's own
/// and is never bound; the first place is left to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pin {
    /// Wherever the system puts them, now here and now there.
    #[default]
    None,
    /// On cores next to each other, fast ones first, so that they share caches.
    Cores,
    /// On cores as far apart as can be, fast ones first, so that each has more cache and memory
    /// bandwidth to itself.
    Spread,
    /// On the cores of the memory node with this number of the system's.
    Node(usize),
}

/// What a pool is to be like, checked. `None` leaves the choice to the pool.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Settings {
    /// Threads that work on one call, the caller included.
    pub threads: Option<NonZeroUsize>,
    /// How many threads to have if `threads` does not say.
    pub width: Option<Width>,
    /// Where the threads of the pool run.
    pub pin: Pin,
    /// Bytes of stack for each thread of the pool.
    pub stack_size: Option<usize>,
    /// How long a thread without work looks around before it sleeps.
    pub spin: Option<Duration>,
    /// Runs on each thread of the pool before its first job.
    pub on_start: Option<Hook>,
    /// Runs on each thread of the pool after its last job.
    pub on_exit: Option<Hook>,
    thread_name: Option<Namer>,
}

impl Settings {
    /// The name of the thread with this index.
    pub fn thread_name(&self, index: usize) -> String {
        self.thread_name.as_ref().map_or_else(|| format!("spanwise-{index}"), |name| name(index))
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("threads", &self.threads)
            .field("width", &self.width)
            .field("pin", &self.pin)
            .field("stack_size", &self.stack_size)
            .field("spin", &self.spin)
            .finish_non_exhaustive()
    }
}

/// A pool that can be built from [`Settings`].
pub trait FromSettings: Sized {
    /// Builds the pool.
    ///
    /// # Errors
    ///
    /// If threads cannot be had; none is left behind.
    fn from_settings(settings: Settings) -> Result<Self, PoolError>;
}

/// Settings for a pool of type `P`, chosen one by one and then built.
///
/// # Examples
///
/// ```
/// use spanwise_backend::Serial;
///
/// let pool = Serial::builder().threads(8).thread_name(|i| format!("worker-{i}")).build()?;
/// # Ok::<(), spanwise_backend::PoolError>(())
/// ```
#[must_use = "a builder does nothing until `build`"]
pub struct Builder<P> {
    settings: Settings,
    threads: Option<usize>,
    pool: PhantomData<fn() -> P>,
}

impl<P> fmt::Debug for Builder<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Builder").field(&self.settings).finish()
    }
}

impl<P: FromSettings> Builder<P> {
    /// Nothing chosen yet.
    #[expect(clippy::new_without_default, reason = "a builder comes from a pool's `builder()`")]
    pub fn new() -> Self {
        Self { settings: Settings::default(), threads: None, pool: PhantomData }
    }

    /// Threads that work on one call, the caller included. Default: as [`width`](Self::width) says.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// How many threads there are if [`threads`](Self::threads) does not say. Default: what this
    /// process may use, one for each hardware thread, or for each core if they are pinned.
    pub fn width(mut self, width: Width) -> Self {
        self.settings.width = Some(width);
        self
    }

    /// Where the threads of the pool run. Default: wherever the system puts them.
    ///
    /// A pool that cannot pin its threads as asked is not built: on Linux where the system refuses, or
    /// where nothing in the node may be used; elsewhere always. A pool of one has no threads to pin.
    /// rayon-core's threads are pinned too, but rob each other in its own order.
    pub fn pin(mut self, pin: Pin) -> Self {
        self.settings.pin = pin;
        self
    }

    /// Names each thread by its index. Default: `spanwise-{index}`.
    pub fn thread_name(mut self, name: impl Fn(usize) -> String + Send + Sync + 'static) -> Self {
        self.settings.thread_name = Some(Arc::new(name));
        self
    }

    /// Bytes of stack for each thread. Default: std's.
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.settings.stack_size = Some(bytes);
        self
    }

    /// How long a thread without work looks around before it sleeps. Default: the pool's choice.
    pub fn spin(mut self, spin: Duration) -> Self {
        self.settings.spin = Some(spin);
        self
    }

    /// Called with its index on each thread of the pool before its first job.
    pub fn on_start(mut self, hook: impl Fn(usize) + Send + Sync + 'static) -> Self {
        self.settings.on_start = Some(Arc::new(hook));
        self
    }

    /// Called with its index on each thread of the pool after its last job.
    pub fn on_exit(mut self, hook: impl Fn(usize) + Send + Sync + 'static) -> Self {
        self.settings.on_exit = Some(Arc::new(hook));
        self
    }

    /// Builds the pool.
    ///
    /// # Errors
    ///
    /// If the number of threads is 0 or above [`MAX_THREADS`], if the system refuses a
    /// thread, or if threads cannot be pinned as asked.
    pub fn build(self) -> Result<P, PoolError> {
        let mut settings = self.settings;
        if let Some(threads) = self.threads {
            if threads > MAX_THREADS {
                return Err(PoolError::too_many_threads(threads, MAX_THREADS));
            }
            settings.threads = Some(NonZeroUsize::new(threads).ok_or_else(PoolError::no_threads)?);
        }
        P::from_settings(settings)
    }
}
