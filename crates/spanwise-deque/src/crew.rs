//! What all threads of a pool share. In come threads that have work or look for it, out go seats,
//! advice whether to wake somebody, and the wake itself.

use std::{process, time::Duration};

use crate::{
    clock::Moment,
    gate::Gate,
    seats::Seats,
    sleep::Sleepers,
    sync::{AtomicBool, Ordering},
    tasks::Board,
};

/// What all threads of a pool share.
pub(crate) struct Crew {
    pub(crate) seats: Seats,
    pub(crate) sleepers: Sleepers,
    pub(crate) gate: Gate,
    pub(crate) board: Board,
    closing: AtomicBool,
    pub(crate) spin: Duration,
    pub(crate) crowded: bool,
    pub(crate) born: Moment,
    /// The process the threads live in; a forked child has none of them.
    process: u32,
}

impl Crew {
    pub(crate) fn new(width: usize, spin: Duration, crowded: bool) -> Self {
        Self {
            seats: Seats::new(width),
            sleepers: Sleepers::new(),
            gate: Gate::new(),
            board: Board::new(),
            closing: AtomicBool::new(false),
            spin,
            crowded,
            born: Moment::now(),
            process: process::id(),
        }
    }

    /// Whether this is a forked child, where no other thread of the crew exists.
    pub(crate) fn is_forked(&self) -> bool {
        process::id() != self.process
    }

    /// Asks all workers to leave.
    pub(crate) fn close(&self) {
        // Relaxed: the parkers' locks bring it to sleepers, and spinners see it in time.
        self.closing.store(true, Ordering::Relaxed);
        self.seats.workers().iter().for_each(|seat| seat.bed.parker.wake());
    }

    pub(crate) fn is_closing(&self) -> bool {
        // Relaxed: as in `close`.
        self.closing.load(Ordering::Relaxed)
    }

    pub(crate) fn has_work(&self) -> bool {
        self.seats.iter().any(|(_, seat)| seat.oldest().is_some()) || self.board.find().is_some()
    }

    /// A thread that found work wakes the next if there is more: perhaps the wake that it got, or
    /// saved by looking up in time, was meant for that.
    pub(crate) fn rouse_next(&self) {
        if self.sleepers.any() && !self.is_forked() && self.has_work() {
            self.rouse_one();
        }
    }

    /// Says that there is a backlog of tasks of this site; wakes a thread if it is worth it.
    pub(crate) fn offer(&self, site: usize, backlog: usize) {
        if self.sleepers.any() && self.gate.is_worth(site, backlog) && !self.is_forked() {
            self.rouse_one();
        }
    }

    /// Wakes the thread with this number, if there is one to wake.
    pub(crate) fn wake(&self, number: Option<usize>) {
        if let Some(number) = number {
            self.seats.get(number).bed.parker.wake();
        }
    }

    pub(crate) fn rouse_one(&self) {
        self.sleepers.rouse(self.seats.workers().iter().map(|seat| &seat.bed));
    }
}
