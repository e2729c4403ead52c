#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs agents of npm, at these versions, into build/agents for test_agents_live, tests/protocol/test_connected.py and
# test_ten_turns.py: some 860 MB, a minute. Where npm is missing or cannot be reached, the tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
install_from_npm agents "real agents" @qwen-code/qwen-code@0.15.10 opencode-ai@1.18.33 \
  @anthropic-ai/claude-code@2.1.332 @github/copilot@1.0.102 @mariozechner/pi-coding-agent@0.73.1
