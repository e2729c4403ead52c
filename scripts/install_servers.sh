#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs language servers of npm, at these versions, into build/servers for
# tests/workbench/language/test_real_servers.cpp: some 90 MB. Where npm is missing or cannot be reached, the
# tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
install_from_npm servers "language servers of npm" typescript-language-server@5.3.0 typescript@5.9.3 \
  bash-language-server@5.8.1 pyright@1.1.414
