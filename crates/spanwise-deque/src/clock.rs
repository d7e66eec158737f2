//! The only file that reads the time. In come durations, out go measured ones and patience that
//! runs out; in a model time stands still, so that it can be replayed.

use std::time::{Duration, Instant};

use crate::sync::{MODELLED, spin_loop, thread};

/// A moment, to measure from; none in a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment(Option<Instant>);

impl Moment {
    pub(crate) fn now() -> Self {
        Self((!MODELLED).then(Instant::now))
    }

    /// From this moment to a later one.
    pub(crate) fn until(self, later: Self) -> Duration {
        let both = self.0.zip(later.0);
        both.map_or(Duration::ZERO, |(this, later)| later.saturating_duration_since(this))
    }

    /// From this moment to now.
    pub(crate) fn elapsed(self) -> Duration {
        self.until(Self::now())
    }
}

/// Looks around for a while, then gives up.
#[derive(Debug)]
pub(crate) struct Patience {
    lasts: Duration,
    /// More threads than processors: let the others run between two looks.
    crowded: bool,
    looks: u32,
    since: Option<Moment>,
}

impl Patience {
    pub(crate) fn new(lasts: Duration, crowded: bool) -> Self {
        Self { lasts, crowded, looks: 0, since: None }
    }

    /// Starts over.
    pub(crate) fn renew(&mut self) {
        (self.looks, self.since) = (0, None);
    }

    /// Waits a few dozen nanoseconds; `false` once it has lasted long enough.
    pub(crate) fn wait(&mut self) -> bool {
        if MODELLED {
            return false;
        }
        if self.crowded {
            thread::yield_now();
        } else {
            spin_loop();
        }
        self.looks = self.looks.wrapping_add(1);
        // Reading the clock takes as long as a look, so not after each.
        if self.looks % 8 != 1 {
            return true;
        }
        let now = Moment::now();
        self.since.get_or_insert(now).until(now) < self.lasts
    }
}

/// Waits for `time`, or until `enough`.
pub(crate) fn stay_away(time: Duration, enough: impl Fn() -> bool) {
    if MODELLED || time.is_zero() {
        return;
    }
    // Reading the clock takes as long as a look, so not before the first few.
    for _ in 0..4 {
        if enough() {
            return;
        }
        spin_loop();
    }
    let since = Moment::now();
    while !enough() && since.elapsed() < time {
        spin_loop();
    }
}
