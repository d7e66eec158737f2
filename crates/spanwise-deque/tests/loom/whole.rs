//! Seats and the whole pool: a guest joins, a worker robs it or sleeps, the pool closes.

use std::{sync::Arc, time::Duration};

use loom::thread;

use spanwise_topology::Layout;

use crate::{
    Watched, check,
    crew::Crew,
    job::StackJob,
    join,
    member::Member,
    ring::Owner,
    seats::Seats,
    tasks::{Task, Tasks},
};

/// A guest leaves its seat, the next takes it over and finds the ring as it was left.
#[test]
fn seats_change_hands() {
    check(10, || {
        fn guest(seats: &Seats) {
            let (_, seat) = seats.take(0, || false).unwrap();
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
        let crew = Arc::new(Crew::new(Layout::floating(2), Duration::ZERO, false));
        let theirs = Arc::clone(&crew);
        let worker = thread::spawn(move || {
            Member::new(&theirs, 1, theirs.seats.get(1)).work();
        });
        let (number, seat) = crew.seats.take(0, || false).unwrap();
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

/// The worker sleeps or is about to, and must come for its share all the same.
#[test]
fn a_share_finds_its_thread() {
    whole(900, |member| {
        let (tasks, ran) = (Arc::new(Tasks::new()), Arc::new(Watched::new(0)));
        let count = Arc::clone(&ran);
        let share = Task { site: 0, run: Box::new(move || count.add(1)) };
        member.crew.rounds.add(Arc::clone(&tasks), vec![None, Some(share)]);
        member.crew.rouse_all();
        assert!(member.finish(&tasks));
        assert_eq!(ran.get(), 1);
    });
}

/// The worker ends before or while its share is handed out: the caller has to run that.
#[test]
fn the_share_of_a_lost_thread_comes_back() {
    check(45, || {
        let crew = Arc::new(Crew::new(Layout::floating(2), Duration::ZERO, false));
        let theirs = Arc::clone(&crew);
        let worker = thread::spawn(move || theirs.lose(1));
        let (number, seat) = crew.seats.take(0, || false).unwrap();
        let member = Member::new(&crew, number, seat);
        let (tasks, ran) = (Arc::new(Tasks::new()), Arc::new(Watched::new(0)));
        let count = Arc::clone(&ran);
        let share = Task { site: 0, run: Box::new(move || count.add(1)) };
        crew.rounds.add(Arc::clone(&tasks), vec![None, Some(share)]);
        assert!(member.finish(&tasks));
        assert_eq!(ran.get(), 1);
        worker.join().unwrap();
    });
}
