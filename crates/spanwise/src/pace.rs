//! How far ahead of the first row that is not done rows may be begun. In come claims and what is done,
//! out comes a pause; `pull` asks before each claim, for terminals whose answer may lie in front.
//!
//! A thread that the system has put aside holds back the answer, and the others would run on behind
//! it, for nothing if the answer lies there. So they pause at the end of a window. They do not pause
//! for long: if the row in front is merely heavy the window is too small, and doubles.

use std::time::Duration;

use crate::{
    plan::Leaves,
    sync::{AtomicUsize, Moment, Ordering, sleep, spin_loop},
};

/// Rows in a claim, as far as the window is concerned: it is wider where claims are larger.
const CLAIM: usize = 1 << 13;

/// Claims in the window for each thread.
const CLAIMS: usize = 2;

/// How long rows in front may hold up the others before the window doubles.
const PATIENCE: Duration = Duration::from_millis(2);

/// How long a thread looks without sleeping: mostly the others are done with their claims by then.
const GLANCE: Duration = Duration::from_micros(20);

/// How long a thread sleeps between two looks, so that the one it waits for gets its processor.
const NAP: Duration = Duration::from_micros(50);

/// The window of one call. All its orderings are relaxed: the rows themselves travel by locks, and a
/// stale number makes a pause begin or end a little late.
pub(crate) struct Pace {
    threads: usize,
    /// Rows from the first on that are done.
    done: AtomicUsize,
    /// The row behind the last that is claimed.
    claimed: AtomicUsize,
    window: AtomicUsize,
}

impl Pace {
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            threads,
            done: AtomicUsize::new(0),
            claimed: AtomicUsize::new(0),
            window: AtomicUsize::new(Self::window(threads, CLAIM)),
        }
    }

    fn window(threads: usize, claim: usize) -> usize {
        claim.saturating_mul(threads).saturating_mul(CLAIMS)
    }

    /// Pauses while the window is full, unless `over` says that there is no more to come.
    pub(crate) fn wait(&self, over: impl Fn() -> bool) {
        let mut since = None;
        loop {
            // Relaxed: as above, also below.
            let window = self.window.load(Ordering::Relaxed);
            let claimed = self.claimed.load(Ordering::Relaxed);
            let ahead = claimed.saturating_sub(self.done.load(Ordering::Relaxed));
            if ahead < window || over() {
                return;
            }
            match since.map(|since: Moment| since.elapsed()) {
                None => since = Some(Moment::now()),
                Some(waited) if waited < GLANCE => spin_loop(),
                Some(waited) if waited < PATIENCE => sleep(NAP),
                Some(_) => {
                    self.window.fetch_max(window.saturating_mul(2), Ordering::Relaxed);
                }
            }
        }
    }

    /// These leaves are claimed; the call may begin with them, behind rows that are not its own.
    pub(crate) fn claimed(&self, leaves: &Leaves, begins: bool) {
        if begins {
            self.done(leaves.at());
        }
        self.claimed.fetch_max(leaves.at() + leaves.rows(), Ordering::Relaxed);
        if leaves.rows() > CLAIM {
            self.window.fetch_max(Self::window(self.threads, leaves.rows()), Ordering::Relaxed);
        }
    }

    /// All rows before `row` are done.
    pub(crate) fn done(&self, row: usize) {
        self.done.fetch_max(row, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::{num::NonZeroUsize, thread};

    use super::*;
    use crate::plan::Plan;

    /// The first leaf of so many rows, behind `at` others.
    fn leaf(at: usize, rows: usize) -> Leaves {
        let rest = Plan::new(usize::MAX, NonZeroUsize::new(rows)).all().cut(at / rows).1;
        rest.cut(1).0
    }

    #[test]
    fn a_full_window_holds_claims_up_until_the_front_is_done_or_patience_ends() {
        let pace = Pace::new(2);
        pace.claimed(&leaf(8 * CLAIM, CLAIM), true);
        pace.claimed(&leaf(11 * CLAIM, CLAIM), false);
        pace.done(8 * CLAIM + 1);
        pace.wait(|| false);
        assert_eq!(pace.window.load(Ordering::Relaxed), 4 * CLAIM, "there was room");
        pace.claimed(&leaf(12 * CLAIM, CLAIM), false);
        pace.wait(|| true);
        assert_eq!(pace.window.load(Ordering::Relaxed), 4 * CLAIM, "it was over");
        pace.wait(|| false);
        assert_eq!(pace.window.load(Ordering::Relaxed), 8 * CLAIM, "patience ended");
        thread::scope(|scope| {
            pace.claimed(&leaf(20 * CLAIM, CLAIM), false);
            scope.spawn(|| pace.done(15 * CLAIM));
            pace.wait(|| false);
        });
    }

    #[test]
    fn large_claims_widen_the_window() {
        let pace = Pace::new(3);
        pace.claimed(&leaf(0, 10 * CLAIM), true);
        assert_eq!(pace.window.load(Ordering::Relaxed), 60 * CLAIM);
    }
}
