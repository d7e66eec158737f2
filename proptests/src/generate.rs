//! Random input. In comes a number of cases, out come rows, grains and programs; the suites call
//! [`check`] with them.

use std::{env, fmt::Debug};

use proptest::{
    collection::vec,
    num,
    prelude::*,
    test_runner::{Config, TestRunner},
};

use crate::program::{Keep, Op, Program, Step};

/// Runs `test` on that many random values and shrinks the first one that fails. The variable
/// `PROPTEST_CASES` sets another number.
///
/// # Panics
///
/// If `test` panics, with the least value found for which it does.
pub fn check<S>(cases: u32, values: S, test: impl Fn(S::Value))
where
    S: Strategy<Value: Debug>,
{
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    let ran = TestRunner::new(config).run(&values, |value| {
        test(value);
        Ok(())
    });
    if let Err(failure) = ran {
        panic!("{failure}");
    }
}

/// Pseudo-random numbers from a seed that is not 0.
pub fn noise(mut state: u64) -> impl Iterator<Item = u64> {
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    })
}

/// Integers: small ones, which repeat, any, and those at the ends.
pub fn number() -> impl Strategy<Value = i64> + Clone {
    prop_oneof![
        6 => -20..20_i64,
        2 => any::<i64>(),
        1 => prop::sample::select(vec![i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX]),
    ]
}

/// Rows of any integer type or other, given how to make one.
pub fn rows_of<T: Debug + Clone + 'static>(
    one: impl Strategy<Value = T> + Clone + 'static,
) -> impl Strategy<Value = Vec<T>> {
    // Long rows repeat a short stretch, since each random value costs far more than a row.
    let long = (vec(one.clone(), 1..40), 130..3000_usize);
    let long = long.prop_map(|(some, len)| some.iter().cycle().take(len).cloned().collect());
    prop_oneof![3 => vec(one.clone(), 0..8), 3 => vec(one, 0..140), 2 => long]
}

/// Rows of integers.
pub fn rows() -> impl Strategy<Value = Vec<i64>> {
    rows_of(number())
}

/// Finite floats of every class, and such as cancel.
pub fn float() -> impl Strategy<Value = f64> + Clone {
    // Not so great that a sum of 3,000 of them overflows.
    let any = (num::f64::NORMAL | num::f64::SUBNORMAL | num::f64::ZERO)
        .prop_map(|x| if x.abs() > 1e300 { x * 1e-20 } else { x });
    prop_oneof![
        8 => -10.0..10.0_f64,
        2 => any,
        2 => prop::sample::select(vec![1e300, -1e300, 1e16, -1e16, 0.1, -0.0, 0.0]),
    ]
}

/// A float or something that is not finite.
pub fn wild_float() -> impl Strategy<Value = f64> + Clone {
    let wild = vec![f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN];
    prop_oneof![9 => float(), 1 => prop::sample::select(wild)]
}

/// No grain, or one that makes many leaves, few or one of rows of that length at most.
pub fn grain() -> impl Strategy<Value = Option<usize>> {
    prop_oneof![
        2 => Just(None),
        2 => (1..8_usize).prop_map(Some),
        2 => (1..200_usize).prop_map(Some),
        1 => (1..3002_usize).prop_map(Some),
    ]
}

/// A function.
pub fn op() -> impl Strategy<Value = Op> + Clone {
    prop_oneof![
        Just(Op::Same),
        number().prop_map(Op::Add),
        number().prop_map(Op::Times),
        number().prop_map(Op::Flip),
    ]
}

/// A predicate.
pub fn keep() -> impl Strategy<Value = Keep> + Clone {
    let modulo =
        (1..9_i64).prop_flat_map(|by| (0..by).prop_map(move |rest| Keep::Modulo(rest, by)));
    prop_oneof![
        1 => Just(Keep::All),
        1 => Just(Keep::Nothing),
        4 => modulo,
        2 => number().prop_map(Keep::Below),
        3 => number().prop_map(Keep::Is),
    ]
}

/// A program that makes at most eight items of one.
pub fn program() -> impl Strategy<Value = Program> + Clone {
    let change = prop_oneof![
        op().prop_map(Step::Map),
        keep().prop_map(Step::Filter),
        (keep(), op()).prop_map(|(keep, op)| Step::FilterMap(keep, op)),
    ];
    let repeat = (0..3_u8, op()).prop_map(|(times, op)| Step::Repeat(times, op));
    (vec(change.clone(), 0..3), vec(repeat, 0..3), vec(change, 0..3))
        .prop_map(|(a, b, c)| Program(a.into_iter().chain(b).chain(c).collect()))
}

/// A number of items to leave out or keep: few, many, or more than there are.
pub fn some() -> impl Strategy<Value = usize> + Clone {
    prop_oneof![4 => 0..10_usize, 2 => 0..3000_usize, 1 => Just(usize::MAX)]
}
