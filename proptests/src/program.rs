//! Small functions as values. In comes an item, out come items; chains call them from their
//! closures, and a failing case prints them.

/// A function from item to item.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// The item itself.
    Same,
    /// Adds.
    Add(i64),
    /// Multiplies.
    Times(i64),
    /// Flips bits.
    Flip(i64),
}

impl Op {
    /// Applies it.
    pub fn of(self, x: i64) -> i64 {
        match self {
            Self::Same => x,
            Self::Add(y) => x.wrapping_add(y),
            Self::Times(y) => x.wrapping_mul(y),
            Self::Flip(y) => x ^ y,
        }
    }
}

/// A predicate.
#[derive(Clone, Copy, Debug)]
pub enum Keep {
    /// Always true.
    All,
    /// Never true.
    Nothing,
    /// Whether the item is this modulo the other.
    Modulo(i64, i64),
    /// Whether the item is below this.
    Below(i64),
    /// Whether the item is this.
    Is(i64),
}

impl Keep {
    /// Applies it.
    pub fn of(self, x: i64) -> bool {
        match self {
            Self::All => true,
            Self::Nothing => false,
            Self::Modulo(rest, by) => x.rem_euclid(by) == rest,
            Self::Below(y) => x < y,
            Self::Is(y) => x == y,
        }
    }
}

/// What a program does with each item it holds.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Replaces it.
    Map(Op),
    /// Keeps it or not.
    Filter(Keep),
    /// Keeps and replaces it or not.
    FilterMap(Keep, Op),
    /// Repeats it this many times, each time changed once more.
    Repeat(u8, Op),
}

/// Steps one after another.
#[derive(Clone, Debug)]
pub struct Program(pub Vec<Step>);

impl Program {
    /// All that becomes of an item.
    pub fn of(&self, x: i64) -> Vec<i64> {
        self.0.iter().fold(vec![x], |items, step| {
            let mut next = Vec::new();
            for x in items {
                match *step {
                    Step::Map(op) => next.push(op.of(x)),
                    Step::Filter(keep) => next.extend(keep.of(x).then_some(x)),
                    Step::FilterMap(keep, op) => next.extend(keep.of(x).then(|| op.of(x))),
                    Step::Repeat(times, op) => {
                        let mut y = x;
                        for _ in 0..times {
                            next.push(y);
                            y = op.of(y);
                        }
                    }
                }
            }
            next
        })
    }
}
