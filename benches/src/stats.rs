//! Numbers about numbers. In come samples in any order, out come the middle and the spread.

use serde::Serialize;

/// The middle of some samples and how far they spread: half of them lie between the quartiles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// A quarter of the samples are below.
    pub q1: f64,
    /// Half of them are below.
    pub median: f64,
    /// A quarter of them are above.
    pub q3: f64,
    /// How many there are.
    pub samples: usize,
}

impl Summary {
    /// Sorts the samples and looks at them.
    ///
    /// # Panics
    ///
    /// If there are none, or one is not a number.
    pub fn of(samples: &mut [f64]) -> Self {
        assert!(!samples.is_empty(), "there is no middle of nothing");
        samples.sort_unstable_by(|a, b| a.partial_cmp(b).expect("a sample is a number"));
        let at = |part| quantile(samples, part);
        Self { q1: at(0.25), median: at(0.5), q3: at(0.75), samples: samples.len() }
    }

    /// Half the distance between the quartiles, as a part of the median.
    pub fn spread(&self) -> f64 {
        (self.q3 - self.q1) / 2.0 / self.median
    }
}

/// What this part of the sorted samples lies below; between two samples, in proportion.
///
/// # Panics
///
/// If there are no samples.
pub fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() - 1) as f64;
    let below = sorted[place.floor() as usize];
    let above = sorted[place.ceil() as usize];
    below + (above - below) * place.fract()
}

/// The geometric mean: right for ratios, of which 2 and 0.5 cancel out.
pub fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_of_odd_and_even_numbers_of_samples() {
        let five = Summary::of(&mut [5.0, 1.0, 4.0, 2.0, 3.0]);
        assert_eq!(five, Summary { q1: 2.0, median: 3.0, q3: 4.0, samples: 5 });
        let two = Summary::of(&mut [3.0, 1.0]);
        assert_eq!(two, Summary { q1: 1.5, median: 2.0, q3: 2.5, samples: 2 });
        assert_eq!(two.spread(), 0.25);
    }

    #[test]
    fn one_sample_is_its_own_middle() {
        assert_eq!(Summary::of(&mut [7.0]), Summary { q1: 7.0, median: 7.0, q3: 7.0, samples: 1 });
    }

    #[test]
    fn one_wild_sample_does_not_move_the_middle() {
        let mut samples = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1e9];
        assert_eq!(Summary::of(&mut samples).median, 1.0);
    }

    #[test]
    fn quantiles_reach_both_ends() {
        let sorted = [10.0, 20.0, 30.0];
        assert_eq!([0.0, 0.25, 1.0].map(|part| quantile(&sorted, part)), [10.0, 15.0, 30.0]);
    }

    #[test]
    fn doubled_and_halved_cancel_out() {
        assert!((geometric_mean(&[2.0, 0.5]) - 1.0).abs() < 1e-12);
    }
}
