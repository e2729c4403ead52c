#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs two agents of npm, at these versions, into build/agents for test_agents_live: some 230 MB, half
# a minute. Where npm is missing or cannot be reached, it says so, and the test is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
agents=(@qwen-code/qwen-code@0.15.10 opencode-ai@1.18.33)
stamp=build/agents/stamp
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "${agents[*]}" ]; then exit 0; fi
if ! command -v npm >/dev/null; then
  echo "agents: npm is missing: real agents are not tested"
  exit 0
fi
mkdir -p build/agents
if ! timeout 300 npm install --prefix build/agents --no-audit --no-fund --loglevel=error "${agents[@]}"; then
  echo "agents: npm cannot install them: real agents are not tested"
  exit 0
fi
printf '%s' "${agents[*]}" >"$stamp"
