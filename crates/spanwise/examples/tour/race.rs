//! One piece of work, run every way. In come the closures that do it, out comes a [`Row`] of median
//! times and a [`Verdict`] on the answers; each part of the tour calls it through `compare!`.

use std::{
    hint::black_box,
    ops::RangeInclusive,
    time::{Duration, Instant},
};

use spanwise::PoolError;
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

/// Timed rounds; in each one every way runs once. The median of them counts.
const ROUNDS: RangeInclusive<usize> = 3..=25;

/// What a row may take once it has had its fewest rounds.
const BUDGET: Duration = Duration::from_millis(250);

/// Work shorter than this is timed as several calls in a row, since a clock read costs too.
const SAMPLE: Duration = Duration::from_micros(20);

/// The ways that are timed, in the order of the table's columns.
pub(crate) const WAYS: usize = 3;

/// The pools that the tour compares.
#[derive(Debug)]
pub(crate) struct Pools {
    pub(crate) deque: DequePool,
    pub(crate) rayon: RayonPool,
}

impl Pools {
    pub(crate) fn new(threads: usize) -> Result<Self, PoolError> {
        Ok(Self { deque: DequePool::new(threads)?, rayon: RayonPool::new(threads)? })
    }
}

/// What a piece of work gives, and when two of them are the same.
pub(crate) trait Answer: PartialEq {
    /// Bit for bit.
    fn same(&self, other: &Self) -> bool {
        self == other
    }

    /// As near as std's serial loop has to be.
    fn near(&self, other: &Self) -> bool {
        self.same(other)
    }
}

impl Answer for i64 {}
impl Answer for usize {}
impl Answer for Option<i64> {}
impl Answer for Vec<i64> {}

/// A float sum depends on how its rows are grouped. spanwise groups by the number of rows alone, so
/// its answers have the same bits everywhere; std goes strictly from left to right.
impl Answer for f64 {
    fn same(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }

    fn near(&self, other: &Self) -> bool {
        (self - other).abs() <= 1e-9 * self.abs()
    }
}

/// Whether the answers agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All of them bit for bit.
    Equal,
    /// All backends bit for bit, std's serial loop but for its last bits.
    EqualButStd,
    /// Not even that.
    Differs,
}

/// A line of the table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) work: &'static str,
    pub(crate) input: &'static str,
    pub(crate) items: usize,
    /// Median time of one call: serial, deque pool, rayon-core.
    pub(crate) times: [Duration; WAYS],
    pub(crate) verdict: Verdict,
}

/// What a row is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) work: &'static str,
    pub(crate) input: &'static str,
    pub(crate) items: usize,
}

/// Runs the same work serially, with `Serial` as the backend, and on both pools: gives a [`Row`].
///
/// The chain is written once; `pool` stands for each backend in turn. `black_box` hides the input, so
/// that the compiler cannot do the work once for all calls.
macro_rules! compare {
    (
        $pools:expr, ($work:expr, $kind:expr, $items:expr), $rows:ident = $input:expr,
        serial: $serial:expr,
        spanwise: |$pool:ident| $chain:expr $(,)?
    ) => {{
        use ::std::hint::black_box;
        let pools: &super::race::Pools = $pools;
        super::race::race(
            super::race::Entry { work: $work, input: $kind, items: $items },
            &|| {
                let ($pool, $rows) = (&::spanwise::backend::Serial, black_box($input));
                $chain
            },
            [
                &|| {
                    let $rows = black_box($input);
                    $serial
                },
                &|| {
                    let ($pool, $rows) = (&pools.deque, black_box($input));
                    $chain
                },
                &|| {
                    let ($pool, $rows) = (&pools.rayon, black_box($input));
                    $chain
                },
            ],
        )
    }};
}

/// Times each way in turn, round by round, and compares every answer with the reference: the chain
/// on the `Serial` backend. The first of the ways is std's serial loop.
pub(crate) fn race<T: Answer>(
    entry: Entry,
    reference: &dyn Fn() -> T,
    ways: [&dyn Fn() -> T; WAYS],
) -> Row {
    let reference = reference();
    let mut verdict = Verdict::Equal;
    let mut check = |way: usize, answer: &T| {
        if answer.same(&reference) {
            return;
        }
        let excused = way == 0 && answer.near(&reference);
        if !excused {
            verdict = Verdict::Differs;
        } else if verdict == Verdict::Equal {
            verdict = Verdict::EqualButStd;
        }
    };

    // The first round warms caches and wakes threads: it counts for the answers alone.
    let mut calls = 1;
    for (way, run) in ways.iter().enumerate() {
        let (took, answer) = timed(*run, 1);
        check(way, &answer);
        if way == 0 {
            calls = (SAMPLE.as_nanos() / took.as_nanos().max(1)).clamp(1, 1000) as u32;
        }
    }

    let start = Instant::now();
    let mut samples = [const { Vec::new() }; WAYS];
    for round in 0..*ROUNDS.end() {
        // Each way comes first, second and last equally often.
        for way in (0..WAYS).map(|turn| (turn + round) % WAYS) {
            let (took, answer) = timed(ways[way], calls);
            samples[way].push(took);
            check(way, &answer);
        }
        if round + 1 >= *ROUNDS.start() && start.elapsed() >= BUDGET {
            break;
        }
    }
    let Entry { work, input, items } = entry;
    Row { work, input, items, times: samples.map(median), verdict }
}

/// The time of one call, as the mean of several, and the answer of the last.
fn timed<T>(run: &dyn Fn() -> T, calls: u32) -> (Duration, T) {
    let start = Instant::now();
    let mut answer = run();
    for _ in 1..calls {
        answer = black_box(run());
    }
    (start.elapsed() / calls, answer)
}

fn median(mut samples: Vec<Duration>) -> Duration {
    samples.sort_unstable();
    samples.get(samples.len() / 2).copied().unwrap_or_default()
}
