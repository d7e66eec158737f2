//! Chance that a seed decides. In comes a seed, out come numbers; the same on every machine.

/// SplitMix64, by Steele, Lea and Flood: small, and good enough for delays.
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `end`, or 0 if there is none.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// A number of this range, its end left out.
    pub(super) fn between(&mut self, range: (u64, u64)) -> u64 {
        range.0 + self.below(range.1 - range.0)
    }
}
