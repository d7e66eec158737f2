//! A thief's tact. In come looks at rings and how stolen jobs went, out goes whether to take what
//! lies there and how long to keep away.
//!
//! A job that is shorter than the cache misses its theft costs the owner makes both slower. After
//! one the thief is wary: it looks seldom, and takes only what it saw at the look before as well,
//! for then the owner is busy with something long.

use std::{cell::Cell, time::Duration};

use crate::seats::Seat;

/// A stolen job shorter than this was not worth it.
const TINY: Duration = Duration::from_nanos(500);
/// From one look to the next, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_nanos(500), Duration::from_micros(4));
/// Short jobs taken at sight after the owner of one was found busy with something long: at first,
/// and at most where that goes on.
const TRUST: (u32, u32) = (8, 64);
/// Looks in a row that find nothing before a thief is its old self again.
const FORGOTTEN: u32 = 16;

/// Seats whose oldest jobs are remembered.
const SEEN: usize = 8;

#[derive(Debug, Default)]
pub(crate) struct Tact {
    /// Zero while not wary.
    pause: Cell<Duration>,
    /// The seat and the place of a job seen at the last look, for several seats: with one memory for
    /// all, a thief beside two owners would never see the same job twice.
    seen: [Cell<Option<(usize, usize)>>; SEEN],
    quiet: Cell<u32>,
    /// Short jobs that may yet be taken at sight, and how many the next find is good for.
    trust: Cell<u32>,
    credit: Cell<u32>,
}

impl Tact {
    /// How long to keep away now.
    pub(crate) fn pause(&self) -> Duration {
        self.pause.get()
    }

    /// Whether to try to take the oldest job of seat `number`.
    pub(crate) fn may_take(&self, number: usize, seat: &Seat) -> bool {
        if self.pause.get().is_zero() {
            return true;
        }
        if seat.is_asked_for() {
            return true;
        }
        let Some(place) = seat.oldest() else { return false };
        self.quiet.set(0);
        self.seen[number % SEEN].replace(Some((number, place))) == Some((number, place))
    }

    /// A look that took nothing; `true` if it is too early to call that idleness.
    pub(crate) fn took_nothing(&self) -> bool {
        if self.pause.get().is_zero() {
            return false;
        }
        self.quiet.set(self.quiet.get() + 1);
        if self.quiet.get() > FORGOTTEN {
            self.pause.set(Duration::ZERO);
        } else {
            self.pause.set((self.pause.get() * 2).min(PAUSE.1));
        }
        true
    }

    /// A job was taken that its owner had cut off because somebody asked for it: it is worth its theft
    /// however short it is.
    pub(crate) fn took_what_was_asked_for(&self) {
        self.took(TINY);
    }

    /// A job that was taken took this long.
    pub(crate) fn took(&self, time: Duration) {
        if !self.pause.get().is_zero() || time >= TINY {
            self.pause.set(Duration::ZERO);
            self.credit.set((self.credit.get() * 2).clamp(TRUST.0, TRUST.1));
            self.trust.set(self.credit.get());
        } else if self.trust.get() > 0 {
            self.trust.set(self.trust.get() - 1);
        } else {
            self.keep_away();
        }
    }

    /// Somebody else was faster.
    pub(crate) fn beaten(&self) {
        self.credit.set(0);
        self.keep_away();
    }

    fn keep_away(&self) {
        self.pause.set(PAUSE.0);
        self.seen.iter().for_each(|seen| seen.set(None));
        self.quiet.set(0);
    }
}

#[cfg(all(test, not(spanwise_loom)))]
mod tests {
    use std::ptr;

    use super::*;
    use crate::ring::Owner;

    #[test]
    fn after_a_short_job_only_what_lies_there_twice_is_taken() {
        let (tact, seat) = (Tact::default(), Seat::new());
        let owner = Owner::new(&seat.ring);
        let show = || {
            let at = owner.push(ptr::without_provenance_mut(8));
            owner.publish(1);
            at
        };
        let at = show();
        assert!(tact.may_take(3, &seat) && tact.pause().is_zero());

        tact.took(Duration::ZERO);
        assert_eq!(tact.pause(), PAUSE.0);
        assert!(!tact.may_take(3, &seat));
        assert!(!tact.may_take(4, &seat));
        assert!(owner.take_back(at));
        show();
        assert!(!tact.may_take(4, &seat));
        assert!(tact.took_nothing());
        assert!(tact.may_take(4, &seat));

        // The owner was busy: trust is back, and is used up by short jobs.
        tact.took(Duration::ZERO);
        for _ in 0..TRUST.0 {
            assert!(tact.pause().is_zero());
            tact.took(Duration::ZERO);
        }
        tact.took(Duration::ZERO);
        assert!(!tact.pause().is_zero());
    }

    #[test]
    fn a_wary_thief_looks_seldom_and_forgets() {
        let tact = Tact::default();
        assert!(!tact.took_nothing());
        tact.beaten();
        for _ in 0..FORGOTTEN {
            assert!(tact.took_nothing() && tact.pause() <= PAUSE.1);
        }
        assert_eq!(tact.pause(), PAUSE.1);
        assert!(tact.took_nothing() && !tact.took_nothing());
        tact.beaten();
        tact.took(TINY);
        assert!(tact.pause().is_zero());
    }
}
