//! The mailbox and the caller: an offer reaches a thief or its owner, and a waiter that has parked.

use std::{ptr, sync::Arc};

use loom::thread;

use crate::{
    Item, check, item,
    latch::Latch,
    mailbox::Mailbox,
    open,
    ring::{Owner, Steal},
    seats::{Caller, Seat},
    sleep::{Bed, Sleepers},
};

/// What is posted goes to its thief or back to its owner, also the second time.
#[test]
fn mailbox_gives_each_item_once() {
    check(150, || {
        let mailbox = Arc::new(Mailbox::new());
        let theirs = Arc::clone(&mailbox);
        let thief = thread::spawn(move || {
            let mut taken = Vec::new();
            for _ in 0..2 {
                if let Steal::Success(item) = theirs.take_if(|| true) {
                    taken.push(open(item));
                }
            }
            taken
        });
        let mut taken = Vec::new();
        for number in 1..=2 {
            let item = item(number);
            assert!(mailbox.post(item, false));
            if mailbox.take_back() {
                taken.push(open(item));
            }
        }
        taken.extend(thief.join().unwrap());
        taken.sort_unstable();
        assert_eq!(taken, [1, 2]);
    });
}

/// As with the ring: a waiter that robs its thief's mailbox gets no stranger's job.
#[test]
fn mailbox_leapfrogging_looks_again() {
    check(80, || {
        let shared = Arc::new((Mailbox::new(), Latch::new()));
        let theirs = Arc::clone(&shared);
        let waiter = thread::spawn(move || theirs.0.take_if(|| !theirs.1.is_done()));
        let (mailbox, latch) = &*shared;
        let (child, stranger) = (item(1), item(2));
        assert!(mailbox.post(child, false));
        let own = mailbox.take_back().then(|| open(child));
        assert!(latch.set().is_none());
        assert!(mailbox.post(stranger, false));
        assert!(mailbox.take_back());
        assert_eq!(open(stranger), 2);
        let loot = match waiter.join().unwrap() {
            Steal::Success(item) => Some(open(item)),
            Steal::Empty | Steal::Retry => None,
        };
        assert_eq!(own.or(loot), Some(1));
    });
}

/// While an older job lies in the mailbox, nobody gets one from the ring.
#[test]
fn seat_gives_the_mailbox_first() {
    check(12, || {
        let seat = Arc::new(Seat::new());
        let theirs = Arc::clone(&seat);
        let thief = thread::spawn(move || theirs.steal_if(|| true));
        let end = Owner::new(&seat.ring);
        let [old, new] = [8, 16].map(ptr::without_provenance_mut);
        assert!(seat.mailbox.post(old, false));
        let at = end.push(new);
        end.publish(1);
        let loot = thief.join().unwrap();
        assert!(loot != Steal::Success(new), "the newer one was taken");
        assert!(end.take_back(at));
        assert_eq!(seat.mailbox.take_back(), loot != Steal::Success(old));
    });
}

/// A waiter that parks until its thief offers something, or had offered it before.
#[test]
fn caller_is_called() {
    check(15, || {
        let shared = Arc::new((Mailbox::<Item>::new(), Caller::new(), Bed::new(), Sleepers::new()));
        let theirs = Arc::clone(&shared);
        let waiter = thread::spawn(move || {
            let (mailbox, caller, bed, _) = &*theirs;
            loop {
                if let Steal::Success(item) = mailbox.take_if(|| true) {
                    break open(item);
                }
                caller.call_me(3);
                if mailbox.full().is_none() {
                    bed.parker.park();
                }
                caller.forget(3);
            }
        });
        let (mailbox, caller, bed, sleepers) = &*shared;
        assert!(mailbox.post(item(1), false));
        if (sleepers.any() || caller.is_there()) && caller.take() == Some(3) {
            bed.parker.wake();
        }
        assert_eq!(waiter.join().unwrap(), 1);
    });
}
