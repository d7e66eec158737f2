//! Text against std's iterators, cut at every byte.

use std::fmt::Debug;

use spanwise::{CancelToken, Chain, Stopped, control::On, input::Input, leaf::Leaf, prelude::*};

use crate::{Any, GRAINS, LENGTHS, backends, grained, same::same};

/// What is between cuts: line ends of both kinds, separators that touch and overlap, characters of one
/// to four bytes.
const BITS: [&str; 14] =
    ["a", "b", "\n", "\r\n", "\r", " ", "é", "中", "😀", "--", "-", "\u{2003}", ", ", "aa"];

/// Texts that are easy to get wrong, then longer ones of all bits in no order.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "",
        "\n",
        "\r\n",
        "a",
        "a\n",
        "a\nb",
        "a\r\n\r\nb\r\n",
        "\n\n\n",
        "\r",
        "a\r",
        "é",
        "\u{2003}",
        "---",
        "----",
        "-----",
        "aaaaaaa",
        "abaabab",
        "中\n中",
        "😀",
        " a  b ",
        ",,",
        "\n😀",
    ]
    .map(String::from)
    .into();
    let mut state = 7_usize;
    for n in LENGTHS {
        let text = (0..n).map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            BITS[(state >> 33) % BITS.len()]
        });
        texts.push(text.collect());
    }
    // Pieces longer than many leaves, and one that fills the text.
    texts.push(format!("{}\n{}", "x".repeat(3000), "--".repeat(1500)));
    texts.push("é".repeat(5000));
    texts
}

fn equal<'p, I, L, T>(
    what: &str,
    chain: impl Fn() -> Chain<I, L, On<'p, Any>>,
    expected: impl Iterator<Item = T>,
) where
    I: Input,
    L: Leaf<I::Span, Item = T>,
    T: PartialEq + Copy + Debug + Send + Sync,
{
    let expected: Vec<T> = expected.collect();
    for grain in GRAINS {
        let chain = || grained(chain(), grain);
        let collected: Vec<T> = chain().collect();
        assert_eq!(collected, expected, "{what}, grain {grain:?}");
        let by_leaf = chain().fold(
            Vec::new,
            |mut leaf, piece| {
                leaf.push(piece);
                leaf
            },
            |left, right| [left, right].concat(),
        );
        assert_eq!(by_leaf, expected, "{what}, grain {grain:?}");
        let middle = expected.get(expected.len() / 2);
        assert_eq!(chain().find_first(|piece| Some(piece) == middle).as_ref(), middle, "{what}");
    }
}

#[test]
fn pieces_between_characters() {
    for pool in backends() {
        for text in &texts() {
            let what = if text.len() < 30 { text } else { &text[..0] };
            let what = format!("{what:?}, {} bytes", text.len());
            equal(&what, || text.par_lines(pool), text.lines());
            equal(&what, || text.par_split_whitespace(pool), text.split_whitespace());
            equal(&what, || text.par_bytes(pool), text.bytes());
            equal(&what, || text.par_split('\n', pool), text.split('\n'));
            equal(&what, || text.par_split('中', pool), text.split('中'));
            equal(&what, || text.par_split(['é', '\n'], pool), text.split(['é', '\n']));
            let some = &['a', '😀'][..];
            equal(&what, || text.par_split(some, pool), text.split(some));
            let wide = |c: char| c.len_utf8() > 1;
            equal(&what, || text.par_split(wide, pool), text.split(wide));
        }
    }
}

#[test]
fn pieces_between_strings() {
    for pool in backends() {
        for text in &texts() {
            let what = if text.len() < 30 { text } else { &text[..0] };
            // The second half can overlap themselves.
            for by in
                ["\r\n", ", ", "b", "中", "a\n", "", "--", "---", "aa", "-a-", "aba", "xxx", "éé"]
            {
                let what = format!("{what:?}, {} bytes, by {by:?}", text.len());
                equal(&what, || text.par_split(by, pool), text.split(by));
            }
        }
    }
}

#[test]
fn characters() {
    for pool in backends() {
        for text in &texts() {
            same(pool, "chars", || text.chars());
            same(pool, "char_indices", || text.char_indices());
            // What is left of iterators that have begun.
            let (mut chars, mut indices) = (text.chars(), text.char_indices());
            assert_eq!(chars.next(), indices.next().map(|(_, c)| c));
            assert_eq!(chars.next_back(), indices.next_back().map(|(_, c)| c));
            same(pool, "chars", || chars.clone());
            same(pool, "char_indices", || indices.clone());
        }
    }
}

/// An overlapping separator in a text of many blocks, and texts in which it is rare or missing.
#[test]
fn long_texts_between_strings() {
    let far = format!("{}--{}---{}", "a".repeat(30_000), "b".repeat(9_000), "-".repeat(4_097));
    for text in ["-".repeat(20_001), far, "a".repeat(20_000)] {
        for by in ["--", "---", "aa", "-a-"] {
            let place = |piece: &str| (piece.as_ptr() as usize, piece.len());
            let expected: Vec<_> = text.split(by).map(place).collect();
            for (pool, grain) in
                backends().iter().flat_map(|pool| [None, Some(7), Some(256)].map(|g| (pool, g)))
            {
                let places: Vec<_> = grained(text.par_split(by, pool), grain).map(place).collect();
                assert_eq!(places, expected, "{} bytes, by {by:?}", text.len());
            }
        }
    }
}

/// A stop is an error, never the pieces so far; order and early ends are std's.
#[test]
fn text_stops_and_is_shortened() {
    let text = "one two\nthree\n\nfour".repeat(500);
    for pool in backends() {
        let token = CancelToken::new();
        let cancel = |_: &&str| token.cancel();
        let cancelled = text.par_lines(pool).with_grain(1).until(&token).inspect(cancel);
        assert_eq!(cancelled.collect::<Vec<_>>(), Err(Stopped::Cancelled));
        assert_eq!(text.chars().par(pool).until(&token).count(), Err(Stopped::Cancelled));
        let few: Vec<_> = text.par_split(' ', pool).skip(3).take(5).collect();
        assert!(few.into_iter().eq(text.split(' ').skip(3).take(5)));
        let letter = text.chars().par(pool).position_first(|c| c == 'f');
        assert_eq!(letter, text.chars().position(|c| c == 'f'));
    }
}
