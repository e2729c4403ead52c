#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs clients of npm that speak to model servers, at these versions, into build/clients for
# tests/protocol/test_openai_client.py: some 15 MB. Where npm is missing or cannot be reached, the test is
# skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
install_from_npm clients "real clients" openai@7.57.0
