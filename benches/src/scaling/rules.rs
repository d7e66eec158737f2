//! What is compared.

/// A scheduler's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The library's and its pool's: strides, and half of the rest on offer where somebody looks for
    /// work, one at a time.
    One,
    /// As many halves on offer as threads look for work.
    Many,
    /// The same, and a join that waits follows the thieves of parts of its half.
    Chain,
    /// Rayon's: halves down to so many parts as there are threads, again in each stolen part, and a
    /// join that waits takes anything.
    Halving,
}

impl Rule {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::One, Self::Many, Self::Chain, Self::Halving];

    /// What tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "one half on offer",
            Self::Many => "a half for each hungry thread",
            Self::Chain => "that, and waiters follow",
            Self::Halving => "rayon's halving",
        }
    }

    pub(super) fn is_ours(self) -> bool {
        self != Self::Halving
    }
}
