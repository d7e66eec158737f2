//! Programs for any fork-join pool. In come sizes and seeds, out come answers that serial runs give
//! too: the job of MaPLe's `par` (fib without a cut-off, a line through points, a word count).

use std::hint::black_box;

use crate::fork::{Fork, Program};

/// Fibonacci by two joined halves down to 1, no cut-off: nothing but joins.
#[derive(Clone, Copy, Debug)]
pub struct Fib(pub u32);

impl Fib {
    /// Joins that a run makes.
    pub fn joins(self) -> u64 {
        // One for each call above 1: fib(n + 1) - 1.
        serial_fib(self.0 + 1) - 1
    }
}

impl Program for Fib {
    type Answer = u64;

    fn run(&self, fork: &mut impl Fork) -> u64 {
        fib(fork, self.0)
    }
}

fn fib(fork: &mut impl Fork, n: u32) -> u64 {
    if n < 2 {
        return u64::from(n);
    }
    let (a, b) = fork.join(|fork| fib(fork, n - 1), |fork| fib(fork, n - 2));
    a + b
}

/// The same in a loop.
pub fn serial_fib(n: u32) -> u64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}

/// The least-squares line through points, by halves down to `leaf` points.
#[derive(Clone, Debug)]
pub struct Linefit {
    points: Vec<(f64, f64)>,
    leaf: usize,
}

impl Linefit {
    /// Points on a line with slope 3 and offset 1: the sums are exact, so all groupings agree.
    pub fn new(points: usize, leaf: usize) -> Self {
        let points = (0..points).map(|i| (i as f64, 3.0 * i as f64 + 1.0)).collect();
        Self { points, leaf }
    }
}

impl Program for Linefit {
    type Answer = (f64, f64);

    fn run(&self, fork: &mut impl Fork) -> (f64, f64) {
        let n = self.points.len() as f64;
        let [x, y, xx, xy] = sums(fork, &self.points, self.leaf);
        let slope = (n * xy - x * y) / (n * xx - x * x);
        (slope, (y - slope * x) / n)
    }
}

fn sums(fork: &mut impl Fork, points: &[(f64, f64)], leaf: usize) -> [f64; 4] {
    if points.len() <= leaf {
        return points.iter().fold([0.0; 4], |[x, y, xx, xy], p| {
            [x + p.0, y + p.1, xx + p.0 * p.0, xy + p.0 * p.1]
        });
    }
    let (front, back) = points.split_at(points.len() / 2);
    let (a, b) = fork.join(|fork| sums(fork, front, leaf), |fork| sums(fork, back, leaf));
    std::array::from_fn(|i| a[i] + b[i])
}

/// Lines, words and bytes of a text, by halves down to `leaf` bytes.
#[derive(Clone, Debug)]
pub struct WordCount {
    text: Vec<u8>,
    leaf: usize,
}

/// What a stretch of text holds, and what its ends are: a word may go on behind a border.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    /// Line ends.
    pub lines: usize,
    /// Words.
    pub words: usize,
    starts_in_word: bool,
    ends_in_word: bool,
}

impl WordCount {
    /// So many bytes of made-up words and lines.
    pub fn new(bytes: usize, leaf: usize) -> Self {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        let text = (0..bytes).map(|_| match next() % 40 {
            0 => b'\n',
            1..=6 => b' ',
            other => b'a' + (other % 26) as u8,
        });
        Self { text: text.collect(), leaf }
    }
}

impl Program for WordCount {
    type Answer = Counts;

    fn run(&self, fork: &mut impl Fork) -> Counts {
        words(fork, &self.text, self.leaf)
    }
}

fn words(fork: &mut impl Fork, text: &[u8], leaf: usize) -> Counts {
    if text.len() <= leaf {
        return count(text);
    }
    let (front, back) = text.split_at(text.len() / 2);
    let (a, b) = fork.join(|fork| words(fork, front, leaf), |fork| words(fork, back, leaf));
    Counts {
        lines: a.lines + b.lines,
        words: a.words + b.words - usize::from(a.ends_in_word && b.starts_in_word),
        starts_in_word: a.starts_in_word,
        ends_in_word: b.ends_in_word,
    }
}

fn count(text: &[u8]) -> Counts {
    let is_word = |byte: &u8| !byte.is_ascii_whitespace();
    let mut inside = false;
    let (mut lines, mut words) = (0, 0);
    for byte in text {
        lines += usize::from(*byte == b'\n');
        words += usize::from(is_word(byte) && !inside);
        inside = is_word(byte);
    }
    let starts_in_word = text.first().is_some_and(is_word);
    Counts { lines, words, starts_in_word, ends_in_word: inside }
}

/// Two halves that are busy for equally many steps.
#[derive(Clone, Copy, Debug)]
pub struct Pair(pub u32);

impl Program for Pair {
    type Answer = u64;

    fn run(&self, fork: &mut impl Fork) -> u64 {
        let (a, b) = fork.join(|_| busy(self.0), |_| busy(self.0));
        a.wrapping_add(b)
    }
}

/// Steps that depend on each other, about a nanosecond each.
#[inline(never)]
pub fn busy(steps: u32) -> u64 {
    (0..steps).fold(black_box(1_u64), |x, _| x.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (x >> 29))
}
