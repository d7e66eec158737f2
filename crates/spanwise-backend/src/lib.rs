//! What a backend of spanwise is: something that can `join`.
//!
//! The crate in the order that data meets it:
//!
//! - [`Backend`]: the contract, one required job;
//! - [`Serial`]: the reference backend, which every other must equal;
//! - [`Builder`], [`Settings`], [`FromSettings`]: how a pool is asked for, the same for every pool;
//! - [`PoolError`]: why a pool could not be had.
//!
//! A crate that brings its own threads to spanwise depends on this crate alone.

mod builder;
mod error;
mod join;
mod serial;

pub use builder::{Builder, FromSettings, Hook, MAX_THREADS, Settings};
pub use error::PoolError;
pub use join::Backend;
pub use serial::Serial;
