//! Ranges of every integer, of characters, stepped, and longer than `usize`.

#![expect(clippy::reversed_empty_ranges, reason = "they are sources too")]

use std::{
    fmt::Debug,
    iter::StepBy,
    ops::{Range, RangeInclusive},
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use spanwise::{Stopped, int::Integer, prelude::*};

use crate::{Any, backends, same::same_by_index};

/// Ranges near both ends of a type, from three of its integers and some lengths.
fn near<T>(pool: &Any, ranges: &[Range<T>], inclusive: &[RangeInclusive<T>])
where
    T: Integer + Debug,
    Range<T>: DoubleEndedIterator<Item = T>,
    RangeInclusive<T>: DoubleEndedIterator<Item = T>,
    StepBy<Range<T>>: Iterator<Item = T>,
    StepBy<RangeInclusive<T>>: Iterator<Item = T>,
{
    for range in ranges {
        same_by_index(pool, "a range", || range.clone());
        for step in [1, 2, 7, 1000] {
            same_by_index(pool, "a stepped range", || range.clone().step_by(step));
        }
    }
    for range in inclusive {
        same_by_index(pool, "an inclusive range", || range.clone());
        for step in [1, 3, 100] {
            same_by_index(pool, "a stepped inclusive range", || range.clone().step_by(step));
        }
    }
}

macro_rules! near_the_ends {
    ($pool:expr, $($int:ident)*) => {$(
        near(
            $pool,
            &[$int::MIN..$int::MIN + 100, $int::MAX - 65..$int::MAX, 5..5, $int::MAX..$int::MIN],
            &[$int::MIN..=$int::MIN, $int::MAX - 100..=$int::MAX, 5..=5, $int::MAX..=$int::MIN],
        );
    )*};
}

#[test]
fn every_integer() {
    for pool in backends() {
        near_the_ends!(pool, i8 u8 i16 u16 i32 u32 i64 u64 isize usize i128 u128);
        near(pool, &[-40..60_i128, i128::MAX - 1000..i128::MAX], &[-1..=63_i128]);
        same_by_index(pool, "a whole type", || i8::MIN..=i8::MAX);
        same_by_index(pool, "a whole type", || u16::MIN..=4000);
        same_by_index(pool, "long steps", || (0..u64::MAX).step_by(1 << 58));
        same_by_index(pool, "long steps", || (5..(1_u128 << 63)).step_by(1 << 57));
        same_by_index(pool, "reversed", || (u128::MAX - 70..=u128::MAX).rev());
    }
}

/// std gives these no exact size, but all else to find it.
#[test]
fn behind_adapters() {
    for pool in backends() {
        for n in [0, 1, 2, 3, 64, 1000_u64] {
            same_by_index(pool, "skip", || (0..n).skip(3));
            same_by_index(pool, "take", || (0..=n).take(70));
            same_by_index(pool, "take without an end", || (n as u32..).take(65));
            same_by_index(pool, "enumerate", || (5..n as u32 + 5).enumerate());
            same_by_index(pool, "enumerate", || (0..=n).enumerate().skip(2));
            same_by_index(pool, "step_by", || (0..u128::from(n)).skip(1).step_by(7));
            same_by_index(pool, "step_by", || (i128::MAX - i128::from(n)..=i128::MAX).step_by(3));
            same_by_index(pool, "rev", || (-(n as i64)..=n as i64).rev().step_by(2).skip(1));
            same_by_index(pool, "enumerated twice", || {
                (0..n).rev().enumerate().enumerate().take(9)
            });
            same_by_index(pool, "bytes", || (u8::MIN..=u8::MAX).skip(n as usize).step_by(5));
            same_by_index(pool, "signed bytes", || (i8::MIN..=i8::MAX).rev().skip(n as usize));
            same_by_index(pool, "characters", || ('a'..='z').skip(n as usize));
            same_by_index(pool, "characters", || ('\u{D780}'..'\u{E200}').rev().enumerate());
            same_by_index(pool, "characters", || ('\u{D780}'..='\u{E200}').step_by(17).take(90));
        }
        let mut begun = (0..500_u64).enumerate().skip(4);
        begun.next();
        same_by_index(pool, "one that has begun", || begun.clone());
        same_by_index(pool, "a few of many", || (0..=u64::MAX).take(100));
        same_by_index(pool, "a few of many", || (i128::MIN..i128::MAX).skip(7).take(100));
        same_by_index(pool, "long steps", || (0..u64::MAX).skip(5).step_by(1 << 57));
        assert!(
            catch_unwind(AssertUnwindSafe(|| (0..=u64::MAX)
                .skip(1)
                .par(pool)
                .find_first(|_| true)))
            .is_err()
        );
    }
}

#[test]
fn characters() {
    for pool in backends() {
        // Across the gap of surrogates too.
        for (first, last) in [('a', 'z'), ('b', 'b'), ('c', 'b'), ('\u{D700}', '\u{E050}')] {
            same_by_index(pool, "characters", || first..last);
            same_by_index(pool, "characters", || first..=last);
            same_by_index(pool, "characters", || (first..=last).rev());
        }
        assert_eq!(('\0'..=char::MAX).par(pool).count(), 0x11_0000 - 0x800);
        same_by_index(pool, "the last characters", || '\u{10FF00}'..=char::MAX);
    }
}

/// Ranges of more than `usize::MAX` integers: what ends early is right, what cannot be is a panic.
#[test]
fn longer_than_usize() {
    for pool in backends() {
        let all = || 0..=u64::MAX;
        let wide = || i128::MIN..i128::MAX;
        assert_eq!(all().par(pool).find_first(|x| x % 1000 == 999), Some(999));
        assert_eq!(wide().par(pool).find_first(|x| x % 1000 == 0), Some(i128::MIN + 728));
        assert_eq!(all().par(pool).position_first(|x| x == 70_000), Some(70_000));
        assert!(wide().par(pool).any(|x| x == i128::MIN + 5000));
        assert!(!all().par(pool).all(|x| x < 5000));
        let hit = all().par(pool).find_any(|x| x % 3000 == 2999);
        assert!(hit.is_some_and(|x| x % 3000 == 2999));
        assert_eq!(all().par(pool).take(1000).sum::<u64>(), 499_500);
        assert_eq!(wide().par(pool).skip(10).take(3).map(|x| x - i128::MIN).sum::<i128>(), 33);
        let far = all().par(pool).skip(usize::MAX).collect::<Vec<_>>();
        assert_eq!(far, [u64::MAX]);
        let evens: Vec<u64> = all().par(pool).filter(|x| x % 2 == 0).skip(2).take(2).collect();
        assert_eq!(evens, [4, 6]);
        let thirds: Vec<u64> = all().par(pool).step_by(3).skip(1).take(2).collect();
        assert_eq!(thirds, [3, 6]);
        let letters: Vec<_> = wide().par(pool).zip(&["a", "b"]).map(|(_, letter)| letter).collect();
        assert_eq!(letters, [&"a", &"b"]);
        let paired = wide().par(pool).zip(all()).find_first(|(_, x)| *x == 2000);
        assert_eq!(paired, Some((i128::MIN + 2000, 2000)));
        let indexed = wide().par(pool).enumerate().find_first(|(_, x)| x.rem_euclid(512) == 1);
        assert_eq!(indexed, Some((1, i128::MIN + 1)));
        // Two that are longer than can be said together, or each.
        assert_eq!(all().par(pool).chain(all()).find_first(|x| *x > 700), Some(701));
        let both = (5..10).par(pool).chain(all()).position_first(|x| x == 300);
        assert_eq!(both, Some(305));
        let behind = all().par(pool).skip(usize::MAX - 2).chain(7..10).collect::<Vec<_>>();
        assert_eq!(behind, [u64::MAX - 2, u64::MAX - 1, u64::MAX, 7, 8, 9]);
        let woven: Vec<u64> = all().par(pool).interleave(all()).skip(3).take(4).collect();
        assert_eq!(woven, [1, 2, 2, 3]);
        let woven = all().par(pool).interleave([9, 8]).position_first(|x| x == 1000);
        assert_eq!(woven, Some(1002));
        let first_bad: Result<Vec<u64>, u64> =
            all().par(pool).map(|x| if x < 300 { Ok(x) } else { Err(x) }).collect();
        assert_eq!(first_bad, Err(300));
        let soon = Instant::now() + Duration::from_millis(2);
        let slow = all().par(pool).with_grain(1 << 10).deadline(soon).map(std::hint::black_box);
        assert_eq!(slow.max(), Err(Stopped::DeadlinePassed));

        let panics = |f: &dyn Fn()| catch_unwind(AssertUnwindSafe(f)).is_err();
        assert!(panics(&|| _ = all().par(pool).collect::<Vec<_>>()));
        assert!(panics(&|| _ = wide().par(pool).count()));
        assert!(panics(&|| _ = wide().par(pool).enumerate().rev().find_first(|_| true)));
        assert!(panics(&|| _ = all().par(pool).rev().find_first(|_| true)));
        assert!(panics(&|| _ = wide().par(pool).zip(all()).rev().find_first(|_| true)));
        assert!(panics(&|| _ = all().par(pool).step_by(3).rev().find_first(|_| true)));
        assert!(panics(&|| _ = wide().rev().par(pool).find_first(|_| true)));
        assert!(panics(&|| _ = wide().step_by(2).par(pool).find_first(|_| true)));
        assert!(panics(&|| _ = all().par(pool).chain(all()).collect::<Vec<_>>()));
        assert!(panics(&|| _ = all().par(pool).chain(0..9).rev().first()));
        assert!(panics(&|| _ = all().par(pool).interleave(all()).rev().first()));
        // The pool is none the worse.
        assert_eq!(all().par(pool).find_first(|x| *x > 6), Some(7));
    }
}

/// Steps are right or panic: a cut behind `usize::MAX` rows cannot be made.
#[test]
fn steps_and_chunks_of_overlong_ranges_never_miscount() {
    let pool = std::sync::Arc::new(spanwise::backend::Serial);
    let rows = || (0..1_u128 << 70).par(&pool);
    assert!(catch_unwind(AssertUnwindSafe(|| rows().step_by(1 << 63).take(3).count())).is_err());
    assert_eq!(rows().chunks(3).take(3).count(), 3);
    assert_eq!(rows().step_by(1 << 40).find_first(|x| *x > 1 << 50), Some((1 << 50) + (1 << 40)));
    assert_eq!(rows().take(10).step_by(3).map(|x| x as u8).collect::<Vec<_>>(), [0, 3, 6, 9]);
}
