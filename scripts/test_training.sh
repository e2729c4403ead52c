#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests what trains the shipped model (training/): no part of the product, so no part of scripts/test.sh but for
# --long. Python is enough; the numeric tests skip themselves without numpy, PyTorch or a C compiler, those that ask
# waferd without python3-websockets.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
scripts/setup.sh --tests
build test_training release waferd waferctl collect_evidence
cd tests/training
WAFERPAIR_BIN=$OLDPWD/build/release/bin exec python3 -B -m unittest discover -p "test_*.py" "$@"
