//! The exact total of floats: in come `f64` rows in any order, out comes the correctly rounded sum.
//!
//! A number in fixed point that spans every finite `f64`, in digits of 32 bits with room above each
//! for carries, after Neal, "Fast exact summation using small and large superaccumulators" (2015).
//! Rows do not go there one by one: a block of them is split into multiples of a power of two, so few
//! that `f64` sums them exactly, and what is left over, which is split again, after Rump, Ogita and
//! Oishi, "Accurate floating-point summation" (2008). Only the blocks' sums go into the number, and
//! rows whose exponents lie too far apart. The loops over blocks vectorise.

/// Bits of a digit.
const DIGIT: u32 = 32;

/// Digits from the least subnormal, 2^-1074, to above the greatest total of 2^64 greatest floats.
const DIGITS: usize = 69;

/// Additions that a digit's 31 bits of room surely hold: each adds less than 2^53.
const ROOM: u32 = 1 << 10;

/// Rows in a block.
const BLOCK: usize = 256;

/// How often a block is split: twice holds rows of which no bit weighs less than about 2^-90 of the sum
/// of all magnitudes. Four times is still faster than adding each row by itself.
const SPLITS: usize = 4;

/// The exact sum of some floats.
#[derive(Clone, Debug)]
pub(crate) struct Exact {
    digits: Box<[i64; DIGITS]>,
    /// Additions since the carries were last passed on.
    pending: u32,
    /// The sum of what is not finite, if anything is not.
    special: Option<f64>,
}

impl Exact {
    pub(crate) fn new() -> Self {
        Self { digits: Box::new([0; DIGITS]), pending: 0, special: None }
    }

    #[inline]
    pub(crate) fn add(&mut self, x: f64) {
        const MANTISSA: u32 = f64::MANTISSA_DIGITS - 1;
        let bits = x.to_bits();
        let exponent = (bits >> MANTISSA) as u32 & 0x7ff;
        if exponent == 0x7ff {
            self.special = Some(self.special.unwrap_or(0.0) + x);
            return;
        }
        if self.pending == ROOM {
            self.carry();
        }
        self.pending += 1;
        let fraction = bits & ((1 << MANTISSA) - 1);
        // A subnormal has no leading one and the exponent of the least normal.
        let mantissa = (fraction | u64::from(exponent != 0) << MANTISSA) as i64;
        let signed = if bits >> 63 == 1 { -mantissa } else { mantissa };
        let place = exponent.max(1) - 1;
        let (digit, shift) = ((place / DIGIT) as usize, place % DIGIT);
        let wide = i128::from(signed) << shift;
        self.digits[digit] += wide as i64 & i64::from(u32::MAX);
        self.digits[digit + 1] += (wide >> DIGIT) as i64;
    }

    /// Adds all items.
    pub(crate) fn extend(&mut self, mut items: impl Iterator<Item = f64>) {
        let mut block = [0.0; BLOCK];
        loop {
            let mut len = 0;
            // Two iterators that know their length are one counted loop.
            for (slot, x) in block.iter_mut().zip(items.by_ref()) {
                *slot = x;
                len += 1;
            }
            if len < BLOCK {
                // Whole lanes; zeros add nothing.
                let end = len.next_multiple_of(LANES);
                block[len..end].fill(0.0);
                return self.add_block(&mut block[..end]);
            }
            self.add_block(&mut block);
        }
    }

    /// Adds rows, whole lanes of them, and leaves what was left over last in their place.
    fn add_block(&mut self, rows: &mut [f64]) {
        for _ in 0..SPLITS {
            let Some(grid) = grid(rows) else { break };
            let (sum, all) = split(rows, grid);
            self.add(sum);
            if all {
                return;
            }
        }
        rows.iter().filter(|&&x| x != 0.0).for_each(|&x| self.add(x));
    }

    pub(crate) fn merge(mut self, mut other: Self) -> Self {
        self.carry();
        other.carry();
        for (digit, more) in self.digits.iter_mut().zip(other.digits.iter()) {
            *digit += more;
        }
        self.pending = 1;
        self.special = match (self.special, other.special) {
            (Some(x), Some(y)) => Some(x + y),
            (x, y) => x.or(y),
        };
        self
    }

    /// Passes carries on, so that every digit but the last is within 0 to 2^32.
    fn carry(&mut self) {
        let mut carry = 0;
        let (last, others) = self.digits.split_last_mut().expect("there are digits");
        for digit in others {
            let sum = *digit + carry;
            *digit = sum & i64::from(u32::MAX);
            carry = sum >> DIGIT;
        }
        *last += carry;
        self.pending = 0;
    }

    /// The nearest `f64`, ties to even.
    pub(crate) fn round(mut self) -> f64 {
        if let Some(special) = self.special {
            // Which NaN an addition gives depends on the order: there is one for all.
            return if special.is_nan() { f64::NAN } else { special };
        }
        self.carry();
        let negative = self.digits[DIGITS - 1] < 0;
        if negative {
            self.digits.iter_mut().for_each(|digit| *digit = -*digit);
            self.carry();
        }
        let Some(top) = self.digits.iter().rposition(|&digit| digit != 0) else { return 0.0 };
        // The top bits, left-aligned in a window of 128, and whether anything lies below it.
        let digit = |i: usize| if i <= top { self.digits[top - i] as u128 } else { 0 };
        let window = digit(0) << 96 | digit(1) << 64 | digit(2) << 32 | digit(3);
        let shift = window.leading_zeros();
        let window = window << shift | digit(4) << shift >> DIGIT;
        let rest = (digit(4) << shift) as u32 != 0
            || self.digits[..top.saturating_sub(4)].iter().any(|&digit| digit != 0);
        // 2^(exponent) is the weight of the window's top bit, in units of the least subnormal.
        let exponent = top as i64 * i64::from(DIGIT) + 31 - i64::from(shift);
        let magnitude = pack(window, rest, exponent);
        if negative { -magnitude } else { magnitude }
    }
}

/// Rows that a loop over a block takes at once.
const LANES: usize = 8;

/// 1.5 times a power of two, by whose last place rows can be split; `None` if they are not finite, or so
/// great that there is no such float, or all 0 or so small that it might be below all normal floats.
///
/// The power is at least four times the sum of all magnitudes.
#[inline]
fn grid(rows: &[f64]) -> Option<f64> {
    const MANTISSA: u32 = f64::MANTISSA_DIGITS - 1;
    let mut sums = [0.0; LANES];
    for lanes in rows.chunks_exact(LANES) {
        sums.iter_mut().zip(lanes).for_each(|(sum, x)| *sum += x.abs());
    }
    let magnitude: f64 = sums.iter().sum();
    // Each addition may have rounded down by 2^-53 of its result, all together by far less than half.
    let exponent = (magnitude.to_bits() >> MANTISSA) + 3;
    (3 < exponent && exponent < 0x7ff).then(|| f64::from_bits(exponent << MANTISSA | 1 << 51))
}

/// Splits each row into a multiple of the grid's last place, of which the exact sum is returned, and what
/// is left over, at most half of that place, which takes the row's place. Also returns whether nothing
/// is left of any row.
///
/// Let the grid be 1.5 * 2^s: its last place is 2^(s - 52), as of all floats from 2^s to 2^(s + 1). Rows
/// are below 2^(s - 2), so `grid + x` stays there and is rounded to a multiple of the place, and taking
/// the grid off again is exact. So is the rest: it is a multiple of the row's own last place and below
/// it only if nothing is left. The multiples have magnitudes of at most 2^(s - 2) in sum, and half a
/// place for each row: as long as they are fewer than 2^50 any sum of them has 52 bits, so none rounds.
#[inline]
fn split(rows: &mut [f64], grid: f64) -> (f64, bool) {
    let mut sums = [0.0; LANES];
    let mut left = [0_u64; LANES];
    for lanes in rows.chunks_exact_mut(LANES) {
        for i in 0..LANES {
            let multiple = (grid + lanes[i]) - grid;
            let rest = lanes[i] - multiple;
            sums[i] += multiple;
            lanes[i] = rest;
            // All bits but the sign's: a rest of -0.0 is nothing.
            left[i] |= rest.to_bits() << 1;
        }
    }
    (sums.iter().sum(), left == [0; LANES])
}

/// A float of the 53 bits at the top of `window`, whose highest bit weighs `2^(exponent - 1074)`.
fn pack(window: u128, rest: bool, exponent: i64) -> f64 {
    // Subnormals end at weight 2^-1074, which may be before 53 bits are used.
    let kept = (exponent + 1).clamp(0, 53) as u32;
    let mantissa = (window >> (128 - kept)) as u64;
    let below = window << kept;
    let half = 1 << 127;
    let up = below > half || below == half && (rest || mantissa & 1 == 1);
    let mantissa = mantissa + u64::from(up);
    // A carry out of the mantissa moves into the exponent, as the format is made for.
    let biased = if exponent < 52 { 0 } else { (exponent - 52) as u64 };
    let bits = mantissa + (biased << 52);
    if bits >= f64::INFINITY.to_bits() { f64::INFINITY } else { f64::from_bits(bits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By blocks and one by one, which has to be the same.
    fn total(rows: &[f64]) -> f64 {
        let (mut all, mut each) = (Exact::new(), Exact::new());
        all.extend(rows.iter().copied());
        rows.iter().for_each(|&x| each.add(x));
        let (all, each) = (all.round(), each.round());
        assert_eq!(all.to_bits(), each.to_bits(), "{rows:?}");
        all
    }

    #[test]
    fn one_row_is_itself() {
        let least = f64::from_bits(1);
        for x in [
            0.0,
            1.0,
            0.1,
            1e300,
            f64::MAX,
            f64::MIN_POSITIVE,
            least,
            3.0 * least,
            2.0_f64.powi(-1040),
        ] {
            assert_eq!(total(&[x]).to_bits(), x.to_bits(), "{x:e}");
            assert_eq!(total(&[-x]), -x, "{x:e}");
        }
    }

    #[test]
    fn cancellation_and_ties_are_exact() {
        assert_eq!(total(&[1e308, 1e308, 1.5, -1e308, -1e308]), 1.5);
        assert_eq!(total(&[0.1; 10]), 1.0);
        let ulp = 2.0_f64.powi(-52);
        assert_eq!(total(&[1.0, ulp / 2.0]), 1.0);
        assert_eq!(total(&[1.0 + ulp, ulp / 2.0]), 1.0 + 2.0 * ulp);
        assert_eq!(total(&[1.0, ulp / 2.0, f64::from_bits(1)]), 1.0 + ulp);
        assert_eq!(total(&[1.0, ulp / 2.0, -f64::from_bits(1)]), 1.0);
        assert_eq!(total(&[f64::MAX, f64::MAX]), f64::INFINITY);
        assert_eq!(total(&[f64::MAX, f64::MAX, -f64::MAX]), f64::MAX);
        assert_eq!(total(&[-f64::MAX, -f64::MAX]), -f64::INFINITY);
        assert_eq!(total(&[f64::MIN_POSITIVE, -f64::from_bits(1)]), f64::from_bits((1 << 52) - 1));
    }

    #[test]
    fn what_is_not_finite_stays_so() {
        assert_eq!(total(&[1.0, f64::INFINITY]), f64::INFINITY);
        assert!(total(&[f64::NEG_INFINITY, f64::INFINITY]).is_nan());
        assert!(total(&[f64::NAN, 1.0]).is_nan());
    }

    /// Integers scaled by a power of two have an exact total in `i128`.
    #[test]
    fn many_rows_equal_integer_arithmetic() {
        let mut state = 1_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for round in 0..200 {
            let scale = 2.0_f64.powi(round * 9 - 1000);
            let rows: Vec<i64> = (0..5000).map(|_| next() as i64 >> 11 >> (next() % 40)).collect();
            let (front, back) = rows.split_at(round as usize * 13);
            let sum = |rows: &[i64]| {
                let mut all = Exact::new();
                rows.iter().for_each(|&x| all.add(x as f64 * scale));
                all
            };
            let exact: i128 = rows.iter().copied().map(i128::from).sum();
            assert_eq!(sum(front).merge(sum(back)).round(), exact as f64 * scale);
        }
    }

    /// The bits of random floats, with exponents from a window.
    fn random(state: &mut u64, exponents: &std::ops::Range<u64>) -> f64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        let exponent = exponents.start + (*state >> 20) % (exponents.end - exponents.start);
        f64::from_bits(*state & !(0x7ff << 52) | exponent << 52)
    }

    #[test]
    fn blocks_are_the_sum_of_their_rows_at_every_exponent_and_length() {
        let mut state = 7;
        let windows = [
            0..1,
            0..3,
            0..60,
            1..90,
            40..140,
            900..901,
            1000..1030,
            1000..1090,
            900..1200,
            0..2047,
            2030..2047,
            2046..2047,
            1900..2047,
        ];
        for window in windows {
            for len in [0, 1, 2, 7, 8, 9, 63, 255, 256, 257, 264, 511, 512, 1000] {
                let mut rows: Vec<_> = (0..len).map(|_| random(&mut state, &window)).collect();
                total(&rows);
                // What cancels all of it but the last row, in another order.
                let last = random(&mut state, &window);
                rows.extend(rows.clone().into_iter().rev().map(|x| -x).chain([last]));
                assert_eq!(total(&rows).to_bits(), last.to_bits(), "{window:?}");
            }
        }
    }

    #[test]
    fn multiples_of_the_grid_are_added_without_rounding() {
        // Greatest floats below a power of two, all of one sign: as much as a block can sum to.
        for exponent in [3, 4, 60, 1023, 2000, 2030, 2040, 2046] {
            for below in [0, 1, 2, 1 << 20] {
                let x = f64::from_bits((exponent << 52) - 1 - below);
                total(&[x; BLOCK]);
                total(&[-x; BLOCK]);
                let mut mixed = [x; BLOCK];
                mixed[BLOCK / 2..].fill(f64::from_bits((exponent << 52) / 2 + 1));
                total(&mixed);
            }
        }
    }

    #[test]
    fn what_is_not_finite_is_found_in_any_block() {
        for at in [0, 255, 256, 300, 511, 599] {
            let mut rows = [1.0; 600];
            rows[at] = f64::NEG_INFINITY;
            assert_eq!(total(&rows), f64::NEG_INFINITY);
            rows[(at + 300) % 600] = f64::NAN;
            assert!(total(&rows).is_nan());
        }
        assert_eq!(total(&[f64::MAX; 300]), f64::INFINITY);
        assert_eq!(total(&[-0.0; 9]).to_bits(), 0, "an exact 0 has no sign");
    }
}
