//! Seats. In comes a thread that wants to work, out goes a number with a ring and a bed: seat 0
//! and those past the workers' are for guests, threads that call from outside. Seats are never
//! removed, so thieves walk them without a lock; a guest's seat is used again by later guests.

use std::{array, sync::atomic::AtomicBool as Hint};

use crossbeam_utils::CachePadded;

use crate::{
    job::Job,
    mailbox::Mailbox,
    ring::{Ring, Steal},
    sleep::Bed,
    sync::{AtomicBool, AtomicUsize, MODELLED, OnceLock, Ordering, fence},
};

/// Seats in the first chunk that is added; each further one doubles.
const ADDED: usize = if MODELLED { 1 } else { 8 };
/// Chunks that can be named; more threads than a machine can have.
const CHUNKS: usize = if MODELLED { 3 } else { 24 };

/// What one thread shows to the others.
#[derive(Debug)]
pub(crate) struct Seat {
    /// The first job that is offered while the ring is empty; older than all in the ring.
    pub(crate) mailbox: Mailbox<Job>,
    pub(crate) ring: Ring<Job>,
    pub(crate) bed: Bed,
    /// Who is parked until this thread is done with a job, or offers a part of it.
    pub(crate) caller: Caller,
    /// The address of the scope whose tasks this thread runs, having been without work.
    serves: AtomicUsize,
    taken: CachePadded<AtomicBool>,
    /// Its thread is awake and looks for work. A hint, so no model needs to see it.
    pub(crate) hungry: CachePadded<Hint>,
    /// A worker's: its thread has ended.
    gone: AtomicBool,
}

impl Seat {
    pub(crate) fn new() -> Self {
        Self {
            mailbox: Mailbox::new(),
            ring: Ring::new(),
            bed: Bed::new(),
            caller: Caller::new(),
            serves: AtomicUsize::new(0),
            taken: CachePadded::new(AtomicBool::new(false)),
            hungry: CachePadded::new(Hint::new(false)),
            gone: AtomicBool::new(false),
        }
    }

    /// A number for the oldest job that thieves can see, at some moment of the call.
    pub(crate) fn oldest(&self) -> Option<usize> {
        self.mailbox.full().or_else(|| self.ring.oldest())
    }

    /// Whether the oldest job was offered because a thief had asked for it.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.mailbox.is_asked_for() && self.mailbox.full().is_some()
    }

    /// Takes the oldest job if `still` holds after it was seen and before it is taken.
    pub(crate) fn steal_if(&self, still: impl Fn() -> bool) -> Steal<*mut Job> {
        match self.mailbox.take_if(&still) {
            // What lies in the mailbox is older than all in the ring, and has to go first: who has
            // lost a job from his ring relies on having nothing older left. A job that was seen in
            // the ring brings the post before it, so this look cannot miss it.
            Steal::Empty => self.ring.steal_if(|| self.mailbox.full().is_none() && still()),
            other => other,
        }
    }

    /// Says whose tasks this thread runs from now on: of the scope at this address, or of none.
    pub(crate) fn serve(&self, scope: usize) {
        // Release: pairs with the Acquire in `serves`: the ring is empty now.
        self.serves.store(scope, Ordering::Release);
    }

    /// Whether the thread runs tasks of the scope at this address.
    pub(crate) fn serves(&self, scope: usize) -> bool {
        // Acquire: pairs with the Release in `serve`.
        self.serves.load(Ordering::Acquire) == scope
    }

    fn take(&self) -> bool {
        // Relaxed: a look before the exchange. Acquire: pairs with the Release in `leave`.
        !self.taken.load(Ordering::Relaxed)
            && self
                .taken
                .compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed)
                .is_ok()
    }

    pub(crate) fn is_gone(&self) -> bool {
        // Relaxed: the lock and the fences of `Crew::lose` order it for whoever must not miss it.
        self.gone.load(Ordering::Relaxed)
    }

    pub(crate) fn set_gone(&self) {
        // Relaxed: as in `is_gone`.
        self.gone.store(true, Ordering::Relaxed);
    }

    /// Gives the seat back, its ring empty.
    pub(crate) fn leave(&self) {
        // Release: pairs with the Acquire in `take`: the next owner reads our indices.
        self.taken.store(false, Ordering::Release);
    }
}

/// The number of a parked thread that wants parts of what another runs. Of several that want to be
/// called the last is remembered.
#[derive(Debug)]
pub(crate) struct Caller(AtomicUsize);

impl Caller {
    pub(crate) fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// Thread `number` is about to park; it looks once more after this.
    pub(crate) fn call_me(&self, number: usize) {
        // Relaxed: ordered by the fence.
        self.0.store(number + 1, Ordering::Relaxed);
        // SeqCst: pairs with the fence in `Sleepers::any`; either the caller sees the job that was
        // offered before it, or its owner sees the caller.
        fence(Ordering::SeqCst);
    }

    /// Whether somebody wants to be called. Ask after `Sleepers::any`, for its fence.
    #[inline]
    pub(crate) fn is_there(&self) -> bool {
        // Relaxed: ordered by the fence.
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Whom to wake, once.
    pub(crate) fn take(&self) -> Option<usize> {
        // Relaxed: the number itself is all.
        self.0.swap(0, Ordering::Relaxed).checked_sub(1)
    }

    /// Thread `number` has woken for whatever reason.
    pub(crate) fn forget(&self, number: usize) {
        // Relaxed, both: as above; a failure means that another is remembered, or nobody.
        let _ = self.0.compare_exchange(number + 1, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// All seats of a pool.
#[derive(Debug)]
pub(crate) struct Seats {
    /// Seat 0 for a guest, then the workers'.
    first: Box<[Seat]>,
    added: [OnceLock<Box<[Seat]>>; CHUNKS],
}

impl Seats {
    /// Seats for `width - 1` workers and any number of guests.
    pub(crate) fn new(width: usize) -> Self {
        Self { first: seats(width), added: array::from_fn(|_| OnceLock::new()) }
    }

    /// The workers' seats, with their numbers.
    pub(crate) fn workers(&self) -> &[Seat] {
        &self.first[1..]
    }

    /// Whether this is the number of a worker's seat.
    pub(crate) fn is_workers(&self, number: usize) -> bool {
        (1..self.first.len()).contains(&number)
    }

    /// The seat with this number.
    pub(crate) fn get(&self, number: usize) -> &Seat {
        let Some(past) = number.checked_sub(self.first.len()) else { return &self.first[number] };
        let chunk = (past / ADDED + 1).ilog2() as usize;
        let seats = self.added[chunk].get().expect("a number is given out after its seat is made");
        &seats[past - start(chunk)]
    }

    /// Every seat there is, with its number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &Seat)> {
        self.first.iter().chain(self.added.iter().map_while(OnceLock::get).flatten()).enumerate()
    }

    /// Takes a free guest's seat, the one with number `hint` if it can. `None` if none is free and
    /// `alone` says that this is a forked child: a thread that is not here may be adding seats.
    pub(crate) fn take(&self, hint: usize, alone: impl FnOnce() -> bool) -> Option<(usize, &Seat)> {
        let guests = self.first.len();
        if hint == 0 && self.first[0].take() {
            return Some((0, &self.first[0]));
        }
        if let Some(past) = hint.checked_sub(guests) {
            let chunk = (past / ADDED + 1).ilog2() as usize;
            let seats = self.added.get(chunk).and_then(OnceLock::get);
            if let Some(seat) = seats.map(|seats| &seats[past - start(chunk)]).filter(|s| s.take())
            {
                return Some((hint, seat));
            }
        }
        if self.first[0].take() {
            return Some((0, &self.first[0]));
        }
        let mut alone = Some(alone);
        for (chunk, added) in self.added.iter().enumerate() {
            if added.get().is_none() && alone.take().is_some_and(|alone| alone()) {
                return None;
            }
            let seats = added.get_or_init(|| seats(ADDED << chunk));
            if let Some(place) = seats.iter().position(Seat::take) {
                return Some((guests + start(chunk) + place, &seats[place]));
            }
        }
        unreachable!("fewer threads than seats fit in memory")
    }
}

/// How many added seats lie before this chunk.
fn start(chunk: usize) -> usize {
    ((1 << chunk) - 1) * ADDED
}

fn seats(count: usize) -> Box<[Seat]> {
    (0..count).map(|_| Seat::new()).collect()
}

#[cfg(all(test, not(spanwise_loom)))]
mod tests {
    use std::{sync::mpsc, thread};

    use super::*;

    /// A child forked while a thread adds seats finds them half added for ever.
    #[test]
    fn nobody_waits_for_a_thread_that_is_not_here() {
        let all = Seats::new(1);
        assert_eq!(all.take(0, || true).map(|(number, _)| number), Some(0));
        let ((adds, adding), (end, ended)) = (mpsc::channel(), mpsc::channel::<()>());
        thread::scope(|s| {
            let all = &all;
            s.spawn(move || {
                all.added[0].get_or_init(|| {
                    adds.send(()).unwrap();
                    ended.recv().unwrap_err();
                    seats(ADDED)
                });
            });
            adding.recv().unwrap();
            // Each of these would wait if it asked for the half added ones.
            for hint in [0, 1, 5] {
                assert!(all.take(hint, || true).is_none());
            }
            assert_eq!(all.iter().count(), 1);
            drop(end);
        });
        assert_eq!(all.take(3, || unreachable!()).map(|(number, _)| number), Some(3));
        // A child uses what its parent had added.
        assert_eq!(all.take(3, || unreachable!()).map(|(number, _)| number), Some(1));
    }
}
