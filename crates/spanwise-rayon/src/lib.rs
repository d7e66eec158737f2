//! The rayon-core backend of spanwise, over a private thread pool or over one of yours.
//!
//! - `handoff`: a half of a caller from outside, which a thread may take or the caller take back;
//! - `place`: how many threads there are, and on which cores;
//! - [`RayonPool`]: the pool; `join` from its own threads is rayon's, `join` from outside keeps the
//!   caller at work.
//!
//! rayon-core itself decides what its threads do while they wait: such a thread may run any job of
//! the same pool, so code that holds a lock across a call should prefer the deque pool. A caller
//! from outside never runs a stranger's job.

mod handoff;
mod place;
mod pool;

pub use pool::{RayonPool, Scope};
