//! What a thread does with a seat. In come jobs from its own halves and from those it robs, out
//! go their results; `join` pushes and takes back, members' threads call `work`.
//!
//! A thread robs another only when its own ring is empty: a thread without work robs anyone, a
//! join that waits robs only the thread that runs its far half. So while that half is not done,
//! all that lies in that thread's ring descends from it. U1 of `job` is all that is unsafe here.
#![allow(unsafe_code)]

use std::{cell::Cell, ptr::NonNull, time::Duration};

use crate::{
    clock::{Moment, Patience, stay_away},
    crew::{Crew, Hunger},
    gate::WORTH,
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
pub(crate) struct Member<'c> {
    pub(crate) crew: &'c Crew,
    number: usize,
    seat: &'c Seat,
    owner: Owner<&'c Ring<Job>>,
    timed: Cell<Option<Timed>>,
    tact: Tact,
    /// Whether this thread is inside of a job that others may wait for.
    in_job: Cell<bool>,
}

impl<'c> Member<'c> {
    /// Takes a seat that nobody else holds.
    pub(crate) fn new(crew: &'c Crew, number: usize, seat: &'c Seat) -> Self {
        let owner = Owner::new(&seat.ring);
        let in_job = Cell::new(crew.seats.is_workers(number));
        Self { crew, number, seat, owner, timed: Cell::new(None), tact: Tact::default(), in_job }
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
        if visible < SHOWN.0 {
            self.show(SHOWN.1 - visible, at, site);
        }
        at
    }

    #[inline(never)]
    fn show(&self, count: usize, at: usize, site: usize) {
        self.owner.publish(count);
        if self.crew.sleepers.any() {
            self.consider_waking(at, site);
        }
    }

    #[cold]
    fn consider_waking(&self, at: usize, site: usize) {
        let gate = &self.crew.gate;
        let since = Moment::now();
        // A guess that an outer half has proved wrong by now counts for nothing.
        let long = self.timed.get().is_some_and(|timed| timed.since.until(since) >= WORTH);
        if (long || gate.is_worth(site, 1)) && !self.crew.is_forked() {
            self.crew.rouse_one();
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
        let taken = self.owner.take_back(at);
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
        if self.owner.visible() > 0 {
            return false;
        }
        let hidden = self.owner.len();
        if hidden > 0 {
            self.owner.publish(hidden.min(SHOWN.1));
            return false;
        }
        self.crew.wants(rest, age)
    }

    /// Waits for a job of this thread that was stolen, meanwhile robbing its thief of descendants
    /// if `help`. `false` if this is a forked child, in which the thief does not exist.
    #[cold]
    pub(crate) fn wait(&self, job: &Job, help: bool) -> bool {
        let done = || job.latch.is_done();
        stay_away(WATCH, done);
        let mut patience = Patience::new(self.crew.spin, self.crew.crowded);
        let mut hunger = self.crew.hunger();
        while !done() {
            if help && self.help(job, &mut hunger) {
                stay_away(self.tact.pause(), done);
                patience.renew();
            } else if patience.wait() {
                hunger.show();
            } else {
                if self.crew.is_forked() {
                    return false;
                }
                hunger.hide();
                if job.latch.call_me(self.number) {
                    self.seat.bed.parker.park();
                }
            }
        }
        true
    }

    /// Runs one descendant of `job`, which a thief has.
    fn help(&self, job: &Job, hunger: &mut Hunger<'_>) -> bool {
        let Some(thief) = job.thief() else { return false };
        let ring = &self.crew.seats.get(thief).ring;
        if !self.tact.may_take(thief, ring) {
            return self.tact.took_nothing();
        }
        // The order matters: seen in the ring, then not done, then taken.
        self.run(ring.steal_if(|| !job.latch.is_done()), hunger)
    }

    /// Takes jobs from anyone until the pool closes.
    pub(crate) fn work(&self) {
        let crew = self.crew;
        let mut patience = Patience::new(crew.spin, crew.crowded);
        let mut hunger = crew.hunger();
        while !crew.is_closing() {
            if let Some((tasks, share)) = crew.rounds.take(self.number) {
                hunger.hide();
                crew.wake(tasks.run(share));
                patience.renew();
            } else if self.rob_anyone(&mut hunger) {
                stay_away(self.tact.pause(), || false);
                patience.renew();
            } else if let Some(tasks) = crew.board.find() {
                hunger.hide();
                crew.rouse_next();
                while self.run_task(&tasks) {}
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

    /// Ends a scope: runs its tasks and waits for those that others run. `false` if this is a
    /// forked child, in which the others do not exist.
    pub(crate) fn finish(&self, tasks: &Arc<Tasks>) -> bool {
        let mut patience = Patience::new(self.crew.spin, self.crew.crowded);
        while !tasks.are_done() {
            if self.run_task(tasks) {
                patience.renew();
            } else if !patience.wait() {
                if self.crew.is_forked() {
                    return false;
                }
                if tasks.call_me(self.number) && !self.crew.has_orphan() {
                    self.seat.bed.parker.park();
                }
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

    fn rob_anyone(&self, hunger: &mut Hunger<'_>) -> bool {
        let seats = &self.crew.seats;
        let layout = &self.crew.layout;
        let near = layout.victims(self.number).map(|number| (number, seats.get(number)));
        // The other guests may be anywhere.
        let mut victims = near.chain(seats.iter().skip(layout.width()));
        let robbed = victims.any(|(number, victim)| {
            self.tact.may_take(number, &victim.ring) && self.run(victim.ring.steal(), hunger)
        });
        robbed || self.tact.took_nothing()
    }

    /// Runs what was stolen and remembers how it went; `false` if there was nothing.
    fn run(&self, loot: Steal<*mut Job>, hunger: &mut Hunger<'_>) -> bool {
        match loot {
            Steal::Empty => return false,
            Steal::Retry => self.tact.beaten(),
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
