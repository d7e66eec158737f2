//! Lines, words and bytes of texts, as `wc` counts them. In come texts, out go rows of the table.
//!
//! A word is a longest run of bytes other than space and `\t \n \v \f \r`: what POSIX says, in the
//! C locale. So text in any encoding has words, also text that is not valid in it. In a UTF-8 locale
//! `wc` agrees but for Unicode's own spaces, which it takes for spaces; and some versions of GNU `wc`
//! count no word without a character that can be printed, such as a lone arrow in the C locale.

use std::{fmt::Display, io, iter, ops::Add};

use spanwise::{backend::Backend, prelude::*};

use super::{
    files::Text,
    race::{Answer, Pools},
    report::Report,
};

/// Bytes in a piece: enough to outweigh a call, few enough to balance.
const PIECE: usize = 1 << 16;

/// What `wc` prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) lines: usize,
    pub(crate) words: usize,
    pub(crate) bytes: usize,
}

impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            lines: self.lines + other.lines,
            words: self.words + other.words,
            bytes: self.bytes + other.bytes,
        }
    }
}

impl Answer for Counts {}

/// A stretch of a text, and the byte in front of it, which tells whether a word is under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    before: u8,
    bytes: &'a [u8],
}

impl Piece<'_> {
    /// Counts a word where it starts, so that no piece needs to know how the next one begins.
    fn counts(&self) -> Counts {
        let starts = |(&a, &b): (&u8, &u8)| is_space(a) && !is_space(b);
        let neighbours = self.bytes.iter().zip(self.bytes.iter().skip(1));
        let at_front = iter::once(&self.before).zip(self.bytes);
        Counts {
            lines: self.bytes.iter().filter(|&&byte| byte == b'\n').count(),
            words: at_front.chain(neighbours).filter(|&pair| starts(pair)).count(),
            bytes: self.bytes.len(),
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Cuts a text into pieces of at most so many bytes.
pub(crate) fn pieces(text: &[u8], size: usize) -> impl Iterator<Item = Piece<'_>> {
    let mut before = b'\n';
    text.chunks(size).map(move |bytes| {
        let piece = Piece { before, bytes };
        before = bytes.last().copied().unwrap_or(before);
        piece
    })
}

/// The totals of all pieces.
pub(crate) fn count<B: Backend>(pieces: &[Piece<'_>], pool: &B) -> Counts {
    pieces.par(pool).map(Piece::counts).reduce(Counts::add).unwrap_or_default()
}

/// Prints the counts of each text and of all, as `wc` does, or of all alone under a name; then counts
/// all of them every way.
pub(crate) fn show(
    texts: &[Text],
    name: Option<&str>,
    pools: &Pools,
    report: &mut Report<'_>,
) -> io::Result<()> {
    let whole: Vec<_> = texts.iter().flat_map(|text| pieces(&text.bytes, PIECE)).collect();
    let total = count(&whole, &pools.deque);
    report.note(&format!("{:>10} {:>10} {:>12}", "lines", "words", "bytes"))?;
    if name.is_none() {
        for text in texts {
            let pieces: Vec<_> = pieces(&text.bytes, PIECE).collect();
            report.note(&line(count(&pieces, &pools.deque), text.path.display()))?;
        }
    }
    if name.is_some() || texts.len() > 1 {
        report.note(&line(total, name.unwrap_or("total")))?;
    }
    report.heads("bytes")?;
    report.row(&compare!(
        pools, ("wc", "files", total.bytes), pieces = &whole[..],
        serial: pieces.iter().map(Piece::counts).reduce(Counts::add).unwrap_or_default(),
        spanwise: |pool| count(pieces, pool),
    ))
}

fn line(counts: Counts, name: impl Display) -> String {
    format!("{:>10} {:>10} {:>12}  {name}", counts.lines, counts.words, counts.bytes)
}
