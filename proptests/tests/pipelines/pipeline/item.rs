//! What pipelines are over: integers, floats, and texts that own memory and are counted. In comes an
//! integer, out comes an item, and the other way round, so that one pipeline runs over each kind.

use std::{
    cmp::Ordering,
    fmt::Debug,
    hash::{Hash, Hasher},
    sync::atomic::{AtomicIsize, Ordering::Relaxed},
};

/// An item of a pipeline.
pub(crate) trait Item: Clone + Debug + Ord + Hash + Send + Sync + 'static {
    /// What stands for this number.
    fn of(number: i64) -> Self;

    /// The number it stands for; of floats as near as they come.
    fn number(&self) -> i64;
}

impl Item for i64 {
    fn of(number: i64) -> Self {
        number
    }

    fn number(&self) -> i64 {
        *self
    }
}

/// A float with a total order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Real(pub(crate) f64);

impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Real {}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Hash for Real {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl Item for Real {
    fn of(number: i64) -> Self {
        Self(number as f64)
    }

    fn number(&self) -> i64 {
        self.0 as i64
    }
}

/// Texts that were made and not dropped yet.
static ALIVE: AtomicIsize = AtomicIsize::new(0);

/// A number as a text on the heap. Those alive are counted.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Text(String);

impl Text {
    /// How many there are, in the whole program.
    pub(crate) fn alive() -> isize {
        // Relaxed: asked when the calls that made and dropped them have returned.
        ALIVE.load(Relaxed)
    }
}

impl Clone for Text {
    fn clone(&self) -> Self {
        Self::of(self.number())
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        // Relaxed: as above.
        ALIVE.fetch_sub(1, Relaxed);
    }
}

impl Item for Text {
    fn of(number: i64) -> Self {
        // Relaxed: as above.
        ALIVE.fetch_add(1, Relaxed);
        Self(number.to_string())
    }

    fn number(&self) -> i64 {
        self.0.parse().expect("it was made of a number")
    }
}
