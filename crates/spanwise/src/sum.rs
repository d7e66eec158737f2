//! `sum` and its kin. In comes a chain of numbers, out comes a total: exact for integers, in
//! lanes for floats. [`FromSum`] says what can be summed.

use std::{num::Wrapping, time::Duration};

use crate::{
    attempt::attempt,
    chain::Chain,
    control::Control,
    exact::Exact,
    input::Input,
    int::{Addend, Integer},
    lanes::{self, Add},
    leaf::Leaf,
    terminal::Terminal,
};

/// Whether `sum` and `product` panic when the total does not fit, as std does with overflow checks.
/// A crate cannot ask for the checks themselves; cargo's profiles turn both on together.
pub(crate) const CHECKED: bool = cfg!(debug_assertions);

/// What a chain of `T` can be summed to.
pub trait FromSum<T>: Sized {
    /// Runs the chain and sums.
    fn from_sum<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = T>,
        C: Control;
}

/// A number whose exact total has a type of its own.
pub trait ExactAddend {
    /// `i128` for integers up to 64 bits, `f64` for floats.
    type Total;

    #[doc(hidden)]
    fn exact_sum<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self::Total>
    where
        I: Input,
        L: Leaf<I::Span, Item = Self>,
        C: Control;
}

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// The sum of the items.
    ///
    /// Integers: the exact total, whatever happens in between. If it does not fit, this panics in
    /// builds with debug assertions and wraps in others. Floats: eight lanes, each added along the fixed
    /// tree in which neighbours meet first, so no addition waits for the one before, and the bits are
    /// the same on every backend; `docs/determinism.md` has the rule. `Result` and `Option`: the first
    /// error in input order.
    ///
    /// # Panics
    ///
    /// If an integer's total does not fit, with debug assertions; if a `Duration` overflows.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert_eq!([i64::MAX, 1, -2].par(&pool).sum::<i64>(), i64::MAX - 1);
    /// assert_eq!(["1", "x"].par(&pool).map(|s| s.parse::<i32>()).sum::<Result<i32, _>>().ok(), None);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn sum<T: FromSum<L::Item>>(self) -> C::Out<T> {
        T::from_sum(self)
    }

    /// The exact total, or `None` if it does not fit the integer type.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert_eq!([200_u8, 100].par(&pool).checked_sum(), None);
    /// assert_eq!([100_i8, 100, -100].par(&pool).checked_sum(), Some(100));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn checked_sum(self) -> C::Out<Option<<L::Item as Addend>::Integer>>
    where
        L::Item: Addend,
    {
        self.whole(&Total, Integer::fit)
    }

    /// The total modulo two to the power of the integer's bits.
    pub fn wrapping_sum(self) -> C::Out<<L::Item as Addend>::Integer>
    where
        L::Item: Addend,
    {
        self.whole(&WrappingTotal, |total| total)
    }

    /// The exact total: an `i128` of integers up to 64 bits, the correctly rounded `f64` of floats.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert_eq!([u64::MAX; 2].par(&pool).exact_sum(), 2 * i128::from(u64::MAX));
    /// assert_eq!([1e100, 1.0, -1e100].par(&pool).exact_sum(), 1.0);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn exact_sum(self) -> C::Out<<L::Item as ExactAddend>::Total>
    where
        L::Item: ExactAddend,
    {
        L::Item::exact_sum(self)
    }
}

/// An exact total of integers.
struct Total;

impl<T: Addend> Terminal<T> for Total {
    type Partial = <T::Integer as Integer>::Exact;

    #[inline]
    fn run(&self, _: usize, items: impl Iterator<Item = T>) -> Self::Partial {
        T::Integer::total(items.map(T::value))
    }

    fn merge(&self, left: Self::Partial, right: Self::Partial) -> Self::Partial {
        T::Integer::total_of_two(left, right)
    }
}

/// A total modulo 2^bits: the plain loop.
struct WrappingTotal;

impl<T: Addend> Terminal<T> for WrappingTotal {
    type Partial = T::Integer;

    #[inline]
    fn run(&self, _: usize, items: impl Iterator<Item = T>) -> Self::Partial {
        items.map(T::value).fold(Integer::ZERO, Integer::add_wrapping)
    }

    fn merge(&self, left: Self::Partial, right: Self::Partial) -> Self::Partial {
        left.add_wrapping(right)
    }
}

impl<T: Integer> FromSum<T> for T {
    fn from_sum<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = T>,
        C: Control,
    {
        if CHECKED {
            C::map(chain.checked_sum(), |sum| sum.expect("attempt to add with overflow"))
        } else {
            chain.wrapping_sum()
        }
    }
}

impl<T: Integer> FromSum<Wrapping<T>> for Wrapping<T> {
    fn from_sum<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = Self>,
        C: Control,
    {
        chain.map(|x| x.0).whole(&WrappingTotal, Wrapping)
    }
}

macro_rules! float {
    ($($float:ident)*) => {$(
        impl FromSum<$float> for $float {
            fn from_sum<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
            where
                I: Input,
                L: Leaf<I::Span, Item = Self>,
                C: Control,
            {
                lanes::fold::<Add, Self, I, L, C>(chain)
            }
        }
    )*};
}

float! { f32 f64 }

impl FromSum<Duration> for Duration {
    fn from_sum<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = Self>,
        C: Control,
    {
        const SECOND: u128 = 1_000_000_000;
        C::map(chain.map(|time| time.as_nanos()).checked_sum(), |total| {
            let whole = total.and_then(|nanos| u64::try_from(nanos / SECOND).ok());
            let seconds = whole.expect("overflow in a sum of durations");
            Self::new(seconds, (total.unwrap_or(0) % SECOND) as u32)
        })
    }
}

impl<'a, T: FromSum<T> + Copy> FromSum<&'a T> for T {
    fn from_sum<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = &'a T>,
        C: Control,
    {
        chain.copied().sum()
    }
}

impl<R: FromSum<T>, T, E: Send> FromSum<Result<T, E>> for Result<R, E> {
    fn from_sum<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = Result<T, E>>,
        C: Control,
    {
        attempt(chain, |good| R::from_sum(good))
    }
}

impl<R: FromSum<T>, T> FromSum<Option<T>> for Option<R> {
    fn from_sum<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = Option<T>>,
        C: Control,
    {
        C::map(attempt(chain, |good| R::from_sum(good)), Result::ok)
    }
}

/// A reference's total is its number's. A generic reference would clash with the integers.
macro_rules! exact {
    ($($number:ty => $total:ty, |$chain:ident| $sum:expr;)*) => {$(
        impl ExactAddend for $number {
            type Total = $total;

            fn exact_sum<I, L, C>($chain: Chain<I, L, C>) -> C::Out<$total>
            where
                I: Input,
                L: Leaf<I::Span, Item = Self>,
                C: Control,
            {
                $sum
            }
        }

        impl<'a> ExactAddend for &'a $number {
            type Total = $total;

            fn exact_sum<I, L, C>(chain: Chain<I, L, C>) -> C::Out<$total>
            where
                I: Input,
                L: Leaf<I::Span, Item = &'a $number>,
                C: Control,
            {
                chain.copied().exact_sum()
            }
        }
    )*};
}

exact! {
    i8 => i128, |chain| chain.whole(&Total, |total| total);
    i16 => i128, |chain| chain.whole(&Total, |total| total);
    i32 => i128, |chain| chain.whole(&Total, |total| total);
    i64 => i128, |chain| chain.whole(&Total, |total| total);
    isize => i128, |chain| chain.whole(&Total, |total| total);
    u8 => i128, |chain| chain.whole(&Total, |total| total);
    u16 => i128, |chain| chain.whole(&Total, |total| total);
    u32 => i128, |chain| chain.whole(&Total, |total| total);
    u64 => i128, |chain| chain.whole(&Total, |total| total);
    usize => i128, |chain| chain.whole(&Total, |total| total);
    f32 => f64, |chain| chain.map(f64::from).exact_sum();
    f64 => f64, |chain| chain.whole(&ExactFloats, Exact::round);
}

struct ExactFloats;

impl Terminal<f64> for ExactFloats {
    type Partial = Exact;

    fn run(&self, at: usize, items: impl Iterator<Item = f64>) -> Exact {
        self.run_on(Exact::new(), at, items)
    }

    fn merge(&self, left: Exact, right: Exact) -> Exact {
        left.merge(right)
    }

    fn run_on(&self, mut left: Exact, _: usize, items: impl Iterator<Item = f64>) -> Exact {
        left.extend(items);
        left
    }
}
