//! What a row cost lately, call site by call site. In comes a call's time, out goes a guess what the
//! next call of this site takes. The drive asks.
//!
//! A site is the type of a call, which its closures make its own. Everything here is a guess that
//! changes speed and no result, so all orderings are Relaxed.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use crate::sync::{Moment, uptime};

/// A call of fewer picoseconds is small: no second thread would come in time, and clock reads would
/// be a good part of it.
const SMALL: usize = 900_000;

/// One call in so many is timed where that would show in what it takes.
const TIMED: usize = 16;

/// One call in so many is run by one thread, if it is short, to see whether others are of use.
const ALONE: usize = TIMED * 4;

/// Until a half is run by another thread and its end is seen, before anything is known of it.
pub(crate) const HANDOFF: Duration = Duration::from_nanos(250);

/// The least and the most by which a thread that is awake comes late, in nanoseconds.
const LATE: (usize, usize) = (100, 4000);

/// After so many microseconds a site's code and data are no longer in the nearest caches, and what it
/// takes to bring them there again.
const PAUSE: usize = 1000;
const COLD: Duration = Duration::from_micros(10);

/// A power of two.
const SITES: usize = 256;

static TABLE: [Site; SITES] = [const { Site::new() }; SITES];

/// One entry, which sites of the same place in the table take from each other.
pub(crate) struct Site {
    key: AtomicUsize,
    /// Picoseconds a row. It rises at once and falls by an eighth at most, or by one, so that dear calls among
    /// cheap ones are not forgotten.
    high: AtomicUsize,
    /// The other way round: it falls at once and rises by an eighth at most, or by one.
    low: AtomicUsize,
    turn: AtomicUsize,
    /// When it was last timed, in microseconds.
    last: AtomicUsize,
    /// Picoseconds a row where one thread runs them all; zero if nobody knows. With two a row may take longer,
    /// since its cache lines travel.
    alone: AtomicUsize,
    /// Nanoseconds by which a half that another thread runs comes late.
    late: AtomicUsize,
}

/// What a row may cost, in picoseconds; zero if nobody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guess {
    high: usize,
    low: usize,
}

impl Guess {
    pub(crate) const NONE: Self = Self { high: 0, low: 0 };

    /// What so many rows that took so long say.
    pub(crate) fn seen(rows: usize, time: Duration) -> Self {
        let rate = picos(rows, time);
        Self { high: rate, low: rate }
    }

    pub(crate) fn is_none(self) -> bool {
        self.high == 0
    }

    /// Whether calls of this site cost about the same.
    pub(crate) fn is_sure(self) -> bool {
        self.high != 0 && self.high / 4 <= self.low
    }

    /// Whether so many rows are small.
    #[inline]
    pub(crate) fn is_small(self, rows: usize) -> bool {
        self.high != 0 && self.high.saturating_mul(rows) < SMALL
    }

    /// What so many rows may take at most.
    pub(crate) fn time(self, rows: usize) -> Duration {
        Duration::from_nanos((self.high.saturating_mul(rows) / 1000) as u64)
    }

    /// How many rows are done in this time at least.
    pub(crate) fn rows(self, time: Duration) -> usize {
        (time.as_nanos() as usize).saturating_mul(1000) / self.high.max(1)
    }
}

/// Picoseconds a row, at least one.
fn picos(rows: usize, time: Duration) -> usize {
    let picos = usize::try_from(time.as_nanos()).unwrap_or(usize::MAX).saturating_mul(1000);
    (picos / rows.max(1)).max(1)
}

impl Site {
    const fn new() -> Self {
        Self {
            key: AtomicUsize::new(0),
            high: AtomicUsize::new(0),
            low: AtomicUsize::new(0),
            turn: AtomicUsize::new(0),
            last: AtomicUsize::new(0),
            alone: AtomicUsize::new(0),
            late: AtomicUsize::new(HANDOFF.as_nanos() as usize),
        }
    }

    /// The entry of a function's address.
    #[inline]
    pub(crate) fn of(key: usize) -> &'static Self {
        // Functions begin at multiples of 16; the multiplier spreads what is above.
        &TABLE[((key >> 4).wrapping_mul(0x9e37_79b9) >> 8) % SITES]
    }

    /// What a row may cost.
    #[inline]
    pub(crate) fn guess(&self, key: usize) -> Guess {
        if self.key.load(Ordering::Relaxed) != key {
            return Guess::NONE;
        }
        Guess { high: self.high.load(Ordering::Relaxed), low: self.low.load(Ordering::Relaxed) }
    }

    /// Whether it is this call's turn to be timed.
    #[inline]
    pub(crate) fn is_turn(&self) -> bool {
        let turn = self.turn.load(Ordering::Relaxed).wrapping_add(1);
        self.turn.store(turn, Ordering::Relaxed);
        turn % TIMED == 0
    }

    /// Whether it is this call's turn to be run by one thread, for comparison.
    pub(crate) fn is_alone(&self) -> bool {
        self.alone.load(Ordering::Relaxed) == 0 || self.turn.load(Ordering::Relaxed) % ALONE == 0
    }

    /// How late a half comes that another thread runs, going by the last calls of this site. A call that
    /// takes one thread less gains nothing by another.
    pub(crate) fn late(&self) -> Duration {
        Duration::from_nanos(self.late.load(Ordering::Relaxed) as u64)
    }

    /// A timed call of so many rows took so long, cut or run by one thread.
    pub(crate) fn compare(&self, rows: usize, wall: Duration, cut: bool) {
        let (alone, late) = (self.alone.load(Ordering::Relaxed), self.late.load(Ordering::Relaxed));
        let took = picos(rows, wall);
        if !cut {
            // It falls at once: a thread that was interrupted says little about the next.
            let alone = if alone == 0 { took } else { took.min(alone + alone / 8) };
            self.alone.store(alone, Ordering::Relaxed);
            // Now and then somebody must try.
            self.late.store(late - late / 8, Ordering::Relaxed);
        } else if alone > 0 {
            // Half of the rows, and then half of the delay, since the near half is made larger by that.
            let seen = took.saturating_mul(2).saturating_sub(alone).saturating_mul(rows) / 1000;
            let seen = seen.clamp(LATE.0, LATE.1 * 8);
            // Probably that thread had to be woken, and next time it is awake.
            let slept = seen > LATE.1;
            let late = if seen < late {
                late - (late - seen) / 2
            } else {
                late + (seen - late) / if slept { 64 } else { 8 }
            };
            self.late.store(late, Ordering::Relaxed);
        }
    }

    /// So many rows took so long, until now. After a pause some of it went into caches, and if that counted
    /// small calls would not be known for small.
    pub(crate) fn learn(&self, key: usize, rows: usize, time: Duration, now: Moment) {
        let now = uptime(now).as_micros() as usize;
        let paused = now - self.last.swap(now, Ordering::Relaxed).min(now) > PAUSE;
        let known = self.key.load(Ordering::Relaxed) == key;
        let cold = if paused || !known { COLD.min(time / 16 * 15) } else { Duration::ZERO };
        self.note(key, picos(rows, time - cold));
    }

    /// A row cost so much.
    fn note(&self, key: usize, cost: usize) {
        let known = self.key.swap(key, Ordering::Relaxed) == key;
        let (high, low) = if known {
            let (high, low) = (&self.high, &self.low);
            (high.load(Ordering::Relaxed), low.load(Ordering::Relaxed))
        } else {
            self.alone.store(0, Ordering::Relaxed);
            self.late.store(HANDOFF.as_nanos() as usize, Ordering::Relaxed);
            (cost, cost)
        };
        self.high.store(cost.max(high - (high / 8).max(1).min(high)), Ordering::Relaxed);
        self.low.store(cost.min(low.saturating_add(low / 8 + 1)), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: usize = 16;

    /// A thousand rows took so long, right after others.
    fn learn(site: &Site, time: Duration) {
        site.note(KEY, picos(1000, time));
    }

    #[test]
    fn what_is_not_known_is_not_small() {
        let site = Site::new();
        assert!(site.guess(KEY).is_none() && !site.guess(KEY).is_small(1));
        learn(&site, Duration::from_nanos(200));
        let guess = site.guess(KEY);
        assert!(guess.is_sure() && guess.is_small(1000) && !guess.is_small(5000));
        assert_eq!(guess.time(10_000), Duration::from_micros(2));
        assert_eq!(guess.rows(Duration::from_micros(1)), 5000);
        assert!(site.guess(32).is_none());
    }

    #[test]
    fn small_calls_are_timed_now_and_then() {
        let site = Site::new();
        assert_eq!((0..TIMED * 3).filter(|_| site.is_turn()).count(), 3);
    }

    #[test]
    fn a_dear_call_in_ten_is_remembered_and_one_long_ago_is_not() {
        let site = Site::new();
        let cheap = |calls| (0..calls).for_each(|_| learn(&site, Duration::from_nanos(200)));
        learn(&site, Duration::from_micros(100));
        cheap(9);
        assert!(!site.guess(KEY).is_small(1000) && !site.guess(KEY).is_sure());
        cheap(60);
        assert!(site.guess(KEY).is_small(1000) && site.guess(KEY).is_sure());
    }

    #[test]
    fn rows_that_cost_nothing_are_known() {
        let site = Site::new();
        learn(&site, Duration::ZERO);
        assert!(!site.guess(KEY).is_none());
        assert!(site.guess(KEY).is_small(1000));
    }

    #[test]
    fn what_a_pause_costs_makes_no_call_large() {
        let site = Site::new();
        site.learn(KEY, 10, Duration::from_micros(8), Moment::now());
        assert!(site.guess(KEY).is_small(10));
        site.learn(KEY, 10, Duration::from_micros(8), Moment::now());
        assert!(!site.guess(KEY).is_small(10));
        site.learn(KEY, 10, Duration::from_millis(8), Moment::now());
        assert!(site.guess(KEY).time(10) >= Duration::from_millis(7));
    }

    #[test]
    fn a_half_that_comes_too_late_is_remembered_and_tried_again() {
        let site = Site::new();
        let micros = Duration::from_micros;
        assert!(site.is_alone() && site.late() == HANDOFF);
        site.compare(1000, micros(2), false);
        assert_eq!(site.turn.fetch_add(1, Ordering::Relaxed), 0);
        assert!(!site.is_alone());
        for _ in 0..30 {
            site.compare(1000, micros(3), true);
        }
        assert!(site.late() > micros(2), "two threads take longer than one");
        for _ in 0..30 {
            site.compare(1000, micros(2), false);
        }
        assert!(site.late() < micros(1), "somebody has to try");
        site.compare(1000, micros(1), true);
        assert!(site.late() < micros(1));
    }
}
