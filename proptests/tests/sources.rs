//! Every source: ranges of every integer type up to both ends, shared, mutable and owned rows, arrays,
//! and iterators that somebody has already advanced.

use std::fmt::Debug;

use proptest::prelude::*;
use spanwise::{Par, input::Input, leaf::Exact, source::Source};
use spanwise_proptests::{
    backends::{all_pools, pools},
    generate::{check, grain, op, rows, rows_of, some},
    shape::On,
};

/// The same rows as std gives, whatever reads them.
fn same<R, T>(range: R, grain: Option<usize>)
where
    R: Source<
        Input: Input<Length = Exact, Span: IntoIterator<Item = T, IntoIter: DoubleEndedIterator>>,
    >,
    R: DoubleEndedIterator<Item = T> + Clone + Debug,
    T: PartialEq + Debug + Copy + Send + Sync,
{
    let forth: Vec<T> = range.clone().collect();
    let back: Vec<T> = range.clone().rev().collect();
    let middle = forth.get(forth.len() / 2).copied();
    for pool in pools() {
        let on = On { pool, grain };
        assert_eq!(on.of(range.clone()).count(), forth.len(), "{range:?} on {pool:?}");
        assert_eq!(on.of(range.clone()).collect::<Vec<T>>(), forth, "{pool:?}");
        assert_eq!(on.of(range.clone()).rev().collect::<Vec<T>>(), back, "{pool:?}");
        let place = on.of(range.clone()).position_first(|x| Some(x) == middle);
        assert_eq!(place, middle.map(|_| forth.len() / 2), "{range:?} on {pool:?}");
    }
}

macro_rules! ranges {
    ($($int:ident)*) => {$(
        #[test]
        fn $int() {
            let start = prop_oneof![
                any::<$int>(),
                prop::sample::select(vec![$int::MIN, $int::MIN + 1, 0, $int::MAX - 1, $int::MAX]),
            ];
            check(48, (start, 0..300_u16, any::<bool>(), grain()), |(x, len, above, grain)| {
                // Short of both ends for 8-bit types, where 300 is more than there is.
                let len = $int::try_from(len).unwrap_or($int::MAX);
                let y = if above { x.saturating_add(len) } else { x.saturating_sub(len) };
                let (low, high) = (x.min(y), x.max(y));
                same(low..high, grain);
                same(low..=high, grain);
                if low < high {
                    same(high..low, grain);
                    same(high..=low, grain);
                }
            });
        }
    )*};
}

ranges! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

#[test]
fn whole_types() {
    for pool in all_pools() {
        assert_eq!((i8::MIN..=i8::MAX).par(pool).count(), 256);
        assert_eq!((i8::MIN..=i8::MAX).par(pool).exact_sum(), -128);
        assert_eq!((0..=u16::MAX).par(pool).rev().max(), Some(u16::MAX));
        assert_eq!(
            (i16::MIN..=i16::MAX).par(pool).rev().enumerate().last_row(),
            (65_535, i16::MIN)
        );
        // More rows than anybody can visit: the hit ends it.
        assert_eq!((0..u64::MAX).par(pool).find_first(|&x| x == 777), Some(777));
        assert_eq!((i64::MIN..i64::MAX).par(pool).skip(usize::MAX - 3).count(), 3);
        assert_eq!((5..u128::from(u64::MAX)).par(pool).take(9).max(), Some(13));
    }
}

trait LastRow<T> {
    fn last_row(self) -> T;
}

impl<S, L> LastRow<L::Item>
    for spanwise::Chain<S, L, spanwise::control::On<'_, spanwise_proptests::backends::AnyPool>>
where
    S: Input,
    L: spanwise::leaf::Leaf<S::Span, Item: Send>,
{
    fn last_row(self) -> L::Item {
        self.reduce(|_, last| last).unwrap()
    }
}

#[test]
fn advanced_iterators_give_what_is_left() {
    check(64, (rows(), some(), some()), |(xs, n, m)| {
        let left: Vec<i64> = {
            let mut iter = xs.iter();
            advance(&mut iter, n, m);
            iter.copied().collect()
        };
        for pool in pools() {
            let mut shared = xs.iter();
            advance(&mut shared, n, m);
            assert_eq!(shared.par(pool).copied().collect::<Vec<_>>(), left);
            let mut changed = xs.clone();
            let mut unique = changed.iter_mut();
            advance(&mut unique, n, m);
            assert_eq!(unique.par(pool).map(|x| *x).collect::<Vec<_>>(), left);
            let mut owned: std::vec::IntoIter<_> =
                xs.iter().map(|&x| Box::new(x)).collect::<Vec<_>>().into_iter();
            advance(&mut owned, n, m);
            assert_eq!(owned.par(pool).map(|x| *x).collect::<Vec<_>>(), left);
            let mut range = 0..=xs.len();
            advance(&mut range, n, m);
            assert_eq!(range.clone().par(pool).collect::<Vec<_>>(), range.collect::<Vec<_>>());
        }
    });
}

fn advance(iter: &mut impl DoubleEndedIterator, front: usize, back: usize) {
    iter.by_ref().take(front).for_each(drop);
    iter.rev().take(back).for_each(drop);
}

#[test]
fn mutable_rows_are_each_changed_once() {
    let input = (rows(), rows(), op(), some(), some(), grain());
    check(96, input, |(xs, ys, op, n, m, grain)| {
        for pool in pools() {
            let on = On { pool, grain };
            let std = |change: &dyn Fn(&mut Vec<i64>)| {
                let mut xs = xs.clone();
                change(&mut xs);
                xs
            };

            let mut all = xs.clone();
            on.of(&mut all).for_each(|x| *x = op.of(*x));
            assert_eq!(all, std(&|xs| xs.iter_mut().for_each(|x| *x = op.of(*x))));

            let mut zipped = xs.clone();
            on.of(zipped.iter_mut()).zip(&ys).rev().for_each(|(x, y)| *x = x.wrapping_sub(*y));
            let sub = |xs: &mut Vec<i64>| {
                xs.iter_mut().zip(&ys).for_each(|(x, y)| *x = x.wrapping_sub(*y));
            };
            assert_eq!(zipped, std(&sub));

            let mut some = xs.clone();
            let number = |(i, x): (usize, &mut i64)| *x = op.of(i as i64);
            on.of(&mut some[..]).skip(n).take(m).enumerate().for_each(number);
            assert_eq!(some, std(&|xs| xs.iter_mut().skip(n).take(m).enumerate().for_each(number)));

            let (mut left, mut right) = (xs.clone(), ys.clone());
            let chain = on.of(&mut left).chain(&mut right).rev().enumerate();
            let places: Vec<_> = chain.map(|(i, x)| std::mem::replace(x, i as i64)).collect();
            let total = xs.len() + ys.len();
            assert!(left.iter().chain(&right).copied().eq((0..total as i64).rev()));
            assert!(places.iter().eq(xs.iter().chain(&ys).rev()));
        }
    });
}

#[test]
fn owned_rows_come_in_order() {
    let text = rows_of("[a-c]{0,3}".prop_map(String::from));
    check(64, (text, some(), grain()), |(words, n, grain)| {
        let expected: Vec<_> = words.iter().skip(n).map(|word| word.clone() + "!").collect();
        for pool in pools() {
            let chain = On { pool, grain }.of(words.clone().into_iter());
            assert_eq!(chain.skip(n).map(|word| word + "!").collect::<Vec<_>>(), expected);
            let chain = On { pool, grain }.of(words.clone().into_iter()).rev();
            let longest = chain.max_by_key(String::len);
            assert_eq!(longest, words.iter().rev().max_by_key(|word| word.len()).cloned());
        }
    });
}

#[test]
fn arrays() {
    check(32, (any::<[i64; 67]>(), any::<[String; 3]>(), grain()), |(xs, words, grain)| {
        let none: [u8; 0] = [];
        for pool in pools() {
            let on = On { pool, grain };
            assert_eq!(on.of(&xs).copied().collect::<Vec<_>>(), xs);
            assert_eq!(on.of(xs.iter()).rev().cloned().collect::<Vec<_>>(), {
                let mut xs = xs;
                xs.reverse();
                xs
            });
            assert_eq!(on.of(words.clone().into_iter()).collect::<String>(), words.concat());
            assert_eq!(on.of(none.into_iter()).count(), 0);
            let mut changed = xs;
            on.of(&mut changed).for_each(|x| *x = !*x);
            assert_eq!(changed, xs.map(|x| !x));
            let mut last_two = xs.into_iter();
            last_two.nth(64);
            assert_eq!(on.of(last_two).collect::<Vec<_>>(), xs[65..]);
        }
    });
}
