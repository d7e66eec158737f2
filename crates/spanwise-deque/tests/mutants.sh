#!/usr/bin/env bash
# Mutants of the pool, for its models under loom and under shuttle; docs/protocol.md has those that no
# model can catch. Run from anywhere; words choose mutants.
set -uo pipefail
crate=$(cd "$(dirname "$0")/.." && pwd)
needs='crossbeam-utils = "0.8"
spanwise-topology = { path = "'$crate'/../spanwise-topology" }'
source "$crate/../../proptests/mutants.sh"

# loom takes SeqCst accesses for weaker ones; `load_after` puts a fence there, see `sync`.
mutant ring.rs steal_if 'load_after(&self.shown.bottom)' 'self.shown.bottom.load(Ordering::Acquire)' \
    deque::two_pops_one_thief
mutant ring.rs take_back 'load_after(&self.ring.top)' 'self.ring.top.load(Ordering::Acquire)' \
    deque::two_pops_one_thief
mutant ring.rs show 'Ordering::Release' 'Ordering::Relaxed' deque::two_pops_one_thief
mutant sync.rs load_after 'load(super::Ordering::Acquire)' 'load(super::Ordering::Relaxed)' deque::two_pops_one_thief
mutant ring.rs steal_if 'level.load(Ordering::Acquire)' 'level.load(Ordering::Relaxed)' deque::growth_beside_a_thief
mutant ring.rs grow 'store(new, Ordering::Release)' 'store(new, Ordering::Relaxed)' deque::growth_beside_a_thief
mutant ring.rs make_room 'self.grow(top, end);' "$nothing" deque::growth_beside_a_thief
mutant ring.rs take_last 'self.ring.top.compare_exchange(at, next, Ordering::SeqCst, Ordering::Relaxed).is_ok()' \
    '{ self.ring.top.store(next, Ordering::SeqCst); true }' deque::last_item_two_thieves
mutant ring.rs take_back 'let won = top == at && self.take_last(at);' 'let won = top == at;' deque::two_pops_one_thief
mutant ring.rs steal_if 'let top =' 'let done = !still(); let still = || !done; let top =' \
    descent::leapfrogging_looks_again_before_it_takes
mutant latch.rs set 'Ordering::Release' 'Ordering::Relaxed' waiting::latch_brings_the_result_and_wakes
mutant latch.rs is_done 'Ordering::Acquire' 'Ordering::Relaxed' waiting::latch_brings_the_result_and_wakes
mutant latch.rs set 'before >= WAITER' 'before > WAITER + 7' waiting::latch_brings_the_result_and_wakes
mutant job.rs run_stolen 'header.latch.set()' '{ header.latch.set(); None }' whole::join_one
mutant job.rs run_stolen 'thief.store(thief + 1, Ordering::Release)' 'thief.store(thief + 1, Ordering::Relaxed)' \
    descent::the_thiefs_number_leads_to_descendants
mutant job.rs thief 'Ordering::Acquire' 'Ordering::Relaxed' descent::the_thiefs_number_leads_to_descendants
mutant job.rs run_stolen 'thief.store(thief + 1' 'thief.store(thief.max(1)' \
    descent::the_thiefs_number_leads_to_descendants
mutant sleep.rs any 'fence(Ordering::SeqCst);' "$nothing" waiting::sleep_loses_no_wake
mutant sleep.rs sleep 'fence(Ordering::SeqCst);' "$nothing" waiting::sleep_loses_no_wake
mutant sleep.rs sleep 'work() && self.claim(bed)' 'false' waiting::sleep_loses_no_wake
mutant sleep.rs rouse 'bed.parker.wake()' 'drop(bed)' waiting::sleep_loses_no_wake
mutant sleep.rs sleep 'bed.parker.park();' 'bed.parker.park(); return;' waiting::sleep_loses_no_wake
mutant tasks.rs call_me 'fence(Ordering::SeqCst);' "$nothing" waiting::scope_ends_after_its_last_task
mutant tasks.rs call_waiter 'fence(Ordering::SeqCst);' "$nothing" waiting::scope_ends_after_its_last_task
mutant tasks.rs run 'Ordering::Release' 'Ordering::Relaxed' waiting::scope_ends_after_its_last_task
mutant tasks.rs are_done 'Ordering::Acquire' 'Ordering::Relaxed' waiting::scope_ends_after_its_last_task
mutant seats.rs leave 'Ordering::Release' 'Ordering::Relaxed' whole::seats_change_hands
mutant seats.rs take 'Ordering::Acquire' 'Ordering::Relaxed' whole::seats_change_hands
mutant join.rs give_up 'if member.take_back(at)' 'if member.take_back(at) || true' whole::join_panics_near
mutant join.rs join 'if member.take_back(at)' 'if member.take_back(at) || true' whole::join_one
mutant crew.rs rouse_all 'self.sleepers.rouse(iter::once(&seat.bed));' '' whole::a_share_finds_its_thread
mutant member.rs work 'crew.rounds.has(|number| number == self.number)' 'false' whole::a_share_finds_its_thread
mutant member.rs work 'crew.wake(tasks.run(share));' 'tasks.run(share);' whole::a_share_finds_its_thread
mutant crew.rs lose 'self.wake(Some(waiter))' 'drop(waiter)' whole::the_share_of_a_lost_thread_comes_back
mutant member.rs finish ' && !self.crew.has_orphan()' '' whole::the_share_of_a_lost_thread_comes_back
mutant crew.rs close 'seat.bed.parker.wake()' 'drop(seat)' whole::join_one
mutant mailbox.rs post 'store(turn.wrapping_add(1), Ordering::Release)' 'store(turn.wrapping_add(1), Ordering::Relaxed)' \
    handoff::mailbox_gives_each_item_once
mutant mailbox.rs take_if 'turn.load(Ordering::Acquire)' 'turn.load(Ordering::Relaxed)' \
    handoff::mailbox_gives_each_item_once
mutant mailbox.rs empty 'self.0.turn.compare_exchange(turn, next, Ordering::Release, Ordering::Relaxed).is_ok()' \
    '{ self.0.turn.store(next, Ordering::Release); true }' handoff::mailbox_gives_each_item_once
mutant mailbox.rs take_if 'let turn =' 'let done = !still(); let still = || !done; let turn =' \
    handoff::mailbox_leapfrogging_looks_again
mutant seats.rs steal_if 'self.mailbox.full().is_none() && still()' 'still()' handoff::seat_gives_the_mailbox_first
mutant seats.rs call_me 'fence(Ordering::SeqCst);' "$nothing" handoff::caller_is_called
mutant sleep.rs any 'fence(Ordering::SeqCst);' "$nothing" handoff::caller_is_called
mutant member.rs take_back_shown '|| self.seat.mailbox.take_back()' '|| true' whole::join_one
mutant sleep.rs sleep 'self.0.fetch_add' 'bed.asleep.store(true, Ordering::Release); self.0.fetch_add' \
    waiting::sleepers_are_counted_before_they_are_claimed
mutant seats.rs serves 'Ordering::Acquire) == scope' 'Ordering::Acquire) >= scope.min(0)' \
    descent::a_scope_robs_its_servants_of_its_own

# Whole calls. Under shuttle all orderings are strong, so these are about what is done, and when.
mutant sleep.rs sleep 'self.0.fetch_add' 'bed.asleep.store(true, Ordering::Release); self.0.fetch_add' \
    shuttle::broadcasts_reach_every_thread
mutant sleep.rs sleep 'work() && self.claim(bed)' 'false' shuttle::broadcasts_reach_every_thread
mutant crew.rs rouse_all 'for seat in self.seats.workers() {' 'for seat in self.seats.workers().iter().cycle() {' \
    shuttle::broadcasts_reach_every_thread
mutant crew.rs rouse_all 'self.sleepers.rouse(iter::once(&seat.bed));' '' shuttle::broadcasts_reach_every_thread
mutant scope.rs deal 'if may_wait ||' 'if true ||' shuttle::broadcasts_reach_every_thread
mutant rounds.rs take_where 'iter_mut().enumerate().find_map' 'iter_mut().enumerate().rev().find_map' \
    shuttle::broadcasts_come_in_one_order
mutant member.rs wait 'help && self.help(job, &hunger)' 'self.rob_anyone(&hunger)' shuttle::locks_across_calls
mutant member.rs finish 'filter(|_| help)' 'filter(|_| true)' shuttle::locks_across_scopes
mutant scope.rs run 'let ended = member.finish(&tasks);' 'let ended = true;' shuttle::scopes_end_after_their_tasks
mutant tasks.rs run 'last.then(|| self.call_waiter()).flatten()' '{ _ = last; None }' shuttle::scopes_end_after_their_tasks
mutant tasks.rs report 'first.replace(payload)' 'None' shuttle::a_scope_with_a_task_that_panics
mutant join.rs join 'if member.take_back(at)' 'if member.take_back(at) || true' shuttle::joins_nest
mutant join.rs give_up 'discard(unsafe { job.take() });' '_ = unsafe { std::mem::ManuallyDrop::new(job.take()) };' \
    shuttle::halves_that_panic
mutant pool.rs drop 'self.crew.close();' '' shuttle::pools_end
mutant pool.rs is_mine 'ptr::eq(member.crew, &*self.crew)' 'true' shuttle::pools_in_pools
mutant latch.rs set 'before >= WAITER' 'before > WAITER + 7' shuttle::callers_from_outside

finish
