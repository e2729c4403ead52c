#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs VS Code as a browser shows it, for tests/protocol/test_browser.py: code-server and playwright-core of npm, at these
# versions, into build/browser (310 MB, a minute), and Debian's Chromium (360 MB). scripts/test.sh does not call it: without
# them the test is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
. scripts/apt.sh

packages=(code-server@4.100.3 playwright-core@1.65.1)
folder=build/browser
code=$folder/node_modules/code-server/lib/vscode

if ! command -v chromium >/dev/null; then
  become_root chromium
  need_space "browser client" /usr 700 "installing Chromium"
  logs=$(mktemp -d)
  trap 'rm -rf "$logs"' EXIT
  if ! apt_get "browser client" "$logs/install" install --no-install-recommends chromium; then
    explain_apt "$logs" chromium
    exit 1
  fi
fi
if [ -f "$folder/stamp" ] && [ "$(cat "$folder/stamp")" = "${packages[*]}" ]; then exit 0; fi
if [ "$(node --version 2>/dev/null | sed -nE 's/^v([0-9]+)\..*/\1/p')" != 20 ] || ! command -v npm >/dev/null; then
  echo "browser client: code-server 4.100 wants Node 20 with npm; here is $(node --version 2>/dev/null || echo none)" >&2
  exit 1
fi
need_space "browser client" "$folder" 600 "installing code-server"
# Scripts of packages are left out: they fetch programs from elsewhere. What is compiled is named instead; it takes the
# headers that come along with Node, where they did.
quietly=(--ignore-scripts --no-audit --no-fund --loglevel=error)
headers=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
if [ -f "$headers/include/node/node.h" ]; then export npm_config_nodedir=$headers; fi
rm -rf "$folder"
mkdir -p "$folder"
npm install --prefix "$folder" "${quietly[@]}" "${packages[@]}"
(
  cd "$code"
  npm install --omit=dev "${quietly[@]}"
  npm rebuild --loglevel=error @vscode/spdlog native-watchdog
)
(
  cd "$folder"
  npm rebuild --loglevel=error argon2
)
printf '%s' "${packages[*]}" >"$folder/stamp"
