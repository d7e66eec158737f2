//! What all threads of a pool share. In come threads that have work or look for it, out go seats,
//! advice whether to wake somebody, and the wake itself.

use std::{iter, process, sync::atomic::AtomicBool as Hint, time::Duration};

use spanwise_topology::{Layout, current_cpu};

use crate::{
    clock::Moment,
    gate::Gate,
    rounds::Rounds,
    seats::Seats,
    sleep::Sleepers,
    sync::{Arc, AtomicBool, Ordering},
    tasks::{Board, Task, Tasks},
};

/// Less work than this is done before another thread has its half.
const GIVEN: Duration = Duration::from_nanos(800);

/// One thread's word that it looks for work.
#[derive(Debug)]
pub(crate) struct Hunger<'c>(pub(crate) &'c Hint);

impl Hunger<'_> {
    // Relaxed, both: a hint. A plain store, so that nobody waits for the line of a flag.
    pub(crate) fn show(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn hide(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

impl Drop for Hunger<'_> {
    fn drop(&mut self) {
        self.hide();
    }
}

/// What all threads of a pool share.
pub(crate) struct Crew {
    pub(crate) seats: Seats,
    pub(crate) sleepers: Sleepers,
    pub(crate) gate: Gate,
    pub(crate) board: Board,
    pub(crate) rounds: Rounds,
    /// Who sits where, seat 0 included.
    pub(crate) layout: Layout,
    closing: AtomicBool,
    pub(crate) spin: Duration,
    pub(crate) crowded: bool,
    pub(crate) born: Moment,
    /// The process the threads live in; a forked child has none of them.
    process: u32,
}

impl Crew {
    pub(crate) fn new(layout: Layout, spin: Duration, crowded: bool) -> Self {
        Self {
            seats: Seats::new(layout.width()),
            sleepers: Sleepers::new(),
            gate: Gate::new(),
            board: Board::new(),
            rounds: Rounds::new(),
            layout,
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

    /// Whether a thread would take a half of a call that has taken `age` and has about `rest` left:
    /// one that is awake, or one that sleeps and is worth its wake, which it then gets.
    pub(crate) fn wants(&self, rest: Duration, age: Duration) -> bool {
        if rest < GIVEN {
            return false;
        }
        // Relaxed: a hint.
        if self.seats.iter().any(|(_, seat)| seat.hungry.load(Ordering::Relaxed)) {
            return true;
        }
        let wake = self.sleepers.are_likely()
            && self.gate.invites(rest, age, || self.born.elapsed())
            && !self.is_forked();
        if wake {
            self.rouse_one();
        }
        wake
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

    /// A worker has ended. Whoever waits for its share of a round has to take that back.
    pub(crate) fn lose(&self, number: usize) {
        self.seats.get(number).set_gone();
        self.rounds.waiters().into_iter().for_each(|waiter| self.wake(Some(waiter)));
    }

    /// Takes a share of `tasks` whose thread has ended.
    pub(crate) fn take_orphan(&self, tasks: &Arc<Tasks>) -> Option<Task> {
        if self.rounds.is_empty() || self.is_forked() {
            return None;
        }
        self.rounds.take_back(tasks, |number| self.seats.get(number).is_gone())
    }

    /// Whether a thread has ended before it came for its share of some round.
    pub(crate) fn has_orphan(&self) -> bool {
        self.rounds.has(|number| self.seats.get(number).is_gone())
    }

    /// Wakes the thread with this number, if there is one to wake.
    pub(crate) fn wake(&self, number: Option<usize>) {
        if let Some(number) = number {
            self.seats.get(number).bed.parker.wake();
        }
    }

    /// Wakes every worker that sleeps. Each once: who lies down again meanwhile has looked before it.
    pub(crate) fn rouse_all(&self) {
        if self.sleepers.any() && !self.is_forked() {
            for seat in self.seats.workers() {
                self.sleepers.rouse(iter::once(&seat.bed));
            }
        }
    }

    /// Wakes one sleeper, the nearest to where this thread runs now, one on the very same core last;
    /// `false` if there was none.
    pub(crate) fn rouse_one(&self) -> bool {
        let cpu = if self.layout.is_bound() { current_cpu() } else { None };
        let here = cpu.map_or(0, |cpu| self.layout.near_cpu(cpu));
        let order = self.layout.wakes(here).chain(iter::once(here));
        self.sleepers.rouse(order.map(|number| &self.seats.get(number).bed))
    }
}
