//! Threads that take turns. In come the threads of one call and a seed, out goes the word which of
//! them runs next; [`Seeded`](crate::Seeded) asks at every join.
//!
//! One thread runs while the others wait, so the seed alone decides the order. A thread that blocks on
//! something else, such as a lock that another of them holds, would keep its turn for ever: after
//! [`PATIENCE`] somebody else takes it, which costs the replay its exactness and nothing more.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// How long a turn may last before others stop waiting for its end.
const PATIENCE: Duration = Duration::from_millis(50);

/// Pseudo-random numbers: splitmix64, which takes any seed.
#[derive(Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % sides as u64) as usize
    }
}

/// What becomes of the far half of a join.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Far {
    /// It runs here, after the near one.
    Last,
    /// It runs here, before the near one.
    First,
    /// It runs on a thread of its own, which has this number.
    Apart(usize),
}

/// The threads of one call. The caller has number 0.
#[derive(Debug)]
pub(crate) struct Turns {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    dice: Dice,
    /// Whose turn it is.
    turn: usize,
    /// Counts turns.
    step: u64,
    /// Who could run.
    ready: BTreeSet<usize>,
    /// Who waits for the end of whom: the latter first.
    waiting: BTreeMap<usize, usize>,
    /// Who has ended, and nobody has waited for it yet.
    ended: BTreeSet<usize>,
    /// Threads so far.
    begun: usize,
    /// Threads that have not ended.
    alive: usize,
}

impl State {
    /// Whether `me` waits for the end of a thread.
    fn waits(&self, me: usize) -> bool {
        self.waiting.values().any(|&waiter| waiter == me)
    }

    /// Ends the turn of `me`, if it is that thread's, and draws the next.
    fn pass(&mut self, me: usize) {
        if self.turn == me && !self.ready.is_empty() {
            let drawn = self.dice.roll(self.ready.len());
            self.turn = *self.ready.iter().nth(drawn).expect("drawn among them");
            self.step += 1;
        }
    }
}

impl Turns {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            state: Mutex::new(State {
                dice: Dice::new(seed),
                turn: 0,
                step: 0,
                ready: BTreeSet::from([0]),
                waiting: BTreeMap::new(),
                ended: BTreeSet::new(),
                begun: 1,
                alive: 1,
            }),
            changed: Condvar::new(),
        }
    }

    /// Lets others run before `me` goes on.
    pub(crate) fn pause(&self, me: usize) {
        let mut state = self.lock();
        state.ready.insert(me);
        state.pass(me);
        self.wait(state, me);
    }

    /// Decides about a far half; at most `width` threads are alive at once.
    pub(crate) fn choose(&self, width: usize) -> Far {
        let mut state = self.lock();
        let room = state.alive < width;
        match state.dice.roll(if room { 4 } else { 2 }) {
            0 => Far::Last,
            1 => Far::First,
            _ => {
                let far = state.begun;
                state.begun += 1;
                state.alive += 1;
                state.ready.insert(far);
                Far::Apart(far)
            }
        }
    }

    /// Waits for the first turn of a thread that `choose` has announced.
    pub(crate) fn begin(&self, me: usize) {
        self.wait(self.lock(), me);
    }

    /// Ends a thread. Nothing of it may run behind this.
    pub(crate) fn end(&self, me: usize) {
        let mut state = self.lock();
        state.ready.remove(&me);
        state.alive -= 1;
        match state.waiting.remove(&me) {
            Some(waiter) => state.ready.insert(waiter),
            None => state.ended.insert(me),
        };
        state.pass(me);
        drop(state);
        self.changed.notify_all();
    }

    /// Lets others run until `far` has ended.
    pub(crate) fn wait_for(&self, far: usize, me: usize) {
        let mut state = self.lock();
        if !state.ended.remove(&far) {
            state.ready.remove(&me);
            state.waiting.insert(far, me);
            state.pass(me);
            self.wait(state, me);
        }
    }

    /// Waits until it is this thread's turn, or until whose turn it is makes no use of it.
    fn wait(&self, mut state: MutexGuard<'_, State>, me: usize) {
        self.changed.notify_all();
        let mut seen = state.step;
        while state.turn != me {
            let waited = self.changed.wait_timeout(state, PATIENCE);
            let (now, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = now;
            let stuck = timeout.timed_out() && state.step == seen;
            if !state.waits(me) {
                // Somebody may have taken a turn from this thread, which was only late.
                state.ready.insert(me);
            }
            if stuck && state.turn != me && state.ready.contains(&me) {
                // It may draw again once it has called.
                let blocked = mem::replace(&mut state.turn, me);
                state.ready.remove(&blocked);
                state.step += 1;
            }
            seen = state.step;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// Others wait no longer than their patience for a thread whose turn it is before it has started; it gets
    /// another turn all the same.
    #[test]
    fn a_thread_that_starts_late_gets_a_turn() {
        let turns = Turns::new(1);
        let far = loop {
            if let Far::Apart(far) = turns.choose(2) {
                break far;
            }
        };
        turns.lock().turn = far;
        turns.pause(0);
        assert_eq!(turns.lock().turn, 0);
        thread::scope(|scope| {
            scope.spawn(|| {
                turns.begin(far);
                turns.end(far);
            });
            turns.wait_for(far, 0);
        });
    }
}
