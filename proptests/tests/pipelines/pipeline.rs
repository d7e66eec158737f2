//! Pipelines as values: a source, adapters, a terminal, and what they run on. In comes a random one,
//! out comes a failure if a backend and std disagree, or if an item is lost or dropped twice; it prints
//! as the program that it is.

mod chains;
mod draw;
mod erased;
mod finish;
mod item;
mod print;
mod serial;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use spanwise_backend::Seeded;

pub(crate) use draw::pipeline;
pub(crate) use finish::{Finish, Got};
pub(crate) use item::{Item, Real, Text};

use spanwise_proptests::{
    backends::{AnyPool, all_pools, serial as reference},
    program::{Keep, Op},
    shape::On,
};

/// What the items are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Integers.
    Integers,
    /// Floats.
    Reals,
    /// Texts that are counted.
    Texts,
}

/// Where a pipeline begins.
#[derive(Clone, Debug)]
pub(crate) enum From {
    Owned(Vec<i64>),
    Slice(Vec<i64>),
    Mut(Vec<i64>),
    Chunks(Vec<i64>, usize),
    Windows(Vec<i64>, usize),
    Deque(Vec<i64>, usize),
    Range(i64, usize),
    Inclusive(i64, usize),
    Stepped(i64, usize, usize),
    Drained(Vec<i64>, usize),
    Mapped(Vec<i64>),
    Lines(Vec<i64>),
    Bridge(Vec<i64>),
}

impl From {
    /// Whether rows give no item or many.
    fn is_spread(&self) -> bool {
        matches!(self, Self::Chunks(..) | Self::Windows(..) | Self::Lines(_) | Self::Bridge(_))
    }
}

/// What happens on the way.
#[derive(Clone, Debug)]
pub(crate) enum Adapter {
    Map(Op),
    Update(Op),
    MapInit(Op),
    Inspect,
    Dear,
    Raise(Keep),
    Filter(Keep),
    FilterMap(Keep, Op),
    FlatMap(u8, Op),
    Flatten(u8),
    Enumerate,
    Zip(Vec<i64>),
    ZipEq,
    Chain(Vec<i64>),
    Interleave(Vec<i64>),
    Intersperse(i64),
    Rev,
    Skip(usize),
    Take(usize),
    StepBy(usize),
    Chunks(usize),
    SkipWhile(Keep),
    TakeWhile(Keep),
    MapWhile(Keep, Op),
    Scan(i64),
    ScanExclusive(i64),
    Grain(usize),
    MaxThreads(usize),
}

impl Adapter {
    /// Whether it turns each item into some, whatever stands around it.
    pub(crate) fn is_item_wise(&self) -> bool {
        matches!(
            self,
            Self::Map(_)
                | Self::Update(_)
                | Self::MapInit(_)
                | Self::Inspect
                | Self::Dear
                | Self::Raise(_)
                | Self::Filter(_)
                | Self::FilterMap(..)
                | Self::FlatMap(..)
                | Self::Flatten(_)
        )
    }

    /// Whether items are rows behind this, where they were before or not; `None` if it needs that.
    fn exact(&self, before: bool) -> Option<bool> {
        match self {
            Self::Filter(_) | Self::FilterMap(..) | Self::FlatMap(..) | Self::Flatten(_) => {
                Some(false)
            }
            Self::SkipWhile(_) => Some(false),
            Self::Take(_) | Self::TakeWhile(_) | Self::MapWhile(..) | Self::Scan(_) => Some(true),
            Self::ScanExclusive(_) => Some(true),
            Self::Enumerate
            | Self::Zip(_)
            | Self::ZipEq
            | Self::Interleave(_)
            | Self::Intersperse(_)
            | Self::Rev
            | Self::StepBy(_)
            | Self::Chunks(_) => before.then_some(true),
            _ => Some(before),
        }
    }

    fn stops_early(&self) -> bool {
        matches!(self, Self::Take(_) | Self::TakeWhile(_) | Self::MapWhile(..) | Self::Zip(_))
    }

    /// Whether a chain may leave out rows that std runs, since it can cut them off.
    fn leaves_out(&self) -> bool {
        // Behind the last step lie rows that an `enumerate` or `zip` after it does not ask for; and a
        // separator comes before the row behind it is run, where a serial loop looks for that first.
        let cuts =
            matches!(self, Self::Skip(_) | Self::Rev | Self::StepBy(_) | Self::Intersperse(_));
        cuts || self.stops_early()
    }
}

/// What a pipeline runs on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Where {
    /// One of the list of backends.
    Pool(usize),
    /// A schedule of a seed and a width.
    Seeded(u64, usize),
}

/// A pipeline.
#[derive(Clone)]
pub(crate) struct Pipeline {
    pub(crate) kind: Kind,
    pub(crate) from: From,
    pub(crate) adapters: Vec<Adapter>,
    pub(crate) finish: Finish,
    pub(crate) grain: Option<usize>,
    pub(crate) on: Where,
}

impl Pipeline {
    /// Leaves out what would not compile: adapters that need one item a row where that is not so; and
    /// what would make too many items.
    #[must_use]
    pub(crate) fn normal(mut self) -> Self {
        let spread = From::is_spread(&self.from);
        let (mut exact, mut times) = (!spread, 1);
        self.adapters.retain(|adapter| {
            let Some(now) = adapter.exact(exact) else { return false };
            if let &Adapter::FlatMap(n, _) | &Adapter::Flatten(n) = adapter {
                // No more than so many items of each, for the sake of speed.
                if times * n > 8 {
                    return false;
                }
                times *= n.max(1);
            }
            exact = now;
            true
        });
        self
    }

    /// Runs it and compares.
    ///
    /// # Panics
    ///
    /// If something is wrong.
    pub(crate) fn check(&self) {
        match self.kind {
            Kind::Integers => self.check_as::<i64>(),
            Kind::Reals => self.check_as::<Real>(),
            Kind::Texts => self.check_as::<Text>(),
        }
    }

    fn check_as<T: Item>(&self) {
        let before = Text::alive();
        match self.on {
            Where::Pool(index) => {
                let pool = all_pools().nth(index).expect("an index into the list");
                self.compare::<T>(pool);
            }
            Where::Seeded(seed, width) => {
                self.compare::<T>(&AnyPool::erased(Seeded::new(seed, width)));
            }
        }
        assert_eq!(Text::alive() - before, 0, "items that were never dropped, or dropped twice");
    }

    fn compare<T: Item>(&self, pool: &AnyPool) {
        let grain = self.grain;
        let got = caught(|| chains::run::<T>(self, On { pool, grain }));
        let expected = if self.finish.is_grouped() {
            // Std groups otherwise: here the reference is Serial.
            caught(|| chains::run::<T>(self, On { pool: reference(), grain }))
        } else {
            caught(|| serial::run::<T>(self))
        };
        match (got, expected) {
            (Ok(got), Ok(expected)) => assert!(got == expected, "{got:?}, not {expected:?}"),
            (Err(got), Err(_)) => {
                let known = self.adapters.iter().any(|adapter| match adapter {
                    Adapter::Raise(keep) => keep.of(got),
                    _ => false,
                });
                assert!(known, "the panic of {got}, which panics nowhere");
            }
            // Rows behind the answer may be run, and may panic; those before it are.
            (Err(_), Ok(_)) if self.stops_early() => (),
            (Ok(_), Err(_)) if self.leaves_out() => (),
            (got, expected) => panic!("{got:?}, not {expected:?}"),
        }
    }

    fn leaves_out(&self) -> bool {
        let shorter = matches!(self.finish, Finish::Compare(_));
        shorter || self.finish.is_any() || self.adapters.iter().any(Adapter::leaves_out)
    }

    fn stops_early(&self) -> bool {
        self.finish.stops_early() || self.adapters.iter().any(Adapter::stops_early)
    }
}

/// What a run gave, or the item whose panic came out.
fn caught<R>(run: impl FnOnce() -> R) -> Result<R, i64> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| match payload.downcast::<i64>() {
        Ok(item) => *item,
        Err(payload) => resume_unwind(payload),
    })
}

/// Panics with an item as payload, past the hook that prints.
fn raise(item: i64) -> ! {
    resume_unwind(Box::new(item))
}
