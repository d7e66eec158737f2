//! Two vectors filled at once: what `unzip` of chains with an exact length collects by. In comes a
//! chain of pairs, out come two vectors, each item written once where it belongs.
//!
//! U-pair. The room of each vector is that of U-fill in `fill.rs`: while the call runs it is reached
//! only through the slots that the call's span hands out, each to one part, and a `Filled` owns the
//! items it counts. Both vectors' slots are one span, so their parts have the same bounds.

#![allow(unsafe_code)]

use std::{
    mem::{self, MaybeUninit},
    ptr::NonNull,
    slice,
};

use crate::{
    control::{Control, Stopped},
    drive::drive,
    fill::{Base, Filled},
    leaf::Leaf,
    plan::Leaves,
    span::{Numbered, Span, Zipped},
    work::Work,
};

/// The halves of all pairs, in order.
///
/// # Panics
///
/// If the span gives more or fewer rows than it said.
pub(crate) fn fill_two<S, L, C, X, Y>(
    span: S,
    leaf: &L,
    control: &C,
) -> Result<(Vec<X>, Vec<Y>), Stopped>
where
    S: Span,
    L: Leaf<S, Item = (X, Y)>,
    C: Control,
    X: Send,
    Y: Send,
{
    let rows = span.len();
    let (mut xs, mut ys) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
    let bases = (base(&mut xs), base(&mut ys));
    // SAFETY: U-pair: the vector has room for `rows` items here and is not touched until the end.
    let x_slots = unsafe { slots(&bases.0, rows) };
    // SAFETY: U-pair: as above.
    let y_slots = unsafe { slots(&bases.1, rows) };
    let slots = Numbered { base: 0, span: Zipped { a: x_slots, b: y_slots } };
    let (x_filled, y_filled) =
        drive(control, Zipped { a: span, b: slots }, &FillTwo { leaf, bases })?;
    for (first, len) in [(x_filled.first, x_filled.len), (y_filled.first, y_filled.len)] {
        assert!(first == 0 && len == rows, "{len} of {rows} rows were run");
    }
    mem::forget((x_filled, y_filled));
    // SAFETY: U-pair: all `rows` items are written, and the `Filled` that owned them is forgotten.
    unsafe { xs.set_len(rows) };
    // SAFETY: U-pair: as above.
    unsafe { ys.set_len(rows) };
    Ok((xs, ys))
}

fn base<T>(vec: &mut Vec<T>) -> Base<T> {
    Base(NonNull::from(vec.spare_capacity_mut()).cast())
}

/// # Safety
///
/// There is spare room for `rows` items at `base`, which nothing else reaches for as long as `'a`.
unsafe fn slots<'a, T>(base: &Base<T>, rows: usize) -> &'a mut [MaybeUninit<T>] {
    // SAFETY: U-pair: the caller vouches for the room, which need not be initialised.
    unsafe { slice::from_raw_parts_mut(base.0.cast().as_ptr(), rows) }
}

struct FillTwo<'l, L, X, Y> {
    leaf: &'l L,
    bases: (Base<X>, Base<Y>),
}

type Slots<'a, X, Y> = Numbered<Zipped<&'a mut [MaybeUninit<X>], &'a mut [MaybeUninit<Y>]>>;

impl<'a, S, L, X, Y> Work<Zipped<S, Slots<'a, X, Y>>> for FillTwo<'_, L, X, Y>
where
    S: Span,
    L: Leaf<S, Item = (X, Y)>,
    X: Send + 'a,
    Y: Send + 'a,
{
    type Partial = (Filled<X>, Filled<Y>);

    fn run(&self, _: Leaves, part: Zipped<S, Slots<'a, X, Y>>) -> Self::Partial {
        let Numbered { base: first, span: Zipped { a: x_slots, b: y_slots } } = part.b;
        let rows = x_slots.len();
        let mut xs = Filled::at(&self.bases.0, first);
        let mut ys = Filled::at(&self.bases.1, first);
        let mut slots = x_slots.iter_mut().zip(y_slots);
        let mut items = self.leaf.iter(part.a);
        // As in `fill`: where the length is known this is one counted loop, which keeps books only
        // of items that a panic must drop.
        let counted = items.size_hint() == (rows, Some(rows));
        let mut len = 0;
        let mut put = |(x, y), (x_slot, y_slot): (&mut MaybeUninit<X>, &mut MaybeUninit<Y>)| {
            x_slot.write(x);
            y_slot.write(y);
            len += 1;
            if mem::needs_drop::<(X, Y)>() {
                (xs.len, ys.len) = (len, len);
            }
        };
        if counted {
            slots.zip(items.by_ref()).for_each(|(slot, item)| put(item, slot));
            // A zip asks its second side for nothing once the first has ended.
            assert!(items.next().is_none(), "a part of {rows} rows gave more");
        } else {
            items.by_ref().for_each(|item| match slots.next() {
                Some(slot) => put(item, slot),
                None => panic!("a part of {rows} rows gave more"),
            });
        }
        (xs.len, ys.len) = (len, len);
        assert!(len == rows, "a part of {rows} rows gave {len}");
        // Before the return: what is already returned would leak if a destructor panicked here.
        drop(items);
        (xs, ys)
    }

    fn merge(&self, mut left: Self::Partial, right: Self::Partial) -> Self::Partial {
        let (xs, ys) = right;
        left.0.append(xs);
        left.1.append(ys);
        left
    }
}
