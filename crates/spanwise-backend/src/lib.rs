//! What a backend of spanwise is: something that can `join`.
//!
//! The crate in the order that data meets it:
//!
//! - [`PoolError`]: why a pool could not be had;
//! - [`Builder`], [`Settings`], [`Width`], [`Pin`], [`FromSettings`]: how a pool is asked for, the same for every pool;
//! - [`Backend`]: the contract, one required job;
//! - [`discard`], [`FirstPanic`]: what becomes of panics that do not come out;
//! - [`SerialScope`], [`Share`]: tasks without threads, and what a broadcast tells its calls;
//! - [`Serial`]: the reference backend, which every other must equal;
//! - [`Seeded`]: a backend whose schedule a seed decides, for tests that replay.
//!
//! A crate that brings its own threads to spanwise depends on this crate alone.

mod error;
mod builder;
mod join;
mod panics;
mod scope;
mod serial;
mod turns;
mod seeded;

pub use builder::{Builder, FromSettings, Hook, MAX_THREADS, Pin, Settings, Width};
pub use error::PoolError;
pub use join::Backend;
pub use panics::{FirstPanic, discard};
pub use scope::{SerialScope, Share};
pub use seeded::Seeded;
pub use serial::Serial;
