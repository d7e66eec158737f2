//! Variants in turns. In come closures that do the same job, out come their times: noise that lasts
//! hits all of them, and medians leave out what does not.

use std::time::{Duration, Instant};

/// A variant: its name, and what it does once.
pub type Variant<'a> = (&'a str, Box<dyn FnMut() + 'a>);

/// Runs the variants in turns for so many rounds, the first of which does not count, and returns
/// each one's times, sorted.
pub fn race(rounds: usize, variants: &mut [Variant<'_>]) -> Vec<Vec<Duration>> {
    let mut times = vec![Vec::with_capacity(rounds); variants.len()];
    for round in 0..=rounds {
        for i in 0..variants.len() {
            // Each round begins elsewhere, so that nobody always runs after the same neighbour.
            let turn = (i + round) % variants.len();
            let start = Instant::now();
            variants[turn].1();
            let time = start.elapsed();
            if round > 0 {
                times[turn].push(time);
            }
        }
    }
    times.iter_mut().for_each(|times| times.sort_unstable());
    times
}

/// The time below which this part of the sorted times lies.
pub fn percentile(times: &[Duration], part: f64) -> Duration {
    let last = times.len() - 1;
    times[((times.len() as f64 * part) as usize).min(last)]
}

/// The middle of the sorted times.
pub fn median(times: &[Duration]) -> Duration {
    percentile(times, 0.5)
}
