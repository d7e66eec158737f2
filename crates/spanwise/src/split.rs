//! Text in lines, words and other pieces, which std's `Lines` and `Split` hide. In comes a text, out
//! goes a chain of its pieces: rows are bytes, and a part has the pieces that begin among its rows. To
//! find its borders a part searches its own bytes for the first beginning and, if there is one, those
//! behind it for the end of its last piece.

use std::{ops::Range, sync::OnceLock};

use spanwise_backend::Backend;

use crate::{
    chain::Chain,
    control::On,
    leaf::{Copied, Inexact, Leaf, Rows},
    sealed::Sealed,
    text::{Text, ceil, floor},
};

/// Chains over a text's pieces.
///
/// They give what std's iterators of the same names give, in the same order, and borrow the text. Their
/// rows are bytes, so a grain counts bytes; how many pieces there are is not known beforehand, so
/// `enumerate`, `zip` and `rev` do not exist for them (`par_bytes` has all of them).
pub trait ParStr {
    /// The lines of the text, without their ends, as [`str::lines`].
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let text = "1 apple\r\n2 pears\n\n3 plums";
    /// let lines: Vec<&str> = text.par_lines(&pool).collect();
    /// assert_eq!(lines, ["1 apple", "2 pears", "", "3 plums"]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    fn par_lines<'p, B: Backend>(&self, pool: &'p B) -> Chain<Text<'_>, Lines, On<'p, B>>;

    /// The pieces of the text between separators, as [`str::split`].
    ///
    /// A separator is a `char`, some of them (`[char; N]` or `&[char]`), a closure on `char`, or a
    /// `&str`. Where a `&str` can overlap itself, as `"--"` can, which of its occurrences count depends
    /// on all text before; if such a text is cut, one thread first looks through all of it.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let total: i64 = "3,-4;5".par_split([',', ';'], &pool).map(|n| n.parse::<i64>().unwrap()).sum();
    /// assert_eq!(total, 4);
    /// let names: Vec<&str> = "a::b::".par_split("::", &pool).collect();
    /// assert_eq!(names, ["a", "b", ""]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    fn par_split<'p, P: Separator, B: Backend>(
        &self,
        separator: P,
        pool: &'p B,
    ) -> Chain<Text<'_>, Split<P>, On<'p, B>>;

    /// The words of the text, as [`str::split_whitespace`].
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let longest = " to be\tor not\n".par_split_whitespace(&pool).max_by_key(|word| word.len());
    /// assert_eq!(longest, Some("not"));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    fn par_split_whitespace<'p, B: Backend>(
        &self,
        pool: &'p B,
    ) -> Chain<Text<'_>, Words, On<'p, B>>;

    /// The bytes of the text, as [`str::bytes`]: each row is an item, so every adapter exists.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert_eq!("abcabc".par_bytes(&pool).filter(|&byte| byte == b'b').count(), 2);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    fn par_bytes<'p, B: Backend>(&self, pool: &'p B) -> Chain<&[u8], Copied<Rows>, On<'p, B>>;
}

impl ParStr for str {
    fn par_lines<'p, B: Backend>(&self, pool: &'p B) -> Chain<Text<'_>, Lines, On<'p, B>> {
        pieces(self, Lines, pool)
    }

    fn par_split<'p, P: Separator, B: Backend>(
        &self,
        separator: P,
        pool: &'p B,
    ) -> Chain<Text<'_>, Split<P>, On<'p, B>> {
        pieces(self, Split { separator, marks: OnceLock::new() }, pool)
    }

    fn par_split_whitespace<'p, B: Backend>(
        &self,
        pool: &'p B,
    ) -> Chain<Text<'_>, Words, On<'p, B>> {
        pieces(self, Words, pool)
    }

    fn par_bytes<'p, B: Backend>(&self, pool: &'p B) -> Chain<&[u8], Copied<Rows>, On<'p, B>> {
        Chain { input: self.as_bytes(), leaf: Copied(Rows), control: On::new(pool) }
    }
}

fn pieces<'t, 'p, L, B>(text: &'t str, leaf: L, pool: &'p B) -> Chain<Text<'t>, L, On<'p, B>> {
    // A piece may begin at the end of the text too, behind its last separator.
    Chain { input: Text { text, from: 0, to: text.len() + 1 }, leaf, control: On::new(pool) }
}

/// What a text can be split at.
#[diagnostic::on_unimplemented(
    message = "a text cannot be split at `{Self}`",
    note = "a separator is a `char`, `[char; N]`, `&[char]`, `&str`, or a closure `Fn(char) -> bool`"
)]
pub trait Separator: Sealed + Sync {
    /// Whether it separates all characters, as `""` does.
    #[doc(hidden)]
    fn is_nothing(&self) -> bool {
        false
    }

    /// Whether two of its occurrences can overlap.
    #[doc(hidden)]
    fn overlaps(&self) -> bool {
        false
    }

    /// Where an occurrence that ends at byte `end` or behind it begins at the earliest. The character
    /// before `end`, if not told otherwise.
    #[doc(hidden)]
    fn earliest(&self, text: &str, end: usize) -> usize {
        floor(text, end - 1)
    }

    /// The first occurrence.
    #[doc(hidden)]
    fn find(&self, text: &str) -> Option<Range<usize>>;

    /// What lies between the occurrences.
    #[doc(hidden)]
    fn split<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str>;
}

fn place((begin, occurrence): (usize, &str)) -> Range<usize> {
    begin..begin + occurrence.len()
}

impl Sealed for char {}

impl Separator for char {
    fn find(&self, text: &str) -> Option<Range<usize>> {
        text.match_indices(*self).next().map(place)
    }

    fn split<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        text.split(*self)
    }
}

impl<const N: usize> Sealed for [char; N] {}

impl<const N: usize> Separator for [char; N] {
    fn find(&self, text: &str) -> Option<Range<usize>> {
        text.match_indices(*self).next().map(place)
    }

    fn split<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        text.split(*self)
    }
}

impl Sealed for &[char] {}

impl Separator for &[char] {
    fn find(&self, text: &str) -> Option<Range<usize>> {
        text.match_indices(*self).next().map(place)
    }

    fn split<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        text.split(*self)
    }
}

impl<F: Fn(char) -> bool> Sealed for F {}

impl<F: Fn(char) -> bool + Sync> Separator for F {
    fn find(&self, text: &str) -> Option<Range<usize>> {
        text.match_indices(self).next().map(place)
    }

    fn split<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        text.split(self)
    }
}

impl Sealed for &str {}

impl Separator for &str {
    fn is_nothing(&self) -> bool {
        self.is_empty()
    }

    fn overlaps(&self) -> bool {
        let bytes = self.as_bytes();
        (1..bytes.len()).any(|shift| bytes.starts_with(&bytes[shift..]))
    }

    fn earliest(&self, text: &str, end: usize) -> usize {
        ceil(text, end.saturating_sub(self.len()))
    }

    fn find(&self, text: &str) -> Option<Range<usize>> {
        text.match_indices(*self).next().map(place)
    }

    fn split<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        text.split(*self)
    }
}

/// A leaf of the pieces of a text between separators.
#[derive(Clone, Debug)]
pub struct Split<P> {
    separator: P,
    /// Of a separator that can overlap itself: for each block of the text, where the first occurrence
    /// that counts and ends in it or behind begins. Made by the first part that needs it.
    marks: OnceLock<Vec<usize>>,
}

/// Bytes of a block.
const BLOCK: usize = 1 << 8;

impl<P: Separator> Split<P> {
    /// The first separator that counts and ends in `ends`, which does not begin at 0.
    fn first(&self, text: &str, ends: Range<usize>) -> Option<Range<usize>> {
        let stop = floor(text, ends.end - 1);
        let mut begin = if self.separator.overlaps() {
            let marks = self.marks.get_or_init(|| marks(text, &self.separator));
            marks[ends.start / BLOCK]
        } else {
            self.separator.earliest(text, ends.start)
        };
        // Without overlaps the first that is found ends late enough.
        loop {
            let found = self.separator.find(text.get(begin..stop)?)?;
            let found = begin + found.start..begin + found.end;
            if found.end >= ends.start {
                return Some(found);
            }
            begin = found.end;
        }
    }

    /// Where the first piece that begins in this part begins, and the separator behind the last.
    fn stretch(&self, part: Text<'_>) -> Option<(usize, Range<usize>)> {
        let Text { text, from, to } = part;
        if from >= to {
            return None;
        }
        let begin = if from == 0 { 0 } else { self.first(text, from..to)?.end };
        let beyond = text.len() + 1;
        let behind = if to == beyond { None } else { self.first(text, to..beyond) };
        Some((begin, behind.unwrap_or(text.len()..text.len())))
    }
}

fn marks<P: Separator>(text: &str, separator: &P) -> Vec<usize> {
    let mut marks = Vec::with_capacity(text.len() / BLOCK + 1);
    let mut begin = 0;
    while let Some(found) = separator.find(&text[begin..]) {
        let end = begin + found.end;
        while marks.len() * BLOCK <= end {
            marks.push(begin + found.start);
        }
        begin = end;
    }
    marks.resize(text.len() / BLOCK + 1, text.len());
    marks
}

impl<P> Sealed for Split<P> {}

impl<'a, P: Separator> Leaf<Text<'a>> for Split<P> {
    type Item = &'a str;
    type Count = Inexact;

    fn iter(&self, part: Text<'a>) -> impl Iterator<Item = &'a str> {
        let nothing = self.separator.is_nothing();
        let stretch = if nothing { None } else { self.stretch(part) };
        let pieces = stretch
            .into_iter()
            .flat_map(move |(begin, behind)| self.separator.split(&part.text[begin..behind.start]));
        pieces.chain(nothing.then(|| characters(part)).into_iter().flatten())
    }
}

/// What `""` separates: a piece for each character, and an empty one at each end.
fn characters(part: Text<'_>) -> impl Iterator<Item = &str> {
    let rows = part.to - part.from;
    let first = (part.from == 0 && rows > 0).then_some("");
    let last = (part.to > part.text.len() && rows > 0).then_some("");
    first.into_iter().chain(part.characters().split_inclusive(|_| true)).chain(last)
}

/// A leaf of the lines of a text.
#[derive(Clone, Copy, Debug)]
pub struct Lines;

impl Sealed for Lines {}

impl<'a> Leaf<Text<'a>> for Lines {
    type Item = &'a str;
    type Count = Inexact;

    fn iter(&self, part: Text<'a>) -> impl Iterator<Item = &'a str> {
        let newline = Split { separator: '\n', marks: OnceLock::new() };
        // With the end of the last line, since an empty one would be none without.
        let lines = newline.stretch(part).map(|(begin, end)| &part.text[begin..end.end]);
        lines.into_iter().flat_map(str::lines)
    }
}

/// A leaf of the words of a text.
#[derive(Clone, Copy, Debug)]
pub struct Words;

impl Sealed for Words {}

impl<'a> Leaf<Text<'a>> for Words {
    type Item = &'a str;
    type Count = Inexact;

    fn iter(&self, part: Text<'a>) -> impl Iterator<Item = &'a str> {
        let space = Split { separator: char::is_whitespace, marks: OnceLock::new() };
        let words = space.stretch(part).map(|(begin, behind)| &part.text[begin..behind.start]);
        words.into_iter().flat_map(str::split_whitespace)
    }
}
