#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what runs tests of JavaScript, of npm, at this version, into build/runners for
# tests/workbench/testing/test_test_run.cpp: some 60 MB. Where npm is missing or cannot be reached, the test is
# skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
install_from_npm runners "test runners of npm" vitest@3.2.4
