//! The threads of a simulated pool. In come a machine's layout, a call, prices, rules and a seed, out
//! comes what happened. A thread is a stack of frames, as a real one is; this file moves threads that
//! have work, `hunt` the others.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap, VecDeque},
};

use spanwise_topology::{Distance, Layout};

use super::{dice::Dice, load::Load, outcome::Outcome, part::Part, prices::Prices, rules::Rule};

/// How the other threads are when a call begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// They look for work, as they do after a call.
    Hot,
    /// They sleep.
    Cold,
}

/// What is next on a thread's stack.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    /// Rows to run; whether they were stolen.
    Part(Part, bool),
    /// A join whose near half is done when this comes up again.
    Join(usize),
    /// The end of a stolen half.
    Stolen(usize),
}

/// A far half.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) part: Part,
    pub(super) owner: usize,
    pub(super) thief: Option<usize>,
    /// The stolen half that it is a part of.
    pub(super) inside: Option<usize>,
    /// From when on others can see it.
    pub(super) offered: u64,
    pub(super) done: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Busy,
    /// Looks for work since then; says so a little later.
    Looks {
        since: u64,
        says_so: u64,
    },
    Sleeps,
    /// Waits for a half without looking.
    Parks,
    Wakes,
}

pub(super) struct Worker {
    pub(super) frames: Vec<Frame>,
    pub(super) state: State,
    /// Since when.
    since: u64,
    /// Goes up with each change of the state, so that events for an older one are known.
    pub(super) epoch: u64,
    /// Halves on offer, the oldest first.
    pub(super) ring: VecDeque<usize>,
    /// Who is parked until this thread offers something.
    pub(super) caller: Option<usize>,
    /// A near half that is timed because somebody slept when it began, and since when.
    pub(super) timed: Option<(usize, u64)>,
    /// How many victims it visits before each.
    pub(super) places: Vec<u64>,
}

/// What happens to a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// So many rows are done, and took so long.
    Ran(usize, u64),
    /// Comes to this victim; whether it looks for the next one where that has nothing.
    Visits(usize, bool),
    /// Its patience is at its end.
    GivesUp,
    /// Sees that the half it waits for is done.
    Resumes,
    /// Is awake.
    Woken,
}

/// When, added how many-th, whose, in which epoch, and what.
type Queued = (u64, u64, usize, u64, Event);

pub(super) struct Crew<'a> {
    pub(super) load: &'a Load,
    pub(super) layout: &'a Layout,
    pub(super) prices: &'a Prices,
    pub(super) rule: Rule,
    pub(super) workers: Vec<Worker>,
    pub(super) jobs: Vec<Job>,
    pub(super) dice: Dice,
    pub(super) outcome: Outcome,
    pub(super) sleepers: usize,
    /// Who looks for work, by number.
    pub(super) lookers: BTreeSet<usize>,
    /// How long near halves take, by the pool's gate.
    pub(super) near: Option<u64>,
    begin: u64,
    events: BinaryHeap<Reverse<Queued>>,
    added: u64,
}

/// Runs one call on paper. The same seed gives the same outcome.
pub fn simulate(
    load: &Load,
    layout: &Layout,
    prices: &Prices,
    rule: Rule,
    start: Start,
    seed: u64,
) -> Outcome {
    let width = layout.width();
    let worker = |number| {
        let mut places = vec![0; width];
        layout
            .victims(number)
            .enumerate()
            .for_each(|(place, victim)| places[victim] = place as u64);
        let (frames, ring) = (Vec::new(), VecDeque::new());
        let state = if number == 0 { State::Busy } else { State::Sleeps };
        Worker { frames, state, since: 0, epoch: 0, ring, caller: None, timed: None, places }
    };
    // Time begins late enough for threads to have looked around before.
    let begin = 1_000_000;
    let mut crew = Crew {
        load,
        layout,
        prices,
        rule,
        workers: (0..width).map(worker).collect(),
        jobs: Vec::new(),
        dice: Dice::new(seed),
        outcome: Outcome { began: vec![None; width], ..Outcome::default() },
        sleepers: width - 1,
        lookers: BTreeSet::new(),
        near: None,
        begin,
        events: BinaryHeap::new(),
        added: 0,
    };
    if start == Start::Hot {
        crew.sleepers = 0;
        for number in 1..width {
            let since = begin - crew.dice.below(20_000);
            crew.look(number, since);
        }
    }
    let all = if rule.is_ours() { Part::ours(load, width) } else { Part::rayons(load, width) };
    crew.begin(0, Frame::Part(all, false), begin);
    crew.go(0, begin);
    let end = crew.run();
    (0..width).for_each(|number| crew.set(number, State::Busy, end));
    crew.outcome.nanos = end - begin;
    crew.outcome.began.iter_mut().flatten().for_each(|at| *at -= begin);
    crew.outcome
}

impl Crew<'_> {
    pub(super) fn width(&self) -> usize {
        self.workers.len()
    }

    /// This will happen to a thread, unless its state changes before.
    pub(super) fn add(&mut self, at: u64, number: usize, event: Event) {
        self.added += 1;
        let epoch = self.workers[number].epoch;
        self.events.push(Reverse((at, self.added, number, epoch, event)));
    }

    /// A thread's state changes.
    pub(super) fn set(&mut self, number: usize, state: State, now: u64) {
        let waits = self.waits_for(number).is_some();
        let before = &self.workers[number];
        let time = now.max(self.begin).saturating_sub(before.since.max(self.begin));
        if before.state == State::Busy {
            // That is in `work`, but for the price of things.
        } else if waits {
            self.outcome.waiting += time;
        } else {
            self.outcome.without += time;
        }
        if matches!(state, State::Looks { .. }) {
            self.lookers.insert(number);
        } else {
            self.lookers.remove(&number);
        }
        let worker = &mut self.workers[number];
        worker.epoch += 1;
        worker.state = state;
        worker.since = now;
    }

    /// Lets happen what happens until the caller has its result, and says when that is.
    fn run(&mut self) -> u64 {
        while let Some(Reverse((now, _, number, epoch, event))) = self.events.pop() {
            if self.workers[number].epoch != epoch {
                // It has found something else, so another thread comes first.
                if let Event::Visits(victim, false) = event {
                    self.announce(victim, now);
                }
                continue;
            }
            let free = match event {
                Event::Ran(rows, took) => {
                    let Some(Frame::Part(part, _)) = self.workers[number].frames.last_mut() else {
                        unreachable!("only parts are run")
                    };
                    self.outcome.ran.push((part.from, part.from + rows));
                    self.outcome.work += took;
                    part.ran(rows, took);
                    self.go(number, now)
                }
                Event::Resumes => {
                    self.set(number, State::Busy, now);
                    self.go(number, now)
                }
                Event::Visits(victim, goes_on) => self.visit(number, victim, goes_on, now),
                Event::GivesUp => self.give_up(number, now),
                Event::Woken => self.get_up(number, now),
            };
            if let Some(end) = free {
                return end;
            }
        }
        unreachable!("a call that never ends")
    }

    /// A thread that had nothing to do gets this.
    pub(super) fn begin(&mut self, number: usize, frame: Frame, now: u64) {
        self.workers[number].frames.push(frame);
        self.outcome.began[number].get_or_insert(now);
    }

    /// A thread goes on with what is on top of its stack. The time, if that was the end of the call.
    pub(super) fn go(&mut self, number: usize, mut now: u64) -> Option<u64> {
        loop {
            match self.workers[number].frames.pop() {
                None if number == 0 => return Some(now),
                None => {
                    self.look(number, now);
                    return None;
                }
                Some(Frame::Part(part, _)) if part.is_empty() => {}
                Some(Frame::Part(part, stolen)) => {
                    let (part, cut, at) = self.cut(number, part, stolen, now);
                    now = at;
                    if let Some(job) = cut {
                        self.workers[number].frames.push(Frame::Join(job));
                    }
                    self.workers[number].frames.push(Frame::Part(part, false));
                    if cut.is_none() {
                        self.stride(number, &part, now);
                        return None;
                    }
                }
                Some(Frame::Join(job)) => {
                    let worker = &mut self.workers[number];
                    let taken = worker.ring.back() == Some(&job);
                    if worker.timed.is_some_and(|(timed, _)| timed == job) {
                        let (_, since) = worker.timed.take().expect("looked at just now");
                        self.learn(now - since, !taken);
                    }
                    if taken {
                        let worker = &mut self.workers[number];
                        worker.ring.pop_back();
                        worker.frames.push(Frame::Part(self.jobs[job].part, false));
                        now += self.prices.take_back;
                    } else if let Some(done) = self.jobs[job].done {
                        let thief = self.jobs[job].thief.unwrap_or(number);
                        now = now.max(done + 2 * self.line(thief, number));
                    } else {
                        self.workers[number].frames.push(Frame::Join(job));
                        self.look(number, now);
                        return None;
                    }
                }
                Some(Frame::Stolen(job)) => {
                    self.jobs[job].done = Some(now);
                    now = self.tell(job, number, now);
                }
            }
        }
    }

    /// Begins a stride of this part.
    fn stride(&mut self, number: usize, part: &Part, now: u64) {
        let rows = if self.rule.is_ours() { part.stride() } else { part.to - part.from };
        let cost = self.load.cost(part.from, part.from + rows);
        let noise = self.dice.below(self.prices.noise + 1) as f64 / 1000.0;
        let took = (cost * (1.0 + noise)) as u64;
        self.add(now + took + self.prices.stride, number, Event::Ran(rows, took));
    }

    /// Offers half of a part where the rules say so: the near half, the job, and the time afterwards.
    fn cut(
        &mut self,
        number: usize,
        mut part: Part,
        stolen: bool,
        mut now: u64,
    ) -> (Part, Option<usize>, u64) {
        let far = if self.rule.is_ours() {
            if !part.may_be_cut() {
                return (part, None, now);
            }
            let (wanted, at) = self.wants(number, &part, now);
            now = at;
            wanted.then(|| part.cut())
        } else {
            let width = self.width();
            part.halve(stolen, width)
        };
        let Some(far) = far else { return (part, None, now) };
        now += self.prices.offer;
        let job = self.jobs.len();
        let inside = self.stolen(number);
        self.jobs.push(Job {
            part: far,
            owner: number,
            thief: None,
            inside,
            offered: now,
            done: None,
        });
        self.outcome.offers += 1;
        now = self.offer(number, job, now);
        (part, Some(job), now)
    }

    /// What a line costs between two threads.
    pub(super) fn line(&self, from: usize, to: usize) -> u64 {
        self.prices.line_between(self.layout, from, to)
    }

    /// Whether two threads are on different memory nodes.
    pub(super) fn are_far(&self, from: usize, to: usize) -> bool {
        self.layout.distance(from, to).is_some_and(|distance| distance > Distance::Node)
    }
}
