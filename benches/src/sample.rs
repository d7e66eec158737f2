//! Variants in turns. In come closures that do one job each in its way, out come times a call and a
//! verdict on the answers: noise that lasts hits all of them, and medians leave out what does not.

use std::{
    hint::black_box,
    thread,
    time::{Duration, Instant},
};

use serde::Serialize;

use crate::{answer::Answer, stats::Summary};

/// How one sample is taken.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// Everybody sleeps so long first.
    pub sleep: Duration,
    /// Untimed calls go before for so long, so that caches are warm and workers awake.
    pub lead: Duration,
    /// So much is timed at once: a clock read costs as much as a small call.
    pub target: Duration,
}

impl Ask {
    /// One call, whatever the state of the machine.
    pub const ONCE: Self =
        Self { sleep: Duration::ZERO, lead: Duration::ZERO, target: Duration::ZERO };
}

/// A time a call, and what the last call answered.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Nanoseconds a call.
    pub nanos: f64,
    /// What the last call answered.
    pub answer: Answer,
}

/// Takes one sample. The last call's result is digested and freed after the clock has stopped, those
/// of the calls before while it runs.
#[inline(never)]
pub fn sample<T: Into<Answer>>(ask: &Ask, mut run: impl FnMut() -> T) -> Sample {
    if !ask.sleep.is_zero() {
        thread::sleep(ask.sleep);
    }
    let (start, mut calls, mut burst) = (Instant::now(), 0_u64, 1);
    let mut took = Duration::ZERO;
    while took < ask.lead {
        (0..burst).for_each(|_| drop(black_box(run())));
        calls += burst;
        burst *= 2;
        took = start.elapsed();
    }
    let calls = match calls {
        // Nothing is known of the time of a call, so it had better be long.
        0 => 1,
        calls => {
            let one = (took.as_nanos() as u64 / calls).max(1);
            (ask.target.as_nanos() as u64 / one).clamp(1, 1 << 20)
        }
    };

    let start = Instant::now();
    (1..calls).for_each(|_| drop(black_box(run())));
    let last = black_box(run());
    let took = start.elapsed();
    Sample { nanos: took.as_nanos() as f64 / calls as f64, answer: last.into() }
}

/// One way to do the job.
pub struct Variant<'a> {
    /// What the tables call it.
    pub name: &'static str,
    sample: Box<dyn FnMut(&Ask) -> Sample + 'a>,
}

impl<'a> Variant<'a> {
    /// One that is called by this thread.
    pub fn new<T: Into<Answer>>(name: &'static str, mut run: impl FnMut() -> T + 'a) -> Self {
        Self::with(name, move |ask| sample(ask, &mut run))
    }

    /// One that prepares something for its samples, and takes them itself.
    pub fn with(name: &'static str, sample: impl FnMut(&Ask) -> Sample + 'a) -> Self {
        Self { name, sample: Box::new(sample) }
    }

    /// Takes a sample.
    pub fn take(&mut self, ask: &Ask) -> Sample {
        (self.sample)(ask)
    }
}

/// How many rounds there are.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    /// At least so many.
    pub least: usize,
    /// At most so many.
    pub most: usize,
    /// Between the two, as long as this lasts.
    pub budget: Duration,
}

/// A variant's times.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The variant.
    pub name: &'static str,
    /// Nanoseconds a call.
    pub nanos: Summary,
}

/// Spanwise on its backends: these agree to the last bit, float sums too.
pub const OURS: [&str; 3] = ["deque", "rayon-core", "Serial"];

/// Runs the variants in turns.
///
/// # Errors
///
/// If an answer differs; then the message says whose.
pub fn interleave(
    ask: &Ask,
    rounds: Rounds,
    variants: &mut [Variant<'_>],
) -> Result<Vec<Measured>, String> {
    let mut times = vec![Vec::new(); variants.len()];
    let (mut first, mut ours) = (None, None);
    let start = Instant::now();
    for round in 0..rounds.most {
        for turn in 0..variants.len() {
            // Each round begins elsewhere, so that nobody always runs after the same neighbour.
            let turn = (turn + round) % variants.len();
            let variant = &mut variants[turn];
            let Sample { nanos, answer } = variant.take(ask);
            let (first_name, expected) = *first.get_or_insert((variant.name, answer));
            let mut agree = answer.near(expected);
            if OURS.contains(&variant.name) {
                agree &= answer.same(*ours.get_or_insert(answer));
            }
            if !agree {
                let name = variant.name;
                return Err(format!("{name}: {answer:?}, {first_name}: {expected:?}"));
            }
            times[turn].push(nanos);
        }
        if round + 1 >= rounds.least && start.elapsed() >= rounds.budget {
            break;
        }
    }
    let named = variants.iter().zip(&mut times);
    Ok(named.map(|(v, times)| Measured { name: v.name, nanos: Summary::of(times) }).collect())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const ROUNDS: Rounds = Rounds { least: 3, most: 5, budget: Duration::ZERO };

    #[test]
    fn each_variant_runs_in_each_round_and_a_spent_budget_ends_them() {
        let runs = [Cell::new(0), Cell::new(0)];
        let count = |i: usize| runs[i].set(runs[i].get() + 1);
        let mut variants = [Variant::new("a", || count(0)), Variant::new("b", || count(1))];
        let measured = interleave(&Ask::ONCE, ROUNDS, &mut variants).expect("equal answers");
        assert_eq!(measured[1].nanos.samples, 3);
        drop(variants);
        assert_eq!(runs.map(|runs| runs.get()), [3, 3]);
    }

    #[test]
    fn a_wrong_answer_fails() {
        let mut variants = [Variant::new("serial", || 1_i64), Variant::new("deque", || 2_i64)];
        assert!(interleave(&Ask::ONCE, ROUNDS, &mut variants).is_err());
    }

    #[test]
    fn ours_agree_to_the_last_bit_and_others_nearly() {
        let mut near = [Variant::new("serial", || 1.0), Variant::new("deque", || 1.0 + 1e-15)];
        assert!(interleave(&Ask::ONCE, ROUNDS, &mut near).is_ok());
        let mut off = [Variant::new("Serial", || 1.0), Variant::new("deque", || 1.0 + 1e-15)];
        assert!(interleave(&Ask::ONCE, ROUNDS, &mut off).is_err());
    }

    #[test]
    fn small_calls_are_timed_many_at_once() {
        let calls = Cell::new(0_u64);
        let ask =
            Ask { lead: Duration::from_micros(50), target: Duration::from_micros(50), ..Ask::ONCE };
        sample(&ask, || calls.set(calls.get() + 1));
        assert!(calls.get() > 100, "{}", calls.get());
        // Without a lead nothing is known, and one call is timed.
        calls.set(0);
        sample(&Ask { lead: Duration::ZERO, ..ask }, || calls.set(calls.get() + 1));
        assert_eq!(calls.get(), 1);
    }
}
