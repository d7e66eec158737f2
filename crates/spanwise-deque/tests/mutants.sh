#!/usr/bin/env bash
# Shows that the loom models hold each ordering that matters: every mutant below must make its
# model fail. Run from anywhere; give words to run only the mutants whose line has one of them.
#
# A mutant is: file, function, what to replace (the first place after `fn FUNCTION`), what by, model.
set -uo pipefail

crate=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$work/target}
export RUSTFLAGS="--cfg spanwise_loom" LOOM_MAX_PREEMPTIONS=${LOOM_MAX_PREEMPTIONS:-2}
export RUST_BACKTRACE=0
ulimit -c 0

# The models need the sources alone, not the workspace.
mkdir -p "$work/tests" "$work/src"
cat >"$work/Cargo.toml" <<'TOML'
[package]
name = "mutant"
edition = "2024"
[workspace]
[lib]
path = "src/empty.rs"
[dependencies]
crossbeam-utils = "0.8"
loom = "0.7"
[lints.rust]
unexpected_cfgs = { level = "allow", check-cfg = ["cfg(spanwise_loom)"] }
TOML
touch "$work/src/empty.rs"
cp -r "$crate/tests/loom" "$work/tests/"

# Runs one model over the sources as they are now; 0 if it passes.
model() {
    (cd "$work" && timeout 120 cargo test --quiet --release --test loom -- --exact "$1") \
        >"$work/log" 2>&1
}

survivors=0
mutant() { # FILE FUNCTION FROM TO MODEL
    local line="$*" word
    for word in "${words[@]}"; do [[ $line == *$word* ]] && break; done
    [[ -z ${words[*]} || $line == *$word* ]] || return 0
    cp -r "$crate"/src/. "$work/src/"
    if ! FUNCTION=$2 FROM=$3 TO=$4 perl -0777 -pi -e \
        's/(fn \Q$ENV{FUNCTION}\E\b.*?)\Q$ENV{FROM}\E/$1$ENV{TO}/s or die "no match\n"' \
        "$work/src/$1"; then
        echo "STALE     $line"
        survivors=$((survivors + 1))
        return
    fi
    if model "$5"; then
        echo "SURVIVED  $line"
        survivors=$((survivors + 1))
    elif grep -q "could not compile" "$work/log"; then
        echo "BROKEN    $line"
        survivors=$((survivors + 1))
    else
        echo "caught    $line"
    fi
}

words=("$@")
nothing='();'

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

if ((survivors)); then
    echo "$survivors mutants survived"
    exit 1
fi
