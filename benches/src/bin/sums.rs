//! Terminals that sum, reduce, scan and collect beside the serial loops they stand for, in one run and
//! in turns. Prints a table; every answer is checked, by bits where it is a float.
//!
//! `cargo run --release -p spanwise-benches --bin sums`, with words to pick cases by name, `--unpinned`
//! as a user gets it and `--quick` for a look.

use std::{
    env,
    hint::black_box,
    time::{Duration, Instant},
};

use spanwise::{
    backend::{Backend, DequePool, Serial},
    prelude::*,
};
use spanwise_benches::{
    machine,
    race::{Variant, median, race},
};

fn main() {
    let (flags, words): (Vec<_>, Vec<_>) = env::args().skip(1).partition(|x| x.starts_with("--"));
    let flag = |name: &str| flags.iter().any(|flag| flag == name);
    let rounds = if flag("--quick") { 5 } else { 11 };
    let pinned = !flag("--unpinned") && machine::cpus() >= 2;
    let pool = machine::pair(pinned).expect("a pool");
    println!("two threads, {rounds} rounds, medians, ns an item; ratio to serial");
    let mut table = Table { rounds, words, pool: &pool };
    for n in [10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000] {
        println!("{n} items                        serial   Serial   ratio    pool   ratio");
        table.of(n);
    }
}

struct Table<'a> {
    rounds: usize,
    words: Vec<String>,
    pool: &'a DequePool,
}

/// A chain for any backend: what a row of the table runs.
trait Case {
    type Out: PartialEq;
    /// The serial loop.
    fn serial(&self) -> Self::Out;
    /// The same on a backend.
    fn parallel<B: Backend>(&self, backend: &B) -> Self::Out;
    /// Whether the two agree, where they are not equal by nature.
    fn agree(serial: &Self::Out, parallel: &Self::Out) -> bool {
        serial == parallel
    }
}

macro_rules! cases {
    ($($name:ident($rows:ty) -> $out:ty, $agree:expr, |$r:ident| $serial:expr, |$pool:ident| $parallel:expr;)*) => {$(
        struct $name<'a>(&'a [$rows]);

        impl Case for $name<'_> {
            type Out = $out;

            fn serial(&self) -> $out {
                let $r = black_box(self.0);
                $serial
            }

            fn parallel<B: Backend>(&self, $pool: &B) -> $out {
                let $r = black_box(self.0);
                $parallel
            }

            fn agree(serial: &$out, parallel: &$out) -> bool {
                $agree(serial, parallel)
            }
        }
    )*};
}

fn equal<T: PartialEq>(x: &T, y: &T) -> bool {
    x == y
}

fn near(x: &f64, y: &f64) -> bool {
    (x - y).abs() <= x.abs() * 1e-9
}

fn grow(x: &i64) -> i64 {
    x.wrapping_mul(3).wrapping_add(1)
}

fn scale(x: &f64) -> f64 {
    x * 3.0 + 1.0
}

cases! {
    FloatSum(f64) -> f64, near, |r| r.iter().map(scale).sum(), |p| r.iter().par(p).map(scale).sum();
    FloatPlain(f64) -> f64, near, |r| r.iter().sum(), |p| r.iter().par(p).sum();
    FloatFilter(f64) -> f64, near,
        |r| r.iter().map(scale).filter(|x| *x < 20_000.0).sum(),
        |p| r.iter().par(p).map(scale).filter(|x| *x < 20_000.0).sum();
    FloatExact(f64) -> f64, near, |r| r.iter().map(scale).sum(), |p| r.iter().par(p).map(scale).exact_sum();
    IntSum(i64) -> i64, equal,
        |r| r.iter().map(grow).fold(0, i64::wrapping_add), |p| r.iter().par(p).map(grow).sum();
    IntWrapping(i64) -> i64, equal,
        |r| r.iter().fold(0, |sum: i64, x| sum.wrapping_add(*x)), |p| r.iter().par(p).sum();
    IntChecked(i64) -> i64, equal,
        |r| r.iter().map(grow).fold(0, i64::wrapping_add),
        |p| r.iter().par(p).map(grow).checked_sum().expect("it fits");
    IntExact(i64) -> i128, equal,
        |r| r.iter().map(grow).fold(0, i64::wrapping_add).into(),
        |p| r.iter().par(p).map(grow).exact_sum();
    Reduce(i64) -> Option<i64>, equal,
        |r| r.iter().map(grow).reduce(i64::max), |p| r.iter().par(p).map(grow).reduce(i64::max);
    ReduceAdd(i64) -> Option<i64>, equal,
        |r| r.iter().map(grow).reduce(i64::wrapping_add),
        |p| r.iter().par(p).map(grow).reduce(i64::wrapping_add);
    ReduceTree(i64) -> Option<i64>, equal,
        |r| r.iter().map(grow).reduce(i64::max),
        |p| r.iter().par(p).map(grow).reduce_tree(i64::max);
    ReduceFiltered(i64) -> Option<i64>, equal,
        |r| r.iter().map(grow).filter(|x| x % 7 != 0).reduce(i64::max),
        |p| r.iter().par(p).map(grow).filter(|x| x % 7 != 0).reduce(i64::max);
    MinBy(f64) -> Option<f64>, equal,
        |r| r.iter().map(scale).min_by(f64::total_cmp),
        |p| r.iter().par(p).map(scale).min_by(f64::total_cmp);
    Fold(i64) -> (i64, i64), equal,
        |r| r.iter().map(grow).fold((0, 0), |(sum, most), x| (x.wrapping_add(sum), x.max(most))),
        |p| r.iter().par(p).map(grow).fold(
            || (0, 0),
            |(sum, most): (i64, i64), x| (x.wrapping_add(sum), x.max(most)),
            |left, right| (left.0.wrapping_add(right.0), left.1.max(right.1)),
        );
    Count(i64) -> usize, equal,
        |r| r.iter().map(grow).filter(|x| x % 7 == 0).count(),
        |p| r.iter().par(p).map(grow).filter(|x| x % 7 == 0).count();
    Scan(i64) -> Vec<i64>, equal,
        |r| r.iter().map(grow).scan(0, |acc: &mut i64, x| { *acc = acc.wrapping_add(x); Some(*acc) }).collect(),
        |p| r.iter().par(p).map(grow).scan(0, i64::wrapping_add).collect();
    Collect(i64) -> Vec<i64>, equal,
        |r| r.iter().map(grow).collect(), |p| r.iter().par(p).map(grow).collect();
    CollectFiltered(i64) -> Vec<i64>, equal,
        |r| r.iter().map(grow).filter(|x| x % 7 != 0).collect(),
        |p| r.iter().par(p).map(grow).filter(|x| x % 7 != 0).collect();
}

impl Table<'_> {
    fn of(&mut self, n: usize) {
        let ints: Vec<i64> = (0..n as i64).map(|i| i * 7919 % 10_007).collect();
        let floats: Vec<f64> = ints.iter().map(|&x| x as f64 * 0.37).collect();
        self.row("sum of f64", n, &FloatSum(&floats));
        self.row("sum of f64, no map", n, &FloatPlain(&floats));
        self.row("sum of f64, filtered", n, &FloatFilter(&floats));
        self.row("exact_sum of f64", n, &FloatExact(&floats));
        self.row("sum of i64", n, &IntSum(&ints));
        self.row("sum of i64, no map", n, &IntWrapping(&ints));
        self.row("checked_sum of i64", n, &IntChecked(&ints));
        self.row("exact_sum of i64", n, &IntExact(&ints));
        self.row("reduce, max", n, &Reduce(&ints));
        self.row("reduce, add", n, &ReduceAdd(&ints));
        self.row("reduce_tree", n, &ReduceTree(&ints));
        self.row("reduce, filtered", n, &ReduceFiltered(&ints));
        self.row("min_by", n, &MinBy(&floats));
        self.row("fold", n, &Fold(&ints));
        self.row("count, filtered", n, &Count(&ints));
        self.row("scan", n, &Scan(&ints));
        self.row("collect", n, &Collect(&ints));
        self.row("collect, filtered", n, &CollectFiltered(&ints));
    }

    fn row<C: Case>(&self, name: &str, n: usize, case: &C) {
        if !self.words.is_empty() && !self.words.iter().any(|word| name.contains(word.as_str())) {
            return;
        }
        let expected = case.serial();
        assert!(C::agree(&expected, &case.parallel(&Serial)), "{name}, {n} items on `Serial`");
        assert!(
            case.parallel(&Serial) == case.parallel(self.pool),
            "{name}, {n} items on the pool"
        );
        let start = Instant::now();
        drop(black_box(case.serial()));
        // A round is long enough for the clock, and short enough that all fit in a minute.
        let repeats = (40_000 / start.elapsed().as_nanos().max(20)).clamp(1, 500) as usize;
        let mut variants: [Variant<'_>; 3] = [
            ("serial", Box::new(|| (0..repeats).for_each(|_| drop(black_box(case.serial()))))),
            (
                "Serial",
                Box::new(|| (0..repeats).for_each(|_| drop(black_box(case.parallel(&Serial))))),
            ),
            (
                "pool",
                Box::new(|| (0..repeats).for_each(|_| drop(black_box(case.parallel(self.pool))))),
            ),
        ];
        let rounds = if n < 10_000_000 { self.rounds } else { 5 };
        let times = race(rounds, &mut variants);
        let each = |time: Duration| time.as_secs_f64() * 1e9 / (repeats * n) as f64;
        let [serial, alone, pool] = [0, 1, 2].map(|i| each(median(&times[i])));
        println!(
            "  {name:28} {serial:8.3} {alone:8.3} {:7.2} {pool:8.3} {:7.2}   {:+.0} ns",
            alone / serial,
            pool / serial,
            (pool - serial) * n as f64
        );
    }
}
