//! The integers of std under one sealed trait: the arithmetic that ranges and exact sums need.

use std::fmt::Debug;

use crate::sealed::Sealed;

/// An integer type of std, 8 to 128 bits.
pub trait Integer:
    Addend<Integer = Self> + Sealed + Copy + Debug + Default + Ord + Send + Sync + 'static
{
    /// What holds any exact total of these: `i128` up to 64 bits.
    type Exact: Copy + Send + Sync;

    #[doc(hidden)]
    const ZERO: Self;
    #[doc(hidden)]
    const ONE: Self;
    #[doc(hidden)]
    const GREATEST: Self;

    /// `end - start`, for `start <= end`, if it fits.
    #[doc(hidden)]
    fn distance(start: Self, end: Self) -> Option<usize>;

    /// `self + n`, which the caller knows to be in range.
    #[doc(hidden)]
    fn forward(self, n: usize) -> Self;

    #[doc(hidden)]
    fn add_wrapping(self, other: Self) -> Self;

    #[doc(hidden)]
    fn sub_wrapping(self, other: Self) -> Self;

    #[doc(hidden)]
    fn mul_wrapping(self, other: Self) -> Self;

    /// The exact total of some rows.
    #[doc(hidden)]
    fn total(rows: impl Iterator<Item = Self>) -> Self::Exact;

    #[doc(hidden)]
    fn total_of_two(left: Self::Exact, right: Self::Exact) -> Self::Exact;

    /// The total in this type, if it fits.
    #[doc(hidden)]
    fn fit(total: Self::Exact) -> Option<Self>;

    /// The magnitude and whether the number is below zero.
    #[doc(hidden)]
    fn magnitude(self) -> (u128, bool);

    /// The inverse of `magnitude`, if it fits.
    #[doc(hidden)]
    fn from_magnitude(magnitude: u128, negative: bool) -> Option<Self>;
}

/// An integer, by value or by reference.
pub trait Addend {
    /// The integer's type.
    type Integer: Integer;

    #[doc(hidden)]
    fn value(self) -> Self::Integer;
}

/// Whether a 64-bit local over 32-bit addends cannot overflow in a run over these rows.
fn short(rows: &impl Iterator) -> bool {
    rows.size_hint().1.is_some_and(|most| most <= 1 << 31)
}

/// The total of rows of up to 32 bits.
#[inline]
fn narrow(rows: impl Iterator<Item = i64>) -> i128 {
    if short(&rows) {
        i128::from(rows.fold(0, i64::wrapping_add))
    } else {
        rows.fold(0, |sum, row| sum + i128::from(row))
    }
}

#[inline]
fn signed_word(rows: impl Iterator<Item = i64>) -> i128 {
    const BIAS: u64 = 1 << 63;
    if short(&rows) {
        halves(rows.map(|row| row as u64 ^ BIAS), BIAS)
    } else {
        rows.fold(0, |sum, row| sum + i128::from(row))
    }
}

#[inline]
fn unsigned_word(rows: impl Iterator<Item = u64>) -> i128 {
    if short(&rows) { halves(rows, 0) } else { rows.fold(0, |sum, row| sum + i128::from(row)) }
}

/// The total of 64-bit rows above a bias, as two locals, which vectorise: high and low halves. They
/// are unsigned because x86-64 has no vector shift that keeps a 64-bit sign.
#[inline]
fn halves(rows: impl Iterator<Item = u64>, bias: u64) -> i128 {
    let (mut low, mut high, mut count) = (0_u64, 0_u64, 0_u64);
    rows.for_each(|row| {
        low = low.wrapping_add(row & u64::from(u32::MAX));
        high = high.wrapping_add(row >> 32);
        count = count.wrapping_add(1);
    });
    i128::from(low) + (i128::from(high) << 32) - i128::from(count) * i128::from(bias)
}

/// A total of 128-bit rows: the sum is `low + high * 2^128`.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    low: u128,
    high: i64,
}

impl Wide {
    const ZERO: Self = Self { low: 0, high: 0 };

    fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        Self { low, high: self.high + other.high + i64::from(carry) }
    }
}

fn signed_wide(rows: impl Iterator<Item = i128>) -> Wide {
    rows.fold(Wide::ZERO, |sum, row| sum.plus(Wide { low: row as u128, high: (row >> 127) as i64 }))
}

fn unsigned_wide(rows: impl Iterator<Item = u128>) -> Wide {
    rows.fold(Wide::ZERO, |sum, row| sum.plus(Wide { low: row, high: 0 }))
}

macro_rules! integer {
    ($($int:ident / $unsigned:ident, $total:ident -> $exact:ty, $plus:expr, $fit:expr;)*) => {$(
        impl Sealed for $int {}

        impl Addend for $int {
            type Integer = $int;

            #[inline]
            fn value(self) -> $int {
                self
            }
        }

        impl Addend for &$int {
            type Integer = $int;

            #[inline]
            fn value(self) -> $int {
                *self
            }
        }

        impl Integer for $int {
            type Exact = $exact;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const GREATEST: Self = <$int>::MAX;

            #[inline]
            fn distance(start: Self, end: Self) -> Option<usize> {
                usize::try_from(end.wrapping_sub(start) as $unsigned).ok()
            }

            #[inline]
            fn forward(self, n: usize) -> Self {
                self.wrapping_add(n as $int)
            }

            #[inline]
            fn add_wrapping(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline]
            fn sub_wrapping(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline]
            fn mul_wrapping(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            #[inline]
            fn total(rows: impl Iterator<Item = Self>) -> Self::Exact {
                $total(rows.map(|row| row as _))
            }

            #[inline]
            fn total_of_two(left: Self::Exact, right: Self::Exact) -> Self::Exact {
                $plus(left, right)
            }

            #[inline]
            fn fit(total: Self::Exact) -> Option<Self> {
                $fit(total)
            }

            #[inline]
            #[allow(unused_comparisons, reason = "one body for signed and unsigned")]
            fn magnitude(self) -> (u128, bool) {
                let negative = self < 0;
                let bits = if negative { Self::ZERO.wrapping_sub(self) } else { self };
                (bits as $unsigned as u128, negative)
            }

            #[inline]
            fn from_magnitude(magnitude: u128, negative: bool) -> Option<Self> {
                let bits = $unsigned::try_from(magnitude).ok()? as $int;
                let number = if negative { Self::ZERO.wrapping_sub(bits) } else { bits };
                (number.magnitude() == (magnitude, negative && magnitude > 0)).then_some(number)
            }
        }
    )*};
}

macro_rules! up_to_64 {
    ($($int:ident / $unsigned:ident, $total:ident;)*) => {
        integer! {$(
            $int / $unsigned, $total -> i128,
            |left: i128, right: i128| left + right,
            |total| $int::try_from(total).ok();
        )*}
    };
}

up_to_64! {
    i8 / u8, narrow;
    i16 / u16, narrow;
    i32 / u32, narrow;
    i64 / u64, signed_word;
    isize / usize, signed_word;
    u8 / u8, narrow;
    u16 / u16, narrow;
    u32 / u32, narrow;
    u64 / u64, unsigned_word;
    usize / usize, unsigned_word;
}

integer! {
    i128 / u128, signed_wide -> Wide, Wide::plus, |total: Wide| {
        let number = total.low as i128;
        (i128::from(total.high) == number >> 127).then_some(number)
    };
    u128 / u128, unsigned_wide -> Wide, Wide::plus, |total: Wide| {
        (total.high == 0).then_some(total.low)
    };
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;

    #[test]
    fn totals_are_exact_at_both_ends_of_every_width() {
        assert_eq!(
            i64::total([i64::MAX, i64::MAX, i64::MIN, -1, 0].into_iter()),
            -2 + (1 << 63) - 1
        );
        assert_eq!(u64::total([u64::MAX; 3].into_iter()), 3 * i128::from(u64::MAX));
        assert_eq!(i8::total([i8::MIN; 300].into_iter()), -38_400);
        assert_eq!(
            i128::fit(i128::total([i128::MAX, i128::MAX, i128::MIN].into_iter())),
            Some(i128::MAX - 1)
        );
        assert_eq!(i128::fit(i128::total([i128::MAX, 1].into_iter())), None);
        assert_eq!(i128::fit(i128::total([i128::MIN, -1].into_iter())), None);
        assert_eq!(u128::fit(u128::total([u128::MAX, 1].into_iter())), None);
        assert_eq!(u128::fit(u128::total([u128::MAX, 0].into_iter())), Some(u128::MAX));
        assert_eq!(i8::fit(128), None);
    }

    #[test]
    fn rows_without_a_known_bound_give_the_same_total() {
        let rows = [i64::MAX, 5, i64::MIN, i64::MAX];
        let unbounded = rows.into_iter().flat_map(Some);
        assert_eq!(unbounded.size_hint().1, Some(4));
        let mut left = 4;
        let hidden = iter::from_fn(|| {
            left -= (left > 0) as usize;
            (left > 0).then_some(i64::MIN)
        });
        assert_eq!(hidden.size_hint().1, None);
        assert_eq!(i64::total(hidden), 3 * i128::from(i64::MIN));
    }

    #[test]
    fn magnitude_round_trips() {
        for x in i8::MIN..=i8::MAX {
            let (magnitude, negative) = x.magnitude();
            assert_eq!(i8::from_magnitude(magnitude, negative), Some(x));
        }
        assert_eq!(i8::from_magnitude(128, false), None);
        assert_eq!(i8::from_magnitude(128, true), Some(i8::MIN));
        assert_eq!(i8::from_magnitude(129, true), None);
        assert_eq!(u8::from_magnitude(1, true), None);
        assert_eq!(u8::from_magnitude(0, true), Some(0));
        assert_eq!(i128::from_magnitude(1 << 127, true), Some(i128::MIN));
    }

    #[test]
    fn distances_cross_zero() {
        assert_eq!(i8::distance(i8::MIN, i8::MAX), Some(255));
        assert_eq!(i64::distance(i64::MIN, i64::MAX), Some(usize::MAX));
        assert_eq!(u128::distance(0, u128::MAX), None);
        assert_eq!(i8::MIN.forward(255), i8::MAX);
    }

    /// A run of this many rows would take too long here; what chooses the loop does not.
    #[test]
    fn the_fast_loops_are_for_runs_that_they_can_hold() {
        assert!(short(&(0..1_u64 << 31)) && short(&iter::empty::<u8>()));
        assert!(!short(&(0..(1_u64 << 31) + 1)) && !short(&iter::repeat(1)));
        assert!(!short(&iter::from_fn(|| Some(1))));
    }
}
