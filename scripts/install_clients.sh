#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs clients of npm that speak to model servers, at these versions, into build/clients for
# tests/protocol/test_openai_client.py: some 15 MB. Where npm is missing or cannot be reached, it says so, and
# the test is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
clients=(openai@7.57.0)
stamp=build/clients/stamp
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "${clients[*]}" ]; then exit 0; fi
if ! command -v npm >/dev/null; then
  echo "clients: npm is missing: real clients are not tested"
  exit 0
fi
mkdir -p build/clients
if ! timeout 300 npm install --prefix build/clients --no-audit --no-fund --loglevel=error "${clients[@]}"; then
  echo "clients: npm cannot install them: real clients are not tested"
  exit 0
fi
printf '%s' "${clients[*]}" >"$stamp"
