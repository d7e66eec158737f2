//! What the cases work on. In come lengths, out come rows and callbacks whose cost is real.

use std::time::Instant;

/// Three operations.
#[inline(always)]
pub fn cheap(x: i64) -> i64 {
    x.wrapping_mul(3).wrapping_add(1)
}

/// The sum of `3x + 1` over a range is a formula, which the compiler finds: the loop would vanish.
#[inline(always)]
pub fn cheap_of_range(x: i64) -> i64 {
    cheap(x) ^ (x >> 4)
}

/// A hundred steps, each of which waits for the one before. Without the shifted value in it a step
/// were a constant one, and the compiler would fold all hundred into one.
#[inline(always)]
pub fn expensive(x: i64) -> i64 {
    let mut state = x as u64;
    for _ in 0..100 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(state >> 29);
    }
    // 31 bits, so that sums fit.
    (state >> 33) as i64
}

/// As cheap, of floats.
#[inline(always)]
pub fn cheap_float(x: f64) -> f64 {
    x * 3.0 + 1.0
}

/// As expensive, of floats.
#[inline(always)]
pub fn expensive_float(x: f64) -> f64 {
    expensive(x as i64) as f64
}

/// As many dependent steps as the row says, of some 0.9 ns each.
#[inline(always)]
pub fn burn(steps: i64) -> i64 {
    let mut state = steps as u64;
    for _ in 0..steps {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(state >> 29);
    }
    (state >> 33) as i64
}

/// Numbers in no order that a branch predictor could learn.
pub fn list(items: usize) -> Vec<i64> {
    (0..items as i64).map(|i| i * 2_654_435_761 % 1_000_003).collect()
}

/// The same as floats.
pub fn floats(items: usize) -> Vec<f64> {
    list(items).into_iter().map(|x| x as f64).collect()
}

/// Nanoseconds that one item costs in a serial loop, the least of several runs.
pub fn nanos_an_item(f: impl Fn(i64) -> i64) -> f64 {
    let rows = list(1000);
    let run = |_| {
        let start = Instant::now();
        std::hint::black_box(std::hint::black_box(&rows).iter().map(|&x| f(x)).sum::<i64>());
        start.elapsed().as_nanos() as f64 / rows.len() as f64
    };
    (0..100).map(run).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_differ_and_their_sums_fit() {
        let rows = list(1000);
        assert!(rows.iter().all(|&x| (0..1_000_003).contains(&x)));
        assert_ne!(rows[1], rows[2]);
        assert!(rows.iter().all(|&x| (0..1 << 31).contains(&expensive(x))));
    }
}
