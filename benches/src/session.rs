//! A run of the report. In come options, out come cells and figures; the cases add to them one by one.

use std::{
    fmt::Display,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    cell::{Cell, Figure, Place},
    machine,
    sample::{Ask, Measured, Rounds, Variant, interleave},
};

/// How thoroughly to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Each variant once, small: for the answers alone.
    Check,
    /// In less than a minute.
    Quick,
    /// For figures that are printed.
    Full,
}

/// What a run knows and collects.
#[derive(Debug)]
pub struct Session {
    /// How thoroughly.
    pub effort: Effort,
    /// CPUs that the process may use.
    pub cpus: usize,
    /// Whether threads are pinned, unless a case is about that.
    pub pinned: bool,
    /// What was measured beside something else.
    pub cells: Vec<Cell>,
    /// What was measured on its own.
    pub figures: Vec<Figure>,
    bar: ProgressBar,
}

impl Session {
    /// A run of so many cases, pinned if there are CPUs enough.
    pub fn new(effort: Effort, pinned: bool, cases: usize) -> Self {
        let cpus = machine::cpus();
        let pinned = pinned && cpus >= 2;
        let bar = if effort == Effort::Check {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(cases as u64)
        };
        let style = ProgressStyle::with_template("{bar:30} {pos:>2}/{len} {elapsed} {wide_msg}");
        bar.set_style(style.expect("the template is well-formed"));
        Self { effort, cpus, pinned, cells: Vec::new(), figures: Vec::new(), bar }
    }

    /// A case is done.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// All cases are done.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Says what is under way. No thread draws the bar, so nothing is drawn while something is timed.
    pub fn show(&self, what: impl Display) {
        self.bar.set_message(what.to_string());
    }

    /// Whether this run is long enough for something.
    pub fn is_full(&self) -> bool {
        self.effort == Effort::Full
    }

    /// Whether nothing is timed.
    pub fn is_check(&self) -> bool {
        self.effort == Effort::Check
    }

    /// Sizes, without those that are too large for this effort.
    pub fn sizes(&self, sizes: &[usize], quick: usize) -> Vec<usize> {
        let most = match self.effort {
            Effort::Check => 1000,
            Effort::Quick => quick,
            Effort::Full => usize::MAX,
        };
        let small = sizes.iter().copied().filter(|&size| size <= most);
        // Each case runs in each effort.
        small.chain(sizes.first().copied().filter(|&size| size > most)).collect()
    }

    /// How often to do something that takes a while each time.
    pub fn times(&self, quick: usize, full: usize) -> usize {
        match self.effort {
            Effort::Check => 1,
            Effort::Quick => quick,
            Effort::Full => full,
        }
    }

    /// How to take samples of work that takes so long serially.
    pub fn hot(&self, serial: Duration) -> (Ask, Rounds) {
        let micros = Duration::from_micros;
        let (lead, target, rounds) = match self.effort {
            Effort::Check => {
                return (Ask::ONCE, Rounds { least: 1, most: 1, budget: Duration::ZERO });
            }
            Effort::Quick => {
                (micros(250), micros(60), Rounds { least: 5, most: 9, budget: micros(90_000) })
            }
            Effort::Full => {
                (micros(500), micros(200), Rounds { least: 5, most: 31, budget: micros(700_000) })
            }
        };
        // A call that takes this long pays a wake without our noticing.
        let long = serial > Duration::from_millis(5);
        let lead = if long { Duration::ZERO } else { lead };
        (Ask { sleep: Duration::ZERO, lead, target }, rounds)
    }

    /// How to take samples after 5 ms of sleep.
    pub fn cold(&self) -> (Ask, Rounds) {
        if self.effort == Effort::Check {
            return (Ask::ONCE, Rounds { least: 1, most: 1, budget: Duration::ZERO });
        }
        let rounds = self.times(7, 31);
        let sleep = Duration::from_millis(5);
        (Ask { sleep, ..Ask::ONCE }, Rounds { least: rounds, most: rounds, budget: sleep })
    }

    /// Measures variants in turns and adds the cell, hot.
    ///
    /// # Errors
    ///
    /// If the answers differ.
    pub fn add_hot(
        &mut self,
        place: Place,
        serial: Duration,
        variants: &mut [Variant<'_>],
    ) -> Result<&mut Cell, String> {
        let (ask, rounds) = self.hot(serial);
        self.add(place, &ask, rounds, variants)
    }

    /// Measures variants in turns and adds the cell.
    ///
    /// # Errors
    ///
    /// If the answers differ.
    pub fn add(
        &mut self,
        place: Place,
        ask: &Ask,
        rounds: Rounds,
        variants: &mut [Variant<'_>],
    ) -> Result<&mut Cell, String> {
        self.show(&place);
        let measured = interleave(ask, rounds, variants);
        let variants = measured.map_err(|wrong| format!("{place}: {wrong}"))?;
        Ok(self.keep(place, variants))
    }

    /// Adds a cell that was measured elsewhere.
    pub fn keep(&mut self, place: Place, variants: Vec<Measured>) -> &mut Cell {
        self.cells.push(Cell { place, variants, judged: Vec::new() });
        self.cells.last_mut().expect("it was pushed")
    }

    /// Adds a figure.
    pub fn figure(
        &mut self,
        table: &'static str,
        row: impl Into<String>,
        unit: &'static str,
        numbers: Vec<(&'static str, f64)>,
    ) {
        self.figures.push(Figure { table, row: row.into(), numbers, unit });
    }
}

/// The time of one run.
pub fn once<T>(run: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let out = run();
    (start.elapsed(), out)
}
