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
# step NAME COMMAND...: a check that counts as one test.
step() {
  local name=$1
  shift
  echo "== $name"
  if "$@"; then passed=$((passed + 1)); else echo "== $name FAILED"; failed=$((failed + 1)); fi
}
# compiled PRESET "TARGETS" [CMAKE OPTION...]: builds these targets of a preset.
compiled() {
  local preset=$1 targets=$2
  shift 2
  # shellcheck disable=SC2086
  cmake --preset "$preset" "$@" >/dev/null && build test "$preset" $targets
}
export -f compiled
# beside LOG COMMAND...: runs it in the background, with all that it starts in a process group of its own, which ends with this script.
beside() {
  local log=$1
  shift
  if [ "$limit" != 0 ]; then set -- timeout $((limit - SECONDS)) "$@"; fi
  : >"$log"
  setsid "$@" >"$log" 2>&1 &
}
trap 'jobs -p | sed "s/^/-/" | xargs -r kill -- 2>/dev/null || true' EXIT
# follow_beside PID LOG: shows what that command says until it ends, with its status.
follow_beside() {
  tail -n +1 -f --pid="$1" "$2"
  wait "$1"
}
# build_ahead PRESET "TARGETS": compiles what comes next while tests run, which mostly wait and come first.
declare -A ahead=()
build_ahead() {
  is_time_left || return 0
  beside "build/$1-ahead.log" nice -n 15 bash -c '. scripts/common.sh; set -euo pipefail; compiled "$@"' - "$@"
  ahead[$1]=$!
}
# suite_build PRESET "TARGETS" [CMAKE OPTION...]: builds them, or waits for the build that was begun ahead. Fails where there
# is nothing to test.
suite_build() {
  local preset=$1 status=0 begun=$SECONDS
  is_time_left || { leave_out "$preset" ""; return 1; }
  echo "== build: $preset"
  if [ -n "${ahead[$preset]:-}" ]; then
    follow_beside "${ahead[$preset]}" "build/$preset-ahead.log" || status=$?
    unset "ahead[$preset]"
  else
    in_time bash -c '. scripts/common.sh; set -euo pipefail; compiled "$@"' - "$@" || status=$?
  fi
  times+=("$preset: build $(((SECONDS - begun + 30) / 60)) min")
  case $status in
    0) return 0 ;;
    124) leave_out "$preset" ", whose build was not done" ;;
    *) echo "== building $preset FAILED"; failed=$((failed + 1)) ;;
  esac
  return 1
}
# suite_test PRESET CTEST OPTION...: runs its tests, or those that the options choose.
suite_test() {
  local preset=$1 status=0 log=build/$1/ctest.log begun=$SECONDS
  shift
  is_time_left || { leave_out "$preset" ""; return 0; }
  echo "== tests: $preset"
  in_time ctest --test-dir "build/$preset" --output-on-failure "$@" 2>&1 | tee "$log" || status=${PIPESTATUS[0]}
  [ "$status" != 124 ] || leave_out "$preset" ": its last tests"
  count "$log"
  times+=("$preset: tests $(((SECONDS - begun + 30) / 60)) min")
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
# Programs and models of others, which tests speak with, are fetched meanwhile.
if [ "$what" != --fast ]; then
  beside build/fetched.log bash -c 'for each in agents clients servers test_runners models; do "scripts/install_$each.sh" || exit; done'
  fetching=$!
fi
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
  if suite_build release "all all_tests"; then suite_test release -j "$(nproc)"; fi
else
  checked=false
  if suite_build asan-ubsan gate_tests; then checked=true; fi
  step "what tests speak with" follow_beside "$fetching" build/fetched.log
  build_ahead release "all gate_tests"
  if $checked; then suite_test asan-ubsan -j $(($(nproc) * 3 / 2)) -L '^gate$'; fi  # many of them mostly wait
  if suite_build release "all gate_tests"; then
    build_ahead tsan gate_tests
    suite_test release -j "$(nproc)" -L '^gate$'
  fi
  if suite_build tsan gate_tests; then suite_test tsan -j "$(nproc)" -L '^gate$'; fi
fi
if [ "$what" = --long ]; then
  if suite_build fuzz fuzzers -DWAFERPAIR_FUZZ_SECONDS=60; then suite_test fuzz -L '^fuzz$'; fi
  step "benches compile" build test release benchmarks
  step "training" scripts/test_training.sh
fi
[ "$skipped" = 0 ] || echo "$skipped skipped: above, ctest says which"
printf '%s\n' "${times[@]}"
[ ${#left_out[@]} = 0 ] || printf 'left out, as the time was up: %s\n' "${left_out[@]}"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
