//! What a thread does with a seat. In come jobs from its own halves and from those it robs, out
//! go their results; `join` pushes and takes back, members' threads call `work`.
//!
//! A thread robs another only when it offers nothing itself: a thread without work robs anyone, a
//! join that waits robs only the thread that runs its far half, the end of a scope only threads
//! that run its tasks. So while that half is not done, all that its thread offers descends from
//! it. The first job goes into the mailbox, those pushed meanwhile into the ring. U1 of `job` is all that is unsafe here.
#![allow(unsafe_code)]

use std::{
    cell::Cell,
    ptr::{self, NonNull},
    time::Duration,
};

use crate::{
    clock::{Moment, Patience, stay_away},
    crew::{Crew, Hunger},
    gate::{LONG, WORTH},
    job::{Job, run_stolen},
    ring::{Owner, Ring, Steal},
    seats::Seat,
    sync::Arc,
    tact::Tact,
    tasks::Tasks,
};

/// An owner with fewer jobs in thieves' sight shows hidden ones, up to the larger number. A hidden
/// job costs no fence; an owner that does not look up from a long half can be robbed of the rest.
const SHOWN: (usize, usize) = (3, 8);
/// How long a waiting join watches its latch alone.
const WATCH: Duration = Duration::from_nanos(500);

/// A near half that is being timed because nobody was awake to take the far one.
#[derive(Clone, Copy, Debug)]
struct Timed {
    at: usize,
    site: usize,
    since: Moment,
}

/// A thread's hold on its seat.
/// Aligned, so that it shares no line with a job in the next frame, which a thief writes to.
#[repr(align(128))]
pub(crate) struct Member<'c> {
    pub(crate) crew: &'c Crew,
    number: usize,
    seat: &'c Seat,
    owner: Owner<&'c Ring<Job>>,
    timed: Cell<Option<Timed>>,
    /// The next job that is shown was asked for.
    asked: Cell<bool>,
    tact: Tact,
    /// Whether this thread is inside of a job that others may wait for.
    in_job: Cell<bool>,
}

impl<'c> Member<'c> {
    /// Takes a seat that nobody else holds.
    pub(crate) fn new(crew: &'c Crew, number: usize, seat: &'c Seat) -> Self {
        let owner = Owner::new(&seat.ring);
        let in_job = Cell::new(crew.seats.is_workers(number));
        let (timed, asked, tact) = (Cell::new(None), Cell::new(false), Tact::default());
        Self { crew, number, seat, owner, timed, asked, tact, in_job }
    }

    /// Offers a job of this site to thieves and says where it lies.
    ///
    /// # Safety
    ///
    /// U1: `job` came from `StackJob::pointer`, and its frame stays until `take_back` said `true`
    /// or `wait` returned.
    #[inline(always)]
    pub(crate) unsafe fn push(&self, job: *mut Job, site: usize) -> usize {
        let at = self.owner.push(job);
        let visible = self.owner.visible();
        if visible < SHOWN.0 { self.show(SHOWN.1 - visible, at, job, site) } else { at }
    }

    /// Lets thieves see the job that was pushed at `at`, and says where it lies now.
    #[inline(never)]
    fn show(&self, count: usize, at: usize, job: *mut Job, site: usize) -> usize {
        let first = self.owner.is_next(at) && count == SHOWN.1;
        let asked = self.asked.replace(false);
        let at = if first && self.seat.mailbox.post(job, asked) {
            self.owner.take_hidden(at);
            // A place that was empty when this began, and so one that the ring calls stolen.
            at.wrapping_sub(1)
        } else {
            self.owner.publish(count);
            at
        };
        // Both, for the fence is in `any`.
        if self.crew.sleepers.any() || self.seat.caller.is_there() {
            self.consider_waking(at, site);
        }
        at
    }

    #[cold]
    fn consider_waking(&self, at: usize, site: usize) {
        let gate = &self.crew.gate;
        let since = Moment::now();
        // A guess that an outer half has proved wrong by now counts for nothing.
        let long = self.timed.get().is_some_and(|timed| timed.since.until(since) >= WORTH);
        if (long || gate.is_worth(site, 1)) && !self.crew.is_forked() {
            match self.seat.caller.take() {
                // Its cache is warm and it robs nobody else, so it comes first.
                Some(caller) => self.crew.wake(Some(caller)),
                None => {
                    self.crew.rouse_one();
                }
            }
        }
        // Only a job in sight ends up in `take_back_shown`, where the time is taken.
        let free = self.timed.get().is_none() || !gate.knows(site);
        if free && !self.owner.is_hidden(at) {
            self.timed.set(Some(Timed { at, site, since }));
        }
    }

    /// Takes the job at `at` back, newer ones being gone; `false` if it was stolen.
    #[inline]
    pub(crate) fn take_back(&self, at: usize) -> bool {
        self.owner.take_hidden(at) || self.take_back_shown(at)
    }

    #[inline(never)]
    fn take_back_shown(&self, at: usize) -> bool {
        let timed = self.timed.get().filter(|timed| timed.at == at);
        let now = timed.map(|_| Moment::now());
        // The mailbox comes last: while the ring has this job, an outer one may lie there; once the
        // ring has lost it, what lies there is this job, for thieves empty the mailbox first.
        let taken = self.owner.take_back(at) || self.seat.mailbox.take_back();
        if let (Some(Timed { site, since, .. }), Some(now)) = (timed, now) {
            self.timed.set(None);
            self.crew.gate.learn(site, since.until(now), !taken, self.crew.born.until(now));
        }
        taken
    }

    /// Whether a thread would take a half of a call of this thread now. Not while one that nobody has
    /// taken yet lies in sight.
    #[inline]
    pub(crate) fn wants(&self, rest: Duration, age: Duration) -> bool {
        if self.seat.oldest().is_some() {
            return false;
        }
        let hidden = self.owner.len();
        if hidden > 0 {
            self.owner.publish(hidden.min(SHOWN.1));
            return false;
        }
        let wanted = if rest >= LONG && self.seat.caller.is_there() {
            self.crew.wake(self.seat.caller.take());
            true
        } else {
            self.crew.wants(rest, age)
        };
        self.ask(wanted);
        wanted
    }

    /// Says whether somebody asked for the next job that this thread offers.
    pub(crate) fn ask(&self, asked: bool) {
        self.asked.set(asked);
    }

    /// Waits for a job of this thread that was stolen, meanwhile robbing its thief of descendants
    /// if `help`. `false` if this is a forked child, in which the thief does not exist.
    #[cold]
    pub(crate) fn wait(&self, job: &Job, help: bool) -> bool {
        let done = || job.latch.is_done();
        stay_away(WATCH, done);
        let mut patience = Patience::new(self.crew.spin, self.crew.crowded);
        let hunger = Hunger(&self.seat.hungry);
        while !done() {
            if help && self.help(job, &hunger) {
                if !self.tact.pause().is_zero() {
                    hunger.show();
                }
                stay_away(self.tact.pause(), done);
                patience.renew();
            } else if patience.wait() {
                hunger.show();
            } else {
                if self.crew.is_forked() {
                    return false;
                }
                hunger.hide();
                let thief = job.thief().filter(|_| help).map(|thief| self.crew.seats.get(thief));
                if thief.is_some_and(|thief| self.is_offered(thief)) {
                    continue;
                }
                if job.latch.call_me(self.number) {
                    self.seat.bed.parker.park();
                }
                thief.inspect(|thief| thief.caller.forget(self.number));
                patience.renew();
            }
        }
        true
    }

    /// Asks to be called when `thief` offers something; `true` if it does so already.
    fn is_offered(&self, thief: &Seat) -> bool {
        thief.caller.call_me(self.number);
        let offered = thief.oldest().is_some();
        if offered {
            thief.caller.forget(self.number);
        }
        offered
    }

    /// Runs one descendant of `job`, which a thief has.
    fn help(&self, job: &Job, hunger: &Hunger<'_>) -> bool {
        let Some(thief) = job.thief() else { return false };
        self.rob(thief, || !job.latch.is_done(), hunger)
    }

    /// Runs one descendant of what thread `thief` runs `still`.
    fn rob(&self, thief: usize, still: impl Fn() -> bool, hunger: &Hunger<'_>) -> bool {
        let seat = self.crew.seats.get(thief);
        if !self.tact.may_take(thief, seat) {
            return self.tact.took_nothing();
        }
        // The order matters: seen there, then not done, then taken.
        self.run(seat, still, hunger)
    }

    /// Takes jobs from anyone until the pool closes.
    pub(crate) fn work(&self) {
        let crew = self.crew;
        let mut patience = Patience::new(crew.spin, crew.crowded);
        let hunger = Hunger(&self.seat.hungry);
        while !crew.is_closing() {
            if let Some((tasks, share)) = crew.rounds.take(self.number) {
                hunger.hide();
                crew.wake(tasks.run(share));
                patience.renew();
            } else if self.rob_anyone(&hunger) {
                if !self.tact.pause().is_zero() {
                    hunger.show();
                }
                stay_away(self.tact.pause(), || false);
                patience.renew();
            } else if let Some(tasks) = crew.board.find() {
                hunger.hide();
                crew.rouse_next();
                self.seat.serve(address(&tasks));
                while self.run_task(&tasks) {}
                self.seat.serve(0);
                patience.renew();
            } else if patience.wait() {
                hunger.show();
            } else {
                hunger.hide();
                let awaited = || crew.rounds.has(|number| number == self.number);
                let any = || crew.is_closing() || crew.has_work() || awaited();
                crew.sleepers.sleep(&self.seat.bed, any);
                patience.renew();
            }
        }
    }

    /// Runs one task that nobody has begun; `false` if there was none.
    fn run_task(&self, tasks: &Arc<Tasks>) -> bool {
        let task = tasks.take().or_else(|| self.crew.take_orphan(tasks));
        let Some(task) = task else { return false };
        let (site, since) = (task.site, Moment::now());
        self.crew.wake(self.as_job(|| tasks.run(task)));
        let now = Moment::now();
        self.crew.gate.learn(site, since.until(now), false, self.crew.born.until(now));
        true
    }

    /// Ends a scope: runs its tasks and parts of those that others run, and waits for these. `false`
    /// if this is a forked child, in which the others do not exist.
    pub(crate) fn finish(&self, tasks: &Arc<Tasks>) -> bool {
        let mut patience = Patience::new(self.crew.spin, self.crew.crowded);
        let hunger = Hunger(&self.seat.hungry);
        // Who robs offers nothing himself; see above.
        let help = self.owner.len() == 0 && self.seat.mailbox.full().is_none();
        let servants = || {
            let workers = self.crew.seats.workers().iter().enumerate().filter(|_| help);
            workers.filter(|(_, seat)| seat.serves(address(tasks)))
        };
        while !tasks.are_done() {
            if self.run_task(tasks) {
                patience.renew();
            } else if servants()
                .any(|(index, seat)| self.rob(index + 1, || seat.serves(address(tasks)), &hunger))
            {
                stay_away(self.tact.pause(), || tasks.are_done());
                patience.renew();
            } else if patience.wait() {
                hunger.show();
            } else {
                hunger.hide();
                if self.crew.is_forked() {
                    return false;
                }
                let offered = servants().any(|(_, seat)| self.is_offered(seat));
                if !offered && tasks.call_me(self.number) && !self.crew.has_orphan() {
                    self.seat.bed.parker.park();
                    patience.renew();
                }
                servants().for_each(|(_, seat)| seat.caller.forget(self.number));
            }
        }
        true
    }

    /// Whether others may wait for what this thread does: a job that it took, a task, a share. Then
    /// it must not wait for threads that are busy, since they may be the ones.
    pub(crate) fn is_in_job(&self) -> bool {
        self.in_job.get()
    }

    /// Runs `f`, which does not unwind, as a job that others may wait for.
    pub(crate) fn as_job<R>(&self, f: impl FnOnce() -> R) -> R {
        let before = self.in_job.replace(true);
        let result = f();
        self.in_job.set(before);
        result
    }

    fn rob_anyone(&self, hunger: &Hunger<'_>) -> bool {
        let seats = &self.crew.seats;
        let layout = &self.crew.layout;
        let near = layout.victims(self.number).map(|number| (number, seats.get(number)));
        // The other guests may be anywhere.
        let mut victims = near.chain(seats.iter().skip(layout.width()));
        let robbed = victims.any(|(number, victim)| {
            self.tact.may_take(number, victim) && self.run(victim, || true, hunger)
        });
        robbed || self.tact.took_nothing()
    }

    /// Steals the oldest job there `still` and runs it, and remembers how it went; `false` if there was
    /// none.
    fn run(&self, victim: &Seat, still: impl Fn() -> bool, hunger: &Hunger<'_>) -> bool {
        let asked = victim.is_asked_for();
        match victim.steal_if(still) {
            Steal::Empty => return false,
            Steal::Retry if asked => {}
            Steal::Retry => self.tact.beaten(),
            Steal::Success(job) if asked => {
                hunger.hide();
                self.crew.rouse_next();
                self.run_stolen(job);
                self.tact.took_what_was_asked_for();
            }
            Steal::Success(job) => {
                hunger.hide();
                self.crew.rouse_next();
                let since = Moment::now();
                self.run_stolen(job);
                self.tact.took(since.elapsed());
            }
        }
        true
    }

    fn run_stolen(&self, job: *mut Job) {
        let job = NonNull::new(job).expect("only pointers to jobs are pushed");
        // SAFETY: U1: `push` asked for it, and the ring gave this pointer to us alone.
        let waiter = self.as_job(|| unsafe { run_stolen(job, self.number) });
        self.crew.wake(waiter);
    }
}

/// What a scope is known by while it is open.
fn address(tasks: &Tasks) -> usize {
    ptr::from_ref(tasks).addr()
}
