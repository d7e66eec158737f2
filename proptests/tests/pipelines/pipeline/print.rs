//! Pipelines as programs. In comes a pipeline, out comes what a reader could paste into a test.

use std::fmt::{Debug, Formatter, Result};

use super::{Adapter, Finish, From, Kind, Pipeline, Where};
use spanwise_proptests::{
    backends::all_pools,
    program::{Keep, Op},
};

fn op(op: Op) -> String {
    match op {
        Op::Same => "x".to_string(),
        Op::Add(y) => format!("x.wrapping_add({y})"),
        Op::Times(y) => format!("x.wrapping_mul({y})"),
        Op::Flip(y) => format!("x ^ {y}"),
    }
}

fn keep(keep: Keep) -> String {
    match keep {
        Keep::All => "true".to_string(),
        Keep::Nothing => "false".to_string(),
        Keep::Modulo(rest, by) => format!("x.rem_euclid({by}) == {rest}"),
        Keep::Below(y) => format!("x < {y}"),
        Keep::Is(y) => format!("x == {y}"),
    }
}

fn source(from: &From) -> String {
    match from {
        From::Owned(xs) => format!("vec!{xs:?}.into_iter().par(&pool)"),
        From::Slice(xs) => format!("{xs:?}.iter().par(&pool).cloned()"),
        From::Mut(xs) => format!("{xs:?}.iter_mut().par(&pool).map(|x| x.clone())"),
        From::Mapped(xs) => format!("{xs:?}.par(&pool).map(|&x| x)"),
        From::Chunks(xs, n) => format!("{xs:?}.chunks({n}).par(&pool).flat_map(copied)"),
        From::Windows(xs, n) => format!("{xs:?}.windows({n}).par(&pool).flat_map(copied)"),
        From::Deque(xs, turn) => format!("rotated({xs:?}, {turn}).par(&pool).cloned()"),
        From::Drained(xs, from) => format!("vec!{xs:?}.drain({from}..).par(&pool)"),
        From::Range(first, n) => format!("({first}..{}).par(&pool)", first + *n as i64),
        From::Inclusive(first, n) => format!("({first}..={}).par(&pool)", first + *n as i64),
        From::Stepped(first, n, step) => {
            format!("({first}..{}).step_by({step}).par(&pool)", first + *n as i64)
        }
        From::Lines(xs) => format!("lines({xs:?}).par_lines(&pool).map(parse)"),
        From::Bridge(xs) => format!("vec!{xs:?}.into_iter().par_bridge(&pool)"),
    }
}

fn adapter(adapter: &Adapter) -> String {
    match adapter {
        &Adapter::Map(f) => format!("map(|x| {})", op(f)),
        &Adapter::Update(f) => format!("update(|x| *x = {})", op(f)),
        &Adapter::MapInit(f) => format!("map_init(|| 5, |_, x| {})", op(f)),
        Adapter::Inspect => "inspect(|x| assert!(x == x))".to_string(),
        Adapter::Dear => "inspect(|x| spin_a_microsecond_for_every_fourth)".to_string(),
        &Adapter::Raise(bad) => format!("inspect(|x| if {} {{ panic!(x) }})", keep(bad)),
        &Adapter::Filter(good) => format!("filter(|x| {})", keep(good)),
        &Adapter::FilterMap(good, f) => {
            format!("filter_map(|x| ({}).then(|| {}))", keep(good), op(f))
        }
        &Adapter::FlatMap(n, f) => format!("flat_map(|x| successors(x, |x| {}).take({n}))", op(f)),
        Adapter::Flatten(n) => format!("map(|x| vec![x; {n}]).flatten()"),
        Adapter::Enumerate => "enumerate().map(pair)".to_string(),
        Adapter::Zip(ys) => format!("zip({ys:?}).map(pair)"),
        Adapter::ZipEq => "zip_eq(0..).map(pair)".to_string(),
        Adapter::Chain(ys) => format!("chain({ys:?})"),
        Adapter::Interleave(ys) => format!("interleave({ys:?})"),
        Adapter::Intersperse(x) => format!("intersperse({x})"),
        Adapter::Rev => "rev()".to_string(),
        Adapter::Skip(n) => format!("skip({n})"),
        Adapter::Take(n) => format!("take({n})"),
        Adapter::StepBy(n) => format!("step_by({n})"),
        Adapter::Chunks(n) => format!("chunks({n}).map(pack)"),
        &Adapter::SkipWhile(bad) => format!("skip_while(|x| {})", keep(bad)),
        &Adapter::TakeWhile(good) => format!("take_while(|x| {})", keep(good)),
        &Adapter::MapWhile(good, f) => {
            format!("map_while(|x| ({}).then(|| {}))", keep(good), op(f))
        }
        Adapter::Scan(init) => format!("scan({init}, |x, y| (x ^ y) & 0xff_ffff)"),
        Adapter::ScanExclusive(init) => {
            format!("scan_exclusive({init}, |x, y| (x ^ y) & 0xff_ffff)")
        }
        Adapter::Grain(n) => format!("with_grain({n})"),
        Adapter::MaxThreads(n) => format!("max_threads({n})"),
    }
}

impl Debug for Pipeline {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let pool = match self.on {
            Where::Seeded(seed, width) => format!("Seeded::new({seed}, {width})"),
            Where::Pool(index) => format!("{:?}", all_pools().nth(index)),
        };
        let items = match self.kind {
            Kind::Integers => "i64",
            Kind::Reals => "f64",
            Kind::Texts => "String",
        };
        write!(f, "\n    // items are {items}, on {pool}\n    {}", source(&self.from))?;
        if let Some(grain) = self.grain {
            write!(f, "\n        .with_grain({grain})")?;
        }
        for step in &self.adapters {
            write!(f, "\n        .{}", adapter(step))?;
        }
        match &self.finish {
            Finish::Numbers(end) => write!(f, "\n        .{end:?}")?,
            finish => write!(f, "\n        .{finish:?}")?,
        }
        writeln!(f)
    }
}
