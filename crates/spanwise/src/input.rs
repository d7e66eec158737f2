//! What a chain begins with, before it runs. In come spans and what adapters make of them, out comes
//! one span, opened when a terminal is called; inputs whose end nobody knows drive themselves.

use crate::{
    control::{Control, Stopped},
    drive,
    feed::{Feed, SpanFeed},
    leaf::{Count, Exact},
    span::{self, Appended, Numbered, Reversed, Span, Zipped},
    work::Work,
};

/// Something that opens to a span once its chain runs.
#[diagnostic::on_unimplemented(
    message = "`{Self}`: a serial adapter in it stands before `.par`, where no parallel chain can begin",
    note = "move `.par(&pool)` in front of the first adapter such as `map` or `filter`; those behind it exist for chains too",
    note = "any `Iterator + Send` can be used with `.par_bridge(&pool)`, one item at a time"
)]
pub trait Input: Sized {
    /// What it opens to.
    type Span: Span;

    /// Whether the number of rows is known once it is open, or only at the end.
    type Length: Count;

    /// The span, for which this may have to run other chains first.
    #[doc(hidden)]
    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped>;

    /// One partial of all rows.
    #[doc(hidden)]
    fn drive<C, W>(self, control: &C, work: &W) -> Result<W::Partial, Stopped>
    where
        C: Control,
        W: Work<Self::Span>,
    {
        drive::drive(control, self.open(control)?, work)
    }

    /// All rows, to be claimed one by one from the front; and the control again, so that the feed need
    /// not borrow it.
    #[doc(hidden)]
    fn feed<C: Control>(self, control: C) -> (C, Result<impl Feed<Span = Self::Span>, Stopped>) {
        let span = self.open(&control);
        (control, span.map(|span| SpanFeed::by_row(span, None)))
    }
}

impl<S: Span> Input for S {
    type Span = S;
    type Length = Exact;

    #[inline]
    fn open<C: Control>(self, _: &C) -> Result<S, Stopped> {
        Ok(self)
    }
}

/// Two inputs in step, as far as both go.
#[derive(Clone, Debug)]
pub struct ZipInput<A, B>(pub(crate) A, pub(crate) B);

impl<A: Input, B: Input> Input for ZipInput<A, B> {
    type Span = Zipped<A::Span, B::Span>;
    type Length = <A::Length as Count>::And<B::Length>;

    #[inline]
    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped> {
        Ok(Zipped::new(self.0.open(control)?, self.1.open(control)?))
    }
}

/// One input after another.
#[derive(Clone, Debug)]
pub struct AppendInput<A, B>(pub(crate) A, pub(crate) B);

impl<A: Input, B: Input> Input for AppendInput<A, B> {
    type Span = Appended<A::Span, B::Span>;
    type Length = <A::Length as Count>::And<B::Length>;

    #[inline]
    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped> {
        Ok(Appended { a: self.0.open(control)?, b: self.1.open(control)? })
    }
}

/// An input read from its end.
#[derive(Clone, Debug)]
pub struct RevInput<I>(pub(crate) I);

impl<I: Input> Input for RevInput<I> {
    type Span = Reversed<I::Span>;
    type Length = I::Length;

    #[inline]
    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped> {
        Ok(Reversed::new(self.0.open(control)?))
    }
}

/// An input whose rows are counted.
#[derive(Clone, Debug)]
pub struct NumberInput<I>(pub(crate) I);

impl<I: Input> Input for NumberInput<I> {
    type Span = Numbered<I::Span>;
    type Length = I::Length;

    #[inline]
    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped> {
        Ok(Numbered { base: 0, span: self.0.open(control)? })
    }
}

/// An input without its first rows.
#[derive(Clone, Debug)]
pub struct SkipInput<I>(pub(crate) I, pub(crate) usize);

impl<I: Input> Input for SkipInput<I> {
    type Span = I::Span;
    type Length = I::Length;

    #[inline]
    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped> {
        Ok(span::skip(self.0.open(control)?, self.1))
    }
}

/// An input's first rows.
#[derive(Clone, Debug)]
pub struct TakeInput<I>(pub(crate) I, pub(crate) usize);

impl<I: Input> Input for TakeInput<I> {
    type Span = I::Span;
    type Length = I::Length;

    #[inline]
    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped> {
        Ok(span::take(self.0.open(control)?, self.1))
    }
}
