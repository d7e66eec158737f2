//! `product` and its kin. In comes a chain of numbers, out comes their product: exact for integers,
//! in lanes for floats. [`FromProduct`] says what can be multiplied.

use std::num::Wrapping;

use crate::{
    attempt::attempt,
    chain::Chain,
    control::Control,
    input::Input,
    int::{Addend, Integer},
    lanes::{self, Mul},
    leaf::Leaf,
    sum::CHECKED,
    terminal::Terminal,
};

/// What the product of a chain of `T` can be.
pub trait FromProduct<T>: Sized {
    /// Runs the chain and multiplies.
    fn from_product<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = T>,
        C: Control;
}

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// The product of the items, by the rules of [`sum`](Self::sum): exact for integers, so a zero
    /// anywhere gives zero, and the same bits everywhere for floats.
    ///
    /// # Panics
    ///
    /// If an integer's product does not fit, with debug assertions.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert_eq!((1..=20_u64).par(&pool).product::<u64>(), 2_432_902_008_176_640_000);
    /// assert_eq!([i32::MAX, i32::MAX, 0].par(&pool).product::<i32>(), 0);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn product<T: FromProduct<L::Item>>(self) -> C::Out<T> {
        T::from_product(self)
    }

    /// The exact product, or `None` if it does not fit the integer type.
    pub fn checked_product(self) -> C::Out<Option<<L::Item as Addend>::Integer>>
    where
        L::Item: Addend,
    {
        self.whole(&Product, |product| match product.magnitude {
            _ if product.zero => Some(Integer::ZERO),
            Some(magnitude) => Integer::from_magnitude(magnitude, product.negative),
            None => None,
        })
    }

    /// The product modulo two to the power of the integer's bits.
    pub fn wrapping_product(self) -> C::Out<<L::Item as Addend>::Integer>
    where
        L::Item: Addend,
    {
        self.whole(&WrappingProduct, |product| product)
    }
}

/// An exact product, as far as it can fit any integer type.
struct Exact {
    zero: bool,
    negative: bool,
    /// The product of the magnitudes that are not 0, or `None` once it is above `u128::MAX`: then it
    /// can only be saved by a zero.
    magnitude: Option<u128>,
}

struct Product;

impl<T: Addend> Terminal<T> for Product {
    type Partial = Exact;

    fn run(&self, _: usize, items: impl Iterator<Item = T>) -> Exact {
        let one = Exact { zero: false, negative: false, magnitude: Some(1) };
        items.fold(one, |product, item| {
            let (magnitude, negative) = item.value().magnitude();
            Exact {
                zero: product.zero || magnitude == 0,
                negative: product.negative != negative,
                magnitude: product.magnitude.and_then(|m| m.checked_mul(magnitude.max(1))),
            }
        })
    }

    fn merge(&self, left: Exact, right: Exact) -> Exact {
        Exact {
            zero: left.zero || right.zero,
            negative: left.negative != right.negative,
            magnitude: left.magnitude.zip(right.magnitude).and_then(|(l, r)| l.checked_mul(r)),
        }
    }
}

struct WrappingProduct;

impl<T: Addend> Terminal<T> for WrappingProduct {
    type Partial = T::Integer;

    #[inline]
    fn run(&self, _: usize, items: impl Iterator<Item = T>) -> Self::Partial {
        items.map(T::value).fold(Integer::ONE, Integer::mul_wrapping)
    }

    fn merge(&self, left: Self::Partial, right: Self::Partial) -> Self::Partial {
        left.mul_wrapping(right)
    }
}

impl<T: Integer> FromProduct<T> for T {
    fn from_product<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = T>,
        C: Control,
    {
        if CHECKED {
            C::map(chain.checked_product(), |p| p.expect("attempt to multiply with overflow"))
        } else {
            chain.wrapping_product()
        }
    }
}

impl<T: Integer> FromProduct<Wrapping<T>> for Wrapping<T> {
    fn from_product<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = Self>,
        C: Control,
    {
        chain.map(|x| x.0).whole(&WrappingProduct, Wrapping)
    }
}

macro_rules! float {
    ($($float:ident)*) => {$(
        impl FromProduct<$float> for $float {
            fn from_product<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
            where
                I: Input,
                L: Leaf<I::Span, Item = Self>,
                C: Control,
            {
                lanes::fold::<Mul, Self, I, L, C>(chain)
            }
        }
    )*};
}

float! { f32 f64 }

impl<'a, T: FromProduct<T> + Copy> FromProduct<&'a T> for T {
    fn from_product<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = &'a T>,
        C: Control,
    {
        chain.copied().product()
    }
}

impl<R: FromProduct<T>, T, E: Send> FromProduct<Result<T, E>> for Result<R, E> {
    fn from_product<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = Result<T, E>>,
        C: Control,
    {
        attempt(chain, |good| R::from_product(good))
    }
}

impl<R: FromProduct<T>, T> FromProduct<Option<T>> for Option<R> {
    fn from_product<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = Option<T>>,
        C: Control,
    {
        C::map(attempt(chain, |good| R::from_product(good)), Result::ok)
    }
}
