//! Chunks of a slice that are written to. In come std's `ChunksMut` and its kin, which hide the slice,
//! out go parts of their pieces, cut by arithmetic; a part is its own iterator.
//!
//! U-pieces. For each of the `len` pieces of a part, std's iterator has made a `&'a mut [T]` of just this
//! place and length, its provenance was exposed, and nothing but this part knows it any more: a cut
//! gives each piece to one side, `next` and `next_back` give one piece out and shrink the part past it.

#![allow(unsafe_code)]

use std::{iter::FusedIterator, marker::PhantomData, ptr, slice};

use crate::{source::Source, span::Span};

/// Pieces of a slice that are written to, from `chunks_mut` and its kin: cut in constant time, and made
/// again where they lie, so nothing is gathered.
///
/// They lie side by side, upwards or, if `DOWN`, downwards. All have `size` rows but the last, which
/// has `tail`; if `EXACT` it has `size` too, so that loops over pieces know it beforehand.
///
/// # Examples
///
/// ```
/// use spanwise::prelude::*;
///
/// let pool = spanwise::Pool::new(2)?;
/// let (mut sums, rows) = ([0; 3], [1, 2, 3, 4, 5, 6]);
/// let pairs = sums.chunks_mut(1).par(&pool).zip(rows.chunks(2));
/// pairs.for_each(|(sum, row)| sum[0] = row.iter().sum());
/// assert_eq!(sums, [3, 7, 11]);
/// # Ok::<(), spanwise::PoolError>(())
/// ```
#[derive(Debug)]
pub struct Pieces<'a, T, const DOWN: bool, const EXACT: bool> {
    /// The address where the first piece begins, or ends if `DOWN`.
    at: usize,
    len: usize,
    size: usize,
    tail: usize,
    rows: PhantomData<&'a mut [T]>,
}

impl<'a, T, const DOWN: bool, const EXACT: bool> Pieces<'a, T, DOWN, EXACT> {
    /// Only for the iterators of std below, whose pieces lie as this type says.
    fn new<I>(mut pieces: I) -> Self
    where
        I: DoubleEndedIterator<Item = &'a mut [T]> + ExactSizeIterator,
    {
        let len = pieces.len();
        let first = pieces.next().unwrap_or_default();
        let size = first.len();
        let begin = first.as_mut_ptr().expose_provenance();
        let at = if DOWN { begin + size_of_val(first) } else { begin };
        let tail = pieces.next_back().map_or(size, |last| {
            last.as_mut_ptr().expose_provenance();
            last.len()
        });
        // Every piece is taken from std, so that each may be made again from its address. To expose
        // is no instruction and the loop is counted, so in release builds nothing is left of it.
        for _ in 2..len {
            let piece = pieces.next().unwrap_or_default();
            debug_assert_eq!(piece.len(), size);
            piece.as_mut_ptr().expose_provenance();
        }
        Self { at, len, size, tail, rows: PhantomData }
    }

    /// The rows of the last piece.
    #[inline]
    fn tail(&self) -> usize {
        if EXACT { self.size } else { self.tail }
    }

    /// `at` moved forward by `rows` rows.
    #[inline]
    fn behind(&self, rows: usize) -> usize {
        let bytes = rows * size_of::<T>();
        if DOWN { self.at - bytes } else { self.at + bytes }
    }

    /// The piece of `rows` rows that is `before` rows behind `at`. It must be one of U-pieces.
    #[inline]
    fn piece(&self, before: usize, rows: usize) -> &'a mut [T] {
        let begin = self.behind(if DOWN { before + rows } else { before });
        let begin = ptr::with_exposed_provenance_mut(begin);
        // SAFETY: U-pieces: std had made this very slice, and the caller shrinks the part past it.
        unsafe { slice::from_raw_parts_mut(begin, rows) }
    }
}

impl<T: Send, const DOWN: bool, const EXACT: bool> Span for Pieces<'_, T, DOWN, EXACT> {
    fn len(&self) -> usize {
        self.len
    }

    fn cut(self, at: usize) -> (Self, Self) {
        assert!(at <= self.len, "a cut at {at} is outside the pieces");
        // A front that has the last piece has all of them, and then nothing lies behind it.
        let rest = self.len - at;
        let border = if rest == 0 { self.at } else { self.behind(at * self.size) };
        let tail = if rest == 0 { self.tail } else { self.size };
        (Self { len: at, tail, ..self }, Self { at: border, len: rest, ..self })
    }
}

impl<'a, T, const DOWN: bool, const EXACT: bool> Iterator for Pieces<'a, T, DOWN, EXACT> {
    type Item = &'a mut [T];

    #[inline]
    fn next(&mut self) -> Option<&'a mut [T]> {
        self.len = self.len.checked_sub(1)?;
        let rows = if self.len == 0 { self.tail() } else { self.size };
        let piece = self.piece(0, rows);
        self.at = self.behind(rows);
        Some(piece)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len, Some(self.len))
    }
}

impl<'a, T, const DOWN: bool, const EXACT: bool> DoubleEndedIterator
    for Pieces<'a, T, DOWN, EXACT>
{
    #[inline]
    fn next_back(&mut self) -> Option<&'a mut [T]> {
        self.len = self.len.checked_sub(1)?;
        let piece = self.piece(self.len * self.size, self.tail());
        self.tail = self.size;
        Some(piece)
    }
}

impl<T, const DOWN: bool, const EXACT: bool> ExactSizeIterator for Pieces<'_, T, DOWN, EXACT> {}
impl<T, const DOWN: bool, const EXACT: bool> FusedIterator for Pieces<'_, T, DOWN, EXACT> {}

/// Cut in place.
impl<'a, T> Source for slice::ChunksMut<'a, T> {
    type Input = Pieces<'a, T, false, false>;

    fn into_input(self) -> Self::Input {
        Pieces::new(self)
    }
}

/// Cut in place. The rows that fill no chunk are left alone, as in std.
impl<'a, T> Source for slice::ChunksExactMut<'a, T> {
    type Input = Pieces<'a, T, false, true>;

    fn into_input(self) -> Self::Input {
        Pieces::new(self)
    }
}

/// Cut in place.
impl<'a, T> Source for slice::RChunksMut<'a, T> {
    type Input = Pieces<'a, T, true, false>;

    fn into_input(self) -> Self::Input {
        Pieces::new(self)
    }
}

/// Cut in place. The rows that fill no chunk are left alone, as in std.
impl<'a, T> Source for slice::RChunksExactMut<'a, T> {
    type Input = Pieces<'a, T, true, true>;

    fn into_input(self) -> Self::Input {
        Pieces::new(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each piece by its address and length, from both ends, wherever the part is cut.
    fn is_std<'a, T: 'a, S, I>(rows: &'a mut [T], pieces: impl Fn(&'a mut [T]) -> I, by_std: S)
    where
        S: Fn(&[T]) -> Vec<(*const T, usize)>,
        I: Source<Input: Span + DoubleEndedIterator<Item = &'a mut [T]>>,
    {
        // The slice is lent once more for each cut, one after another.
        let (base, len) = (rows.as_mut_ptr(), rows.len());
        let again = || {
            // SAFETY: U-pieces: what was made of the slice before is gone.
            unsafe { slice::from_raw_parts_mut(base, len) }
        };
        let expected = by_std(again());
        for at in 0..=expected.len() {
            let (front, back) = pieces(again()).into_input().cut(at);
            assert_eq!((Span::len(&front), Span::len(&back)), (at, expected.len() - at));
            let place = |piece: &'a mut [T]| (piece.as_ptr(), piece.len());
            let mut seen: Vec<_> = front.map(place).collect();
            seen.extend(back.rev().map(place).collect::<Vec<_>>().into_iter().rev());
            assert_eq!(seen, expected, "{len} rows, cut at {at}");
        }
    }

    fn places<'a, T: 'a>(pieces: impl Iterator<Item = &'a [T]>) -> Vec<(*const T, usize)> {
        pieces.map(|piece| (piece.as_ptr(), piece.len())).collect()
    }

    fn all_kinds<T: Clone + Default + Send>() {
        for n in 0..12 {
            let mut rows = vec![T::default(); n];
            for k in 1..5 {
                is_std(&mut rows, |rows| rows.chunks_mut(k), |rows| places(rows.chunks(k)));
                is_std(&mut rows, |rows| rows.rchunks_mut(k), |rows| places(rows.rchunks(k)));
                is_std(
                    &mut rows,
                    |rows| rows.chunks_exact_mut(k),
                    |rows| places(rows.chunks_exact(k)),
                );
                is_std(
                    &mut rows,
                    |rows| rows.rchunks_exact_mut(k),
                    |rows| places(rows.rchunks_exact(k)),
                );
            }
        }
    }

    #[test]
    fn pieces_are_stds_wherever_they_are_cut() {
        all_kinds::<u32>();
        all_kinds::<String>();
        all_kinds::<()>();
    }

    #[test]
    fn an_iterator_that_has_begun_goes_on() {
        let mut rows: Vec<u32> = (0..11).collect();
        let mut chunks = rows.chunks_mut(3);
        assert_eq!(
            (chunks.next().map(|c| c.len()), chunks.next_back().map(|c| c.len())),
            (Some(3), Some(2))
        );
        let rest: Vec<_> = chunks.into_input().map(|piece| piece.to_vec()).collect();
        assert_eq!(rest, [[3, 4, 5], [6, 7, 8]]);
    }
}
