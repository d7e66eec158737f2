//! Rows that are counted. In comes a number of rows, out come rows and a ledger that says afterwards
//! how often each was dropped; panics are raised here so that they are silent and known by row.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

/// How often each row was dropped.
#[derive(Debug)]
pub struct Ledger(Arc<Book>);

#[derive(Debug)]
struct Book {
    drops: Vec<AtomicU32>,
    /// The row whose destructor panics.
    bad: Option<usize>,
}

/// A row in a ledger, on the heap too so that memory checkers see a double drop.
#[derive(Debug)]
pub struct Row {
    index: Box<usize>,
    book: Arc<Book>,
}

impl Ledger {
    /// A ledger of so many rows, one of which may panic when dropped.
    pub fn new(rows: usize, bad: Option<usize>) -> Self {
        Self(Arc::new(Book { drops: (0..rows).map(|_| AtomicU32::new(0)).collect(), bad }))
    }

    /// The rows, in order.
    pub fn rows(&self) -> Vec<Row> {
        let row = |index| Row { index: Box::new(index), book: Arc::clone(&self.0) };
        (0..self.0.drops.len()).map(row).collect()
    }

    /// The first row that was not dropped once, and how often it was.
    pub fn unsettled(&self) -> Option<(usize, u32)> {
        // Relaxed: the call that dropped rows has returned.
        let drops = self.0.drops.iter().map(|drops| drops.load(Ordering::Relaxed));
        drops.enumerate().find(|&(_, drops)| drops != 1)
    }

    /// Checks that every row was dropped once.
    ///
    /// # Panics
    ///
    /// If not, with the first such row.
    pub fn settle(&self, what: &str) {
        if let Some((row, drops)) = self.unsettled() {
            panic!("row {row} of {} was dropped {drops} times: {what}", self.0.drops.len());
        }
    }
}

impl Row {
    /// Where it is in its ledger.
    pub fn index(&self) -> usize {
        *self.index
    }
}

impl Drop for Row {
    fn drop(&mut self) {
        // Relaxed: pairs with the load in `settle()`, ordered by the call's return.
        self.book.drops[self.index()].fetch_add(1, Ordering::Relaxed);
        if self.book.bad == Some(self.index()) {
            raise(self.index());
        }
    }
}

/// Panics with the row as payload, past the hook that prints.
pub fn raise(row: usize) -> ! {
    resume_unwind(Box::new(row))
}

/// The row whose panic came out of `call`, or what it returned.
///
/// # Panics
///
/// With a payload that is no row.
pub fn row_of<R>(call: impl FnOnce() -> R) -> Result<R, usize> {
    let unwound = |payload: Box<dyn Any + Send>| match payload.downcast() {
        Ok(row) => *row,
        Err(payload) => resume_unwind(payload),
    };
    catch_unwind(AssertUnwindSafe(call)).map_err(unwound)
}

/// The panics that happened, so that the one that comes out can be compared with them.
#[derive(Debug, Default)]
pub struct Raised(Mutex<Vec<usize>>);

impl Raised {
    /// Notes the row and panics with it.
    pub fn raise(&self, row: usize) -> ! {
        self.0.lock().expect("no panic under the lock").push(row);
        raise(row)
    }

    /// The first in input order, if any happened.
    pub fn first(&self) -> Option<usize> {
        self.0.lock().expect("no panic under the lock").iter().copied().min()
    }
}
