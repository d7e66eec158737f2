//! Threads without work. In come offers and ends of halves, out go thefts, sleep and wakes. What the
//! pool does in `crew.rs`, `member.rs` and `gate.rs`, and rayon in its sleep module.
//!
//! A thread that looks is no event for each look: it walks the same victims at a steady pace, so the
//! moment at which it comes to one of them is a sum. Looks are reckoned when there is something to see.

use super::{
    crew::{Crew, Event, Frame, State},
    part::Part,
    rules::{Offers, Waits},
};

/// How long a waiting join watches its latch alone.
const WATCH: u64 = 500;
/// A near half that takes less is over before a woken thread comes.
const WORTH: u64 = 40_000;
/// A call with this much left is worth a wake.
const LONG: u64 = 150_000;
/// A rest of which half is on offer although nobody looks for work.
const SPARE: u64 = 10_000;

impl Crew<'_> {
    /// A thread looks for work from now on: anybody's, or parts of the half that its join waits for.
    pub(super) fn look(&mut self, number: usize, now: u64) {
        let since = if self.waits_for(number).is_some() { now + WATCH } else { now };
        self.set(number, State::Looks { since, says_so: since + self.round(number) }, now);
        self.add(now + self.rule.spin, number, Event::GivesUp);
        self.plan_next(number, now);
    }

    /// Reckons when a thread that looks comes to the first of those that offer something now.
    fn plan_next(&mut self, number: usize, now: u64) {
        let mut next = None;
        for victim in 0..self.width() {
            if let Some(&job) = self.workers[victim].ring.front() {
                let from = now.max(self.jobs[job].offered);
                let at = self.reckon(number, victim, from).map(|at| (at, victim));
                next = [next, at].into_iter().flatten().min();
            }
        }
        if let Some((at, victim)) = next {
            self.add(at, number, Event::Visits(victim, true));
        }
    }

    /// The half that a thread waits for, if its topmost frame is a join.
    pub(super) fn waits_for(&self, number: usize) -> Option<usize> {
        match self.workers[number].frames.last() {
            Some(&Frame::Join(job)) => Some(job),
            _ => None,
        }
    }

    /// From one look at a seat to the next.
    fn round(&self, number: usize) -> u64 {
        let seats = if self.robs_one(number) { 1 } else { self.width() as u64 - 1 };
        seats * self.prices.look + self.prices.pause
    }

    fn robs_one(&self, number: usize) -> bool {
        matches!(self.rule.waits, Waits::Thief | Waits::Chain) && self.waits_for(number).is_some()
    }

    /// Whether a thread that looks may take from this one.
    fn may_rob(&self, number: usize, victim: usize) -> bool {
        let Some(job) = self.waits_for(number) else {
            return number != victim;
        };
        match self.rule.waits {
            Waits::Call => return number != victim,
            Waits::Parts => return number != victim && self.runs_part(victim, job),
            Waits::Thief | Waits::Chain => {}
        }
        let mut thief = self.jobs[job].thief;
        while let Some(at) = thief {
            if at == victim {
                return true;
            }
            // Whatever a thief waits for descends from what it stole.
            let next = self.waits_for(at).filter(|_| self.rule.waits == Waits::Chain);
            let next = next.map(|job| &self.jobs[job]).filter(|job| job.done.is_none());
            thief = next.and_then(|job| job.thief);
        }
        false
    }

    /// Whether this thread runs a part of a stolen half.
    fn runs_part(&self, number: usize, half: usize) -> bool {
        let mut inside = self.stolen(number);
        while let Some(job) = inside {
            if job == half {
                return true;
            }
            inside = self.jobs[job].inside;
        }
        false
    }

    /// The stolen half that a thread is in.
    pub(super) fn stolen(&self, number: usize) -> Option<usize> {
        self.workers[number].frames.iter().rev().find_map(|frame| match frame {
            Frame::Stolen(job) => Some(*job),
            _ => None,
        })
    }

    /// Reckons when a thread that looks comes to a victim with something to see from `from` on.
    fn reckon(&mut self, number: usize, victim: usize, from: u64) -> Option<u64> {
        let State::Looks { since, .. } = self.workers[number].state else { return None };
        if !self.may_rob(number, victim) {
            return None;
        }
        let round = self.round(number);
        let place = if self.robs_one(number) { 0 } else { self.workers[number].places[victim] };
        let first = since + (place + 1) * self.prices.look;
        if !self.rule.is_ours() {
            // Each round begins at a victim that chance picks.
            return Some(from.max(since) + self.dice.below(round));
        }
        let at = first + from.saturating_sub(first).div_ceil(round) * round;
        let may_stay = self.rule.stays > 0 && self.stays_home(number, victim);
        Some(if may_stay { at.max(since + self.rule.stays) } else { at })
    }

    /// Reckons who of those that look comes first to the oldest half that a thread has on offer.
    pub(super) fn announce(&mut self, victim: usize, now: u64) {
        let Some(&job) = self.workers[victim].ring.front() else { return };
        let from = now.max(self.jobs[job].offered);
        if !self.rule.is_ours() {
            // The first of so many that come at random, without asking each.
            let lookers = self.lookers.len() as u64;
            let first = self.dice.below(lookers) as usize;
            let Some(&thief) = self.lookers.iter().nth(first) else { return };
            let round = self.round(thief);
            let visible = from + self.line(victim, thief);
            let at = visible + self.dice.below(2 * round / (lookers + 1));
            self.add(at, thief, Event::Visits(victim, false));
            return;
        }
        let mut next = None;
        let lookers: Vec<usize> = self.lookers.iter().copied().collect();
        for thief in lookers {
            let visible = from + self.line(victim, thief);
            let at = self.reckon(thief, victim, visible).map(|at| (at, thief));
            next = [next, at].into_iter().flatten().min();
        }
        if let Some((at, thief)) = next {
            self.add(at, thief, Event::Visits(victim, false));
        }
    }

    /// A thread comes to a victim and takes the oldest half, if it is still there.
    pub(super) fn visit(
        &mut self,
        number: usize,
        victim: usize,
        goes_on: bool,
        now: u64,
    ) -> Option<u64> {
        let State::Looks { since, .. } = self.workers[number].state else { return None };
        if !self.may_rob(number, victim) {
            if !goes_on {
                self.announce(victim, now + 1);
            }
            return None;
        }
        if now < since + self.rule.stays && self.stays_home(number, victim) {
            self.add(since + self.rule.stays, number, Event::Visits(victim, goes_on));
            return None;
        }
        let offered = |job: &usize| self.jobs[*job].offered <= now;
        let Some(&job) = self.workers[victim].ring.front().filter(|job| offered(job)) else {
            if goes_on {
                self.plan_next(number, now + 1);
            } else {
                // Another half may lie there by now that nobody is on the way to.
                self.announce(victim, now + 1);
            }
            return None;
        };
        self.workers[victim].ring.pop_front();
        let others = self.hungry(now).filter(|&other| other != number).count() as u64;
        self.set(number, State::Busy, now);
        self.announce(victim, now);
        self.jobs[job].thief = Some(number);
        self.outcome.steals += 1;
        self.outcome.far += usize::from(self.are_far(number, victim));
        // The exchange, and the job's own line.
        let mut now = now + 2 * self.line(victim, number) + self.prices.herd * others;
        let more = self.workers.iter().any(|worker| !worker.ring.is_empty());
        // Whoever finds work in rayon wakes two others, whether there is more or not.
        let wakes = if self.rule.is_ours() { usize::from(more) } else { 2 };
        for _ in 0..wakes.min(self.sleepers) {
            now = self.rouse(number, now);
        }
        self.begin(number, Frame::Stolen(job), now);
        self.workers[number].frames.push(Frame::Part(self.jobs[job].part, true));
        self.go(number, now)
    }

    /// Whether a victim is in another node, while somebody in this thread's own has work.
    fn stays_home(&self, number: usize, victim: usize) -> bool {
        let works =
            |other: usize| self.workers[other].state == State::Busy && !self.are_far(number, other);
        !self.robs_one(number) && self.are_far(number, victim) && (0..self.width()).any(works)
    }

    /// Who says that it looks for work, by number.
    fn hungry(&self, now: u64) -> impl Iterator<Item = usize> {
        let says_so = move |&number: &usize| matches!(self.workers[number].state, State::Looks { says_so, .. } if says_so <= now);
        self.lookers.iter().copied().filter(says_so)
    }

    /// Whether somebody would take half of a part now; and the time after the look.
    pub(super) fn wants(&mut self, number: usize, part: &Part, now: u64) -> (bool, u64) {
        let offered = self.workers[number].ring.len();
        let least = match self.rule.offers {
            Offers::Many(least) => least,
            _ if offered > 0 => return (false, now),
            _ => 0,
        };
        if offered < least && self.sleepers == 0 && part.rest() >= SPARE {
            return (true, now);
        }
        if part.rest() >= LONG {
            if let Some(caller) = self.workers[number].caller.take() {
                return (true, self.wake(caller, now));
            }
        }
        // Stops at the flag that decides.
        let last = self.hungry(now).take(offered + 1).enumerate().last();
        if let Some((_, last)) = last.filter(|(count, _)| *count == offered) {
            return (true, now + self.prices.flag * last as u64 + self.line(last, number));
        }
        let now = now + self.prices.flag * self.width() as u64;
        if offered == 0 && self.sleepers > 0 && part.rest() >= LONG {
            return (true, self.rouse(number, now));
        }
        (false, now)
    }

    /// Puts a half on offer; wakes somebody if that is worth it. The time afterwards.
    pub(super) fn offer(&mut self, number: usize, job: usize, mut now: u64) -> u64 {
        let before = self.workers[number].ring.len();
        self.workers[number].ring.push_back(job);
        self.announce(number, now);
        if !self.rule.is_ours() {
            if self.sleepers > 0 && (before > 0 || self.lookers.is_empty()) {
                now = self.rouse(number, now);
            }
            return now;
        }
        if self.sleepers == 0 && self.workers[number].caller.is_none() {
            return now;
        }
        let long = self.workers[number].timed.is_some_and(|(_, since)| now - since >= WORTH);
        let begun = now;
        if long || self.near.is_none_or(|near| near >= WORTH) {
            now = match self.workers[number].caller.take() {
                Some(caller) => self.wake(caller, now),
                None => self.rouse(number, now),
            };
        }
        if self.workers[number].timed.is_none() || self.near.is_none() {
            self.workers[number].timed = Some((job, begun));
        }
        now
    }

    /// The gate learns how long a near half took.
    pub(super) fn learn(&mut self, took: u64, stolen: bool) {
        let took = if stolen { took.max(WORTH * 2) } else { took };
        self.near = Some(took.max(self.near.map_or(0, |near| near - near / 8)));
    }

    /// Wakes the sleeper that is nearest to this thread, if there is one.
    fn rouse(&mut self, number: usize, now: u64) -> u64 {
        let asleep = |worker: &usize| self.workers[*worker].state == State::Sleeps;
        let Some(sleeper) = self.layout.wakes(number).find(asleep) else { return now };
        self.sleepers -= 1;
        self.wake(sleeper, now)
    }

    /// Wakes a thread that sleeps or is parked; the time afterwards.
    fn wake(&mut self, number: usize, now: u64) -> u64 {
        if matches!(self.workers[number].state, State::Sleeps | State::Parks) {
            self.outcome.wakes += 1;
            self.set(number, State::Wakes, now);
            let late = self.dice.between(self.prices.wake);
            self.add(now + late, number, Event::Woken);
        }
        now + self.prices.wake_call
    }

    /// A thread is awake.
    pub(super) fn get_up(&mut self, number: usize, now: u64) -> Option<u64> {
        let callers = self.workers.iter_mut().map(|worker| &mut worker.caller);
        callers.filter(|caller| **caller == Some(number)).for_each(|caller| *caller = None);
        if self.waits_for(number).is_some_and(|job| self.jobs[job].done.is_some()) {
            self.set(number, State::Busy, now);
            return self.go(number, now);
        }
        self.look(number, now);
        None
    }

    /// A thread has looked long enough.
    pub(super) fn give_up(&mut self, number: usize, now: u64) -> Option<u64> {
        let in_sight = |victim: usize| !self.workers[victim].ring.is_empty();
        let Some(job) = self.waits_for(number) else {
            self.lie_down(number, now);
            return None;
        };
        if self.jobs[job].done.is_some() {
            // It was about to see that.
            self.set(number, State::Busy, now);
            return self.go(number, now);
        }
        if !self.rule.is_ours() {
            // Rayon's waiters take anything, so they sleep as the others do, and are woken as they are.
            self.lie_down(number, now);
            return None;
        }
        let thief = self.jobs[job].thief;
        if thief.is_some_and(in_sight) {
            self.look(number, now);
            return None;
        }
        if let Some(thief) = thief {
            self.workers[thief].caller = Some(number);
        }
        self.set(number, State::Parks, now);
        None
    }

    /// A thread sleeps, unless something is in sight.
    fn lie_down(&mut self, number: usize, now: u64) {
        if self.workers.iter().any(|worker| !worker.ring.is_empty()) {
            self.look(number, now);
        } else {
            self.set(number, State::Sleeps, now);
            self.sleepers += 1;
        }
    }

    /// Tells the owner of a half that it is done; the time afterwards, for who did it.
    pub(super) fn tell(&mut self, job: usize, number: usize, now: u64) -> u64 {
        let owner = self.jobs[job].owner;
        if self.waits_for(owner) != Some(job) {
            return now;
        }
        match self.workers[owner].state {
            State::Looks { .. } => {
                // The latch, and the result.
                let seen = now + 2 * self.line(number, owner);
                self.add(seen, owner, Event::Resumes);
                now
            }
            State::Parks => self.wake(owner, now),
            State::Sleeps => {
                self.sleepers -= 1;
                self.wake(owner, now)
            }
            State::Busy | State::Wakes => now,
        }
    }
}
