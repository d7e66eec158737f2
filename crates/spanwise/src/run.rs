//! Rows that are sorted already, or backwards: found and turned round on all threads. In come rows, out
//! comes whether they are sorted now; `sort` asks before it does anything else.

use std::{
    mem,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use spanwise_backend::Backend;

/// Rows that are looked at before the first look at the clock.
const FIRST: usize = 512;

/// Rows between two looks at what other threads found.
const STRIDE: usize = 4096;

/// Pieces for each thread.
const PIECES: usize = 4;

/// A look at all rows that ends within this is not worth a second thread.
const SOLO: Duration = Duration::from_micros(50);

/// Whether `rows` are sorted now, which they are if they were, or if each came before the one before it.
pub(crate) fn straighten<T, B, F>(backend: &B, less: &F, rows: &mut [T]) -> bool
where
    T: Send,
    B: Backend,
    F: Fn(&T, &T) -> bool + Sync,
{
    let [first, second, ..] = rows else { return true };
    let down = less(second, first);
    let look = Look { backend, down, less, broken: AtomicBool::new(false) };
    let width = backend.width().get();
    let pieces = if width == 1 { 1 } else { width.saturating_mul(PIECES) };
    let (mut seen, mut next) = (1, FIRST);
    let mut began = None;
    while seen < rows.len() {
        let end = rows.len().min(seen.saturating_add(next));
        if !look.is_run(&rows[seen - 1..end]) {
            return false;
        }
        (seen, next) = (end, next.saturating_mul(2));
        let began: &mut Instant = began.get_or_insert_with(Instant::now);
        if pieces > 1 && (backend.cuts_at_once() || began.elapsed() > SOLO) {
            if !look.all(pieces, &mut rows[seen - 1..]) {
                return false;
            }
            if down {
                let half = rows.len() / 2;
                let (front, back) = rows.split_at_mut(half);
                let middle = back.len() - half;
                reverse(backend, pieces, front, &mut back[middle..]);
            }
            return true;
        }
    }
    if down {
        rows.reverse();
    }
    true
}

struct Look<'a, B, F> {
    backend: &'a B,
    /// Whether each row should come before the one before it, or none.
    down: bool,
    less: &'a F,
    /// Somebody found that it is not so.
    broken: AtomicBool,
}

impl<B: Backend, F: Sync> Look<'_, B, F> {
    fn is_run<T>(&self, rows: &[T]) -> bool
    where
        F: Fn(&T, &T) -> bool,
    {
        // Two loops, so that neither asks which it is.
        if self.down {
            rows.is_sorted_by(|before, row| (self.less)(row, before))
        } else {
            rows.is_sorted_by(|before, row| !(self.less)(row, before))
        }
    }

    /// Whether all rows are one run, looked at in pieces that no two threads share a row of.
    fn all<T>(&self, pieces: usize, rows: &mut [T]) -> bool
    where
        T: Send,
        F: Fn(&T, &T) -> bool,
    {
        if pieces > 1 && rows.len() > STRIDE {
            let half = rows.len() / 2;
            if !self.is_run(&rows[half - 1..=half]) {
                return self.end();
            }
            let (front, back) = rows.split_at_mut(half);
            let (near, far) = self
                .backend
                .join(|| self.all(pieces.div_ceil(2), front), || self.all(pieces / 2, back));
            return near && far;
        }
        for at in (1..rows.len()).step_by(STRIDE) {
            // Relaxed: pairs with the store in `end()`, a hint.
            if self.broken.load(Ordering::Relaxed) {
                return false;
            }
            let end = rows.len().min(at + STRIDE);
            if !self.is_run(&rows[at - 1..end]) {
                return self.end();
            }
        }
        true
    }

    fn end(&self) -> bool {
        // Relaxed: pairs with the load in `all()`, a hint; the answer travels by the join.
        self.broken.store(true, Ordering::Relaxed);
        false
    }
}

/// Swaps the rows of `front` with those of `back`, as many, from its end.
fn reverse<T: Send, B: Backend>(backend: &B, pieces: usize, front: &mut [T], back: &mut [T]) {
    if pieces <= 1 {
        for (row, other) in front.iter_mut().zip(back.iter_mut().rev()) {
            mem::swap(row, other);
        }
        return;
    }
    let half = front.len() / 2;
    let rest = back.len() - half;
    let (outer, inner) = front.split_at_mut(half);
    let (inner_back, outer_back) = back.split_at_mut(rest);
    backend.join(
        || reverse(backend, pieces.div_ceil(2), outer, outer_back),
        || reverse(backend, pieces / 2, inner, inner_back),
    );
}
