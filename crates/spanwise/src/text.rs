//! Text that is cut by bytes. In come a text and its characters, out goes a span whose rows are bytes:
//! a part has the characters that begin among its rows, and nothing is copied or counted. Split and
//! lines (`split.rs`) use the same span.

use std::str::{CharIndices, Chars};

use crate::{
    control::{Control, Stopped},
    input::Input,
    leaf::Inexact,
    source::Source,
    span::Span,
};

/// What begins in some bytes of a text: in `from..to`, which may be within characters.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    pub(crate) text: &'a str,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl<'a> Text<'a> {
    /// The characters that begin here.
    #[inline]
    pub(crate) fn characters(self) -> &'a str {
        &self.text[ceil(self.text, self.from)..ceil(self.text, self.to)]
    }
}

impl Span for Text<'_> {
    fn len(&self) -> usize {
        self.to - self.from
    }

    fn cut(self, at: usize) -> (Self, Self) {
        assert!(at <= Span::len(&self), "a cut at {at} is outside the text");
        let border = self.from + at;
        (Self { to: border, ..self }, Self { from: border, ..self })
    }
}

/// The first border of characters at this byte or behind it; the text's end behind that.
#[inline]
pub(crate) fn ceil(text: &str, byte: usize) -> usize {
    let end = text.len();
    (byte.min(end)..end).find(|&byte| text.is_char_boundary(byte)).unwrap_or(end)
}

/// The last border of characters at this byte or before it.
#[inline]
pub(crate) fn floor(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|&byte| text.is_char_boundary(byte)).unwrap_or(0)
}

/// A span of which not every row gives an item, so that adapters that need indices do not exist.
#[derive(Clone, Copy, Debug)]
pub struct Sparse<S>(S);

impl<S: Span> Input for Sparse<S> {
    type Span = S;
    type Length = Inexact;

    fn open<C: Control>(self, _: &C) -> Result<S, Stopped> {
        Ok(self.0)
    }
}

/// The characters that begin in a part.
///
/// # Examples
///
/// ```
/// use spanwise::prelude::*;
///
/// let pool = spanwise::Pool::new(2)?;
/// let text = "Größe";
/// assert_eq!(text.chars().par(&pool).filter(|c| !c.is_ascii()).count(), 2);
/// let last = text.char_indices().par(&pool).filter(|(_, c)| c.is_ascii()).map(|(at, _)| at).max();
/// assert_eq!(last, Some(6));
/// # Ok::<(), spanwise::PoolError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Letters<'a>(Text<'a>);

impl Span for Letters<'_> {
    fn len(&self) -> usize {
        Span::len(&self.0)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (front, back) = self.0.cut(at);
        (Self(front), Self(back))
    }
}

impl<'a> IntoIterator for Letters<'a> {
    type Item = char;
    type IntoIter = Chars<'a>;

    #[inline]
    fn into_iter(self) -> Chars<'a> {
        self.0.characters().chars()
    }
}

/// The characters that begin in a part, with their places in a larger text.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// Where `text` begins in the larger one.
    base: usize,
    text: Text<'a>,
}

impl Span for Placed<'_> {
    fn len(&self) -> usize {
        Span::len(&self.text)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (front, back) = self.text.cut(at);
        (Self { text: front, ..self }, Self { text: back, ..self })
    }
}

impl<'a> IntoIterator for Placed<'a> {
    type Item = (usize, char);
    type IntoIter = PlacedChars<'a>;

    #[inline]
    fn into_iter(self) -> PlacedChars<'a> {
        let begin = self.base + ceil(self.text.text, self.text.from);
        PlacedChars { base: begin, chars: self.text.characters().char_indices() }
    }
}

/// Characters with their places; std's iterator cannot be told where its text begins.
#[derive(Clone, Debug)]
pub struct PlacedChars<'a> {
    base: usize,
    chars: CharIndices<'a>,
}

impl Iterator for PlacedChars<'_> {
    type Item = (usize, char);

    #[inline]
    fn next(&mut self) -> Option<(usize, char)> {
        self.chars.next().map(|(place, c)| (self.base + place, c))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.chars.size_hint()
    }

    #[inline]
    fn fold<A, F: FnMut(A, (usize, char)) -> A>(self, init: A, mut f: F) -> A {
        self.chars.fold(init, |acc, (place, c)| f(acc, (self.base + place, c)))
    }
}

/// Cut at borders of characters. A row is a byte: only the text's end is known, not the number of
/// characters, so what needs an index or the end does not exist; [`char_indices`](str::char_indices)
/// has places.
impl<'a> Source for Chars<'a> {
    type Input = Sparse<Letters<'a>>;

    fn into_input(self) -> Self::Input {
        let text = self.as_str();
        Sparse(Letters(Text { text, from: 0, to: text.len() }))
    }
}

/// Cut at borders of characters. A row is a byte, as for [`Chars`].
impl<'a> Source for CharIndices<'a> {
    type Input = Sparse<Placed<'a>>;

    fn into_input(self) -> Self::Input {
        let (base, text) = (self.offset(), self.as_str());
        Sparse(Placed { base, text: Text { text, from: 0, to: text.len() } })
    }
}
