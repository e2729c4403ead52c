#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sets up, builds and tests everything; ends with "N passed, N failed".
#   scripts/test.sh          all: style, release build and tests, runtime tests under sanitizers
#   scripts/test.sh --fast   the release build's tests only
set -euo pipefail
cd "$(dirname "$0")/.."

passed=0
failed=0
# count LOG: adds up what ctest reported there.
count() {
  passed=$((passed + $(grep -cE '^ *[0-9]+/[0-9]+ Test .* Passed ' "$1" || true)))
  failed=$((failed + $(grep -cE '^ *[0-9]+/[0-9]+ Test .*\*\*\*(Failed|Timeout|Exception|Not Run)' "$1" || true)))
}
# step NAME COMMAND...: a check that counts as one test.
step() {
  local name=$1
  shift
  echo "== $name"
  if "$@"; then passed=$((passed + 1)); else echo "== $name FAILED"; failed=$((failed + 1)); fi
}
# suite PRESET [ctest options]: builds a preset and runs its tests.
suite() {
  local preset=$1 log
  shift
  log=build/$preset/ctest.log
  echo "== build and tests: $preset"
  cmake --preset "$preset" "${configure[@]}" >/dev/null
  if ! cmake --build --preset "$preset" -- --quiet; then
    failed=$((failed + 1))
    return
  fi
  ctest --test-dir "build/$preset" --output-on-failure "$@" 2>&1 | tee "$log" || true
  count "$log"
}

scripts/setup.sh --tests
configure=()
if [ "${1:-}" != --fast ]; then step "style" scripts/lint.sh; fi
suite release
if [ "${1:-}" != --fast ]; then
  configure=(-DWAFERPAIR_GUI=OFF)
  suite asan-ubsan -E '^bench'
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
