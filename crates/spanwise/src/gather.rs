//! Items into small collections, one a run, in order: what chains without an exact length collect
//! by. In come items, out comes a list of pieces.

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

/// Gathers items into pieces of type `C`, in input order.
pub(crate) struct Gather<C>(PhantomData<fn() -> C>);

impl<C> Gather<C> {
    pub(crate) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T, C: FromIterator<T> + Extend<T> + Send> Terminal<T> for Gather<C> {
    type Partial = Vec<C>;

    fn run(&self, _: usize, items: impl Iterator<Item = T>) -> Vec<C> {
        vec![items.collect()]
    }

    fn merge(&self, mut left: Vec<C>, mut right: Vec<C>) -> Vec<C> {
        left.append(&mut right);
        left
    }

    fn run_on(&self, mut left: Vec<C>, at: usize, items: impl Iterator<Item = T>) -> Vec<C> {
        match left.last_mut() {
            None => self.run(at, items),
            Some(last) => {
                last.extend(items);
                left
            }
        }
    }
}
