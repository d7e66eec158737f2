# Shows that models hold what they are about: each mutant of a list must make its model fail. A list sets
# `crate` to the folder of its crate and `needs` to lines of dependencies, sources this file, has a line
# for each mutant, and ends with `finish`. Words given to the list choose the mutants whose line has one.
#
# A mutant is: file, function, what to replace (the first place after `fn FUNCTION`), what by, model. The
# model is a test of `tests/loom`, or `shuttle::` and a test of `tests/shuttle`. It must pass on the sources
# as they are. With `PLACES` set nothing is run: it is only seen whether each place to change is still there.

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$work/target} CARGO_INCREMENTAL=0 RUST_BACKTRACE=0
export LOOM_MAX_PREEMPTIONS=${LOOM_MAX_PREEMPTIONS:-2} SPANWISE_SCHEDULES=${SPANWISE_SCHEDULES:-10000}
ulimit -c 0
root=$(cd "$crate/../.." && pwd)
words=("$@") survivors=0
nothing='();'
declare -A sound=()

# The crate by itself, once for each tool. What its models share lies in another crate's tests.
for tool in loom shuttle; do
    mkdir -p "$work/$tool"
    cp -r "$crate/src" "$crate/tests" "$root/Cargo.lock" "$root/README.md" "$work/$tool/"
    mkdir -p "$work/spanwise-deque"
    cp -r "$root/crates/spanwise-deque/tests" "$work/spanwise-deque/"
    version=0.7
    [ "$tool" = shuttle ] && version=0.9
    cat >"$work/$tool/Cargo.toml" <<TOML
[package]
name = "$(basename "$crate")"
edition = "2024"
autotests = false
[[test]]
name = "$tool"
path = "$(cd "$work/$tool" && ls tests/"$tool"{.rs,/main.rs} 2>/dev/null)"
[workspace]
[dependencies]
spanwise-backend = { path = "$root/crates/spanwise-backend" }
$tool = "$version"
$needs
[lints.rust]
warnings = "allow"
TOML
done

# Runs a model over the sources as they are now: 0 if it passes, 1 if it fails, 2 if it does not build. The
# build is no part of its time.
model() {
    local tool=loom name=$1
    [[ $name == shuttle::* ]] && tool=shuttle name=${name#shuttle::}
    local test=(cargo test --quiet --release --target-dir "$CARGO_TARGET_DIR/mutants-$tool" --test "$tool")
    (
        cd "$work/$tool" && export RUSTFLAGS="--cfg spanwise_$tool"
        "${test[@]}" --no-run >"$work/log" 2>&1 || exit 2
        timeout 120 "${test[@]}" -- --exact "$name" >"$work/log" 2>&1 || exit 1
    )
}

# New files are newer than what was built of the last mutant.
restore() {
    local tool
    for tool in loom shuttle; do
        rm -r "$work/$tool/src"
        cp -r "$crate/src" "$work/$tool/src"
    done
}

replace() { # FILE FUNCTION FROM TO
    FUNCTION=$2 FROM=$3 TO=$4 perl -0777 -pi -e \
        's/(fn \Q$ENV{FUNCTION}\E\b.*?)\Q$ENV{FROM}\E/$1$ENV{TO}/s or die "no match\n"' \
        "$work/loom/src/$1" "$work/shuttle/src/$1" 2>"$work/log"
}

mutant() { # FILE FUNCTION FROM TO MODEL
    local line="$*" word verdict
    for word in "${words[@]}"; do [[ $line == *$word* ]] && break; done
    [[ -z ${words[*]} || $line == *$word* ]] || return 0
    restore
    if [ -n "${PLACES-}" ]; then
        replace "$@" && return
        printf 'STALE     %s\n' "$line"
        survivors=$((survivors + 1))
        return
    fi
    if [ -z "${sound[$5]-}" ]; then
        model "$5" && grep -q '1 passed' "$work/log" && sound[$5]=yes || sound[$5]=no
    fi
    if [ "${sound[$5]}" = no ]; then
        verdict=NO-MODEL
    elif ! replace "$@"; then
        verdict=STALE
    else
        model "$5"
        case $? in
            0) verdict=SURVIVED ;;
            1) verdict=caught ;;
            *) verdict=BROKEN ;;
        esac
    fi
    [ "$verdict" = caught ] || survivors=$((survivors + 1))
    printf '%-9s %s\n' "$verdict" "$line"
}

finish() {
    ((survivors == 0)) || { echo "$survivors mutants are not caught"; exit 1; }
}
