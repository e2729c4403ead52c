#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs clients of npm that speak to model servers, at these versions, into build/clients for
# tests/protocol/test_openai_client.py, test_other_clients.py, test_codex.py and test_connected.py: some 550 MB. Where
# npm is missing or cannot be reached, the tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
install_from_npm clients "real clients" openai@7.57.0 ollama@0.6.4 @anthropic-ai/sdk@1.12.0 @openai/codex@0.169.0 @continuedev/cli@1.5.47
