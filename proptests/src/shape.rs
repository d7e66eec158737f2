//! A chain written once and run twice: by std and on every backend. In comes the text of the chain
//! with `on.of(source)` where it begins, out comes a failed assertion if the two differ.

use spanwise::{Chain, Par, control, input::Input, leaf::Rows, source::Source};

use crate::backends::AnyPool;

/// Makes std's iterator of a source.
#[derive(Debug)]
pub struct Std;

impl Std {
    /// The source's iterator.
    pub fn of<I: IntoIterator>(&self, source: I) -> I::IntoIter {
        source.into_iter()
    }
}

/// Makes chains on one pool, with a grain.
#[derive(Clone, Copy, Debug)]
pub struct On {
    /// Where chains run.
    pub pool: &'static AnyPool,
    /// Rows in a leaf, or the plan's choice.
    pub grain: Option<usize>,
}

impl On {
    /// A chain of the source.
    pub fn of<S>(&self, source: S) -> Chain<S::Input, Rows, control::On<'static, AnyPool>>
    where
        S: Source<Input: Input<Span: IntoIterator>>,
    {
        let chain = source.par(self.pool);
        match self.grain {
            Some(grain) => chain.with_grain(grain),
            None => chain,
        }
    }
}

/// Any item as one integer, so that all shapes end in the same terminals.
pub trait Digest {
    /// The integer.
    fn digest(self) -> i64;
}

impl Digest for i64 {
    fn digest(self) -> i64 {
        self
    }
}

impl Digest for &i64 {
    fn digest(self) -> i64 {
        *self
    }
}

impl Digest for &mut i64 {
    fn digest(self) -> i64 {
        *self
    }
}

impl Digest for usize {
    fn digest(self) -> i64 {
        self as i64
    }
}

impl Digest for Box<i64> {
    fn digest(self) -> i64 {
        *self
    }
}

impl<A: Digest, B: Digest> Digest for (A, B) {
    fn digest(self) -> i64 {
        self.0.digest().wrapping_mul(1_000_003).wrapping_add(self.1.digest())
    }
}

/// `shape!(grain, &end, |on| chain)`: the chain by std must end as on every pool.
#[macro_export]
macro_rules! shape {
    ($grain:expr, $end:expr, |$on:ident| $chain:expr) => {{
        let (grain, end): (Option<usize>, _) = ($grain, $end);
        let $on = $crate::shape::Std;
        let items = $chain.map($crate::shape::Digest::digest);
        let expected = $crate::ends::Ending::of_iter(end, items);
        for pool in $crate::backends::pools() {
            let $on = $crate::shape::On { pool, grain };
            let chain = $chain.map($crate::shape::Digest::digest);
            let got = $crate::ends::Ending::of_chain(end, chain);
            assert_eq!(got, expected, "{pool:?}, {end:?}: {}", stringify!($chain));
        }
    }};
}
