//! Seats. In comes a thread that wants to work, out goes a number with a ring and a bed: seat 0
//! and those past the workers' are for guests, threads that call from outside. Seats are never
//! removed, so thieves walk them without a lock; a guest's seat is used again by later guests.

use std::array;

use crossbeam_utils::CachePadded;

use crate::{
    job::Job,
    ring::Ring,
    sleep::Bed,
    sync::{AtomicBool, OnceLock, Ordering},
};

/// Seats in the first chunk that is added; each further one doubles.
const ADDED: usize = if cfg!(spanwise_loom) { 1 } else { 8 };
/// Chunks that can be named; more threads than a machine can have.
const CHUNKS: usize = 24;

/// What one thread shows to the others.
#[derive(Debug)]
pub(crate) struct Seat {
    pub(crate) ring: Ring<Job>,
    pub(crate) bed: Bed,
    taken: CachePadded<AtomicBool>,
}

impl Seat {
    fn new() -> Self {
        Self { ring: Ring::new(), bed: Bed::new(), taken: CachePadded::new(AtomicBool::new(false)) }
    }

    fn take(&self) -> bool {
        // Relaxed: a look before the exchange. Acquire: pairs with the Release in `leave`.
        !self.taken.load(Ordering::Relaxed)
            && self
                .taken
                .compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed)
                .is_ok()
    }

    /// Gives the seat back, its ring empty.
    pub(crate) fn leave(&self) {
        // Release: pairs with the Acquire in `take`: the next owner reads our indices.
        self.taken.store(false, Ordering::Release);
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

    /// Takes a free guest's seat, the one with number `hint` if it can.
    pub(crate) fn take(&self, hint: usize) -> (usize, &Seat) {
        let guests = self.first.len();
        if hint == 0 && self.first[0].take() {
            return (0, &self.first[0]);
        }
        if let Some(past) = hint.checked_sub(guests) {
            let chunk = (past / ADDED + 1).ilog2() as usize;
            let seats = self.added.get(chunk).and_then(OnceLock::get);
            if let Some(seat) = seats.map(|seats| &seats[past - start(chunk)]).filter(|s| s.take())
            {
                return (hint, seat);
            }
        }
        if self.first[0].take() {
            return (0, &self.first[0]);
        }
        for (chunk, added) in self.added.iter().enumerate() {
            let seats = added.get_or_init(|| seats(ADDED << chunk));
            if let Some(place) = seats.iter().position(Seat::take) {
                return (guests + start(chunk) + place, &seats[place]);
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
