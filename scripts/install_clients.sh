#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs clients of npm that speak to model servers, at these versions, into build/clients for
# tests/protocol/test_openai_client.py, test_other_clients.py, test_codex.py, test_connected.py and test_ten_turns.py: some 550 MB; and
# the plugin llama.vim, at this commit, for test_vim.py. Where npm or its place is missing or cannot be reached, the
# tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
install_from_npm clients "real clients" openai@7.57.0 ws@8.23.0 ollama@0.6.4 @anthropic-ai/sdk@1.12.0 @openai/codex@0.169.0 @continuedev/cli@1.5.47

plugin=build/clients/llama.vim commit=a1c8e6e40cb45df59b78add5b65d575386832465
if [ ! -d "$plugin" ]; then
  rm -rf "$plugin.new"
  if git init -q "$plugin.new" && timeout 60 git -C "$plugin.new" fetch -q --depth 1 https://github.com/ggml-org/llama.vim "$commit" &&
    git -C "$plugin.new" checkout -q FETCH_HEAD; then
    mv "$plugin.new" "$plugin"
  else
    rm -rf "$plugin.new"
    echo "clients: llama.vim cannot be fetched: it is not tested"
  fi
fi
