#!/usr/bin/env bash
# Mutants of early stops and of the bridge, for their models under loom and under shuttle. No atomic here
# orders anything: all are Relaxed hints, what they lead to travels by a lock or a join. So the mutants are
# about what is done under which lock, who is woken, and which of two answers counts. Run from anywhere;
# words choose mutants.
set -uo pipefail
crate=$(cd "$(dirname "$0")/.." && pwd)
needs='spanwise-deque = { path = "'$crate'/../spanwise-deque", optional = true }
[features]
default = ["deque"]
deque = ["dep:spanwise-deque"]'
source "$crate/../../proptests/mutants.sh"

# The first hit: a later one may be found first, and must not end the search for those before it.
mutant stop.rs after 'fetch_min(row,' 'fetch_min(0,' the_first_of_two_hits_is_found
mutant stop.rs is_before 'row > ' 'row < ' the_first_of_two_hits_is_found
mutant find.rs merge 'nearer(left, right)' 'nearer(right, left)' the_first_of_two_hits_is_found
mutant stop.rs after 'fetch_min(row,' 'fetch_min(0,' shuttle::the_first_hit_and_the_first_error
# The first error likewise.
mutant attempt.rs tell 'fetch_min(at,' 'fetch_min(0,' the_first_error_comes_out
mutant attempt.rs tell 'at < known.0' 'at > known.0' the_first_error_comes_out
mutant attempt.rs tell 'first.as_ref().is_none_or(|known| at < known.0)' 'first.is_none()' the_first_error_comes_out
mutant attempt.rs tell 'fetch_min(at,' 'fetch_min(0,' shuttle::the_first_hit_and_the_first_error
# The feed of a bridge: whoever waits for it is told at the end. (That one is told after each claim makes a
# bridge faster and changes nothing else.)
mutant together.rs finish 'self.free.notify_all();' '' a_bridge_ends_at_a_hit
mutant together.rs finish 'self.free.notify_all();' '' a_bridge_whose_iterator_panics
mutant together.rs finish 'drop(lock(&self.desk));' '' a_bridge_whose_iterator_panics
mutant together.rs finish 'drop(lock(&self.desk));' '' shuttle::a_bridge_that_panics
mutant together.rs claim 'desk.claimant = None;' '' a_bridge_gives_all_items_in_order
mutant together.rs claim 'desk.feed = Some(feed);' 'drop(feed);' a_bridge_gives_all_items_in_order
mutant together.rs claim 'self.panic(usize::MAX, payload);' 'drop(payload); self.finish();' a_bridge_whose_iterator_panics
mutant together.rs claim 'self.panic(usize::MAX, payload);' 'drop(payload);' a_bridge_whose_iterator_panics
# Partials: merged with neighbours only, and in order.
mutant together.rs settle 'left.1.0 == first' 'left.1.0 <= first' shuttle::a_bridge
mutant together.rs settle 'merge(left, partial)' 'merge(partial, left)' a_bridge_gives_all_items_in_order
# Panics.
mutant together.rs run 'self.panic(leaves.first(), payload);' 'drop(payload);' a_bridge_with_a_row_that_panics
mutant together.rs panic 'first < earlier.0' 'first > earlier.0' shuttle::a_bridge_of_rows_that_panic

finish
