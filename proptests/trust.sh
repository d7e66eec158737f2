#!/usr/bin/env bash
# Runs every check that docs/trust.md names, by its step of the justfile, and prints a table: check,
# cases, seconds, found. `full`, or `quick` with bounded sizes. A check whose tool is not installed is
# a row that says so.
set -uo pipefail
cd "$(dirname "$0")/.."
size=${1:-full}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
table=() failed=0

# Runs a step of the justfile, also where there is no `just`: recipes here are plain commands, one a
# line, with their arguments in double braces.
step() {
    if command -v just > /dev/null; then
        just "$@"
        return
    fi
    local name=$1 head body parameter value
    shift
    head=$(grep -E "^$name( [^:]*)?:" justfile) || return 127
    body=$(sed -n "/^$name\( [^:]*\)\{0,1\}:/,/^\$/p" justfile | sed '1d; s/^ *//')
    for parameter in $(sed -E 's/:$//; s/^[^ ]+ ?//' <<< "$head"); do
        value=${1-$(sed -nE 's/^[^=]+="?([^"]*)"?$/\1/p' <<< "$parameter")}
        [ $# -gt 0 ] && shift
        parameter=${parameter%%=*}
        body=${body//"{{${parameter#\*}}}"/$value}
    done
    body=${body//"{{justfile_directory()}}"/$PWD}
    bash -euo pipefail -c "$body"
}

# check NAME HOW-TO-COUNT STEP ARGUMENTS...: the second is an awk program over what the step printed.
check() {
    local name=$1 count=$2 start=$SECONDS found="nothing"
    shift 2
    echo "== $name: just $*" >&2
    if ! step "$@" > "$log" 2>&1; then
        found="FAILED"
        failed=1
        tail -40 "$log" >&2
    fi
    table+=("$name|$(awk "$count" "$log")|$((SECONDS - start))|$found")
}

absent() { table+=("$1|-|-|not run: $2"); }
has_step() { grep -qE "^$1( .*)?:" justfile; }
has() { command -v "$1" > /dev/null; }

tests='/^test result:/ { n += $4 } END { print n + 0 " tests" }'
runs='/^Done/ { n += $2 } END { print n + 0 " runs" }'
calls='/^soak:/ { print $2 " calls" }'
lines='END { print NR " lines" }'

if [ "$size" = quick ]; then
    minutes=0.2 seconds=10 cases=20000
    asan=asan-quick
else
    minutes=20 seconds=600 cases=1000000
    asan=asan
    check "every test" "$tests" test
fi
check "fault matrix" "$tests" faults
if has_step conformance; then check "conformance" "$tests" conformance; fi
if has_step pipelines; then check "random pipelines" "$tests" pipelines "$cases"; fi
check "soak" "$calls" soak "$minutes"
check "ASan and LSan" "$tests" "$asan"
if has valgrind; then
    check "memcheck" "$lines" memcheck
else
    absent "memcheck" "no valgrind"
fi
if has_step tsan; then
    if [ "$size" = quick ]; then check "TSan" "$lines" tsan 3; else check "TSan" "$lines" tsan; fi
fi
for model in loom loom-calls shuttle; do
    if has_step "$model" && { [ "$size" = full ] || [ "$model" != loom ]; }; then
        check "model: $model" "$tests" "$model"
    fi
done
for target in deque owned pipelines; do
    if has cargo-fuzz; then
        check "fuzz: $target" "$runs" fuzz "$target" "$seconds"
    else
        absent "fuzz: $target" "no cargo-fuzz"
    fi
done
if [ "$size" = full ]; then
    check "mutants of orderings" "$lines" mutants
    if has cargo-mutants; then
        # Missed mutants are a failure to cargo-mutants; docs/trust.md lists those that may be missed.
        start=$SECONDS
        step mutants-core > "$log" 2>&1
        tested=$(awk '/mutants tested/ { print $1 " mutants" }' "$log")
        missed=$(grep -oE '[0-9]+ missed' "$log" | tail -1)
        table+=("mutants of the core|${tested:-0 mutants}|$((SECONDS - start))|${missed:-nothing}")
    else
        absent "mutants of the core" "no cargo-mutants"
    fi
fi

printf '\n%-22s %18s %8s  %s\n' check cases seconds found
for row in "${table[@]}"; do
    IFS='|' read -r name cases seconds found <<< "$row"
    printf '%-22s %18s %8s  %s\n' "$name" "$cases" "$seconds" "$found"
done
exit $failed
