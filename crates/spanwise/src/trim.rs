//! Chains that begin later: what `skip` and `skip_while` need where a row is not an item. In comes a
//! chain, out comes an input: the items behind the border in the rows that were run to find it, and
//! the rows that were not.

use std::sync::Arc;

use crate::{
    control::{Control, Stopped},
    gather::gathered,
    input::Input,
    leaf::{Exact, Leaf},
    owned::Owned,
    sealed::Sealed,
    span::{self, Appended, Span},
    terminal::{Terminal, Whole},
};

/// A leaf that an input needs too, to find where its chain begins.
#[derive(Clone, Debug)]
pub struct Shared<L>(pub(crate) Arc<L>);

impl<L> Sealed for Shared<L> {}

impl<S: Span, L: Leaf<S> + Send> Leaf<S> for Shared<L> {
    type Item = L::Item;
    type Count = L::Count;

    #[inline]
    fn iter(&self, part: S) -> impl Iterator<Item = L::Item> {
        self.0.iter(part)
    }
}

/// A chain without its first items, as far as a border says.
#[derive(Clone, Debug)]
pub struct Trimmed<I, L, B> {
    pub(crate) input: I,
    pub(crate) leaf: Arc<L>,
    pub(crate) border: B,
}

impl<I, L, B> Input for Trimmed<I, L, B>
where
    I: Input,
    L: Leaf<I::Span, Item: Send>,
    B: Border<L::Item>,
{
    type Span = Appended<Owned<L::Item>, I::Span>;
    type Length = Exact;

    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped> {
        let mut rest = self.input.open(control)?;
        let search = Search(&self.border);
        let work = Whole { leaf: &*self.leaf, terminal: &search };
        let mut stretch = Stretch { pieces: Vec::new(), items: 0, border: None };
        let mut round = ROUND;
        while !search.enough(&stretch) && !rest.is_empty() {
            let rows = round.min(rest.len());
            let (now, later) = rest.cut(rows);
            rest = later;
            stretch = search.merge(stretch, now.drive(control, &work)?);
            round = round.saturating_mul(2);
        }
        let before = stretch.border.unwrap_or(stretch.items).min(self.border.latest());
        let items = span::skip(Owned::from(gathered(stretch.pieces)), before);
        Ok(Appended { a: items, b: rest })
    }
}

/// Rows that are run first to find a border; then twice as many, and so on. What has been run decides
/// where the leaves of the rows behind begin, so it may depend on no width and no timing.
const ROUND: usize = 256;

/// Where a chain begins.
pub trait Border<T>: Sync {
    /// Whether a chain begins with this item, if it has not begun.
    #[doc(hidden)]
    fn begins_with(&self, item: &T) -> bool;

    /// Before how many items it has begun in any case.
    #[doc(hidden)]
    fn latest(&self) -> usize;
}

/// Behind so many items.
#[derive(Clone, Debug)]
pub struct Skip(pub(crate) usize);

impl<T> Border<T> for Skip {
    fn begins_with(&self, _: &T) -> bool {
        false
    }

    fn latest(&self) -> usize {
        self.0
    }
}

/// At the first item for which a predicate is false.
#[derive(Clone, Debug)]
pub struct SkipWhile<P>(pub(crate) P);

impl<T, P: Fn(&T) -> bool + Sync> Border<T> for SkipWhile<P> {
    fn begins_with(&self, item: &T) -> bool {
        !(self.0)(item)
    }

    fn latest(&self) -> usize {
        usize::MAX
    }
}

struct Search<'a, B>(&'a B);

/// Some items in a row, and how many of them come before the border, if it lies among them.
struct Stretch<T> {
    pieces: Vec<Vec<T>>,
    items: usize,
    border: Option<usize>,
}

impl<B> Search<'_, B> {
    /// Whether the border lies in a stretch from the first item on.
    fn enough<T>(&self, first: &Stretch<T>) -> bool
    where
        B: Border<T>,
    {
        first.border.is_some() || first.items >= self.0.latest()
    }
}

impl<T: Send, B: Border<T>> Terminal<T> for Search<'_, B> {
    type Partial = Stretch<T>;

    fn run(&self, _: usize, items: impl Iterator<Item = T>) -> Stretch<T> {
        let mut piece = Vec::new();
        let mut border = None;
        items.for_each(|item| {
            if border.is_none() && self.0.begins_with(&item) {
                border = Some(piece.len());
            }
            piece.push(item);
        });
        Stretch { items: piece.len(), pieces: vec![piece], border }
    }

    fn merge(&self, mut left: Stretch<T>, mut right: Stretch<T>) -> Stretch<T> {
        let behind = right.border.map(|border| left.items + border);
        left.border = left.border.or(behind);
        left.items += right.items;
        left.pieces.append(&mut right.pieces);
        left
    }
}
