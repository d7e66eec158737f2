//! The contract of a backend as a table of rows, for anybody's backend. In comes a function that
//! builds the backend at a width, out comes a [`Report`]: which row holds, and what went wrong in one
//! that does not. [`check`] is all that a test needs.
//!
//! What each row asks stands in its sentence. `Serial` is the reference: a chain must give its bits.

#[cfg(doctest)]
mod forbidden;
mod joins;
mod ledgers;
mod nested;
pub mod panics;
mod stops;
mod terminals;

use std::{
    any::{Any, type_name},
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use spanwise_backend::Backend;

use crate::{backends::AnyPool, shape::On};

/// The widths that each row asks for. A backend may have another width than it is asked for.
pub const WIDTHS: [usize; 4] = [1, 2, 3, 8];

/// A row takes a second at most where nothing waits for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// Checks the whole table, each row on new backends of several widths.
///
/// # Panics
///
/// If a row does not hold or does not end, with the table. A thread that does not end is left behind.
///
/// # Examples
///
/// ```
/// use spanwise_backend::Backend;
/// use std::{num::NonZeroUsize, panic::resume_unwind, thread};
///
/// struct Threads(usize);
///
/// impl Backend for Threads {
///     fn width(&self) -> NonZeroUsize {
///         NonZeroUsize::new(self.0).unwrap()
///     }
///
///     fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
///     where
///         A: FnOnce() -> RA + Send,
///         B: FnOnce() -> RB + Send,
///         RA: Send,
///         RB: Send,
///     {
///         thread::scope(|scope| {
///             let far = scope.spawn(b);
///             let near = a();
///             (near, far.join().unwrap_or_else(|payload| resume_unwind(payload)))
///         })
///     }
/// }
///
/// spanwise_proptests::conformance::check(Threads);
/// ```
pub fn check<B: Backend + Send + 'static>(build: impl Fn(usize) -> B + Send + Sync + 'static) {
    Suite::new(build).run().hold();
}

/// The table for one backend, and how to ask it.
pub struct Suite<B> {
    build: Arc<dyn Fn(usize) -> B + Send + Sync>,
    guise: fn(B) -> AnyPool,
    patience: Duration,
    joins_only: bool,
}

impl<B: Backend + Send + 'static> Suite<B> {
    /// The whole table, for backends that `build` makes.
    pub fn new(build: impl Fn(usize) -> B + Send + Sync + 'static) -> Self {
        Self {
            build: Arc::new(build),
            guise: AnyPool::erased,
            patience: PATIENCE,
            joins_only: false,
        }
    }

    /// Gives rows over chains the backend in another guise.
    #[must_use]
    pub fn guise(mut self, guise: fn(B) -> AnyPool) -> Self {
        self.guise = guise;
        self
    }

    /// A row that has not ended after so long hangs.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Only the rows about `join` and `enter` themselves.
    #[must_use]
    pub fn joins_only(mut self) -> Self {
        self.joins_only = true;
        self
    }

    /// Asks row by row.
    pub fn run(&self) -> Report {
        let rows = table::<B>().into_iter();
        let asked = rows.filter(|row| !self.joins_only || matches!(row.test, Test::Joins(_)));
        let lines = asked.map(|row| {
            let (build, guise) = (Arc::clone(&self.build), self.guise);
            let run = move || WIDTHS.iter().for_each(|&width| row.test.run(build(width), guise));
            Line { name: row.name, says: row.says, outcome: outcome(run, self.patience) }
        });
        Report { backend: type_name::<B>(), lines: lines.collect() }
    }
}

impl<B> fmt::Debug for Suite<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Suite of {}", type_name::<B>())
    }
}

/// What comes of a row, whose thread is given up if it does not end in time.
fn outcome(run: impl FnOnce() + Send + 'static, patience: Duration) -> Outcome {
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let ran = catch_unwind(AssertUnwindSafe(run)).map_err(reason);
        // Nobody listens any more if it came too late.
        let _ = tell.send(ran);
    });
    match told.recv_timeout(patience) {
        Ok(Ok(())) => Outcome::Holds,
        Ok(Err(why)) => Outcome::Fails(why),
        Err(_) => Outcome::Hangs,
    }
}

/// What a payload says.
fn reason(payload: Box<dyn Any + Send>) -> String {
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
    let row = || payload.downcast_ref::<usize>().map(|row| format!("the panic of row {row}"));
    text.or_else(row).unwrap_or_else(|| "a panic without a text".to_string())
}

/// One line of the contract.
struct Row<B> {
    name: &'static str,
    says: &'static str,
    test: Test<B>,
}

/// How a row is asked.
enum Test<B> {
    /// Of the backend itself.
    Joins(fn(&B)),
    /// Of chains on it.
    Chains(fn(&AnyPool)),
    /// Of a terminal, which must give what it gives on `Serial`.
    Terminal(fn(On<'_>, usize) -> String),
}

impl<B: Backend> Test<B> {
    fn run(&self, pool: B, guise: fn(B) -> AnyPool) {
        match self {
            Self::Joins(test) => test(&pool),
            Self::Chains(test) => test(&guise(pool)),
            Self::Terminal(digest) => terminals::same(*digest, &guise(pool)),
        }
    }
}

/// The contract, listed once.
fn table<B: Backend>() -> Vec<Row<B>> {
    let joins = joins::rows::<B>().into_iter();
    let joins = joins.map(|(name, says, test)| Row { name, says, test: Test::Joins(test) });
    let chains = [nested::ROWS, panics::ROWS, ledgers::ROWS, stops::ROWS].concat().into_iter();
    let chains = chains.map(|(name, says, test)| Row { name, says, test: Test::Chains(test) });
    let says = "gives the bits that it gives on Serial: no rows, one, odd tails, any grain";
    let same = terminals::TERMINALS.iter();
    let same = same.map(|&(name, digest)| Row { name, says, test: Test::Terminal(digest) });
    joins.chain(chains).chain(same).collect()
}

/// A row over chains: its name, what it says, and what asks.
type ChainRow = (&'static str, &'static str, fn(&AnyPool));

/// What came of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Holds,
    /// It does not, and why.
    Fails(String),
    /// It did not end in time.
    Hangs,
}

/// A row and what came of it.
#[derive(Clone, Debug)]
pub struct Line {
    /// The row's name.
    pub name: &'static str,
    /// The sentence that must be true.
    pub says: &'static str,
    /// What came of it.
    pub outcome: Outcome,
}

/// The table, filled in.
#[derive(Clone, Debug)]
pub struct Report {
    backend: &'static str,
    lines: Vec<Line>,
}

impl Report {
    /// All rows.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The names of the rows that do not hold.
    pub fn broken(&self) -> Vec<&'static str> {
        let broken = self.lines.iter().filter(|line| line.outcome != Outcome::Holds);
        broken.map(|line| line.name).collect()
    }

    /// The names of the rows that did not end.
    pub fn hanging(&self) -> Vec<&'static str> {
        let hanging = self.lines.iter().filter(|line| line.outcome == Outcome::Hangs);
        hanging.map(|line| line.name).collect()
    }

    /// Checks that every row holds.
    ///
    /// # Panics
    ///
    /// If not, with the table.
    pub fn hold(&self) {
        assert!(self.broken().is_empty(), "{self}");
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let broken = self.broken().len();
        let rows = self.lines.len();
        writeln!(f, "{}: {} of {rows} rows hold", self.backend, rows - broken)?;
        for Line { name, says, outcome } in &self.lines {
            match outcome {
                Outcome::Holds => writeln!(f, "  holds  {name}")?,
                Outcome::Fails(why) => writeln!(f, "  FAILS  {name}: {says}\n         {why}")?,
                Outcome::Hangs => writeln!(f, "  HANGS  {name}: {says}")?,
            }
        }
        Ok(())
    }
}
