//! What is compared.

/// A scheduler's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What tables call it.
    pub name: &'static str,
    /// When a half goes on offer.
    pub offers: Offers,
    /// Whom a join robs while it waits for its own half.
    pub waits: Waits,
    /// How long a thread of a node where somebody works looks there alone, in nanoseconds.
    pub stays: u64,
}

/// When a half goes on offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offers {
    /// Between two strides, where somebody looks for work and nothing is on offer.
    One,
    /// Between two strides, as many as threads look for work, and so many at least while all are awake.
    Many(usize),
    Log(usize),
    /// Rayon's: down to as many parts as there are threads, and again in each stolen part.
    Halving,
}

/// Whom a join robs while it waits for its own half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// The thief of that half.
    Thief,
    /// That thief, whoever has the half that this one waits for, and so on.
    Chain,
    /// Whoever runs a part of that half.
    Parts,
    /// Anybody.
    Anyone,
}

impl Rule {
    /// The library's and its pool's: strides, one half on offer.
    pub const ONE: Self = Self { name: "one half", offers: Offers::One, waits: Waits::Thief, stays: 0 };
    /// Rayon's.
    pub const HALVING: Self =
        Self { name: "rayon's halving", offers: Offers::Halving, waits: Waits::Anyone, stays: 0 };

    pub(super) fn is_ours(self) -> bool {
        self.offers != Offers::Halving
    }
}
