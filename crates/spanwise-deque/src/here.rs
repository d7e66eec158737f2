//! Which seat this thread sits on. In comes a member for the time of a call, out goes a reference
//! to it for whoever asks on the same thread meanwhile.
//!
//! - U4: The cell is null, or it points to a member in a frame of this thread that is still there:
//!   `sit` alone sets it, and a guard puts the old value back before that frame goes.
//!
//! The cell needs no destructor, so it works during and after the thread's others.
#![allow(unsafe_code)]

use std::{cell::Cell, ptr};

use crate::{member::Member, sync::thread_local};

thread_local! {
    static HERE: Cell<*const Member<'static>> = const { Cell::new(ptr::null()) };
    static LAST_SEAT: Cell<usize> = const { Cell::new(0) };
    static ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Calls `f` with the member that this thread is now.
#[inline]
pub(crate) fn with<R>(f: impl for<'w, 'c> FnOnce(Option<&'w Member<'c>>) -> R) -> R {
    let here = HERE.with(Cell::get);
    // SAFETY: U4; `f` works for any lifetime, so it cannot keep the reference.
    f(unsafe { here.as_ref() })
}

/// Runs `f` while this thread is `member`.
pub(crate) fn sit<R>(member: &Member<'_>, f: impl FnOnce() -> R) -> R {
    struct Back(*const Member<'static>);

    impl Drop for Back {
        fn drop(&mut self) {
            HERE.with(|here| here.set(self.0));
        }
    }

    let _back = Back(HERE.with(|here| here.replace(ptr::from_ref(member).cast())));
    f()
}

/// The guest's seat that this thread had last, in whatever pool: a guess where one is free.
pub(crate) fn last_seat() -> usize {
    LAST_SEAT.with(Cell::get)
}

/// Remembers a guest's seat for the next time.
pub(crate) fn remember_seat(number: usize) {
    LAST_SEAT.with(|seat| seat.set(number));
}

/// Remembers, until this thread takes a guest's seat, that somebody asked for the first job it offers.
pub(crate) fn remember_asked(asked: bool) {
    ASKED.with(|cell| cell.set(asked));
}

/// Whether somebody did.
pub(crate) fn take_asked() -> bool {
    ASKED.with(Cell::take)
}
