//! Latches, sleep and wake, the end of a scope: nobody waits for what has happened.

use std::sync::Arc;

use loom::thread;

use crate::{
    Item, Watched, check,
    latch::Latch,
    open, push,
    ring::{Owner, Ring, Steal},
    sleep::{Bed, Sleepers},
    sync::{AtomicBool, Ordering},
    tasks::{Task, Tasks},
};

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

/// Two sleepers with something for each, as the shares of a broadcast, and wakes for nothing: none makes
/// the pusher overlook the other sleeper.
#[test]
fn sleepers_are_counted_before_they_are_claimed() {
    check(1000, || {
        let sleeper = || (Bed::new(), AtomicBool::new(false));
        let shared = Arc::new((Sleepers::new(), [sleeper(), sleeper()]));
        let threads: Vec<_> = (0..2)
            .map(|number| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    let (sleepers, all) = &*shared;
                    let (bed, share) = &all[number];
                    while !share.load(Ordering::Relaxed) {
                        sleepers.sleep(bed, || share.load(Ordering::Relaxed));
                    }
                })
            })
            .collect();
        let (sleepers, all) = &*shared;
        let beds = || all.iter().map(|(bed, _)| bed);
        if sleepers.any() {
            sleepers.rouse(beds());
        }
        all.iter().for_each(|(_, share)| share.store(true, Ordering::Relaxed));
        if sleepers.any() {
            beds().for_each(|bed| _ = sleepers.rouse(std::iter::once(bed)));
        }
        threads.into_iter().for_each(|thread| thread.join().unwrap());
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
