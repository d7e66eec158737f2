//! Items into small collections, some a run, in order: what chains without an exact length collect
//! by. In come items, out comes a list of pieces. Pieces do not move when they grow, so that what is
//! gathered takes little more than its own size, and as much again once it is put together.

use std::{marker::PhantomData, mem};

use crate::terminal::Terminal;

/// All pieces in one vector: each item moves once more, to where it belongs.
pub(crate) fn gathered<T>(pieces: Vec<Vec<T>>) -> Vec<T> {
    let mut all = Vec::new();
    append(pieces, &mut all);
    all
}

/// Appends all pieces to a vector. A single one becomes an empty vector as it is.
pub(crate) fn append<T>(mut pieces: Vec<Vec<T>>, vec: &mut Vec<T>) {
    if vec.capacity() == 0 && pieces.len() == 1 {
        mem::swap(vec, &mut pieces[0]);
        return;
    }
    vec.reserve(pieces.iter().map(Vec::len).sum());
    for mut piece in pieces {
        vec.append(&mut piece);
    }
}

/// All pieces in one text.
pub(crate) fn joined(mut pieces: Vec<String>) -> String {
    if pieces.len() == 1 {
        return pieces.remove(0);
    }
    let mut all = String::with_capacity(pieces.iter().map(String::len).sum());
    for piece in pieces {
        all.push_str(&piece);
    }
    all
}

/// Up to this many bytes a piece doubles in place; then a new piece begins, an eighth larger.
const SMALL: usize = 1 << 12;

/// Items between two looks at the room that a text has left.
const FEW: usize = 64;

/// The room of the piece after one with this much.
fn next_room(room: usize) -> usize {
    room.saturating_add(room / 8)
}

/// What items are gathered into, a few at a time.
pub(crate) trait Piece<T>: Default + Send {
    /// Adds items behind the last piece, in new pieces where it has no room.
    fn gather(pieces: &mut Vec<Self>, items: impl Iterator<Item = T>);
}

impl<T: Send> Piece<T> for Vec<T> {
    #[inline]
    fn gather(pieces: &mut Vec<Self>, items: impl Iterator<Item = T>) {
        let mut last = pieces.pop().unwrap_or_default();
        let (least, most) = items.size_hint();
        if most == Some(least) {
            // The number is known: std writes such items without a look at the room for each.
            if last.capacity() - last.len() < least {
                grow(pieces, &mut last, least);
            }
            last.extend(items);
        } else {
            items.for_each(|item| {
                if last.len() == last.capacity() {
                    grow(pieces, &mut last, 1);
                }
                last.push(item);
            });
        }
        pieces.push(last);
    }
}

/// Room for so many more items in the last piece, which is another if it has none.
pub(crate) fn make_room<T>(pieces: &mut Vec<Vec<T>>, more: usize) {
    let mut last = pieces.pop().unwrap_or_default();
    if last.capacity() - last.len() < more {
        grow(pieces, &mut last, more);
    }
    pieces.push(last);
}

/// Makes room for so many more items in the last piece, or begins another.
#[cold]
fn grow<T>(pieces: &mut Vec<Vec<T>>, last: &mut Vec<T>, more: usize) {
    let room = last.capacity();
    if room.saturating_mul(size_of::<T>()) < SMALL {
        last.reserve(more);
    } else {
        let next = Vec::with_capacity(next_room(room).max(more));
        pieces.push(mem::replace(last, next));
    }
}

impl<T> Piece<T> for String
where
    Self: Extend<T>,
{
    #[inline]
    fn gather(pieces: &mut Vec<Self>, mut items: impl Iterator<Item = T>) {
        let mut last = pieces.pop().unwrap_or_default();
        let mut taken = FEW;
        while taken == FEW {
            // How long the text of an item is shows too late, so a piece ends a little before its room.
            let room = last.capacity();
            if room >= SMALL && last.len() > room - room / 16 {
                pieces.push(mem::replace(&mut last, Self::with_capacity(next_room(room))));
            }
            taken = 0;
            last.extend(items.by_ref().take(FEW).inspect(|_| taken += 1));
        }
        pieces.push(last);
    }
}

/// Gathers items into pieces of type `C`, in input order.
pub(crate) struct Gather<C>(PhantomData<fn() -> C>);

impl<C> Gather<C> {
    pub(crate) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T, C: Piece<T>> Terminal<T> for Gather<C> {
    type Partial = Vec<C>;

    #[inline]
    fn run(&self, at: usize, items: impl Iterator<Item = T>) -> Vec<C> {
        self.run_on(Vec::new(), at, items)
    }

    fn merge(&self, mut left: Vec<C>, mut right: Vec<C>) -> Vec<C> {
        left.append(&mut right);
        left
    }

    #[inline]
    fn run_on(&self, mut left: Vec<C>, _: usize, items: impl Iterator<Item = T>) -> Vec<C> {
        C::gather(&mut left, items);
        left
    }
}
