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
    /// How long a thread looks around before it sleeps, in nanoseconds.
    pub spin: u64,
    /// How long a thread that finds nothing looks only in its own memory node, if somebody works there.
    pub stays: u64,
}

/// When a half goes on offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offers {
    /// Between two strides, where somebody looks for work and nothing is on offer.
    One,
    /// Between two strides, as many as threads look for work, and so many at least while all are awake.
    Many(usize),
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
    /// Whoever runs a part of the call; here there is one call.
    Call,
}

impl Rule {
    /// The library's and its pool's.
    pub const OURS: Self =
        Self { name: "ours", offers: Offers::One, waits: Waits::Thief, spin: 80_000, stays: 0 };
    /// As many halves on offer as threads look for work.
    pub const MANY: Self = Self { name: "a half for each", offers: Offers::Many(0), ..Self::OURS };
    /// Three at least.
    pub const THREE: Self = Self { name: "three at least", offers: Offers::Many(3), ..Self::OURS };
    /// That, and waiting joins follow the thieves of thieves.
    pub const CHAIN: Self = Self { name: "and follow thieves", waits: Waits::Chain, ..Self::THREE };
    /// Or rob whoever runs a part of their half.
    pub const PARTS: Self = Self { name: "or parts of theirs", waits: Waits::Parts, ..Self::THREE };
    /// Or any part of their call.
    pub const CALL: Self = Self { name: "or of the call", waits: Waits::Call, ..Self::THREE };
    /// That, and nobody sleeps while the call lasts.
    pub const AWAKE: Self = Self { name: "and stay awake", spin: 1 << 40, ..Self::CALL };
    /// That, and threads stay in their node for the time of a long leaf.
    pub const NEAR: Self = Self { name: "and in their node", stays: 50_000, ..Self::AWAKE };
    /// Rayon's; it sleeps after 32 rounds.
    pub const HALVING: Self = Self {
        name: "rayon's halving",
        offers: Offers::Halving,
        waits: Waits::Call,
        spin: 20_000,
        stays: 0,
    };

    /// What charts show.
    pub const SHOWN: [Self; 3] = [Self::OURS, Self::AWAKE, Self::HALVING];
    /// All there are, each after those that it builds on.
    pub const ALL: [Self; 9] = [
        Self::OURS,
        Self::MANY,
        Self::THREE,
        Self::CHAIN,
        Self::PARTS,
        Self::CALL,
        Self::AWAKE,
        Self::NEAR,
        Self::HALVING,
    ];

    pub(super) fn is_ours(self) -> bool {
        self.offers != Offers::Halving
    }
}
