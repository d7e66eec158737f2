//! Is a wake worth its price? In come how long near halves took, site by site, out goes a guess
//! for the next. A site is the type of a far half; what is not known is worth a wake.
//!
//! Everything here is a guess that changes speed and no result, so all orderings are Relaxed.

use std::time::Duration;

use crossbeam_utils::CachePadded;

use crate::sync::{AtomicUsize, MODELLED, Ordering};

/// A worker that is woken starts 40 to 90 µs later: a shorter near half ends before that.
pub(crate) const WORTH: Duration = Duration::from_micros(40);
/// Declined work that, without a long pause in it, makes the next wake worth it all the same.
const CREDIT: Duration = Duration::from_micros(80);
/// A call with this much left is worth a wake.
pub(crate) const LONG: Duration = Duration::from_micros(150);
/// A power of two.
const SITES: usize = if MODELLED { 1 } else { 64 };

#[derive(Debug)]
struct Site {
    key: AtomicUsize,
    /// Nanoseconds; falls by an eighth at most, so one long call in ten is not forgotten.
    near: AtomicUsize,
}

#[derive(Debug)]
pub(crate) struct Gate {
    sites: [Site; SITES],
    /// Nanoseconds of work lately done without a helper, and the time of the last of it.
    credit: CachePadded<AtomicUsize>,
    last: AtomicUsize,
}

impl Gate {
    pub(crate) fn new() -> Self {
        let site = || Site { key: AtomicUsize::new(0), near: AtomicUsize::new(0) };
        Self {
            sites: std::array::from_fn(|_| site()),
            credit: CachePadded::new(AtomicUsize::new(0)),
            last: AtomicUsize::new(0),
        }
    }

    fn site(&self, key: usize) -> &Site {
        // Functions start at multiples of 16; a multiplier spreads what lies above.
        &self.sites[(key >> 4).wrapping_mul(0x9E37_79B9) >> 7 & (SITES - 1)]
    }

    /// Whether this site has been seen lately.
    pub(crate) fn knows(&self, key: usize) -> bool {
        self.site(key).key.load(Ordering::Relaxed) == key
    }

    /// Whether a wake pays for `times` jobs of this site.
    pub(crate) fn is_worth(&self, key: usize, times: usize) -> bool {
        let near = self.site(key).near.load(Ordering::Relaxed);
        if !self.knows(key) || near.saturating_mul(times) >= nanos(WORTH) {
            return true;
        }
        let rich = self.credit.load(Ordering::Relaxed) >= nanos(CREDIT);
        if rich {
            self.credit.store(0, Ordering::Relaxed);
        }
        rich
    }

    /// Whether a wake pays for a call with so much left: where that is long, or at the beginning of one
    /// of many calls in quick succession. `now` is asked only if that decides.
    pub(crate) fn invites(
        &self,
        rest: Duration,
        age: Duration,
        now: impl FnOnce() -> Duration,
    ) -> bool {
        if rest >= LONG {
            return true;
        }
        if !age.is_zero() {
            return false;
        }
        self.leak(nanos(now()));
        let credit = self.credit.load(Ordering::Relaxed);
        let rich = credit >= nanos(CREDIT);
        self.credit.store(if rich { 0 } else { credit + nanos(rest) }, Ordering::Relaxed);
        rich
    }

    /// The credit leaks a quarter of the time that passes.
    fn leak(&self, now: usize) {
        let passed = now.saturating_sub(self.last.swap(now, Ordering::Relaxed));
        let left = self.credit.load(Ordering::Relaxed).saturating_sub(passed / 4);
        self.credit.store(left, Ordering::Relaxed);
    }

    /// A near half of this site took this long and ended `now` after the pool began; if its far
    /// half was stolen meanwhile, then a thread came in time and was worth it.
    pub(crate) fn learn(&self, key: usize, took: Duration, stolen: bool, now: Duration) {
        let took = if stolen { took.max(WORTH * 2) } else { took };
        let (took, now) = (nanos(took), nanos(now));
        let site = self.site(key);
        let known = site.key.swap(key, Ordering::Relaxed) == key;
        let old = if known { site.near.load(Ordering::Relaxed) } else { 0 };
        site.near.store(took.max(old - old / 8), Ordering::Relaxed);

        self.leak(now);
        let credit = self.credit.load(Ordering::Relaxed);
        self.credit.store(credit.saturating_add(took), Ordering::Relaxed);
    }
}

fn nanos(time: Duration) -> usize {
    usize::try_from(time.as_nanos()).unwrap_or(usize::MAX)
}

#[cfg(all(test, not(spanwise_loom)))]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_micros(1);

    #[test]
    fn unknown_and_long_are_worth_a_wake_and_short_is_not() {
        let gate = Gate::new();
        assert!(gate.is_worth(16, 1) && !gate.knows(16));
        gate.learn(16, SHORT, false, Duration::ZERO);
        assert!(gate.knows(16) && !gate.is_worth(16, 1));
        assert!(gate.is_worth(16, 40));
        gate.learn(16, WORTH, false, Duration::from_secs(1));
        assert!(gate.is_worth(16, 1));
    }

    #[test]
    fn one_long_call_in_ten_is_not_forgotten_and_one_in_a_hundred_is() {
        let gate = Gate::new();
        gate.learn(16, Duration::from_millis(1), false, Duration::ZERO);
        let worth_after = |calls: u64| {
            (1..=calls).for_each(|i| gate.learn(16, SHORT, false, Duration::from_millis(i)));
            gate.is_worth(16, 1)
        };
        assert!(worth_after(9));
        assert!(!worth_after(90));
    }

    #[test]
    fn a_half_stolen_in_time_counts_as_long() {
        let gate = Gate::new();
        gate.learn(16, SHORT, true, Duration::ZERO);
        assert!(gate.is_worth(16, 1));
    }

    #[test]
    fn many_short_calls_in_a_row_buy_one_wake() {
        let gate = Gate::new();
        let calls = |gap: Duration| {
            let call = |i| {
                gate.learn(16, SHORT * 20, false, gap * i);
                gate.is_worth(16, 1)
            };
            (1..=20).filter(|&i| call(i)).count()
        };
        assert_eq!(calls(Duration::from_millis(1)), 0);
        assert!(calls(SHORT * 20) > 0);
    }
}
