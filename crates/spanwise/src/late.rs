//! `.par` in the wrong place. In come std's serial adapters, out comes nothing but an error that says
//! where `.par` belongs: without these impls the method would not exist there, and rustc would list
//! bounds instead of the message on [`Source`](crate::source::Source).
//!
//! ```compile_fail,E0277
//! use spanwise::prelude::*;
//!
//! let pool = spanwise::Pool::new(2)?;
//! // error: `Map<…>` is no source of rows that a parallel chain can cut
//! let n = [3, 1, 4].iter().map(|x| x * 2).par(&pool).max();
//! # Ok::<(), spanwise::PoolError>(())
//! ```
//!
//! ```
//! # use spanwise::prelude::*;
//! # let pool = spanwise::Pool::new(2)?;
//! let n = [3, 1, 4].iter().par(&pool).map(|x| x * 2).max();
//! # Ok::<(), spanwise::PoolError>(())
//! ```

use std::iter;

use crate::chain::Par;

impl<I, F> Par for iter::Chain<I, F> {}
impl<I, F> Par for iter::Filter<I, F> {}
impl<I, F> Par for iter::FilterMap<I, F> {}
impl<I, F> Par for iter::Inspect<I, F> {}
impl<I, F> Par for iter::Map<I, F> {}
impl<I, F> Par for iter::MapWhile<I, F> {}
impl<I, F> Par for iter::SkipWhile<I, F> {}
impl<I, F> Par for iter::TakeWhile<I, F> {}
impl<I, F> Par for iter::Zip<I, F> {}
impl<I, S, F> Par for iter::Scan<I, S, F> {}
impl<I, R: IntoIterator, F> Par for iter::FlatMap<I, R, F> {}
impl<I: Iterator<Item: IntoIterator>> Par for iter::Flatten<I> {}
impl<I: Iterator> Par for iter::Peekable<I> {}
impl<I> Par for iter::Cloned<I> {}
impl<I> Par for iter::Cycle<I> {}
impl<I> Par for iter::Fuse<I> {}
