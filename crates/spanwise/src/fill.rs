//! Collecting in place: what chains with an exact length collect by. In come a chain and a vector,
//! out come the items behind the vector's own, each written once where it belongs.
//!
//! U-fill. A `Filled` owns the `len` items from index `first` of the spare room at `base`: they were
//! written, they are dropped with it, and no other `Filled` owns them. While a call runs, the room is
//! reached only through the slots that the call's span hands out, each to one part; the call has
//! ended when the vector's length is set.

#![allow(unsafe_code)]

use std::{
    marker::PhantomData,
    mem::{self, MaybeUninit},
    ptr::NonNull,
    slice,
};

use crate::{
    control::{Control, Stopped},
    drive::drive,
    leaf::Leaf,
    plan::Leaves,
    span::{Numbered, Span, Zipped},
    work::Work,
};

/// Appends the items of the span's rows to `vec`, which a panic or a stop leaves as it was.
///
/// # Panics
///
/// If the span gives more or fewer rows than it said.
pub(crate) fn fill<S, L, C>(
    span: S,
    leaf: &L,
    control: &C,
    vec: &mut Vec<L::Item>,
) -> Result<(), Stopped>
where
    S: Span,
    L: Leaf<S, Item: Send>,
    C: Control,
{
    let rows = span.len();
    if vec.capacity() == 0 {
        // Cheaper than growing.
        *vec = Vec::with_capacity(rows);
    }
    vec.reserve(rows);
    let base = NonNull::from(vec.spare_capacity_mut()).cast::<MaybeUninit<L::Item>>();
    // SAFETY: U-fill: the vector has room for `rows` items here and is not touched until the end.
    let slots = unsafe { slice::from_raw_parts_mut(base.as_ptr(), rows) };
    let slots = Numbered { base: 0, span: slots };
    let work = Fill { leaf, base: Base(base.cast()) };
    let filled = drive(control, Zipped { a: span, b: slots }, &work);
    // Looked at where it lies: moving it out takes as long as ten rows.
    match &filled {
        Ok(Filled { first: 0, len, .. }) if *len == rows => mem::forget(filled),
        Ok(filled) => panic!("{} of {rows} rows were run", filled.len),
        Err(why) => return Err(*why),
    }
    // SAFETY: U-fill: all `rows` items are written, and the `Filled` that owned them is forgotten.
    unsafe { vec.set_len(vec.len() + rows) };
    Ok(())
}

/// Where the spare room begins.
pub(crate) struct Base<T>(pub(crate) NonNull<T>);

// SAFETY: U-fill: the pointer is only read; items are reached through slots or a `Filled`.
unsafe impl<T: Send> Sync for Base<T> {}

struct Fill<'l, L, T> {
    leaf: &'l L,
    base: Base<T>,
}

pub(crate) struct Filled<T> {
    base: NonNull<T>,
    pub(crate) first: usize,
    /// Only code that has written the slots behind may raise it.
    pub(crate) len: usize,
    items: PhantomData<T>,
}

impl<T> Filled<T> {
    /// Owns nothing yet, and what comes from slot `first` on.
    pub(crate) fn at(base: &Base<T>, first: usize) -> Self {
        Self { base: base.0, first, len: 0, items: PhantomData }
    }

    /// Takes over the items just behind its own.
    pub(crate) fn append(&mut self, right: Self) {
        assert!(self.first + self.len == right.first, "parts come back in order");
        self.len += right.len;
        mem::forget(right);
    }
}

// SAFETY: U-fill: a `Filled` owns its items, so sending it sends items.
unsafe impl<T: Send> Send for Filled<T> {}

impl<T> Drop for Filled<T> {
    fn drop(&mut self) {
        // SAFETY: U-fill: `first` lies within the room.
        let start = unsafe { self.base.add(self.first) };
        // SAFETY: U-fill: the items are written and owned by this value alone.
        unsafe { NonNull::slice_from_raw_parts(start, self.len).drop_in_place() };
    }
}

type Slots<'a, T> = Numbered<&'a mut [MaybeUninit<T>]>;

impl<'a, S, L> Work<Zipped<S, Slots<'a, L::Item>>> for Fill<'_, L, L::Item>
where
    S: Span,
    L: Leaf<S, Item: Send + 'a>,
{
    type Partial = Filled<L::Item>;

    fn run(&self, _: Leaves, part: Zipped<S, Slots<'a, L::Item>>) -> Self::Partial {
        let Numbered { base: first, span: slots } = part.b;
        let rows = slots.len();
        let mut filled = Filled::at(&self.base, first);
        let mut items = self.leaf.iter(part.a);
        if items.size_hint() == (rows, Some(rows)) {
            // The zip of two iterators that know their length is one counted loop, as long as it
            // keeps no books in memory: those are for items that a panic must drop.
            let mut len = 0;
            for (slot, item) in slots.iter_mut().zip(items.by_ref()) {
                slot.write(item);
                len += 1;
                if mem::needs_drop::<L::Item>() {
                    filled.len = len;
                }
            }
            filled.len = len;
            // A zip asks its second side for nothing once the first has ended.
            assert!(items.next().is_none(), "a part of {rows} rows gave more");
        } else {
            for item in items.by_ref() {
                assert!(filled.len < rows, "a part of {rows} rows gave more");
                slots[filled.len].write(item);
                filled.len += 1;
            }
        }
        assert!(filled.len == rows, "a part of {rows} rows gave {}", filled.len);
        // Before the return: what is already returned would leak if a destructor panicked here.
        drop(items);
        // Made anew: a copy of what was just written piece by piece waits for the pieces.
        let done = Filled { len: rows, ..Filled::at(&self.base, first) };
        mem::forget(filled);
        done
    }

    fn merge(&self, mut left: Self::Partial, right: Self::Partial) -> Self::Partial {
        left.append(right);
        left
    }
}
