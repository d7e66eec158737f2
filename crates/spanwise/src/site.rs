//! What a row cost lately, call site by call site. In comes a call's time, out goes a guess whether the
//! next call of this site is too small for a second thread, or for a look at the clock. The drive asks.
//!
//! A site is the type of a call, which its closures make its own. Everything here is a guess that
//! changes speed and no result, so all orderings are Relaxed.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

/// A call of this many picoseconds is small. Clock reads would be a good part of it.
const SMALL: usize = 4_000_000;

/// One small call in so many is timed all the same.
const TIMED: usize = 8;

/// A power of two.
const SITES: usize = 256;

static TABLE: [Site; SITES] = [const { Site::new() }; SITES];

/// One entry, which sites of the same place in the table take from each other.
pub(crate) struct Site {
    key: AtomicUsize,
    /// Picoseconds a row. It rises at once and falls by an eighth at most, so that dear calls among
    /// cheap ones are not forgotten.
    cost: AtomicUsize,
    turn: AtomicUsize,
}

impl Site {
    const fn new() -> Self {
        Self { key: AtomicUsize::new(0), cost: AtomicUsize::new(0), turn: AtomicUsize::new(0) }
    }

    /// The entry of a function's address.
    #[inline]
    pub(crate) fn of(key: usize) -> &'static Self {
        // Functions begin at multiples of 16; the multiplier spreads what is above.
        &TABLE[((key >> 4).wrapping_mul(0x9e37_79b9) >> 8) % SITES]
    }

    /// Whether a call of so many rows should be small.
    #[inline]
    pub(crate) fn is_small(&self, key: usize, rows: usize) -> bool {
        self.key.load(Ordering::Relaxed) == key
            && self.cost.load(Ordering::Relaxed).saturating_mul(rows) < SMALL
    }

    /// Whether it is a small call's turn to be timed all the same.
    #[inline]
    pub(crate) fn is_turn(&self) -> bool {
        let turn = self.turn.load(Ordering::Relaxed).wrapping_add(1);
        self.turn.store(turn, Ordering::Relaxed);
        turn % TIMED == 0
    }

    /// So many rows took so long.
    pub(crate) fn learn(&self, key: usize, rows: usize, time: Duration) {
        let picos = usize::try_from(time.as_nanos()).unwrap_or(usize::MAX).saturating_mul(1000);
        let cost = picos / rows.max(1);
        let known = self.key.swap(key, Ordering::Relaxed) == key;
        let old = if known { self.cost.load(Ordering::Relaxed) } else { 0 };
        self.cost.store(cost.max(old - old / 8), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_not_small() {
        let site = Site::new();
        assert!(!site.is_small(16, 1));
        site.learn(16, 1000, Duration::from_micros(1));
        assert!(site.is_small(16, 1000) && !site.is_small(16, 5000) && !site.is_small(32, 1));
    }

    #[test]
    fn small_calls_are_timed_now_and_then() {
        let site = Site::new();
        assert_eq!((0..TIMED * 3).filter(|_| site.is_turn()).count(), 3);
    }

    #[test]
    fn a_dear_call_in_ten_is_remembered_and_one_long_ago_is_not() {
        let site = Site::new();
        let cheap = |calls| (0..calls).for_each(|_| site.learn(16, 1000, Duration::from_micros(1)));
        site.learn(16, 1000, Duration::from_millis(1));
        cheap(9);
        assert!(!site.is_small(16, 1000));
        cheap(60);
        assert!(site.is_small(16, 1000));
    }
}
