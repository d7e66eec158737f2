//! `.par` in the wrong place. In come std's serial adapters and iterators that only `par_bridge` and the
//! chains of texts can take, out comes nothing but an error that says
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

use std::{env, fs, io, iter, str, sync::mpsc};

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

impl<F> Par for iter::FromFn<F> {}
impl<T> Par for iter::Repeat<T> {}
impl<F> Par for iter::RepeatWith<F> {}
impl<T, F> Par for iter::Successors<T, F> {}

impl Par for str::Lines<'_> {}
impl Par for str::SplitWhitespace<'_> {}
impl Par for str::SplitAsciiWhitespace<'_> {}
impl Par for str::EncodeUtf16<'_> {}

impl Par for env::Args {}
impl Par for fs::ReadDir {}
impl<R> Par for io::Lines<R> {}
impl<R> Par for io::Bytes<R> {}
impl<T> Par for mpsc::IntoIter<T> {}
impl<T> Par for mpsc::Iter<'_, T> {}
impl<T> Par for mpsc::TryIter<'_, T> {}
