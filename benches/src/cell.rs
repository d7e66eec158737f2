//! What is measured at one size, and what it is held to. In come the variants' times, out come ratios,
//! limits kept or missed, and peers that are ahead.

use std::fmt;

use serde::Serialize;

use crate::{
    format::grouped,
    sample::{Measured, OURS},
};

/// Where in the report a cell stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// The case: what is done.
    pub case: String,
    /// What an item costs: `cheap`, `expensive`, or words of the case's own.
    pub cost: String,
    /// Rows.
    pub items: usize,
    /// `hot`, `after sleep` or `unpinned`.
    pub state: &'static str,
}

impl Place {
    /// Pinned and hot, as most cells are.
    pub fn hot(case: &str, cost: &str, items: usize) -> Self {
        Self { case: case.to_owned(), cost: cost.to_owned(), items, state: "hot" }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = grouped(self.items);
        write!(f, "{}, {}, {items}", self.case, self.cost)?;
        if self.state == "hot" { Ok(()) } else { write!(f, ", {}", self.state) }
    }
}

/// How much a time may be, beside another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Most {
    /// So many times the other.
    Times(f64),
    /// So many nanoseconds more than the other.
    More(f64),
    /// Either of the two.
    Either(f64, f64),
}

impl fmt::Display for Most {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Times(times) => write!(f, "{times:.2}"),
            Self::More(nanos) => write!(f, "+ {nanos:.0} ns"),
            Self::Either(times, nanos) => write!(f, "{times:.2} or + {nanos:.0} ns"),
        }
    }
}

/// What a cell is held to.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The promise that it belongs to.
    pub row: &'static str,
    /// Whose time.
    pub of: &'static str,
    /// Beside whose.
    pub beside: &'static str,
    /// How much.
    pub most: Most,
}

impl Limit {
    /// The deque pool's time beside the serial loop's.
    pub fn serial(row: &'static str, most: Most) -> Self {
        Self { row, of: "deque", beside: "serial", most }
    }
}

/// A limit, and how it came out.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// The promise.
    pub row: &'static str,
    /// Whose time beside whose.
    pub what: String,
    /// The limit, in words.
    pub limit: String,
    /// What was measured, in the limit's words.
    pub measured: String,
    /// Whether it was kept.
    pub kept: bool,
}

/// All that is known of one size of one case.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// Where it stands.
    pub place: Place,
    /// The variants, the one that ratios are taken to first.
    pub variants: Vec<Measured>,
    /// The limits.
    pub judged: Vec<Judged>,
}

/// The least advantage of a peer that is called one.
pub const AHEAD: f64 = 1.05;

impl Cell {
    /// The median time of a variant.
    ///
    /// # Panics
    ///
    /// If the cell has no such variant.
    pub fn nanos(&self, name: &str) -> f64 {
        let found = self.variants.iter().find(|variant| variant.name == name);
        found.unwrap_or_else(|| panic!("{}: no variant {name}", self.place)).nanos.median
    }

    /// The variant's time over that of the first variant.
    pub fn ratio(&self, name: &str) -> Option<f64> {
        let found = self.variants.iter().find(|variant| variant.name == name)?;
        Some(found.nanos.median / self.variants[0].nanos.median)
    }

    /// Holds the cell to a limit.
    pub fn judge(&mut self, limit: Limit) {
        let (ours, other) = (self.nanos(limit.of), self.nanos(limit.beside));
        let (times, more) = (ours / other, ours - other);
        let (kept, measured) = match limit.most {
            Most::Times(most) => (times <= most, format!("{times:.3}")),
            Most::More(most) => (more <= most, format!("{more:+.1} ns")),
            Most::Either(most, nanos) => {
                (times <= most || more <= nanos, format!("{times:.3}, {more:+.1} ns"))
            }
        };
        self.judged.push(Judged {
            row: limit.row,
            what: format!("{} / {}", limit.of, limit.beside),
            limit: limit.most.to_string(),
            measured,
            kept,
        });
    }

    /// The fastest of the other libraries: neither ours nor a serial loop.
    pub fn best_peer(&self) -> Option<&Measured> {
        let others = self.variants.iter().filter(|v| is_peer(v.name));
        others.min_by(|a, b| a.nanos.median.total_cmp(&b.nanos.median))
    }

    /// The peer that beats the deque pool, and our time over its own.
    pub fn beaten_by(&self) -> Option<(&Measured, f64)> {
        let ours = self.variants.iter().find(|variant| variant.name == "deque")?.nanos.median;
        let best = self.best_peer()?;
        let times = ours / best.nanos.median;
        (times > AHEAD).then_some((best, times))
    }
}

/// Whether a variant's name is another library's.
pub fn is_peer(name: &str) -> bool {
    PEERS.contains(&name) && !OURS.contains(&name)
}

/// The other libraries, in the order of the tables.
pub const PEERS: [&str; 7] =
    ["rayon out", "rayon in", "paralight", "orx", "chili", "scope", "fork_union"];

/// A number that is no ratio: a percentile of a latency, say.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// The table it belongs to.
    pub table: &'static str,
    /// The row.
    pub row: String,
    /// The columns and their numbers.
    pub numbers: Vec<(&'static str, f64)>,
    /// What they count.
    pub unit: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Summary;

    fn cell(times: &[(&'static str, f64)]) -> Cell {
        let variants = times
            .iter()
            .map(|&(name, time)| Measured { name, nanos: Summary::of(&mut [time]) })
            .collect();
        Cell { place: Place::hot("sum", "cheap", 1000), variants, judged: Vec::new() }
    }

    #[test]
    fn limits_are_ratios_or_nanoseconds_or_either() {
        let mut cell = cell(&[("serial", 100.0), ("deque", 112.0)]);
        let cases = [
            (Most::Times(1.1), false),
            (Most::Times(1.12), true),
            (Most::More(11.0), false),
            (Most::More(12.0), true),
            (Most::Either(1.1, 20.0), true),
            (Most::Either(1.2, 1.0), true),
            (Most::Either(1.1, 1.0), false),
        ];
        for (most, kept) in cases {
            cell.judge(Limit::serial("row", most));
            assert_eq!(cell.judged.last().map(|judged| judged.kept), Some(kept), "{most:?}");
        }
    }

    #[test]
    fn a_peer_is_ahead_from_five_percent_on_and_serial_is_no_peer() {
        let near = cell(&[("serial", 1.0), ("deque", 104.0), ("scope", 100.0), ("orx", 200.0)]);
        assert!(near.beaten_by().is_none());
        let far = cell(&[("serial", 1.0), ("deque", 110.0), ("scope", 100.0), ("orx", 200.0)]);
        assert_eq!(far.beaten_by().map(|(peer, times)| (peer.name, times)), Some(("scope", 1.1)));
    }
}
