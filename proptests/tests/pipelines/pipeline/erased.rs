//! Chains without their types. In comes a chain of any type, out come its rows as a source of one
//! type, so that a pipeline of any length is compiled once for each adapter and not for each sequence.
//!
//! The chain's input is opened by the library itself, inside a call; what an adapter does before its
//! rows can be had, such as a `take_while`, runs there.

use std::{collections::VecDeque, ops::Range};

use spanwise::{
    Chain, Stopped,
    chain::Other,
    control::{self, Control},
    input::Input,
    leaf::{BackLeaf, Inexact, Leaf},
    source::Source,
    span::Span,
};

use spanwise_proptests::{backends::AnyPool, shape::On};

/// A part of some rows and what becomes of them.
trait Part<'r, T>: Send {
    fn rows(&self) -> usize;
    fn cut(self: Box<Self>, at: usize) -> (Rows<'r, T>, Rows<'r, T>);
    fn fore(self: Box<Self>) -> Box<dyn Iterator<Item = T> + 'r>;
    fn back(self: Box<Self>) -> Box<dyn Iterator<Item = T> + 'r>;
}

/// Rows of any chain, each of which gives one item.
pub(super) struct Rows<'r, T>(Box<dyn Part<'r, T> + 'r>);

/// A part whose leaf runs from its front only.
struct Fore<'r, S, L>(S, &'r L);

impl<'r, T: 'r, S: Span + 'r, L: Leaf<S, Item = T>> Part<'r, T> for Fore<'r, S, L> {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn cut(self: Box<Self>, at: usize) -> (Rows<'r, T>, Rows<'r, T>) {
        let (front, rest) = self.0.cut(at);
        (Rows(Box::new(Fore(front, self.1))), Rows(Box::new(Fore(rest, self.1))))
    }

    fn fore(self: Box<Self>) -> Box<dyn Iterator<Item = T> + 'r> {
        Box::new(self.1.iter(self.0))
    }

    fn back(self: Box<Self>) -> Box<dyn Iterator<Item = T> + 'r> {
        Box::new(self.1.iter(self.0).collect::<Vec<_>>().into_iter().rev())
    }
}

/// A part whose leaf runs from both ends.
struct Both<'r, S, L>(S, &'r L);

impl<'r, T: 'r, S: Span + 'r, L: BackLeaf<S, Item = T>> Part<'r, T> for Both<'r, S, L> {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn cut(self: Box<Self>, at: usize) -> (Rows<'r, T>, Rows<'r, T>) {
        let (front, rest) = self.0.cut(at);
        (Rows(Box::new(Both(front, self.1))), Rows(Box::new(Both(rest, self.1))))
    }

    fn fore(self: Box<Self>) -> Box<dyn Iterator<Item = T> + 'r> {
        Box::new(self.1.iter(self.0))
    }

    fn back(self: Box<Self>) -> Box<dyn Iterator<Item = T> + 'r> {
        Box::new(self.1.iter_back(self.0))
    }
}

impl<T> Span for Rows<'_, T> {
    fn len(&self) -> usize {
        self.0.rows()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        self.0.cut(at)
    }
}

impl<'r, T> IntoIterator for Rows<'r, T> {
    type Item = T;
    type IntoIter = Items<'r, T>;

    fn into_iter(self) -> Items<'r, T> {
        Items::Unread(Some(self))
    }
}

impl<T> Source for Rows<'_, T> {
    type Input = Self;

    fn into_input(self) -> Self {
        self
    }
}

/// The items of a part. Nobody reads from both ends, or what is left is gathered first.
pub(super) enum Items<'r, T> {
    /// Nothing is read.
    Unread(Option<Rows<'r, T>>),
    /// Read from the front.
    Fore(Box<dyn Iterator<Item = T> + 'r>),
    /// Read from the back.
    Back(Box<dyn Iterator<Item = T> + 'r>),
    /// Read from both.
    Gathered(VecDeque<T>),
}

impl<T> Items<'_, T> {
    fn begin(&mut self, front: bool) {
        if let Self::Unread(rows) = self {
            let rows = rows.take().expect("it is there until it is read").0;
            *self = if front { Self::Fore(rows.fore()) } else { Self::Back(rows.back()) };
        }
        match self {
            Self::Fore(items) if !front => *self = Self::Gathered(items.collect()),
            Self::Back(items) if front => {
                let mut items: VecDeque<T> = items.collect();
                items.make_contiguous().reverse();
                *self = Self::Gathered(items);
            }
            _ => (),
        }
    }
}

impl<T> Iterator for Items<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.begin(true);
        match self {
            Self::Gathered(items) => items.pop_front(),
            Self::Fore(items) => items.next(),
            Self::Unread(_) | Self::Back(_) => unreachable!("it was begun from the front"),
        }
    }
}

impl<T> DoubleEndedIterator for Items<'_, T> {
    fn next_back(&mut self) -> Option<T> {
        self.begin(false);
        match self {
            Self::Gathered(items) => items.pop_back(),
            Self::Back(items) => items.next(),
            Self::Unread(_) | Self::Fore(_) => unreachable!("it was begun from the back"),
        }
    }
}

/// Rows of any chain, which give no item or many.
pub(super) struct Spread<'r, T>(pub(crate) Rows<'r, T>);

impl<'r, T> Input for Spread<'r, T> {
    type Span = Rows<'r, T>;
    type Length = Inexact;

    fn open<C: Control>(self, _: &C) -> Result<Rows<'r, T>, Stopped> {
        Ok(self.0)
    }
}

impl<T> Source for Spread<'_, T> {
    type Input = Self;

    fn into_input(self) -> Self {
        self
    }
}

/// An input that is empty, and opens another one where the library opens it.
struct Probe<'o, I: Input> {
    input: I,
    opened: &'o mut Option<I::Span>,
}

impl<I: Input> Input for Probe<'_, I> {
    type Span = Range<usize>;
    type Length = spanwise::leaf::Exact;

    fn open<C: Control>(self, control: &C) -> Result<Range<usize>, Stopped> {
        *self.opened = Some(self.input.open(control)?);
        Ok(0..0)
    }
}

impl<I: Input> Source for Probe<'_, I> {
    type Input = Self;

    fn into_input(self) -> Self {
        self
    }
}

fn opened<I: Input>(input: I, on: On<'_>) -> I::Span {
    let mut opened = None;
    on.of(Probe { input, opened: &mut opened }).count();
    opened.expect("an input is opened once")
}

/// Opens a chain and goes on with its rows.
pub(super) fn open<I, L, R>(
    chain: Chain<I, L, control::On<'_, AnyPool>>,
    on: On<'_>,
    then: impl FnOnce(Rows<'_, L::Item>) -> R,
) -> R
where
    I: Input,
    L: Leaf<I::Span>,
{
    let (input, leaf) = chain.into_parts();
    then(Rows(Box::new(Fore(opened(input, on), &leaf))))
}

/// As `open`, for chains that run from both ends.
pub(super) fn open_both<I, L, R>(
    chain: Chain<I, L, control::On<'_, AnyPool>>,
    on: On<'_>,
    then: impl FnOnce(Rows<'_, L::Item>) -> R,
) -> R
where
    I: Input,
    L: BackLeaf<I::Span>,
{
    let (input, leaf) = chain.into_parts();
    then(Rows(Box::new(Both(opened(input, on), &leaf))))
}
