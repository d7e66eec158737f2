#!/usr/bin/env bash
# ThreadSanitizer over the stress example: it must report nothing, and every race planted below must
# be reported. `cfg(spanwise_tsan)` puts locks in std's place that it can read. No suppressions.
set -uo pipefail

workspace=$(cd "$(dirname "$0")/../../.." && pwd)
seconds=${1:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$workspace/target/tsan}
export RUSTC_BOOTSTRAP=1
export RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer --cfg spanwise_tsan"
target=$(rustc -vV | sed -n 's/^host: //p')

# A copy to plant races in. Its files are new: cargo must not take a planted build for a fresh one.
(cd "$workspace" && tar --exclude target -cf - Cargo.toml Cargo.lock crates benches proptests) |
    tar -xmf - -C "$work"

# Runs the stress for so many seconds; 0 if nothing is reported.
stress() {
    (cd "$work" && cargo build --quiet --release --target "$target" -p spanwise-deque --example stress) ||
        exit 2
    # Without address randomisation the sanitizer's shadow always fits.
    TSAN_OPTIONS="halt_on_error=1 exitcode=66" setarch -R timeout 120 \
        "$CARGO_TARGET_DIR/$target/release/examples/stress" "$1" >"$work/log" 2>&1
}

planted() { # FILE FUNCTION FROM TO
    local file="$work/crates/spanwise-deque/src/$1"
    cp "$file" "$work/kept"
    FUNCTION=$2 FROM=$3 TO=$4 perl -0777 -pi -e \
        's/(fn \Q$ENV{FUNCTION}\E\b.*?)\Q$ENV{FROM}\E/$1$ENV{TO}/s or die "no match\n"' "$file" || exit 2
    if stress 10; then
        echo "MISSED    $*"
        missed=1
    elif grep -q "ThreadSanitizer" "$work/log"; then
        echo "reported  $*"
    else
        echo "FAILED    $* ($(tail -1 "$work/log"))"
        missed=1
    fi
    cp "$work/kept" "$file"
}

if ! stress "$seconds"; then
    cat "$work/log"
    exit 1
fi
echo "nothing reported in $seconds s: $(tail -1 "$work/log")"

missed=0
planted ring.rs show 'Ordering::Release' 'Ordering::Relaxed'
planted sync.rs load_after 'Ordering::SeqCst' 'Ordering::Relaxed'
planted latch.rs set 'Ordering::Release' 'Ordering::Relaxed'
planted latch.rs is_done 'Ordering::Acquire' 'Ordering::Relaxed'
planted job.rs run_stolen 'header.latch.set()' '{ let waiter = header.latch.set(); _ = header.latch.is_done(); waiter }'
planted tasks.rs run 'Ordering::Release' 'Ordering::Relaxed'
# An item taken twice is a buffer freed while another thread reads it.
planted ring.rs steal_if 'Err(_) => Steal::Retry' 'Err(_) => Steal::Success(item)'
exit $missed
