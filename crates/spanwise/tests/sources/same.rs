//! One source against std's iterator over the same rows.

use std::fmt::Debug;

use spanwise::{input::Input, leaf::Exact, prelude::*, source::Source};

use crate::{Any, GRAINS, grained};

/// Both ways to run the source's rows, in order, and stopping early.
pub(crate) fn same<S>(pool: &Any, what: &str, source: impl Fn() -> S)
where
    S: Source<Input: Input<Span: IntoIterator<Item = S::Item>>>
        + IntoIterator<Item: PartialEq + Clone + Debug + Send + Sync>,
{
    let expected: Vec<S::Item> = source().into_iter().collect();
    let n = expected.len();
    let what = format!("{what}, {n} items");
    for grain in GRAINS {
        let chain = || grained(source().par(pool), grain);
        assert_eq!(chain().collect::<Vec<_>>(), expected, "{what}, grain {grain:?}");
        // One leaf after another, each cut from the rest.
        let by_leaf = chain().fold(
            Vec::new,
            |mut leaf, item| {
                leaf.push(item);
                leaf
            },
            |mut left, mut right| {
                left.append(&mut right);
                left
            },
        );
        assert_eq!(by_leaf, expected, "{what}, grain {grain:?}");
        let hit = expected.get(n / 2);
        let first = chain().find_first(|item| Some(item) == hit);
        assert_eq!(first.as_ref(), hit, "{what}, grain {grain:?}");
    }
}

/// What a source has besides whose number of rows is known.
pub(crate) fn same_by_index<S>(pool: &Any, what: &str, source: impl Fn() -> S)
where
    S: Source<
            Input: Input<
                Span: IntoIterator<Item = S::Item, IntoIter: DoubleEndedIterator>,
                Length = Exact,
            >,
        > + IntoIterator<Item: PartialEq + Clone + Debug + Send + Sync>,
{
    same(pool, what, &source);
    let expected: Vec<S::Item> = source().into_iter().collect();
    let n = expected.len();
    for grain in GRAINS {
        let chain = || grained(source().par(pool), grain);
        let backwards: Vec<_> = chain().enumerate().rev().collect();
        let indexed = expected.iter().cloned().enumerate().rev();
        assert!(backwards.into_iter().eq(indexed), "{what}, {n} items, grain {grain:?}");
        let zipped: Vec<_> = grained((1..usize::MAX).par(pool), grain).zip(source()).collect();
        let numbered = (1..).zip(expected.iter().cloned());
        assert!(zipped.into_iter().eq(numbered), "{what}, {n} items, grain {grain:?}");
    }
}
