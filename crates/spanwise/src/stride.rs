//! Neighbouring rows as one: `step_by` and `chunks`. In comes a chain with an index, out comes one
//! whose rows are runs of so many rows of the first; cuts fall between the runs.

use crate::{
    chain::Chain,
    control::{Control, Stopped},
    indexed::Indexed,
    input::Input,
    leaf::{BackLeaf, Leaf},
    sealed::Sealed,
    span::Span,
};

// The bounds stand on each method: on the block, rustc would not show their message.
impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// Takes the first item and then every `step`th.
    ///
    /// Items come in input order, and adapters before this one see the items that are passed over, as
    /// in std.
    ///
    /// # Panics
    ///
    /// If `step` is 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert_eq!((0..10).par(&pool).step_by(4).collect::<Vec<_>>(), [0, 4, 8]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn step_by(self, step: usize) -> Chain<StrideInput<I>, StepBy<L>, C>
    where
        I: Input<Length: Indexed>,
        L: Leaf<I::Span, Count: Indexed>,
    {
        assert!(step != 0, "a step of 0 items");
        self.with(|input| StrideInput { input, stride: step }, StepBy)
    }

    /// Gathers each `n` neighbours into a `Vec`; the last one may be shorter.
    ///
    /// Items and vectors come in input order. Each vector is one allocation, made by the thread that
    /// runs its rows; to go over slices without any, begin with `slice.chunks(n).par(&pool)`.
    ///
    /// # Panics
    ///
    /// If `n` is 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let pairs: Vec<Vec<u32>> = (0..5).par(&pool).map(|x| x * x).chunks(2).collect();
    /// assert_eq!(pairs, [vec![0, 1], vec![4, 9], vec![16]]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn chunks(self, n: usize) -> Chain<StrideInput<I>, Chunks<L>, C>
    where
        I: Input<Length: Indexed>,
        L: Leaf<I::Span, Count: Indexed>,
    {
        assert!(n != 0, "chunks of 0 items");
        self.with(|input| StrideInput { input, stride: n }, Chunks)
    }
}

/// An input whose rows are taken so many at a time.
#[derive(Clone, Debug)]
pub struct StrideInput<I> {
    input: I,
    stride: usize,
}

impl<I: Input> Input for StrideInput<I> {
    type Span = Strides<I::Span>;
    type Length = I::Length;

    #[inline]
    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped> {
        Ok(Strides { span: self.input.open(control)?, stride: self.stride })
    }
}

/// A span whose rows are runs of so many rows; the last run may be shorter.
#[derive(Clone, Debug)]
pub struct Strides<S> {
    span: S,
    stride: usize,
}

impl<S: Span> Span for Strides<S> {
    fn is_counted(&self) -> bool {
        self.span.is_counted()
    }

    /// Of a span that is not counted the runs are not either.
    fn len(&self) -> usize {
        if self.span.is_counted() { self.span.len().div_ceil(self.stride) } else { usize::MAX }
    }

    fn cut(self, at: usize) -> (Self, Self) {
        assert!(at <= self.len(), "a cut at {at} is outside the span");
        let Self { span, stride } = self;
        // Only the end of a last run that is shorter lies before a multiple of the stride.
        let border = at.saturating_mul(stride);
        assert!(
            border < usize::MAX || span.is_counted(),
            "steps or chunks behind the first usize::MAX rows of a range"
        );
        let border = border.min(span.len());
        let (front, back) = span.cut(border);
        (Self { span: front, stride }, Self { span: back, stride })
    }
}

/// A leaf of which every so manyth item is taken.
#[derive(Clone, Debug)]
pub struct StepBy<L>(L);

impl<L> Sealed for StepBy<L> {}

impl<S: Span, L: Leaf<S>> Leaf<Strides<S>> for StepBy<L> {
    type Item = L::Item;
    type Count = L::Count;

    #[inline]
    fn iter(&self, part: Strides<S>) -> impl Iterator<Item = L::Item> {
        self.0.iter(part.span).step_by(part.stride)
    }
}

impl<S: Span, L: BackLeaf<S>> BackLeaf<Strides<S>> for StepBy<L> {
    #[inline]
    fn iter_back(&self, part: Strides<S>) -> impl Iterator<Item = L::Item> {
        let behind_last = part.span.len().saturating_sub(1) % part.stride;
        self.0.iter_back(part.span).skip(behind_last).step_by(part.stride)
    }
}

/// A leaf whose items come in vectors.
#[derive(Clone, Debug)]
pub struct Chunks<L>(L);

impl<L> Sealed for Chunks<L> {}

impl<S: Span, L: Leaf<S>> Leaf<Strides<S>> for Chunks<L> {
    type Item = Vec<L::Item>;
    type Count = L::Count;

    #[inline]
    fn iter(&self, part: Strides<S>) -> impl Iterator<Item = Vec<L::Item>> {
        let chunks = part.len();
        let mut left = part.span.len();
        let mut items = self.0.iter(part.span);
        (0..chunks).map(move |_| {
            let rows = left.min(part.stride);
            left -= rows;
            chunk(&mut items, rows, left == 0)
        })
    }
}

impl<S: Span, L: BackLeaf<S>> BackLeaf<Strides<S>> for Chunks<L> {
    #[inline]
    fn iter_back(&self, part: Strides<S>) -> impl Iterator<Item = Vec<L::Item>> {
        let chunks = part.len();
        let mut left = part.span.len();
        let mut items = self.0.iter_back(part.span);
        (0..chunks).map(move |_| {
            let rows = (left - 1) % part.stride + 1;
            left -= rows;
            let mut chunk = chunk(&mut items, rows, left == 0);
            chunk.reverse();
            chunk
        })
    }
}

/// The next `rows` items, for which exactly as much room is made.
///
/// # Panics
///
/// If there are fewer, or more behind the last ones.
fn chunk<T>(items: &mut impl Iterator<Item = T>, rows: usize, last: bool) -> Vec<T> {
    let mut chunk = Vec::with_capacity(rows);
    chunk.extend(items.take(rows));
    assert!(chunk.len() == rows, "a chunk of {rows} rows gave {}", chunk.len());
    assert!(!last || items.next().is_none(), "a last chunk of {rows} rows gave more");
    chunk
}
