#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sets up, builds and tests everything; ends with "N passed, N failed".
#   scripts/test.sh          style, and which lock guards what; then each test in the build that suits it
#                            (cmake/WaferpairTest.cmake): most under sanitizers with asserts on, the runtime
#                            and whole programs as they are shipped, once more what threads share
#   scripts/test.sh --fast   all tests in the release build, without sanitizers
#   scripts/test.sh --long   all that, clang-tidy, and each parser fuzzed for a minute
#   scripts/test.sh --within MINUTES [...]
#                            what is not done by then is left out, and named at the end; only the
#                            release build's last tests and ThreadSanitizer's, which come last, may be
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

passed=0
failed=0
skipped=0
times=()
left_out=()
second=()
limit=0  # seconds; 0: none
is_time_left() { [ "$limit" = 0 ] || [ $((limit - SECONDS)) -gt 60 ]; }
# in_time COMMAND...: ends it, and all that it started, with status 124 when the time is up.
in_time() {
  if [ "$limit" = 0 ]; then "$@"; else timeout $((limit - SECONDS)) "$@"; fi
}
# leave_out PRESET WHAT: of what comes last some may be left out: what threads share, and the release build's last
# tests; without the others nothing is known.
leave_out() {
  left_out+=("$1$2")
  case $1$2 in tsan* | 'release: its last tests') ;; *) failed=$((failed + 1)) ;; esac
}
# reported HOW LOG: how many tests ctest reported so.
reported() { grep -cE "^ *[0-9]+/[0-9]+ Test .*$1" "$2" || true; }
bad='\*\*\*(Failed|Timeout|Exception|Not Run)'
# count LOG: adds up what ctest reported there.
count() {
  passed=$((passed + $(reported ' Passed ' "$1")))
  failed=$((failed + $(reported "$bad" "$1")))
  skipped=$((skipped + $(reported '\*\*\*Skipped' "$1")))
}
# again PRESET LOG: tests of windows and of timeouts can fail because the machine was busy. A few that did are run
# once more, one by one, if need be for 4 minutes more than there were; one that then passes counts, and is named at the
# end.
again() {
  local some names log=build/$1/ctest-again.log left=0
  some=$(reported "$bad" "$2")
  { [ "$some" -gt 0 ] && [ "$some" -le 5 ]; } || return 0
  echo "== tests: $1, those $some once more"
  names=$(sed -nE "s/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) .*$bad.*/\1/p" "$2" | sed 's/[.]/[.]/g' | paste -sd'|')
  if [ "$limit" != 0 ]; then left=$((limit - SECONDS > 240 ? limit - SECONDS : 240)); fi  # timeout 0: none
  timeout $left ctest --test-dir "build/$1" --output-on-failure -R "^($names)\$" 2>&1 | tee "$log" || true
  while read -r name; do
    passed=$((passed + 1))
    failed=$((failed - 1))
    second+=("$1: $name")
  done < <(sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) .* Passed .*/\1/p' "$log")
}
# step NAME COMMAND...: a check that counts as one test.
step() {
  local name=$1
  shift
  echo "== $name"
  if "$@"; then passed=$((passed + 1)); else echo "== $name FAILED"; failed=$((failed + 1)); fi
}
# suite PRESET "cmake options" "targets" [ctest option...]: builds a preset, all of it or only these
# targets, and runs its tests, or only those the options choose.
suite() {
  local preset=$1 options=$2 targets=$3 log begun=$SECONDS built status=0
  shift 3
  log=build/$preset/ctest.log
  is_time_left || { leave_out "$preset" ""; return; }
  echo "== build: $preset"
  # shellcheck disable=SC2016,SC2086
  in_time bash -c 'set -euo pipefail; . scripts/common.sh; preset=$1 options=$2; shift 2
    cmake --preset "$preset" $options >/dev/null && build test "$preset" "$@"' - "$preset" "$options" $targets || status=$?
  if [ "$status" = 124 ]; then
    leave_out "$preset" ", whose build was not done"
    return
  elif [ "$status" != 0 ]; then
    echo "== building $preset FAILED"
    failed=$((failed + 1))
    return
  fi
  built=$SECONDS
  is_time_left || { leave_out "$preset" ""; return; }
  echo "== tests: $preset"
  in_time ctest --test-dir "build/$preset" --output-on-failure "$@" 2>&1 | tee "$log" || status=${PIPESTATUS[0]}
  [ "$status" != 124 ] || leave_out "$preset" ": its last tests"
  count "$log"
  again "$preset" "$log"
  times+=("$preset: build $(((built - begun + 30) / 60)) min, tests $(((SECONDS - built + 30) / 60)) min")
}

usage() {
  echo "usage: scripts/test.sh [--within MINUTES] [--fast | --long]" >&2
  exit 2
}
if [ "${1:-}" = --within ]; then
  [[ ${2:-} =~ ^[1-9][0-9]{0,4}$ ]] || usage
  limit=$(($2 * 60))
  shift 2
fi
what=${1:-}
case $what in
  '' | --fast | --long) ;;
  *) usage ;;
esac
if [ ! -d build/release ]; then
  echo "test: the first run installs what is missing and compiles everything, parts of it again under sanitizers: some 20 minutes" \
    "on 4 cores. It may be interrupted (Ctrl+C) at any time: the next run goes on from there."
fi
scripts/setup.sh --tests
[ "$what" = --fast ] || { scripts/install_agents.sh; scripts/install_clients.sh; scripts/install_servers.sh; scripts/install_test_runners.sh; scripts/install_models.sh; }
# There a green run means that the models were asked: one that could not be had fails its tests.
if [ "$what" != --fast ] && [ -n "${CI:-}" ]; then export WAFERPAIR_NEEDS_MODELS=1; fi
[ -d build/asan-ubsan ] || need_space test "$PWD" 6500 "the build for the tests"
if [ "$what" != --fast ]; then
  step "style" scripts/lint.sh
  step "locks" scripts/lint.sh --locks
fi
if [ "$what" = --long ]; then
  step "clang-tidy" scripts/lint.sh --tidy-batches
  step "clang-tidy, changed files alone" scripts/lint.sh --tidy
fi
if [ "$what" = --fast ]; then
  suite release "" "all all_tests" -j "$(nproc)"
else
  suite asan-ubsan "" gate_tests -j $(($(nproc) * 3 / 2)) -L '^gate$'  # many of them mostly wait
  suite release "" "all gate_tests" -j "$(nproc)" -L '^gate$'
  suite tsan "" gate_tests -j "$(nproc)" -L '^gate$'
fi
if [ "$what" = --long ]; then
  suite fuzz "-DWAFERPAIR_FUZZ_SECONDS=60" fuzzers -L '^fuzz$'
  step "benches compile" build test release benchmarks
  step "training" scripts/test_training.sh
fi
[ "$skipped" = 0 ] || echo "$skipped skipped: above, ctest says which"
printf '%s\n' "${times[@]}"
[ ${#second[@]} = 0 ] || printf 'passed at the second run only: %s\n' "${second[@]}"
[ ${#left_out[@]} = 0 ] || printf 'left out, as the time was up: %s\n' "${left_out[@]}"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
