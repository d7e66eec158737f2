//! Rows about `join` and `enter` themselves, asked of the backend with its own type.

use std::{
    cell::Cell,
    sync::{
        Condvar, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

use spanwise_backend::Backend;

use crate::ledger::{raise, row_of};

/// A row about joins.
type JoinRow<B> = (&'static str, &'static str, fn(&B));

/// The rows.
pub(super) fn rows<B: Backend>() -> Vec<JoinRow<B>> {
    vec![
        ("width", "the width stays what it is", width),
        ("results in their places", "the first half's result comes first", places),
        ("each half once", "a half runs once and what it captures is dropped once", once),
        ("done on return", "no half runs, or is yet to run, once `join` has returned", done),
        ("joins in joins", "halves may join, in a tree and in either half alone", trees),
        ("many callers", "many threads may join on one backend at once", callers),
        ("more callers than threads", "no join waits for a thread that never comes", progress),
        ("panic in the first half", "its payload comes out, after both halves", first_panics),
        ("panic in the second half", "its payload comes out, after both halves", second_panics),
        ("panic in both halves", "the first half's payload comes out", both_panic),
        ("panic in a stolen half", "it comes out as any other does", stolen_panics),
        ("panic deep inside", "it passes through the joins around it", deep_panics),
        ("reuse after panics", "the backend works on as before", reuse),
        ("enter", "`enter` gives what its closure gives, panics with it, and may be nested", enter),
    ]
}

fn width<B: Backend>(pool: &B) {
    let width = pool.width();
    for _ in 0..20 {
        pool.join(|| assert_eq!(pool.width(), width), || assert_eq!(pool.width(), width));
    }
}

fn places<B: Backend>(pool: &B) {
    for i in 0..200_usize {
        assert_eq!(pool.join(|| i, || i + 1000), (i, i + 1000), "two results of one type");
        let words = pool.join(|| vec![i], || i.to_string());
        assert_eq!(words, (vec![i], i.to_string()));
        assert_eq!(pool.join(|| (), || [i as u64; 90]), ((), [i as u64; 90]));
    }
}

/// Counts its runs, its drops, and how many are inside.
#[derive(Debug, Default)]
struct Count {
    runs: AtomicUsize,
    drops: AtomicUsize,
    inside: AtomicUsize,
}

/// What a half captures.
struct Captured<'c>(&'c Count);

impl Drop for Captured<'_> {
    fn drop(&mut self) {
        self.0.drops.fetch_add(1, SeqCst);
    }
}

impl Count {
    /// A half that this counts, and that does `what`.
    fn half<'c, R>(&'c self, what: impl FnOnce() -> R + 'c) -> impl FnOnce() -> R + 'c {
        struct Inside<'c>(&'c Count);

        impl Drop for Inside<'_> {
            fn drop(&mut self) {
                self.0.inside.fetch_sub(1, SeqCst);
            }
        }

        let captured = Captured(self);
        move || {
            self.runs.fetch_add(1, SeqCst);
            self.inside.fetch_add(1, SeqCst);
            let _inside = Inside(self);
            let _captured = captured;
            thread::yield_now();
            what()
        }
    }

    /// Checks what must be true of a half once its join is over, and says how often it ran.
    fn settle(&self) -> usize {
        let (runs, drops) = (self.runs.load(SeqCst), self.drops.load(SeqCst));
        assert_eq!(self.inside.load(SeqCst), 0, "a half still runs");
        assert_eq!(drops, 1, "what a half captured was dropped {drops} times");
        assert!(runs <= 1, "a half ran {runs} times");
        runs
    }
}

fn once<B: Backend>(pool: &B) {
    for i in 0..100_usize {
        let runs = [AtomicUsize::new(0), AtomicUsize::new(0)];
        let add = |half: usize| runs[half].fetch_add(1, SeqCst);
        pool.join(|| _ = add(0), || _ = add(1));
        assert_eq!(runs.map(AtomicUsize::into_inner), [1, 1], "runs of halves that own nothing");
        let (near, far) = (Count::default(), Count::default());
        let a = near.half(|| i);
        let b = far.half(|| i);
        pool.join(a, b);
        assert_eq!((near.settle(), far.settle()), (1, 1), "runs of halves that own something");
    }
}

fn done<B: Backend>(pool: &B) {
    let begun = AtomicUsize::new(0);
    for i in 1..=50 {
        let ended = AtomicUsize::new(0);
        let half = || {
            begun.fetch_add(1, SeqCst);
            for _ in 0..20 {
                thread::yield_now();
            }
            ended.fetch_add(1, SeqCst);
        };
        pool.join(half, half);
        assert_eq!(ended.load(SeqCst), 2, "halves that have ended when `join` returns");
        assert_eq!(begun.load(SeqCst), 2 * i, "halves that have begun");
    }
}

fn tree<B: Backend>(pool: &B, depth: usize, at: usize) -> Vec<usize> {
    if depth == 0 {
        return vec![at];
    }
    let (mut near, far) =
        pool.join(|| tree(pool, depth - 1, 2 * at), || tree(pool, depth - 1, 2 * at + 1));
    near.extend(far);
    near
}

fn near_chain<B: Backend>(pool: &B, depth: usize) -> usize {
    if depth == 0 {
        return 0;
    }
    let (inner, one) = pool.join(|| near_chain(pool, depth - 1), || 1);
    inner + one
}

fn far_chain<B: Backend>(pool: &B, depth: usize) -> usize {
    if depth == 0 {
        return 0;
    }
    let (one, inner) = pool.join(|| 1, || far_chain(pool, depth - 1));
    inner + one
}

fn trees<B: Backend>(pool: &B) {
    for depth in 0..8 {
        assert_eq!(tree(pool, depth, 0), (0..1 << depth).collect::<Vec<_>>(), "depth {depth}");
    }
    assert_eq!((near_chain(pool, 60), far_chain(pool, 60)), (60, 60));
}

fn callers<B: Backend>(pool: &B) {
    thread::scope(|scope| {
        for caller in 0..6 {
            scope.spawn(move || {
                for i in 0..40 {
                    let got = pool.join(|| caller * 100 + i, || tree(pool, 2, 0));
                    assert_eq!(got, (caller * 100 + i, vec![0, 1, 2, 3]));
                }
            });
        }
    });
}

fn progress<B: Backend>(pool: &B) {
    let callers = pool.width().get() * 2 + 2;
    thread::scope(|scope| {
        for _ in 0..callers {
            scope.spawn(|| {
                let nap = || thread::sleep(Duration::from_micros(200));
                let half = || pool.join(|| pool.join(nap, nap), || pool.join(nap, nap));
                for _ in 0..5 {
                    pool.join(half, half);
                }
            });
        }
    });
}

/// One join of two halves that may panic, and what must be true afterwards.
fn panics<B: Backend>(pool: &B, near_panics: bool, far_panics: bool) {
    let (near, far) = (Count::default(), Count::default());
    let half = |panics: bool, payload: usize| {
        if panics {
            raise(payload);
        }
    };
    let a = near.half(|| half(near_panics, 1));
    let b = far.half(|| half(far_panics, 2));
    let unwound = row_of(|| pool.join(a, b));
    let expected = if near_panics { 1 } else { 2 };
    assert_eq!(unwound.err(), Some(expected), "whose panic came out");
    let (near, far) = (near.settle(), far.settle());
    assert!(near == 1 || far_panics, "the first half ran {near} times");
    assert!(far == 1 || near_panics, "the second half ran {far} times");
}

fn first_panics<B: Backend>(pool: &B) {
    (0..50).for_each(|_| panics(pool, true, false));
}

fn second_panics<B: Backend>(pool: &B) {
    (0..50).for_each(|_| panics(pool, false, true));
}

fn both_panic<B: Backend>(pool: &B) {
    (0..50).for_each(|_| panics(pool, true, true));
}

/// A place where a near half waits a while for the far one to begin on another thread.
#[derive(Default)]
struct Meeting {
    come: Mutex<bool>,
    changed: Condvar,
}

impl Meeting {
    fn come(&self) {
        *self.come.lock().expect("nobody panics here") = true;
        self.changed.notify_all();
    }

    fn wait(&self) {
        let come = self.come.lock().expect("nobody panics here");
        let patience = Duration::from_millis(10);
        // Without a thread for it the other half never comes.
        drop(self.changed.wait_timeout_while(come, patience, |come| !*come));
    }
}

fn stolen_panics<B: Backend>(pool: &B) {
    for (near_panics, far_panics) in [(true, false), (false, true), (true, true)].repeat(4) {
        let (near, far) = (Count::default(), Count::default());
        let meeting = Meeting::default();
        let a = near.half(|| {
            meeting.wait();
            if near_panics {
                raise(1);
            }
        });
        let b = far.half(|| {
            meeting.come();
            thread::sleep(Duration::from_micros(300));
            if far_panics {
                raise(2);
            }
        });
        let unwound = row_of(|| pool.join(a, b));
        assert_eq!(unwound.err(), Some(if near_panics { 1 } else { 2 }), "whose panic came out");
        near.settle();
        far.settle();
    }
}

fn deep_panics<B: Backend>(pool: &B) {
    fn tree<B: Backend>(pool: &B, depth: usize, at: usize, bad: &[usize]) {
        if depth > 0 {
            let half = |at| move || tree(pool, depth - 1, at, bad);
            pool.join(half(2 * at), half(2 * at + 1));
        } else if bad.contains(&at) {
            raise(at);
        }
    }

    for bad in 0..32 {
        assert_eq!(row_of(|| tree(pool, 5, 0, &[bad])), Err(bad));
        // Two neighbours always meet in one join.
        let both = [bad & !1, bad | 1];
        assert_eq!(row_of(|| tree(pool, 5, 0, &both)), Err(bad & !1), "of {both:?}");
    }
}

fn reuse<B: Backend>(pool: &B) {
    for i in 0..30_usize {
        let text = || std::panic::resume_unwind(Box::new(i.to_string()));
        let join = || {
            pool.join(
                || {
                    if i % 2 == 0 {
                        text();
                    }
                },
                || {
                    if i % 2 == 1 {
                        text();
                    }
                },
            )
        };
        let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(join));
        let payload = unwound.expect_err("one half panics");
        assert_eq!(payload.downcast_ref(), Some(&i.to_string()), "the payload as it was");
        assert_eq!(tree(pool, 3, 0).len(), 8);
        thread::scope(|scope| {
            scope.spawn(|| assert_eq!(pool.join(|| 1, || 2), (1, 2)));
        });
    }
}

fn enter<B: Backend>(pool: &B) {
    for i in 0..30_usize {
        let runs = Cell::new(0);
        let inner = || pool.enter(|| pool.join(|| i, || tree(pool, 2, 0).len()));
        let entered = pool.enter(|| {
            runs.set(runs.get() + 1);
            (inner(), inner())
        });
        assert_eq!((entered, runs.get()), (((i, 4), (i, 4)), 1));
        assert_eq!(row_of(|| pool.enter(|| raise(i))).err(), Some(i));
        let unwound = row_of(|| pool.enter(|| pool.join(|| (), || raise(i))));
        assert_eq!(unwound.err(), Some(i));
    }
}
