//! Deques under one trait. In come items from an owner, out they go to it and to thieves.

use std::{sync::Barrier, thread};

/// The owner's end.
pub trait Owner: Send {
    /// A thief's end of the same deque.
    type Thief: Thief;

    /// An empty deque.
    fn new() -> Self;
    /// A thief's end.
    fn thief(&self) -> Self::Thief;
    /// Adds an item.
    fn push(&self, item: usize);
    /// Takes the newest.
    fn pop(&self) -> Option<usize>;
}

/// A thief's end.
pub trait Thief: Send {
    /// Takes the oldest; `None` if there is none or another thief was faster.
    fn steal(&self) -> Option<usize>;
}

impl Owner for spanwise_deque::Worker<usize> {
    type Thief = spanwise_deque::Stealer<usize>;

    fn new() -> Self {
        Self::new()
    }

    fn thief(&self) -> Self::Thief {
        self.stealer()
    }

    #[inline]
    fn push(&self, item: usize) {
        Self::push(self, item);
    }

    #[inline]
    fn pop(&self) -> Option<usize> {
        Self::pop(self)
    }
}

impl Thief for spanwise_deque::Stealer<usize> {
    #[inline]
    fn steal(&self) -> Option<usize> {
        match Self::steal(self) {
            spanwise_deque::Steal::Success(item) => Some(item),
            _ => None,
        }
    }
}

impl Owner for crossbeam_deque::Worker<usize> {
    type Thief = crossbeam_deque::Stealer<usize>;

    fn new() -> Self {
        Self::new_lifo()
    }

    fn thief(&self) -> Self::Thief {
        self.stealer()
    }

    #[inline]
    fn push(&self, item: usize) {
        Self::push(self, item);
    }

    #[inline]
    fn pop(&self) -> Option<usize> {
        Self::pop(self)
    }
}

impl Thief for crossbeam_deque::Stealer<usize> {
    #[inline]
    fn steal(&self) -> Option<usize> {
        Self::steal(self).success()
    }
}

/// One thread pushes and pops, newest first, in runs of `depth`; gives the sum of all items.
pub fn lifo<O: Owner>(items: usize, depth: usize) -> usize {
    let owner = O::new();
    let mut sum = 0;
    for first in (0..items).step_by(depth) {
        (first..first + depth).for_each(|item| owner.push(item));
        while let Some(item) = owner.pop() {
            sum += item;
        }
    }
    sum
}

/// One thread pushes and takes the oldest, in runs of `depth`; gives the sum of all items.
pub fn fifo<O: Owner>(items: usize, depth: usize) -> usize {
    let owner = O::new();
    let thief = owner.thief();
    let mut sum = 0;
    for first in (0..items).step_by(depth) {
        (first..first + depth).for_each(|item| owner.push(item));
        while let Some(item) = thief.steal() {
            sum += item;
        }
    }
    sum
}

/// One adder pushes while so many takers steal; gives the sum of all items that were taken.
pub fn messages<O: Owner>(items: usize, takers: usize) -> usize {
    let owner = O::new();
    let start = Barrier::new(takers + 1);
    thread::scope(|scope| {
        let takers: Vec<_> = (0..takers)
            .map(|_| {
                let (thief, start) = (owner.thief(), &start);
                scope.spawn(move || {
                    start.wait();
                    let mut sum = 0;
                    // The adder's last item tells one taker to stop, who passes it on.
                    loop {
                        match thief.steal() {
                            Some(usize::MAX) => return sum,
                            Some(item) => sum += item,
                            None => std::hint::spin_loop(),
                        }
                    }
                })
            })
            .collect();
        start.wait();
        (0..items).for_each(|item| owner.push(item));
        takers.iter().for_each(|_| owner.push(usize::MAX));
        takers.into_iter().map(|taker| taker.join().expect("a taker")).sum()
    })
}
