//! Rows that one thread runs. In come times of strides, out come the next stride and where it is cut.
//! What `drive.rs` of the library does, once more, since that reads a real clock; and rayon's splitter.

use super::load::Load;

/// What a stride should take, and what it may take however much of the rest that is.
const STRIDE: u64 = 5_000;
const SHORT: u64 = 1_500;
/// A stride has at most so many times the leaves of the one before.
const GROWTH: usize = 16;
/// Until another thread has begun a half.
const HANDOFF: u64 = 250;
/// Parts for each thread, all cuts together.
const PARTS: usize = 8 * 4;
/// Less work than this is done before another thread has its half.
const GIVEN: u64 = 800;

/// Neighbouring rows, and what is known of them. Rates are in picoseconds a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) from: usize,
    pub(super) to: usize,
    grain: usize,
    /// The leaves of the stride before, if there was one since the last cut.
    stride: Option<usize>,
    /// The least of the next one, after one that was much too short.
    more: usize,
    ever: u64,
    lately: u64,
    /// How long the call has taken.
    pub(super) age: u64,
    /// Into how many parts it may be cut; rayon's splits.
    parts: usize,
}

/// Picoseconds a row, at least one.
fn rate(rows: usize, nanos: u64) -> u64 {
    (nanos * 1000 / rows.max(1) as u64).max(1)
}

impl Part {
    /// All rows of a call whose site has seen such calls before, for the library.
    pub(super) fn ours(load: &Load, width: usize) -> Self {
        let ever = rate(load.rows(), load.nanos());
        let (from, to, grain) = (0, load.rows(), load.grain());
        // One thread asks nobody.
        let parts = if width == 1 { 1 } else { width * PARTS };
        Self { from, to, grain, stride: None, more: 0, ever, lately: 0, age: 0, parts }
    }

    /// All rows, for rayon, which may cut between any two.
    pub(super) fn rayons(load: &Load, width: usize) -> Self {
        Self { grain: 1, parts: width, ..Self::ours(load, width) }
    }

    /// Leaves.
    pub(super) fn count(&self) -> usize {
        (self.to - self.from).div_ceil(self.grain)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.from == self.to
    }

    /// What the rest takes, as far as anybody knows.
    pub(super) fn rest(&self) -> u64 {
        (self.to - self.from) as u64 * self.ever.max(self.lately) / 1000
    }

    /// Whether a half may be given away at all.
    pub(super) fn may_be_cut(&self) -> bool {
        self.parts > 1 && self.count() > 1 && self.rest() >= GIVEN
    }

    /// Leaves that fit into this time.
    fn worth(&self, rate: u64, nanos: u64) -> usize {
        (nanos * 1000 / rate.max(1)) as usize / self.grain
    }

    /// Gives the far half away; it is a little less, since it begins later.
    pub(super) fn cut(&mut self) -> Self {
        let late = self.worth(self.ever, HANDOFF);
        let near = ((self.count() + late) / 2).clamp(1, self.count() - 1);
        self.age = self.age.max(HANDOFF);
        let far = Self { parts: self.parts / 2, ..self.behind(near) };
        self.parts = self.parts.div_ceil(2);
        far
    }

    /// Rayon's: gives the far half away if its splitter says so.
    pub(super) fn halve(&mut self, stolen: bool, width: usize) -> Option<Self> {
        if self.count() < 2 || self.parts == 0 && !stolen {
            return None;
        }
        self.parts /= 2;
        if stolen {
            self.parts = self.parts.max(width);
        }
        Some(self.behind(self.count() / 2))
    }

    /// What lies behind so many leaves; the rest stays.
    fn behind(&mut self, leaves: usize) -> Self {
        (self.stride, self.more) = (None, 0);
        let far = Self { from: self.from + leaves * self.grain, ..*self };
        self.to = far.from;
        far
    }

    /// The rows of the next stride.
    pub(super) fn stride(&self) -> usize {
        // The first stride after a cut goes by what rows cost ever since.
        let lately = if self.stride.is_some() { self.lately } else { self.ever };
        let short = self.worth(lately, SHORT).min(self.worth(self.ever, SHORT));
        let most = (self.count() / 8).max(short);
        let fitting = self.worth(lately, STRIDE).min(most).max(1);
        let end = self.stride.map_or(usize::MAX, |stride| stride.saturating_mul(GROWTH));
        let leaves = fitting.max(self.more.min(self.count() / 8)).min(end);
        (leaves * self.grain).min(self.to - self.from)
    }

    /// So many rows took so long.
    pub(super) fn ran(&mut self, rows: usize, nanos: u64) {
        self.from += rows;
        let leaves = rows.div_ceil(self.grain);
        self.stride = Some(leaves);
        self.more = if nanos < STRIDE / 4 { leaves * 4 } else { 0 };
        self.lately = rate(rows, nanos);
        self.age += nanos;
    }
}
