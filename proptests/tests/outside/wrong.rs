//! Backends that break the contract, for the conformance table to catch.
//!
//! - U-wrong: a half's result is forged only if it is `()`, a half is copied only if it owns
//!   nothing, results are swapped only if they have one type; so all that is broken is the contract.
//!
//! `Drops`, `LastPanic`, `OwnPayload` and `Stuck` are safe code. The other three cannot be: see
//! `conformance::forbidden` for what rustc says of them without it.
#![expect(unsafe_code, reason = "what is wrong here cannot be written without")]

use std::{
    any::type_name,
    mem,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    ptr,
    sync::{Condvar, Mutex},
};

use spanwise_backend::Backend;

/// A backend of width 2 whose `join` is the function given.
macro_rules! backend {
    ($name:ident, |$a:ident, $b:ident| $join:expr) => {
        #[derive(Debug)]
        pub(crate) struct $name;

        impl Backend for $name {
            fn width(&self) -> NonZeroUsize {
                const { NonZeroUsize::new(2).unwrap() }
            }

            fn join<A, B, RA, RB>(&self, $a: A, $b: B) -> (RA, RB)
            where
                A: FnOnce() -> RA + Send,
                B: FnOnce() -> RB + Send,
                RA: Send,
                RB: Send,
            {
                $join
            }
        }
    };
}

// Drops the far half unrun. There is no result then, and nothing left but to panic.
backend!(Drops, |a, b| {
    drop(b);
    a();
    panic!("the far half is lost")
});

// Returns before the far half has run, where its result is `()`. It would run later, when what it
// borrows is gone, so here it never does.
backend!(Late, |a, b| {
    if type_name::<RB>() != type_name::<()>() {
        return (a(), b());
    }
    let near = a();
    mem::forget(b);
    // SAFETY: U-wrong: a `()` has no bytes.
    (near, unsafe { mem::zeroed() })
});

// Runs the far half twice, where it owns nothing.
backend!(Twice, |a, b| {
    if !mem::needs_drop::<B>() {
        // SAFETY: U-wrong: the copy owns nothing, and the halves of the table may run twice.
        let copy = unsafe { ptr::read(&b) };
        mem::forget(copy());
    }
    (a(), b())
});

// Gives the far half's result first, where both have one type.
backend!(Swaps, |a, b| {
    let (near, far) = (a(), b());
    if type_name::<RA>() != type_name::<RB>() {
        return (near, far);
    }
    // SAFETY: U-wrong: RA is RB, and the original is forgotten.
    let first = unsafe { mem::transmute_copy::<RB, RA>(&far) };
    // SAFETY: U-wrong: as above.
    let second = unsafe { mem::transmute_copy::<RA, RB>(&near) };
    mem::forget((near, far));
    (first, second)
});

fn both<A, B, RA, RB>(a: A, b: B) -> (Caught<RA>, Caught<RB>)
where
    A: FnOnce() -> RA,
    B: FnOnce() -> RB,
{
    (catch_unwind(AssertUnwindSafe(a)), catch_unwind(AssertUnwindSafe(b)))
}

type Caught<R> = std::thread::Result<R>;

// Of two panics the far half's counts.
backend!(LastPanic, |a, b| match both(a, b) {
    (Ok(near), Ok(far)) => (near, far),
    (_, Err(payload)) | (Err(payload), _) => resume_unwind(payload),
});

// A panic of the far half comes out as another.
backend!(OwnPayload, |a, b| match both(a, b) {
    (Ok(near), Ok(far)) => (near, far),
    (Err(payload), _) => resume_unwind(payload),
    (_, Err(_)) => panic!("a worker panicked"),
});

/// Lets so many joins be under way as it is wide, and has the others wait: with joins in joins none of
/// them ever ends.
#[derive(Debug)]
pub(crate) struct Stuck {
    free: Mutex<usize>,
    changed: Condvar,
    width: NonZeroUsize,
}

impl Stuck {
    pub(crate) fn new(width: usize) -> Self {
        let width = NonZeroUsize::new(width).expect("a width");
        Self { free: Mutex::new(width.get()), changed: Condvar::new(), width }
    }
}

impl Backend for Stuck {
    fn width(&self) -> NonZeroUsize {
        self.width
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        let free = self.free.lock().expect("nobody panics under the lock");
        let mut free = self.changed.wait_while(free, |free| *free == 0).expect("nor here");
        *free -= 1;
        drop(free);
        let results = both(a, b);
        *self.free.lock().expect("nor here") += 1;
        self.changed.notify_one();
        match results {
            (Ok(near), Ok(far)) => (near, far),
            (Err(payload), _) | (_, Err(payload)) => resume_unwind(payload),
        }
    }
}
