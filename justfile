# The habitual commands. Everything here is plain cargo; just is a convenience.

# What there is
default:
    @just --list

# The main job: pipelines, a word count and a build id, serial and on two pools
tour *ARGS:
    cargo run --release --example tour -- {{ARGS}}

# What this machine is, what pools make of it, and what a steal and a wake cost between its cores
machine *ARGS:
    cargo run --release --example machine -- {{ARGS}}

# Every test
test:
    cargo test --workspace

# Format, lints and docs, as CI checks them; needs libhwloc-dev
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --all-features -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features

# The deque pool beside its peers
pool-bench *ARGS:
    cargo run --release -p spanwise-benches --bin pool -- {{ARGS}}

# The deque alone beside crossbeam's
deque-bench *WORDS:
    cargo run --release -p spanwise-benches --bin deque -- {{WORDS}}
# The pools on machines that we do not have, simulated, beside what this one measures; `--docs` writes docs/scaling.md
scaling *ARGS:
    cargo run --release -p spanwise-benches --bin scaling -- {{ARGS}}

# Everything that is promised about speed, beside the peers; needs a C++ compiler for one of them
report *ARGS:
    cargo run --release -p spanwise-benches --bin report --features fork_union -- {{ARGS}}

# Instructions of the hot paths, by valgrind, against their bounds
counts:
    cargo run --release -p spanwise-benches --bin counts

# The benchmarks, by divan
bench *ARGS:
    cargo bench -p spanwise-benches -- {{ARGS}}

# The pool's models under loom, with a bound of three preemptions
loom:
    RUSTFLAGS="--cfg spanwise_loom" LOOM_MAX_PREEMPTIONS=3 cargo test -p spanwise-deque --release --target-dir target/loom --test loom

# Early stops and the bridge under loom, whole calls
loom-calls:
    RUSTFLAGS="--cfg spanwise_loom" LOOM_MAX_PREEMPTIONS=2 cargo test -p spanwise --release --target-dir target/loom --test loom -- --nocapture

# The conformance table over the workspace's backends and over others
conformance:
    cargo test -p spanwise-proptests --test conformance --test outside

# So many random pipelines against std
pipelines CASES="1000000":
    SPANWISE_CASES={{CASES}} cargo test -p spanwise-proptests --test pipelines -- --nocapture

# Whole calls of the pool and of chains under shuttle: so many random schedules of each
shuttle SCHEDULES="10000":
    RUSTFLAGS="--cfg spanwise_shuttle" SPANWISE_SCHEDULES={{SCHEDULES}} cargo test -p spanwise-deque -p spanwise --release --target-dir target/shuttle --test shuttle

# Shows that the models hold what they are about: every mutant must be caught
mutants *WORDS:
    bash crates/spanwise-deque/tests/mutants.sh {{WORDS}}
    bash crates/spanwise/tests/mutants.sh {{WORDS}}

# Address and leak sanitizer over every test but those of limits that it cannot live with
asan *ARGS:
    LSAN_OPTIONS=suppressions={{justfile_directory()}}/crates/spanwise-deque/tests/lsan.supp RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address cargo test --target x86_64-unknown-linux-gnu --target-dir target/asan -p spanwise-backend -p spanwise-deque -p spanwise-rayon -p spanwise -p spanwise-proptests --lib --tests {{ARGS}} -- --skip 64_kib --skip a_thread_that_is_refused --skip more_memory

# The same over the fault matrix and the drop ledgers alone
asan-quick:
    LSAN_OPTIONS=suppressions={{justfile_directory()}}/crates/spanwise-deque/tests/lsan.supp RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address cargo test --target x86_64-unknown-linux-gnu --target-dir target/asan -p spanwise-proptests --test faults -- --skip 64_kib --skip a_thread_that_is_refused --skip more_memory

# Valgrind over collects, drains and panics: the only tool here that sees a slot left unwritten
memcheck:
    cargo build --release -p spanwise-proptests --bin memcheck
    valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite --show-leak-kinds=definite --fair-sched=yes target/release/memcheck

# The fault matrix: panics at every index, payloads, forks, signals, limits, processes
faults:
    cargo test -p spanwise-proptests --test faults --test signals --test fork --test panics

# One fuzz target (deque, owned, pipelines) for so many seconds; needs cargo-fuzz
fuzz TARGET SECONDS="600":
    RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir proptests/fuzz {{TARGET}} -- -max_total_time={{SECONDS}} -max_len=400 -timeout=30

# Random calls on pools that stay and pools that come and go
soak MINUTES="20":
    cargo run --release -p spanwise-proptests --bin soak -- --minutes {{MINUTES}}

# Mutants of the plan, the drive, the sums, the searches and collect; docs/trust.md explains what is missed
mutants-core:
    cargo mutants -p spanwise -f crates/spanwise/src/plan.rs -f crates/spanwise/src/drive.rs -f crates/spanwise/src/share.rs -f crates/spanwise/src/sum.rs -f crates/spanwise/src/int.rs -f crates/spanwise/src/find.rs -f crates/spanwise/src/hit.rs -f crates/spanwise/src/collect.rs --timeout 30 -C=--lib -C=--test=core -o target

# Every check of docs/trust.md, and a table of what each found; `just trust quick` in minutes
trust SIZE="full":
    bash proptests/trust.sh {{SIZE}}

# Thread sanitizer over the pool's stress, which must be clean, and over races planted in it
tsan *SECONDS:
    bash crates/spanwise-deque/tests/tsan.sh {{SECONDS}}

# Everything that CI runs
ci:
    bash .ci/run

# The assembly of docs/assembly.md
assembly:
    cargo rustc --release -p spanwise --example loops -- --emit asm -C debuginfo=0
    ls -S target/release/examples/loops-*.s | head -1
