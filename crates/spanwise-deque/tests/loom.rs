//! The protocols under loom, which tries every interleaving up to a bound. The modules are the
//! crate's own sources, compiled here over loom's atomics:
//!
//! `RUSTFLAGS="--cfg spanwise_loom" LOOM_MAX_PREEMPTIONS=2 cargo test -p spanwise-deque --release --test loom`
//!
//! A deadlock, a torn cell or a failed assertion ends a model. Each one also says how many
//! interleavings it must have tried, because a model that tried few has shown little.
#![cfg(spanwise_loom)]
#![allow(dead_code, missing_docs, unreachable_pub, unsafe_code)]

#[path = "../src/clock.rs"]
mod clock;
#[path = "../src/crew.rs"]
mod crew;
#[path = "../src/gate.rs"]
mod gate;
#[path = "../src/injector.rs"]
mod injector;
#[path = "../src/job.rs"]
mod job;
#[path = "../src/join.rs"]
mod join;
#[path = "../src/latch.rs"]
mod latch;
#[path = "../src/mailbox.rs"]
mod mailbox;
#[path = "../src/member.rs"]
mod member;
#[path = "../src/ring.rs"]
mod ring;
#[path = "../src/seats.rs"]
mod seats;
#[path = "../src/sleep.rs"]
mod sleep;
#[path = "../src/sync.rs"]
mod sync;
#[path = "../src/tact.rs"]
mod tact;
#[path = "../src/tasks.rs"]
mod tasks;

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use loom::{cell::UnsafeCell, thread};

use crew::Crew;
use job::StackJob;
use latch::Latch;
use mailbox::Mailbox;
use member::Member;
use ring::{Owner, Ring, Steal};
use seats::{Caller, Seat, Seats};
use sleep::{Bed, Sleepers};
use tasks::{Task, Tasks};

/// Checks a model and that it tried at least `least` interleavings.
fn check(least: usize, model: impl Fn() + Send + Sync + 'static) {
    let tried = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&tried);
    loom::model(move || {
        count.fetch_add(1, Relaxed);
        model();
    });
    let tried = tried.load(Relaxed);
    println!("{tried} interleavings");
    assert!(tried >= least, "only {tried} interleavings");
}

/// A number that loom watches: whoever reads it must have synchronised with whoever wrote it.
struct Watched(UnsafeCell<usize>);

// SAFETY: loom checks each access.
unsafe impl Sync for Watched {}

impl Watched {
    fn new(number: usize) -> Self {
        Self(UnsafeCell::new(number))
    }

    fn add(&self, more: usize) {
        self.0.with_mut(|number| {
            // SAFETY: loom checks that nobody else is at it.
            unsafe { *number += more };
        });
    }

    fn get(&self) -> usize {
        self.0.with(|number| {
            // SAFETY: loom checks that nobody writes.
            unsafe { *number }
        })
    }
}

/// What goes through a ring here.
type Item = Watched;

fn item(number: usize) -> *mut Item {
    Box::into_raw(Box::new(Watched::new(number)))
}

fn open(item: *mut Item) -> usize {
    // SAFETY: each pointer is opened by its one taker; that there is one is what is tested.
    unsafe { Box::from_raw(item) }.get()
}

fn steal(ring: &Ring<Item>, tries: usize) -> Vec<usize> {
    let mut taken = Vec::new();
    for _ in 0..tries {
        if let Steal::Success(item) = ring.steal() {
            taken.push(open(item));
        }
    }
    taken
}

/// Runs an owner beside thieves and checks that each of `1..=count` is taken once.
fn share(thieves: usize, tries: usize, count: usize, owner: fn(&Owner<&Ring<Item>>) -> Vec<usize>) {
    let ring = Arc::new(Ring::new());
    let thieves: Vec<_> = (0..thieves)
        .map(|_| {
            let ring = Arc::clone(&ring);
            thread::spawn(move || steal(&ring, tries))
        })
        .collect();
    let end = Owner::new(&*ring);
    let mut taken = owner(&end);
    taken.extend(thieves.into_iter().flat_map(|thief| thief.join().unwrap()));
    end.publish(usize::MAX);
    taken.extend(std::iter::from_fn(|| end.pop()).map(open));
    taken.sort_unstable();
    assert!(taken.into_iter().eq(1..=count));
}

fn push(end: &Owner<&Ring<Item>>, number: usize) {
    end.push(item(number));
    end.publish(1);
}

fn pop(end: &Owner<&Ring<Item>>) -> Option<usize> {
    end.pop().map(open)
}

#[test]
fn deque_two_pops_one_thief() {
    check(150, || {
        share(1, 2, 3, |end| {
            push(end, 1);
            push(end, 2);
            let mut taken: Vec<_> = pop(end).into_iter().collect();
            push(end, 3);
            taken.extend(pop(end));
            taken
        });
    });
}

#[test]
fn deque_last_item_two_thieves() {
    check(1000, || {
        share(2, 1, 2, |end| {
            push(end, 1);
            push(end, 2);
            pop(end).into_iter().chain(pop(end)).collect()
        });
    });
}

#[test]
fn deque_growth_beside_a_thief() {
    check(900, || {
        share(1, 2, 4, |end| {
            (1..=4).for_each(|number| push(end, number));
            pop(end).into_iter().collect()
        });
    });
}

#[test]
fn deque_hidden_items_shown_late() {
    check(80, || {
        share(1, 2, 4, |end| {
            (1..=3).for_each(|number| _ = end.push(item(number)));
            end.publish(2);
            let mut taken: Vec<_> = pop(end).into_iter().chain(pop(end)).collect();
            end.push(item(4));
            end.publish(2);
            taken.extend(pop(end));
            taken
        });
    });
}

#[test]
fn latch_brings_the_result_and_wakes() {
    check(12, || {
        let shared = Arc::new((Latch::new(), Watched::new(0), Bed::new()));
        let theirs = Arc::clone(&shared);
        let thief = thread::spawn(move || {
            theirs.1.add(7);
            if let Some(waiter) = theirs.0.set() {
                assert_eq!(waiter, 3);
                theirs.2.parker.wake();
            }
        });
        let (latch, result, bed) = &*shared;
        while !latch.is_done() {
            if latch.call_me(3) {
                bed.parker.park();
            }
        }
        assert_eq!(result.get(), 7);
        thief.join().unwrap();
    });
}

/// A sleeper that must take the item, and a pusher that wakes it if it seems to sleep.
#[test]
fn sleep_loses_no_wake() {
    check(20, || {
        let shared = Arc::new((Ring::<Item>::new(), Sleepers::new(), Bed::new()));
        // An old token must cost no more than a look.
        shared.2.parker.wake();
        let theirs = Arc::clone(&shared);
        let sleeper = thread::spawn(move || {
            let (ring, sleepers, bed) = &*theirs;
            loop {
                match ring.steal() {
                    Steal::Success(item) => break open(item),
                    _ => sleepers.sleep(bed, || ring.len() > 0),
                }
            }
        });
        let (ring, sleepers, bed) = &*shared;
        let end = Owner::new(ring);
        push(&end, 1);
        if sleepers.any() {
            sleepers.rouse(std::iter::once(bed));
        }
        assert_eq!(sleeper.join().unwrap(), 1);
        assert!(!sleepers.any());
    });
}

/// Two pushers, two sleepers: each item finds its thread.
#[test]
fn sleep_two_by_two() {
    check(10000, || {
        let shared = Arc::new((Tasks::new(), Sleepers::new(), [Bed::new(), Bed::new()]));
        let sleepers: Vec<_> = (0..2)
            .map(|number| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    let (tasks, sleepers, beds) = &*shared;
                    loop {
                        match tasks.take() {
                            Some(task) => {
                                // As `Crew::rouse_next`: the wake may have been for the other.
                                if sleepers.any() && tasks.backlog() > 0 {
                                    sleepers.rouse(beds.iter());
                                }
                                tasks.run(task);
                                break;
                            }
                            None => sleepers.sleep(&beds[number], || tasks.backlog() > 0),
                        }
                    }
                })
            })
            .collect();
        let (tasks, beds) = (&shared.0, &shared.2);
        for _ in 0..2 {
            assert!(tasks.push(Task { site: 0, run: Box::new(|| ()) }).is_none());
            if shared.1.any() {
                shared.1.rouse(beds.iter());
            }
        }
        sleepers.into_iter().for_each(|sleeper| sleeper.join().unwrap());
        assert!(tasks.are_done());
    });
}

/// The end of a scope waits for a task that a thief runs, and for the one which that task spawns.
#[test]
fn scope_ends_after_its_last_task() {
    check(180, || {
        let shared = Arc::new((Tasks::new(), Bed::new(), Watched::new(0)));
        let again = Arc::clone(&shared);
        let (tasks, bed, total) = &*shared;
        let spawner = Arc::clone(&shared);
        let run = Box::new(move || {
            again.2.add(1);
            let add = Box::new(move || again.2.add(1));
            let second = Task { site: 0, run: add };
            if spawner.0.push(second).is_some() {
                spawner.1.parker.wake();
            }
        });
        tasks.push(Task { site: 0, run });
        let theirs = Arc::clone(&shared);
        let thief = thread::spawn(move || {
            let taken = theirs.0.take();
            if taken.and_then(|task| theirs.0.run(task)).is_some() {
                theirs.1.parker.wake();
            }
        });
        while !tasks.are_done() {
            if let Some(task) = tasks.take() {
                tasks.run(task);
            } else if tasks.call_me(5) {
                bed.parker.park();
            }
        }
        assert_eq!(total.get(), 2);
        thief.join().unwrap();
    });
}

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
            assert!(mailbox.post(item));
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
        assert!(mailbox.post(child));
        let own = mailbox.take_back().then(|| open(child));
        assert!(latch.set().is_none());
        assert!(mailbox.post(stranger));
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
        let [old, new] = [8, 16].map(std::ptr::without_provenance_mut);
        assert!(seat.mailbox.post(old));
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
        assert!(mailbox.post(item(1)));
        if (sleepers.any() || caller.is_there()) && caller.take() == Some(3) {
            bed.parker.wake();
        }
        assert_eq!(waiter.join().unwrap(), 1);
    });
}

/// A guest leaves its seat, the next takes it over and finds the ring as it was left.
#[test]
fn seats_change_hands() {
    check(10, || {
        fn guest(seats: &Seats) {
            let (_, seat) = seats.take(0);
            let end = Owner::new(&seat.ring);
            let job = StackJob::new(|| ());
            let at = end.push(job.pointer());
            end.publish(1);
            assert!(end.take_back(at));
            // SAFETY: U2: taken back just now.
            let half = unsafe { job.take() };
            half();
            seat.leave();
        }
        let seats = Arc::new(Seats::new(1));
        let theirs = Arc::clone(&seats);
        let other = thread::spawn(move || guest(&theirs));
        guest(&seats);
        other.join().unwrap();
    });
}

/// The whole: a guest joins, a worker robs it or sleeps, and the pool closes.
fn whole(least: usize, joins: fn(&Member<'_>)) {
    check(least, move || {
        let crew = Arc::new(Crew::new(2, Duration::ZERO, false));
        let theirs = Arc::clone(&crew);
        let worker = thread::spawn(move || {
            Member::new(&theirs, 1, theirs.seats.get(1)).work();
        });
        let (number, seat) = crew.seats.take(0);
        joins(&Member::new(&crew, number, seat));
        seat.leave();
        crew.close();
        worker.join().unwrap();
    });
}

#[test]
fn join_one() {
    whole(10000, |member| {
        let numbers = [1, 2];
        assert_eq!(join::join(member, || &numbers[0], || &numbers[1]), (&1, &2));
    });
}

#[test]
fn join_nested_near() {
    whole(100000, |member| {
        let near = || join::join(member, || 1, || 2);
        assert_eq!(join::join(member, near, || 3), ((1, 2), 3));
    });
}

#[test]
fn join_panics_near() {
    whole(8000, |member| {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            join::join(member, || std::panic::resume_unwind(Box::new(1)), || 2);
        }));
        assert_eq!(*result.unwrap_err().downcast::<i32>().unwrap(), 1);
    });
}
