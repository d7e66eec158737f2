//! A waiter robs its thief of descendants of its own half, and of nothing else.

use std::{
    ptr::{self, NonNull},
    sync::Arc,
};

use loom::thread;

use crate::{
    Item, check,
    job::{StackJob, run_stolen},
    latch::Latch,
    open, pop, push,
    ring::{Owner, Ring, Steal},
    seats::{Seat, Seats},
};

/// A waiter that robs its thief gets a descendant of its own half or nothing, also when the thief
/// is done with the half and has gone on to a stranger's.
#[test]
fn leapfrogging_takes_descendants_only() {
    check(70, || {
        let shared = Arc::new((Ring::<Item>::new(), Latch::new()));
        let theirs = Arc::clone(&shared);
        let waiter = thread::spawn(move || match theirs.0.steal_if(|| !theirs.1.is_done()) {
            Steal::Success(item) => Some(open(item)),
            Steal::Empty | Steal::Retry => None,
        });
        let (ring, latch) = &*shared;
        let end = Owner::new(ring);
        push(&end, 1);
        let child = pop(&end);
        assert!(latch.set().is_none());
        push(&end, 2);
        let stranger = pop(&end);
        let loot = waiter.join().unwrap();
        assert_ne!(loot, Some(2));
        assert_eq!((loot.or(child), stranger), (Some(1), Some(2)));
    });
}

/// The same where the thief has nothing of that half left, and goes on to the stranger's at once.
#[test]
fn leapfrogging_looks_again_before_it_takes() {
    check(6, || {
        let shared = Arc::new((Ring::<Item>::new(), Latch::new()));
        let theirs = Arc::clone(&shared);
        let waiter = thread::spawn(move || theirs.0.steal_if(|| !theirs.1.is_done()));
        let (ring, latch) = &*shared;
        let end = Owner::new(ring);
        assert!(latch.set().is_none());
        push(&end, 2);
        assert!(!matches!(waiter.join().unwrap(), Steal::Success(_)));
        assert_eq!(pop(&end), Some(2));
    });
}

/// The end of a scope robs a thread that runs tasks of it of parts of these, and of nothing that this thread
/// had before or has afterwards.
#[test]
fn a_scope_robs_its_servants_of_its_own() {
    const SCOPE: usize = 64;
    check(60, || {
        let seat = Arc::new(Seat::new());
        let theirs = Arc::clone(&seat);
        let ender = thread::spawn(move || {
            let loot = theirs.serves(SCOPE).then(|| theirs.steal_if(|| theirs.serves(SCOPE)))?;
            if let Steal::Success(job) = loot { Some(job.addr()) } else { None }
        });
        let end = Owner::new(&seat.ring);
        let offer = |number| {
            let at = end.push(ptr::without_provenance_mut(number));
            end.publish(1);
            end.take_back(at)
        };
        assert!(offer(8));
        seat.serve(SCOPE);
        let kept = offer(16);
        seat.serve(0);
        assert!(offer(24));
        assert_eq!(ender.join().unwrap(), (!kept).then_some(16));
    });
}

/// A far half as its thief and its waiter share it.
struct Far(StackJob<Box<dyn FnOnce() -> Option<usize> + Send>, Option<usize>>);

// SAFETY: loom checks each access to the cells, and the model moves nothing out twice.
unsafe impl Sync for Far {}

/// The number in a job leads to its thief's seat, which may be new, and what the waiter finds there
/// descends from the job, also when the thief has gone on.
#[test]
fn the_thiefs_number_leads_to_descendants() {
    check(100, || {
        let seats = Arc::new(Seats::new(1));
        let (first, _) = seats.take(0, || false).unwrap();
        assert_eq!(first, 0);
        let theirs = Arc::clone(&seats);
        let child = StackJob::new(|| ());
        let pointer = child.pointer().expose_provenance();
        let half = Box::new(move || {
            let end = Owner::new(&theirs.get(1).ring);
            end.push(ptr::with_exposed_provenance_mut(pointer));
            end.publish(1);
            end.pop().map(<*mut _>::addr)
        });
        let far = Arc::new(Far(StackJob::new(half)));
        let (their_seats, their_far) = (Arc::clone(&seats), Arc::clone(&far));
        let thief = thread::spawn(move || {
            // The first seat is taken, so this one is made.
            let (number, seat) = their_seats.take(0, || false).unwrap();
            let job = NonNull::new(their_far.0.pointer()).unwrap();
            // SAFETY: U1: this thread alone runs the job, which outlives the model.
            let waiting = unsafe { run_stolen(job, number) };
            assert!(waiting.is_none());
            let next = Owner::new(&seat.ring);
            next.push(ptr::null_mut());
            next.publish(1);
            assert!(next.pop().is_some());
        });
        let job = far.0.job();
        let mut number = job.thief();
        while number.is_none() {
            thread::yield_now();
            number = job.thief();
        }
        let loot = number.map(|thief| seats.get(thief).ring.steal_if(|| !job.latch.is_done()));
        thief.join().unwrap();
        // SAFETY: U3: the thief has ended.
        let kept = unsafe { far.0.outcome() }.unwrap();
        match loot {
            Some(Steal::Success(loot)) => assert_eq!((loot.addr(), kept), (pointer, None)),
            _ => assert_eq!(kept, Some(pointer)),
        }
    });
}
