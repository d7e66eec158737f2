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

//! Behind one of these, `enumerate` and its kin are no sources either:
//!
//! ```compile_fail,E0277
//! use spanwise::prelude::*;
//!
//! let pool = spanwise::Pool::new(2)?;
//! // error: `Enumerate<Map<…>>` has a serial adapter in it behind which a parallel chain cannot begin
//! let n = [3, 1, 4].iter().map(|x| x * 2).enumerate().par(&pool).count();
//! # Ok::<(), spanwise::PoolError>(())
//! ```

use std::{env, fs, io, iter, str, sync::mpsc};

use crate::{
    chain::Par,
    jumps::{Inner, Opens},
};

/// What such an iterator would be as an input, which it is not: the error of
/// [`Input`](crate::input::Input) says so.
#[derive(Debug)]
pub struct TooLate<I>(I);

/// The kind of these adapters.
#[derive(Debug)]
pub enum Late {}

impl<I> Opens<I> for Late {
    type Input = TooLate<I>;

    fn open(iter: I) -> TooLate<I> {
        TooLate(iter)
    }
}

macro_rules! late {
    ($([$($generics:tt)*] $iter:ty;)*) => {$(
        impl<$($generics)*> Par for $iter {}

        impl<$($generics)*> Inner for $iter
        where
            Self: Iterator,
        {
            type Kind = Late;
        }
    )*};
}

late! {
    [I, J] iter::Chain<I, J>;
    [I, F] iter::Filter<I, F>;
    [I, F] iter::FilterMap<I, F>;
    [I, F] iter::Inspect<I, F>;
    [I, F] iter::Map<I, F>;
    [I, F] iter::MapWhile<I, F>;
    [I, F] iter::SkipWhile<I, F>;
    [I, F] iter::TakeWhile<I, F>;
    [I, J] iter::Zip<I, J>;
    [I, S, F] iter::Scan<I, S, F>;
    [I, R: IntoIterator, F] iter::FlatMap<I, R, F>;
    [I: Iterator<Item: IntoIterator>] iter::Flatten<I>;
    [I: Iterator] iter::Peekable<I>;
    [I] iter::Cloned<I>;
    [I] iter::Cycle<I>;
    [I] iter::Fuse<I>;
}

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
