# The habitual commands. Everything here is plain cargo; just is a convenience.

# What there is
default:
    @just --list

# The main job: pipelines, a word count and a build id, serial and on two pools
tour *ARGS:
    cargo run --release --example tour -- {{ARGS}}

# Every test
test:
    cargo test --workspace

# Format, lints and docs, as CI checks them
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --all-features -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features

# Everything that CI runs
ci:
    bash .ci/run

# The assembly of docs/assembly.md
assembly:
    cargo rustc --release -p spanwise --example loops -- --emit asm -C debuginfo=0
    ls -S target/release/examples/loops-*.s | head -1
