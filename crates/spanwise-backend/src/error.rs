//! Why a pool could not be had. Pools make it, users read it.

use std::{error::Error, fmt, io};

/// Why a pool could not be built. No thread is left behind.
#[derive(Debug)]
pub struct PoolError(Kind);

#[derive(Debug)]
enum Kind {
    NoThreads,
    TooManyThreads { asked: usize, most: usize },
    BadVariable { name: &'static str, value: String },
    Spawn { index: usize, source: io::Error },
    Pin(Box<dyn Error + Send + Sync>),
    Other(Box<dyn Error + Send + Sync>),
}

impl PoolError {
    /// A pool of no threads was asked for.
    pub fn no_threads() -> Self {
        Self(Kind::NoThreads)
    }

    /// More threads were asked for than a pool may have.
    pub fn too_many_threads(asked: usize, most: usize) -> Self {
        Self(Kind::TooManyThreads { asked, most })
    }

    /// An environment variable does not hold a number of threads.
    pub fn bad_variable(name: &'static str, value: String) -> Self {
        Self(Kind::BadVariable { name, value })
    }

    /// The system refused to start the thread of this index.
    pub fn spawn(index: usize, source: io::Error) -> Self {
        Self(Kind::Spawn { index, source })
    }

    /// Threads cannot be pinned as asked, for the reason given.
    pub fn pin(source: impl Error + Send + Sync + 'static) -> Self {
        Self(Kind::Pin(Box::new(source)))
    }

    /// A foreign pool could not be built, for the reason it gives.
    pub fn other(source: impl Error + Send + Sync + 'static) -> Self {
        Self(Kind::Other(Box::new(source)))
    }
}

impl fmt::Display for PoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::NoThreads => f.write_str("a pool needs at least one thread"),
            Kind::TooManyThreads { asked, most } => {
                write!(f, "a pool of {asked} threads was asked for, at most {most} are possible")
            }
            Kind::BadVariable { name, value } => {
                write!(f, "{name} must be a number of threads, 1 or more, and is {value:?}")
            }
            Kind::Spawn { index, source } => {
                write!(f, "the system refused to start thread {index}: {source}")
            }
            Kind::Pin(source) => write!(f, "threads cannot be pinned as asked: {source}"),
            Kind::Other(source) => write!(f, "the pool could not be built: {source}"),
        }
    }
}

impl Error for PoolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.0 {
            Kind::Spawn { source, .. } => Some(source),
            Kind::Pin(source) | Kind::Other(source) => Some(source.as_ref()),
            _ => None,
        }
    }
}
