#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs two agents of npm, at these versions, into build/agents for test_agents_live and tests/protocol/test_connected.py: some 230 MB, half
# a minute. Where npm is missing or cannot be reached, the test is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
install_from_npm agents "real agents" @qwen-code/qwen-code@0.15.10 opencode-ai@1.18.33
