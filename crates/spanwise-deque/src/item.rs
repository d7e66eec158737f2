//! What the deque can carry. In comes anything that travels as one pointer, out it comes again;
//! the deque's two ends call it.
//!
//! - U5: A pointer from `into_raw` goes into a ring and through `from_raw` once at most: a ring
//!   gives each pointer to one taker, and a pointer that nobody took is leaked or taken by `drop`.
#![allow(unsafe_code)]

use std::{ptr, sync::Arc};

/// Something that travels through a deque as one pointer: a box, an [`Arc`], a reference, or a
/// number.
///
/// It is sealed: the deque relies on the pointer coming back unchanged.
pub trait Item: Sized + sealed::Raw {}

impl<T> Item for Box<T> {}
impl<T> Item for Arc<T> {}
impl<T> Item for &T {}
impl Item for usize {}

pub(crate) mod sealed {
    /// To a pointer and back.
    pub trait Raw {
        /// What the pointer points to.
        type Target;

        /// Gives the item up for a pointer.
        fn into_raw(self) -> *mut Self::Target;

        /// The item again.
        ///
        /// # Safety
        ///
        /// U5: `raw` came from `into_raw`, and comes here for the first time.
        unsafe fn from_raw(raw: *mut Self::Target) -> Self;
    }
}

impl<T> sealed::Raw for Box<T> {
    type Target = T;

    #[inline]
    fn into_raw(self) -> *mut T {
        Self::into_raw(self)
    }

    #[inline]
    unsafe fn from_raw(raw: *mut T) -> Self {
        // SAFETY: U5.
        unsafe { Self::from_raw(raw) }
    }
}

impl<T> sealed::Raw for Arc<T> {
    type Target = T;

    #[inline]
    fn into_raw(self) -> *mut T {
        Self::into_raw(self).cast_mut()
    }

    #[inline]
    unsafe fn from_raw(raw: *mut T) -> Self {
        // SAFETY: U5.
        unsafe { Self::from_raw(raw) }
    }
}

impl<T> sealed::Raw for &T {
    type Target = T;

    #[inline]
    fn into_raw(self) -> *mut T {
        ptr::from_ref(self).cast_mut()
    }

    #[inline]
    unsafe fn from_raw(raw: *mut T) -> Self {
        // SAFETY: U5: it was this reference, whose lifetime the deque's type carries.
        unsafe { &*raw }
    }
}

impl sealed::Raw for usize {
    type Target = ();

    #[inline]
    fn into_raw(self) -> *mut () {
        ptr::without_provenance_mut(self)
    }

    #[inline]
    unsafe fn from_raw(raw: *mut ()) -> Self {
        raw.addr()
    }
}
