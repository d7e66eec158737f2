//! Sums and products of every integer type, exact where they say so, against loops in wider types.

use std::{
    num::Wrapping,
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use proptest::prelude::*;
use spanwise::prelude::*;
use spanwise_proptests::{
    backends::pools,
    generate::{check, grain, rows_of},
    shape::On,
};

/// An integer of any type: its sign and its magnitude.
type Signed = (bool, u128);

/// The exact sum, if it fits 129 bits: positive and negative rows apart, each in two words.
fn sum_of(rows: &[Signed]) -> Option<Signed> {
    let half = |sign: bool| {
        let rows = rows.iter().filter(|row| row.0 == sign);
        rows.fold((0_u128, 0_u128), |(high, low), row| {
            let (low, carry) = low.overflowing_add(row.1);
            (high + u128::from(carry), low)
        })
    };
    let (plus, minus) = (half(false), half(true));
    let negative = minus > plus;
    let (more, less) = if negative { (minus, plus) } else { (plus, minus) };
    let (low, borrow) = more.1.overflowing_sub(less.1);
    (more.0 - less.0 - u128::from(borrow) == 0).then_some((negative, low))
}

/// The exact product, if its magnitude fits 128 bits. Magnitudes of rows that are not 0 only grow.
fn product_of(rows: &[Signed]) -> Option<Signed> {
    if rows.iter().any(|row| row.1 == 0) {
        return Some((false, 0));
    }
    let negative = rows.iter().filter(|row| row.0).count() % 2 == 1;
    rows.iter().try_fold(1_u128, |p, row| p.checked_mul(row.1)).map(|p| (negative, p))
}

macro_rules! integers {
    ($($int:ident)*) => {$(
        #[test]
        fn $int() {
            fn fit((negative, magnitude): Signed) -> Option<$int> {
                let least = $int::MAX.abs_diff($int::MIN).wrapping_sub($int::MAX.abs_diff(0));
                match $int::try_from(magnitude) {
                    Ok(x) => Some(if negative { (0 as $int).wrapping_sub(x) } else { x }),
                    Err(_) => (negative && magnitude == u128::from_int(least)).then_some($int::MIN),
                }
            }
            let ends = prop::sample::select(vec![$int::MIN, $int::MAX, $int::MIN + 1, $int::MAX / 2]);
            let small = (0..5_u8).prop_map(|x| (x as $int).wrapping_sub(1));
            let few = prop_oneof![Just(1 as $int), Just(2), Just((0 as $int).wrapping_sub(1)), Just(0)];
            let one = prop_oneof![2 => any::<$int>(), 1 => ends, 4 => small];
            let rows = prop_oneof![2 => rows_of(one), 1 => rows_of(few)];
            check(64, (rows, grain()), |(rows, grain)| {
                let signed: Vec<_> = rows.iter().map(|&x| (x < $int::MIN.max(0), u128::from_int(x.abs_diff(0)))).collect();
                let sum = sum_of(&signed).and_then(fit);
                let product = product_of(&signed).and_then(fit);
                let wrapped = rows.iter().fold(0, |sum: $int, &x| sum.wrapping_add(x));
                let wrapped_product = rows.iter().fold(1, |p: $int, &x| p.wrapping_mul(x));
                for pool in pools() {
                    let on = On { pool, grain };
                    assert_eq!(on.of(&rows).checked_sum(), sum, "{pool:?}");
                    assert_eq!(on.of(&rows).copied().checked_sum(), sum, "{pool:?}");
                    assert_eq!(on.of(&rows).wrapping_sum(), wrapped, "{pool:?}");
                    let total: Wrapping<$int> = on.of(&rows).map(|&x| Wrapping(x)).sum();
                    assert_eq!(total, Wrapping(wrapped), "{pool:?}");
                    if sum.is_some() {
                        assert_eq!(Some(on.of(&rows).sum::<$int>()), sum, "{pool:?}");
                        let some: Option<$int> = on.of(&rows).copied().map(Some).sum();
                        assert_eq!(some, sum, "{pool:?}");
                    }
                    assert_eq!(on.of(&rows).checked_product(), product, "{pool:?}");
                    assert_eq!(on.of(&rows).wrapping_product(), wrapped_product, "{pool:?}");
                    let total: Wrapping<$int> = on.of(&rows).map(|&x| Wrapping(x)).product();
                    assert_eq!(total, Wrapping(wrapped_product), "{pool:?}");
                    if product.is_some() {
                        assert_eq!(Some(on.of(&rows).product::<$int>()), product, "{pool:?}");
                    }
                }
            });
        }
    )*};
}

integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

/// `From` for unsigned integers, `usize` too.
trait FromInt<T> {
    fn from_int(x: T) -> Self;
}

impl<T: TryInto<Self>> FromInt<T> for u128 {
    fn from_int(x: T) -> Self {
        x.try_into().ok().expect("unsigned and not wider")
    }
}

macro_rules! exact {
    ($($int:ident)*) => {
        #[test]
        fn exact_sums_never_overflow() {
            $(
                let one = prop_oneof![any::<$int>(), Just($int::MIN), Just($int::MAX)];
                check(24, (rows_of(one), grain()), |(rows, grain)| {
                    let sum: i128 = rows.iter().map(|&x| x as i128).sum();
                    for pool in pools() {
                        let on = On { pool, grain };
                        assert_eq!(on.of(&rows).exact_sum(), sum, "{pool:?}");
                        assert_eq!(on.of(&rows).copied().filter(|_| true).exact_sum(), sum, "{pool:?}");
                    }
                });
            )*
        }
    };
}

exact! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

#[test]
fn a_total_that_does_not_fit_does_as_std() {
    for pool in pools() {
        let caught = |call: &dyn Fn() -> i32| catch_unwind(AssertUnwindSafe(call));
        let sum = caught(&|| [i32::MAX, 1].par(pool).sum());
        let product = caught(&|| [i32::MIN, -1].par(pool).product());
        if cfg!(debug_assertions) {
            assert!(sum.is_err() && product.is_err());
        } else {
            assert_eq!((sum.unwrap(), product.unwrap()), (i32::MIN, i32::MIN));
        }
        assert_eq!([i32::MAX, 1, -1].par(pool).sum::<i32>(), i32::MAX);
        assert_eq!([i32::MIN, -1, 0].par(pool).product::<i32>(), 0);
        assert_eq!([2, i8::MIN / 2, 1].par(pool).checked_product(), Some(i8::MIN));
        assert_eq!([-2, -64, -1_i8].par(pool).checked_product(), Some(i8::MIN));
    }
}

#[test]
fn durations_sum_as_std() {
    let one = (0..1_u64 << 50, 0..1_000_000_000_u32).prop_map(|(s, n)| Duration::new(s, n));
    check(48, (rows_of(one), grain()), |(rows, grain)| {
        let sum: Duration = rows.iter().sum();
        for pool in pools() {
            assert_eq!(On { pool, grain }.of(&rows).sum::<Duration>(), sum, "{pool:?}");
        }
    });
}
