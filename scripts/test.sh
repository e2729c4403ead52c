#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sets up, builds and tests everything; ends with "N passed, N failed".
#   scripts/test.sh          all: style, release build and tests, the runtime's parsers under sanitizers
#   scripts/test.sh --fast   the release build's tests only
set -euo pipefail
cd "$(dirname "$0")/.."

passed=0
failed=0
skipped=0
# count LOG: adds up what ctest reported there.
count() {
  passed=$((passed + $(grep -cE '^ *[0-9]+/[0-9]+ Test .* Passed ' "$1" || true)))
  failed=$((failed + $(grep -cE '^ *[0-9]+/[0-9]+ Test .*\*\*\*(Failed|Timeout|Exception|Not Run)' "$1" || true)))
  skipped=$((skipped + $(grep -cE '^ *[0-9]+/[0-9]+ Test .*\*\*\*Skipped' "$1" || true)))
}
# step NAME COMMAND...: a check that counts as one test.
step() {
  local name=$1
  shift
  echo "== $name"
  if "$@"; then passed=$((passed + 1)); else echo "== $name FAILED"; failed=$((failed + 1)); fi
}
# suite PRESET "cmake options" [TEST...]: builds a preset and runs its tests, or only those named.
suite() {
  local preset=$1 options=$2 log only=()
  shift 2
  log=build/$preset/ctest.log
  [ $# = 0 ] || only=(-R "^($(IFS='|'; echo "$*"))\$")
  echo "== build and tests: $preset"
  # shellcheck disable=SC2086
  if ! { cmake --preset "$preset" $options >/dev/null &&
         cmake --build --preset "$preset" ${*:+--target "$@"} -- --quiet; }; then
    echo "== building $preset FAILED"
    failed=$((failed + 1))
    return
  fi
  ctest --test-dir "build/$preset" --output-on-failure "${only[@]}" 2>&1 | tee "$log" || true
  count "$log"
}

# What reads bytes from outside, and what threads share: run under sanitizers.
sanitized=(test_gguf_file test_gguf_broken test_tokenizer test_tokenizer_conformance test_shape
           test_block_formats test_thread_team test_counters test_gbnf test_matcher
           test_json_schema test_token_filter test_known_documents test_engine test_speculation
           test_batching test_chunk_reuse test_session_file test_trace_file test_ignore_rules
           test_exclusions)

scripts/setup.sh --tests
if [ "${1:-}" != --fast ]; then step "style" scripts/lint.sh; fi
suite release ""
if [ "${1:-}" != --fast ]; then
  suite asan-ubsan -DWAFERPAIR_GUI=OFF "${sanitized[@]}"
fi
[ "$skipped" = 0 ] || echo "$skipped skipped: above, ctest says which"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
