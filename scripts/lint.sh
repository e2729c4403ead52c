#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks what CI holds to: formatting, license lines, which room may include which, what opens files, which names must be unique,
# that no test waits for time, where git is started, that what is made of the table of messages is up to date, and that all texts with a number
# have their plural forms.
#   scripts/lint.sh [--fix]
#   scripts/lint.sh --locks            clang's analysis of which lock guards what (runtime/base/mutex.h)
#   scripts/lint.sh --tidy [FILE...]   clang-tidy (.clang-tidy), which also compiles each file alone: over
#                                      these files, or over those that differ from the main branch's
#   scripts/lint.sh --tidy-batches     clang-tidy over the whole tree, but for clang's analyzer
set -euo pipefail
cd "$(dirname "$0")/.."

# locks: members that a mutex guards are private, so the files that touch them include their class's header.
locks() {
  local headers sources
  mapfile -t headers < <(git grep -lF '#include "runtime/base/mutex.h"' -- '*.h')
  mapfile -t sources < <(git grep -lF "$(printf '#include "%s"\n' runtime/base/mutex.h "${headers[@]}")" -- '*.cpp' ':!tests')
  printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P "$(nproc)" clang++ -std=c++20 -fsyntax-only -I . -isystem /usr/include/eigen3 \
    -Wthread-safety -Werror=thread-safety
}

# commands FOLDER OPTION...: a build folder that has clang's command for each file; nothing but moc is run in it.
commands() {
  local folder=$1
  shift
  if ! command -v clang-tidy >/dev/null; then
    echo "lint: clang-tidy not found; scripts/setup.sh --tests installs it" >&2
    return 1
  fi
  cmake -S . -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug -DWAFERPAIR_TESTS=OFF \
    -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON "$@" >/dev/null
  ninja -C "$folder" -t targets all | sed -nE 's/^([a-z_0-9]*_autogen): phony$/\1/p' | xargs ninja -C "$folder" >/dev/null
}

# run_tidy FOLDER OPTION...: over the files that are named in its input, a line each.
run_tidy() {
  local folder=$1
  shift
  xargs -d '\n' -n 1 -P "$(nproc)" clang-tidy -p "$folder" --quiet "$@" 2> >(grep -vE '^[0-9]+ warnings? generated\.$' >&2)
}

tidy() {
  commands build/tidy -DWAFERPAIR_BATCHES=OFF
  printf '%s\n' "$@" | run_tidy build/tidy
}

# The whole tree, twelve files at a time. clang's analyzer looks into no file that another includes, so it is left out.
tidy_batches() {
  commands build/tidy-batches -DWAFERPAIR_BATCHES=ON
  sed -nE 's/^ *"file": "(.*)",?$/\1/p' build/tidy-batches/compile_commands.json | grep -vE '_autogen/|\.rcc/|waferpair_widget_headers' |
    run_tidy build/tidy-batches --checks=-bugprone-suspicious-include,-clang-analyzer-*
}

# The files that differ from where this branch left main; on main itself, from the commit before.
changed() {
  local base
  base=$(git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main 2>/dev/null || true)
  if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then base=HEAD~1; fi
  git rev-parse --verify -q "$base^{commit}" >/dev/null || return 0  # a clone of one commit
  git diff --name-only --diff-filter=d "$base" -- '*.cpp' ':!resources' ':!tests'
}

if [ "${1:-}" = --locks ]; then
  locks
  exit
fi
if [ "${1:-}" = --tidy-batches ]; then
  tidy_batches
  exit
fi
if [ "${1:-}" = --tidy ]; then
  shift
  [ $# -gt 0 ] || mapfile -t files < <(changed)
  [ $# -eq 0 ] || files=("$@")
  if [ ${#files[@]} -eq 0 ]; then
    echo "lint: no C++ file was changed"
    exit 0
  fi
  tidy "${files[@]}"
  exit
fi

mapfile -t sources < <(git ls-files '*.cpp' '*.h')
status=0
# Releases of clang-format differ in details; the tree is formatted with 14.
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
  if [ "${1:-}" = --fix ]; then
    clang-format -i "${sources[@]}"
  else
    clang-format --dry-run -Werror "${sources[@]}" || status=1
  fi
else
  echo "lint: clang-format 14 not found, formatting not checked"
fi
unlicensed=$(git ls-files '*.cpp' '*.h' '*.py' '*.sh' ':!resources/sample_project' | xargs grep -L 'SPDX-License-Identifier: GPL-3.0-or-later' || true)
if [ -n "$unlicensed" ]; then
  printf 'lint: no license line in:\n%s\n' "$unlicensed"
  status=1
fi
# A test that waits for time passes on a slow computer, whatever happens.
waits=$(git grep -nE 'q(Wait|Sleep)\(' -- tests ':!tests/bench' ':!tests/wafer_view/gallery.cpp' || true)
if [ -n "$waits" ]; then
  printf 'lint: a test waits for what comes (QTRY_VERIFY), or until nothing more can (tests/support/rest.h), but not for time:\n%s\n' "$waits"
  status=1
fi
scripts/check_rooms.py || status=1
scripts/check_reads.py || status=1
scripts/check_shown.py || status=1
scripts/check_names.py || status=1
scripts/check_starts.py || status=1
scripts/check_git.py || status=1
scripts/generate_protocol.py --check || status=1
scripts/update_translations.py --check || status=1
exit $status
