//! Scopes. In come tasks that borrow from outside the scope, out goes the scope's result once the
//! last of them has ended.
//!
//! - U6: A task's closure lives at most as long as `'scope`: `run` neither returns nor unwinds
//!   before every task that was pushed has ended, each having consumed its closure.
#![allow(unsafe_code)]

use std::{
    fmt,
    marker::PhantomData,
    mem,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

use spanwise_backend::discard;

use crate::{
    crew::Crew,
    job::Outcome,
    member::Member,
    sync::{Arc, Mutex, PoisonError},
    tasks::{Task, Tasks},
};

/// Where tasks are spawned; [`DequePool::scope`](crate::DequePool::scope) makes one.
pub struct Scope<'scope, 'env: 'scope> {
    crew: &'scope Crew,
    tasks: Arc<Tasks>,
    // Both invariant: a task can be given nothing that ends before the scope does.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

impl<'scope, 'env> Scope<'scope, 'env> {
    /// Lets `task` run on some thread of the pool before the scope ends.
    ///
    /// The task may borrow whatever outlives the scope, and may spawn more. It never runs inside
    /// this call, nor while anything but the scope's own end waits.
    ///
    /// # Cost
    ///
    /// An allocation and a lock, some 50 ns. Use [`join`](crate::DequePool::join) for small halves.
    pub fn spawn<F>(&'scope self, task: F)
    where
        F: FnOnce(&'scope Self) + Send + 'scope,
    {
        let site = run_task::<'scope, 'env, F> as *const () as usize;
        let task = self.task(site, move || run_task(task, self));
        self.crew.wake(self.tasks.push(task));
        self.crew.offer(site, self.tasks.backlog());
    }

    fn task(&self, site: usize, run: impl FnOnce() + Send + 'scope) -> Task {
        let run: Box<dyn FnOnce() + Send + 'scope> = Box::new(run);
        // SAFETY: U6: `run` of this module waits for it.
        let run = unsafe {
            mem::transmute::<Box<dyn FnOnce() + Send + 'scope>, Box<dyn FnOnce() + Send + 'static>>(
                run,
            )
        };
        Task { site, run }
    }

    /// Runs `share(0)` here and `share(i)` on worker `i`, which must not unwind. If `member` is
    /// inside of a job, it runs what nobody has begun by then as well.
    fn deal(
        &'scope self,
        member: &Member<'_>,
        outside: bool,
        share: &'scope (impl Fn(usize) + Sync),
    ) {
        let width = 1 + self.crew.seats.workers().len();
        if self.crew.is_forked() {
            return (0..width).for_each(share);
        }
        let task = |number| (number > 0).then(|| self.task(0, move || share(number)));
        self.crew.rounds.add(Arc::clone(&self.tasks), (0..width).map(task).collect());
        self.crew.rouse_all();
        let may_wait = outside && !member.is_in_job();
        member.as_job(|| share(0));
        // In a child that `share` forked, a thread that is not there may hold the lock.
        if may_wait || self.crew.is_forked() {
            return;
        }
        while let Some(task) = self.crew.rounds.take_back(&self.tasks, |_| true) {
            self.crew.wake(self.tasks.run(task));
        }
    }
}

/// One function for each type of task, whose address names the site.
fn run_task<'scope, 'env, F>(task: F, scope: &'scope Scope<'scope, 'env>)
where
    F: FnOnce(&'scope Scope<'scope, 'env>),
{
    task(scope);
}

/// Runs `op` and all that it spawns.
pub(crate) fn run<'env, F, R>(member: &Member<'_>, op: F) -> R
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> R,
{
    let tasks = Arc::new(Tasks::new());
    // In a forked child nobody would come, and the board's lock may be held for ever.
    let hung = (!member.crew.is_forked()).then(|| member.crew.board.hang(Arc::clone(&tasks)));
    let scope = Scope {
        crew: member.crew,
        tasks: Arc::clone(&tasks),
        scope: PhantomData,
        env: PhantomData,
    };
    let result = catch_unwind(AssertUnwindSafe(|| op(&scope)));
    let ended = member.finish(&tasks);
    if hung.is_some() && ended {
        member.crew.board.take_down(&tasks);
    }
    match (result, tasks.panic()) {
        (Err(payload), late) => {
            // Its destructor must not hide the first one.
            discard(late);
            resume_unwind(payload)
        }
        (Ok(_), Some(payload)) => resume_unwind(payload),
        (Ok(_), None) if !ended => {
            panic!("this process was forked inside a scope: threads with its tasks are not here")
        }
        (Ok(result), None) => result,
    }
}

/// Runs `op` once for each number below the width, each on its thread where that can be waited for.
/// From `outside` of all calls of this pool it may wait for threads that are busy.
pub(crate) fn broadcast<R: Send>(
    member: &Member<'_>,
    outside: bool,
    op: impl Fn(usize) -> R + Sync,
) -> Vec<R> {
    let width = 1 + member.crew.seats.workers().len();
    let slots: Vec<Mutex<Option<Outcome<R>>>> = (0..width).map(|_| Mutex::new(None)).collect();
    let share = |number: usize| {
        let result = catch_unwind(AssertUnwindSafe(|| op(number)));
        *slots[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    };
    run(member, |scope| scope.deal(member, outside, &share));
    let all = slots.into_iter().map(|slot| {
        let result = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        result.expect("a scope ends when all its shares have")
    });
    let mut first = None;
    let mut results = Vec::with_capacity(width);
    for result in all {
        match result {
            Ok(result) => results.push(result),
            Err(payload) if first.is_none() => first = Some(payload),
            // Its destructor must not hide the first one.
            Err(payload) => discard(payload),
        }
    }
    match first {
        None => results,
        Some(payload) => {
            discard(results);
            resume_unwind(payload)
        }
    }
}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").field("backlog", &self.tasks.backlog()).finish_non_exhaustive()
    }
}
