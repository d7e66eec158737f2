//! The deque on its own: what is pushed comes out once, whoever takes it.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use spanwise_deque::{Injector, Steal, Stealer, Worker};

const ITEMS: usize = 50_000;

/// Steals until something comes or `over` holds while nothing is there.
fn steal_until(stealer: &Stealer<usize>, over: impl Fn() -> bool) -> Option<usize> {
    loop {
        let was_over = over();
        match stealer.steal() {
            Steal::Success(item) => return Some(item),
            Steal::Empty if was_over => return None,
            Steal::Empty | Steal::Retry => std::hint::spin_loop(),
        }
    }
}

/// Runs thieves beside an owner, and checks that every item is taken once.
fn share(thieves: usize, owner: impl FnOnce(&Worker<usize>) -> Vec<usize>) -> Vec<Vec<usize>> {
    let worker = Worker::new();
    let over = &AtomicBool::new(false);
    let taken = thread::scope(|s| {
        let thief = |_| {
            let stealer = worker.stealer();
            s.spawn(move || {
                std::iter::from_fn(|| steal_until(&stealer, || over.load(Ordering::SeqCst)))
                    .collect::<Vec<_>>()
            })
        };
        let thieves: Vec<_> = (0..thieves).map(thief).collect();
        let mut taken = vec![owner(&worker)];
        over.store(true, Ordering::SeqCst);
        taken.extend(thieves.into_iter().map(|thief| thief.join().unwrap()));
        taken
    });
    let total: usize = taken.iter().map(Vec::len).sum();
    let different: HashSet<_> = taken.iter().flatten().collect();
    assert_eq!((total, different.len()), (ITEMS, ITEMS));
    taken
}

fn push_all(worker: &Worker<usize>) {
    (0..ITEMS).for_each(|i| worker.push(i));
}

#[test]
fn smoke() {
    let worker = Worker::new();
    let stealer = worker.stealer();
    assert_eq!((worker.pop(), stealer.steal()), (None, Steal::Empty));
    (1..=6).for_each(|i| worker.push(i));
    assert_eq!(worker.pop(), Some(6_usize));
    assert_eq!(stealer.steal(), Steal::Success(1));
    assert_eq!(stealer.clone().steal(), Steal::Success(2));
    assert_eq!((worker.pop(), worker.pop()), (Some(5), Some(4)));
    assert_eq!(stealer.steal(), Steal::Success(3));
    assert_eq!((worker.pop(), stealer.steal()), (None, Steal::Empty));
    worker.push(7);
    assert_eq!(worker.pop(), Some(7));
}

#[test]
fn is_empty() {
    let worker = Worker::default();
    let stealer = worker.stealer();
    for round in 0..1_000 {
        assert!(worker.is_empty() && stealer.is_empty());
        worker.push(round);
        worker.push(round);
        assert_eq!((worker.len(), stealer.len()), (2, 2));
        assert!(!worker.is_empty() && !stealer.is_empty());
        assert_eq!(stealer.steal(), Steal::Success(round));
        assert_eq!(worker.pop(), Some(round));
    }
}

#[test]
fn one_thief_gets_all_in_order() {
    let taken = share(1, |worker| {
        push_all(worker);
        Vec::new()
    });
    assert!(taken[1].iter().copied().eq(0..ITEMS));
}

#[test]
fn stampede() {
    let taken = share(6, |worker| {
        push_all(worker);
        std::iter::from_fn(|| worker.pop()).collect()
    });
    // Each sees a part of the order: the owner backwards, thieves forwards.
    assert!(taken[0].is_sorted_by(|a, b| a > b));
    assert!(taken[1..].iter().all(|thief| thief.is_sorted()));
}

#[test]
fn stress() {
    share(6, |worker| {
        let mut taken = Vec::new();
        let (mut next, mut seed) = (0, 1_u32);
        while next < ITEMS {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if seed >> 30 == 0 {
                taken.extend(std::iter::from_fn(|| worker.pop()).take((seed >> 20) as usize % 8));
            } else {
                worker.push(next);
                next += 1;
            }
        }
        taken
    });
}

#[test]
fn the_last_item_goes_to_one() {
    share(3, |worker| {
        let push_and_pop = |i| {
            worker.push(i);
            worker.pop()
        };
        (0..ITEMS).filter_map(push_and_pop).collect()
    });
}

#[test]
fn no_starvation() {
    const THIEVES: usize = 4;
    let worker = Worker::new();
    let hits = &[const { AtomicUsize::new(0) }; THIEVES];
    let over = &AtomicBool::new(false);
    thread::scope(|s| {
        for hits in hits {
            let stealer = worker.stealer();
            s.spawn(move || {
                while steal_until(&stealer, || over.load(Ordering::SeqCst)).is_some() {
                    hits.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        while hits.iter().any(|hits| hits.load(Ordering::Relaxed) == 0) {
            (0..100).for_each(|i| worker.push(i));
            thread::yield_now();
            while worker.pop().is_some() {}
        }
        over.store(true, Ordering::SeqCst);
    });
}

#[test]
fn destructors() {
    let kept = Arc::new(());
    let worker = Worker::new();
    let stealer = worker.stealer();
    for _ in 0..ITEMS {
        worker.push(Box::new(Arc::clone(&kept)));
    }
    let thieves: Vec<_> = (0..3)
        .map(|_| {
            let stealer = stealer.clone();
            thread::spawn(move || {
                (0..1_000).filter(|_| matches!(stealer.steal(), Steal::Success(_))).count()
            })
        })
        .collect();
    let popped = (0..1_000).filter(|_| worker.pop().is_some()).count();
    let stolen: usize = thieves.into_iter().map(|thief| thief.join().unwrap()).sum();
    assert_eq!(Arc::strong_count(&kept), 1 + ITEMS - popped - stolen);
    drop(worker);
    // The thief's end still keeps them.
    assert_eq!(Arc::strong_count(&kept), 1 + ITEMS - popped - stolen);
    drop(stealer);
    assert_eq!(Arc::strong_count(&kept), 1);
}

#[test]
fn arcs_and_references_travel_too() {
    let (number, counted) = (5, Arc::new(6));
    let worker = Worker::new();
    worker.push(&number);
    assert_eq!(worker.pop(), Some(&5));
    let worker = Worker::new();
    worker.push(Arc::clone(&counted));
    assert_eq!(worker.stealer().steal(), Steal::Success(Arc::clone(&counted)));
    assert_eq!(Arc::strong_count(&counted), 1);
}

#[test]
fn the_injector_gives_each_item_once() {
    let queue = Injector::new();
    let (left, total) = (AtomicUsize::new(4), AtomicUsize::new(0));
    thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                (1..=1_000).for_each(|i| queue.push(i));
                left.fetch_sub(1, Ordering::SeqCst);
            });
            s.spawn(|| {
                loop {
                    let over = left.load(Ordering::SeqCst) == 0;
                    match queue.steal() {
                        Steal::Success(i) => _ = total.fetch_add(i, Ordering::Relaxed),
                        _ if over => break,
                        _ => thread::yield_now(),
                    }
                }
            });
        }
    });
    assert_eq!(total.into_inner(), 4 * 500_500);
    assert!(queue.is_empty());
}

#[test]
fn a_length_is_never_more_than_was_there() {
    let worker = Worker::<usize>::new();
    let stealer = worker.stealer();
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                assert!(stealer.len() <= 1);
            }
        });
        for i in 0..300_000 {
            worker.push(i);
            assert_eq!(worker.pop(), Some(i));
        }
        over.store(true, Ordering::Relaxed);
    });
}
