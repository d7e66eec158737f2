//! Runs a model under random schedules and under PCT, and counts what they were. In comes a model, out
//! comes a panic if one schedule fails, or if there were too few for the model to show much.

use std::{
    collections::HashSet,
    env,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, Mutex, PoisonError},
};

use shuttle::{
    Config, MaxSteps, Runner,
    scheduler::{PctScheduler, RandomScheduler, Schedule, Scheduler, Task, TaskId},
};

/// A schedule with more steps than this goes round in a circle.
const ENDLESS: usize = 1_000_000;
/// Preemptions that PCT places.
const DEPTH: usize = 3;

/// What was run.
#[derive(Default)]
struct Counts {
    schedules: usize,
    different: HashSet<u64>,
    steps: usize,
}

/// A scheduler that counts.
struct Counted<S> {
    inner: S,
    counts: Arc<Mutex<Counts>>,
    schedule: DefaultHasher,
}

impl<S> Counted<S> {
    fn new(inner: S, counts: &Arc<Mutex<Counts>>) -> Self {
        Self { inner, counts: Arc::clone(counts), schedule: DefaultHasher::new() }
    }
}

impl<S: Scheduler> Scheduler for Counted<S> {
    fn new_execution(&mut self) -> Option<Schedule> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.different.insert(self.schedule.finish());
        self.schedule = DefaultHasher::new();
        let next = self.inner.new_execution();
        counts.schedules += usize::from(next.is_some());
        next
    }

    fn next_task(
        &mut self,
        runnable: &[&Task],
        current: Option<TaskId>,
        is_yielding: bool,
    ) -> Option<TaskId> {
        let task = self.inner.next_task(runnable, current, is_yielding)?;
        usize::from(task).hash(&mut self.schedule);
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).steps += 1;
        Some(task)
    }

    fn next_u64(&mut self) -> u64 {
        self.inner.next_u64()
    }
}

/// Of a hundred schedules so many must be different; PCT repeats itself where a model is short.
const DIFFERENT: usize = 60;

/// Runs `model` under `SPANWISE_SCHEDULES` schedules, 10,000 if that is not set: two thirds random, one
/// third PCT's. They must have `steps` steps on average. Returns how many there were.
pub(crate) fn check(steps: usize, model: impl Fn() + Send + Sync + 'static) -> usize {
    let wanted = env::var("SPANWISE_SCHEDULES").map_or(10_000, |n| n.parse().expect("a number"));
    let seed = env::var("SPANWISE_SEED").map_or(1, |n| n.parse().expect("a number"));
    let mut config = Config::new();
    config.stack_size = 1 << 18;
    config.max_steps = MaxSteps::FailAfter(ENDLESS);
    let (model, counts) = (Arc::new(model), Arc::new(Mutex::new(Counts::default())));
    let random = RandomScheduler::new_from_seed(seed, wanted * 2 / 3);
    let theirs = Arc::clone(&model);
    Runner::new(Counted::new(random, &counts), config.clone()).run(move || theirs());
    let pct = PctScheduler::new_from_seed(seed, DEPTH, wanted / 3);
    Runner::new(Counted::new(pct, &counts), config).run(move || model());

    let counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
    let (all, different) = (counts.schedules, counts.different.len());
    println!("{all} schedules, {different} of them different, {} steps", counts.steps);
    assert!(different * 100 >= all * DIFFERENT, "{different} different schedules of {all}");
    assert!(counts.steps >= all * steps, "{} steps in {all} schedules", counts.steps);
    all
}
