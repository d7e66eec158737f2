//! Random chains of random length: adapters are drawn one after another and applied to a chain whose
//! type grows with each, while the oracle does the same to a vector.

use std::marker::PhantomData;

use proptest::{collection::vec, prelude::*};
use spanwise::{
    Chain, control,
    input::Input,
    leaf::{BackLeaf, Exact},
};
use spanwise_proptests::{
    backends::{AnyPool, pools},
    ends::{self, end},
    generate::{check, grain, keep, op, program, rows, some},
    program::{Keep, Op, Program},
    shape::On,
};

#[derive(Clone, Debug)]
enum Adapter {
    Map(Op),
    Enumerate,
    Zip(Vec<i64>),
    Chain(Vec<i64>),
    Rev,
    Skip(usize),
    Take(usize),
    Grain(usize),
}

/// How many of a chain's adapters change its type, at most.
const DEPTH: usize = 3;

type Deepest = More<More<More<Full>>>;

impl Adapter {
    fn changes_type(&self) -> bool {
        !matches!(self, Self::Grain(_))
    }
}

/// What follows the adapters that keep one item a row.
#[derive(Clone, Debug)]
struct Tail {
    keep: Keep,
    program: Program,
    op: Op,
    inexact: bool,
}

fn adapter() -> impl Strategy<Value = Adapter> {
    prop_oneof![
        2 => op().prop_map(Adapter::Map),
        1 => Just(Adapter::Enumerate),
        2 => rows().prop_map(Adapter::Zip),
        2 => rows().prop_map(Adapter::Chain),
        3 => Just(Adapter::Rev),
        3 => some().prop_map(Adapter::Skip),
        3 => some().prop_map(Adapter::Take),
        1 => (1..3000_usize).prop_map(Adapter::Grain),
    ]
}

fn pair((x, y): (i64, i64)) -> i64 {
    x.wrapping_mul(7) ^ y
}

fn numbered((i, x): (usize, i64)) -> i64 {
    pair((i as i64, x))
}

/// How many more adapters may change a chain's type. Without it types would have no end.
trait Depth {
    fn go_on<S, L>(
        chain: Chain<S, L, control::On<'_, AnyPool>>,
        rest: &[Adapter],
        tail: &Tail,
    ) -> ends::Outcome
    where
        S: Input<Length = Exact>,
        L: BackLeaf<S::Span, Item = i64> + Send;
}

struct Full;
struct More<D>(PhantomData<D>);

impl Depth for Full {
    fn go_on<S, L>(
        chain: Chain<S, L, control::On<'_, AnyPool>>,
        rest: &[Adapter],
        tail: &Tail,
    ) -> ends::Outcome
    where
        S: Input<Length = Exact>,
        L: BackLeaf<S::Span, Item = i64> + Send,
    {
        match rest.split_first() {
            Some((&Adapter::Grain(n), rest)) => Self::go_on(chain.with_grain(n), rest, tail),
            _ => ends::Outcome::Rows(chain.collect()),
        }
    }
}

impl<D: Depth> Depth for More<D> {
    fn go_on<S, L>(
        chain: Chain<S, L, control::On<'_, AnyPool>>,
        rest: &[Adapter],
        tail: &Tail,
    ) -> ends::Outcome
    where
        S: Input<Length = Exact>,
        L: BackLeaf<S::Span, Item = i64> + Send,
    {
        let Some((adapter, rest)) = rest.split_first() else { return finish(chain, tail) };
        match adapter {
            &Adapter::Map(op) => D::go_on(chain.map(move |x| op.of(x)), rest, tail),
            Adapter::Enumerate => D::go_on(chain.enumerate().map(numbered), rest, tail),
            Adapter::Zip(ys) => D::go_on(chain.zip(ys.clone().into_iter()).map(pair), rest, tail),
            Adapter::Chain(ys) => D::go_on(chain.chain(ys.clone().into_iter()), rest, tail),
            Adapter::Rev => D::go_on(chain.rev(), rest, tail),
            &Adapter::Skip(n) => D::go_on(chain.skip(n), rest, tail),
            &Adapter::Take(n) => D::go_on(chain.take(n), rest, tail),
            &Adapter::Grain(n) => Self::go_on(chain.with_grain(n), rest, tail),
        }
    }
}

/// Few terminals here, since each is compiled for every type of chain.
fn finish<S, L>(chain: Chain<S, L, control::On<'_, AnyPool>>, tail: &Tail) -> ends::Outcome
where
    S: Input<Length = Exact>,
    L: BackLeaf<S::Span, Item = i64> + Send,
{
    if !tail.inexact {
        return ends::Outcome::Rows(chain.collect());
    }
    let chain = chain.filter(|&x| tail.keep.of(x)).flat_map(|x| tail.program.of(x));
    ends::Outcome::Rows(chain.map(|x| tail.op.of(x)).collect())
}

fn naive(xs: &[i64], adapters: &[Adapter], tail: &Tail) -> ends::Outcome {
    let mut xs = xs.to_vec();
    for adapter in adapters {
        xs = match adapter {
            &Adapter::Map(op) => xs.into_iter().map(|x| op.of(x)).collect(),
            Adapter::Enumerate => xs.into_iter().enumerate().map(numbered).collect(),
            Adapter::Zip(ys) => xs.into_iter().zip(ys.iter().copied()).map(pair).collect(),
            Adapter::Chain(ys) => [&xs[..], ys].concat(),
            Adapter::Rev => xs.into_iter().rev().collect(),
            &Adapter::Skip(n) => xs.into_iter().skip(n).collect(),
            &Adapter::Take(n) => xs.into_iter().take(n).collect(),
            Adapter::Grain(_) => xs,
        };
    }
    if tail.inexact && adapters.iter().filter(|a| a.changes_type()).count() < DEPTH {
        xs.retain(|&x| tail.keep.of(x));
        xs = xs.into_iter().flat_map(|x| tail.program.of(x)).map(|x| tail.op.of(x)).collect();
    }
    ends::Outcome::Rows(xs)
}

/// The adapters as far as types go.
fn within_depth(adapters: Vec<Adapter>) -> Vec<Adapter> {
    let mut changes = 0;
    let fits = |a: &Adapter| {
        changes += usize::from(a.changes_type());
        changes <= DEPTH
    };
    adapters.into_iter().take_while(fits).collect()
}

#[test]
fn exact_adapters_in_any_order() {
    let tail = (keep(), program(), op(), any::<bool>());
    let tail = tail.prop_map(|(keep, program, op, inexact)| Tail { keep, program, op, inexact });
    let adapters = vec(adapter(), 0..9).prop_map(within_depth);
    check(768, (rows(), adapters, tail, grain()), |(xs, adapters, tail, grain)| {
        let expected = naive(&xs, &adapters, &tail);
        for pool in pools() {
            let chain = On { pool, grain }.of(&xs).copied();
            let got = Deepest::go_on(chain, &adapters, &tail);
            assert_eq!(got, expected, "{pool:?}");
        }
    });
}

/// The other adapters keep no type apart from their function, so a program per item is any chain of
/// them; here in each of the three that can run one.
#[test]
fn inexact_adapters_in_any_order() {
    let programs = (program(), program(), program());
    check(256, (rows(), programs, grain(), end()), |(xs, (a, b, c), grain, end)| {
        let first = |x: i64| b.of(x).first().copied();
        let last = |x: i64| c.of(x).last().copied().unwrap_or(x);
        let items = xs.iter().copied().map(last).flat_map(|x| a.of(x)).filter_map(first);
        let expected = ends::of_iter(items, &end);
        for pool in pools() {
            let chain = On { pool, grain }.of(&xs).copied().map(last).flat_map(|x| a.of(x));
            let got = ends::of_chain(chain.filter_map(first), &end);
            assert_eq!(got, expected, "{pool:?}");
        }
    });
}
