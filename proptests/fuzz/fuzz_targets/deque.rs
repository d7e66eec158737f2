//! Operations on a deque, one after another, against a `VecDeque`: what is popped, stolen, counted and
//! dropped must be the same.
#![no_main]

use std::{
    collections::VecDeque,
    sync::atomic::{AtomicUsize, Ordering},
};

use libfuzzer_sys::fuzz_target;
use spanwise_deque::{Steal, Stealer, Worker};

/// An item that counts how many of its kind there are.
#[derive(Debug)]
struct Item<'a>(usize, &'a AtomicUsize);

impl Drop for Item<'_> {
    fn drop(&mut self) {
        self.1.fetch_sub(1, Ordering::Relaxed);
    }
}

fn steal<'a>(stealer: &Stealer<Box<Item<'a>>>) -> Option<usize> {
    match stealer.steal() {
        Steal::Empty => None,
        Steal::Success(item) => Some(item.0),
        Steal::Retry => panic!("nobody else is here"),
    }
}

fuzz_target!(|ops: &[u8]| {
    let alive = AtomicUsize::new(0);
    let mut made = 0;
    let worker = Worker::new();
    let mut stealers = vec![worker.stealer()];
    let mut model = VecDeque::new();
    let mut push = |model: &mut VecDeque<usize>| {
        alive.fetch_add(1, Ordering::Relaxed);
        worker.push(Box::new(Item(made, &alive)));
        model.push_back(made);
        made += 1;
    };
    for &op in ops {
        let count = usize::from(op >> 3);
        match op & 7 {
            0 => push(&mut model),
            // Past the first buffer, and past the next.
            1 => (0..count * 30).for_each(|_| push(&mut model)),
            2 => assert_eq!(worker.pop().map(|item| item.0), model.pop_back()),
            3 => {
                for _ in 0..count * 30 {
                    assert_eq!(worker.pop().map(|item| item.0), model.pop_back());
                }
            }
            4 => {
                let stealer = &stealers[count % stealers.len()];
                assert_eq!(steal(stealer), model.pop_front());
            }
            5 => {
                for _ in 0..count * 30 {
                    let stealer = &stealers[count % stealers.len()];
                    assert_eq!(steal(stealer), model.pop_front());
                }
            }
            6 => stealers.push(stealers[count % stealers.len()].clone()),
            _ if stealers.len() > 1 => _ = stealers.swap_remove(count % stealers.len()),
            _ => (),
        }
        assert_eq!(worker.len(), model.len());
        assert_eq!(stealers[0].len(), model.len());
        assert_eq!(alive.load(Ordering::Relaxed), model.len());
    }
    // Either end may be the last to go.
    if ops.len() % 2 == 0 {
        drop(worker);
        assert_eq!(steal(&stealers[0]), model.pop_front());
        drop(stealers);
    } else {
        drop(stealers);
        assert_eq!(worker.pop().map(|item| item.0), model.pop_back());
        drop(worker);
    }
    assert_eq!(alive.into_inner(), 0);
});
