//! The pool that programs use without choosing: the cargo features choose.

use std::{env, sync::OnceLock};

use spanwise_backend::PoolError;

/// The pool of this build: the deque pool with the feature `deque`, else the rayon-core pool with
/// `rayon`, else [`Serial`](spanwise_backend::Serial).
#[cfg(feature = "deque")]
pub type Pool = spanwise_deque::DequePool;

/// The pool of this build: the deque pool with the feature `deque`, else the rayon-core pool with
/// `rayon`, else [`Serial`](spanwise_backend::Serial).
#[cfg(all(feature = "rayon", not(feature = "deque")))]
pub type Pool = spanwise_rayon::RayonPool;

/// The pool of this build: the deque pool with the feature `deque`, else the rayon-core pool with
/// `rayon`, else [`Serial`](spanwise_backend::Serial).
#[cfg(not(any(feature = "deque", feature = "rayon")))]
pub type Pool = spanwise_backend::Serial;

/// The variable that sets the width of [`default_pool`].
const THREADS: &str = "SPANWISE_THREADS";

/// The shared pool, made at the first call and kept for the life of the program.
///
/// It has as many threads as this process may use, or as many as the variable `SPANWISE_THREADS`
/// says.
///
/// # Panics
///
/// If the variable is not a number of threads that a pool may have, or if the system refuses them.
///
/// # Examples
///
/// ```
/// use spanwise::prelude::*;
///
/// assert_eq!((0..1000).par(spanwise::default_pool()).map(|x| x % 7).max(), Some(6));
/// ```
pub fn default_pool() -> &'static Pool {
    static POOL: OnceLock<Pool> = OnceLock::new();
    POOL.get_or_init(|| match build(env::var_os(THREADS)) {
        Ok(pool) => pool,
        Err(error) => panic!("no default pool: {error}"),
    })
}

fn build(threads: Option<std::ffi::OsString>) -> Result<Pool, PoolError> {
    let mut builder = Pool::builder();
    if let Some(value) = threads {
        let value = value.to_string_lossy();
        let threads = value
            .trim()
            .parse()
            .map_err(|_| PoolError::bad_variable(THREADS, value.into_owned()))?;
        builder = builder.threads(threads);
    }
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(value: &str) -> String {
        build(Some(value.into())).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn the_variable_is_read_or_refused() {
        assert!(build(None).is_ok());
        let pool = build(Some(" 3 ".into())).unwrap();
        assert_eq!(
            pool.width().get(),
            if cfg!(any(feature = "deque", feature = "rayon")) { 3 } else { 1 }
        );
        assert_eq!(message("0"), "a pool needs at least one thread");
        assert!(message("many").contains("SPANWISE_THREADS"));
        assert!(message("").contains("SPANWISE_THREADS"));
        assert!(message("-1").contains("\"-1\""));
        assert!(message("1000000").contains("at most"));
    }
}
