#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks what CI holds to: formatting, license lines, which room may include which, and that what is
# made of the table of messages is up to date.
#   scripts/lint.sh [--fix]
set -euo pipefail
cd "$(dirname "$0")/.."
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
scripts/check_rooms.py || status=1
scripts/generate_protocol.py --check || status=1
exit $status
