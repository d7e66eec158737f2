//! What a variant answered. In come results of any kind, out comes a digest, and whether two agree.

use std::ops::Range;

/// A digest of a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// Must be the same everywhere.
    Exact(u64),
    /// A float sum: the grouping is each library's own, so the last bits may differ between them.
    Float(f64),
}

impl Answer {
    /// Whether two variants of different libraries agree.
    pub fn near(self, other: Self) -> bool {
        match (self, other) {
            (Self::Float(a), Self::Float(b)) => (a - b).abs() <= 1e-9 * a.abs(),
            _ => self == other,
        }
    }

    /// Whether two variants of one library agree: to the last bit.
    pub fn same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            _ => self == other,
        }
    }
}

impl From<i64> for Answer {
    fn from(value: i64) -> Self {
        Self::Exact(value as u64)
    }
}

impl From<u64> for Answer {
    fn from(value: u64) -> Self {
        Self::Exact(value)
    }
}

impl From<i128> for Answer {
    fn from(value: i128) -> Self {
        Self::Exact(value as u64)
    }
}

impl From<usize> for Answer {
    fn from(value: usize) -> Self {
        Self::Exact(value as u64)
    }
}

impl From<bool> for Answer {
    fn from(value: bool) -> Self {
        Self::Exact(u64::from(value))
    }
}

impl From<f64> for Answer {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<()> for Answer {
    fn from((): ()) -> Self {
        Self::Exact(0)
    }
}

impl From<Option<i64>> for Answer {
    fn from(value: Option<i64>) -> Self {
        // Any number that no case answers will do for `None`.
        value.map_or(Self::Exact(u64::MAX / 3), Self::from)
    }
}

impl From<Vec<i64>> for Answer {
    /// The place of each item counts.
    fn from(items: Vec<i64>) -> Self {
        let weighted = |(i, item): (usize, &i64)| (*item as u64).wrapping_mul(2 * i as u64 + 1);
        let sum = items.iter().enumerate().map(weighted).fold(0, u64::wrapping_add);
        Self::Exact(sum.wrapping_add(items.len() as u64))
    }
}

impl From<[u8; 32]> for Answer {
    fn from(digest: [u8; 32]) -> Self {
        let word = |at: Range<usize>| u64::from_le_bytes(digest[at].try_into().expect("8 bytes"));
        Self::Exact(word(0..8) ^ word(8..16) ^ word(16..24) ^ word(24..32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_in_another_order_or_of_another_length_differ() {
        let digest = |items: &[i64]| Answer::from(items.to_vec());
        assert_eq!(digest(&[1, 2, 3, 4]), digest(&[1, 2, 3, 4]));
        assert_ne!(digest(&[1, 2, 3, 4]), digest(&[1, 2, 4, 3]));
        assert_ne!(digest(&[1, 2, 0]), digest(&[1, 2]));
    }

    #[test]
    fn float_sums_are_near_but_not_the_same() {
        let (a, b) = (Answer::Float(1.0), Answer::Float(1.0 + f64::EPSILON));
        assert!(a.near(b) && !a.same(b) && a.same(a));
        assert!(!a.near(Answer::Float(1.1)));
    }

    #[test]
    fn nothing_found_is_not_zero_found() {
        assert_ne!(Answer::from(None), Answer::from(Some(0)));
    }
}
