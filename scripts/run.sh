#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sets up, builds and runs Waferpair:   scripts/run.sh [FOLDER] [options of the program]
# Without a display the same program runs in a virtual one as a tour: it drives itself through a
# session, saves screenshots and measured figures under build/tour, and fails if a step fails.
set -euo pipefail
cd "$(dirname "$0")/.."
top=$PWD
. scripts/common.sh

if [ ! -x build/release/bin/waferpair ]; then
  echo "run: the first run installs what is missing and compiles everything. It may be interrupted (Ctrl+C) at" \
    "any time: the next run goes on from there."
fi
scripts/setup.sh
[ -x build/release/bin/waferpair ] || need_space run "$top" 1500 "the build"
if ! build run release waferpair waferd waferctl; then
  echo "run: the build failed; the errors are above. 'rm -r build/release' starts afresh." >&2
  exit 1
fi

cd "${OLDPWD:-$top}"
program=$top/build/release/bin/waferpair
if [ -n "${WAYLAND_DISPLAY:-}${DISPLAY:-}" ] || [ -n "${QT_QPA_PLATFORM:-}" ]; then
  exec "$program" "$@"
fi
tour=$top/build/tour
echo "run: no display here, so this is a tour of the program in a virtual one (Xvfb)."
echo "run: screenshots and figures go to $tour"
mkdir -p "$tour"
QT_QPA_PLATFORM=xcb exec xvfb-run -a -s "-screen 0 1920x1200x24" "$program" --tour "$tour" "$@"
