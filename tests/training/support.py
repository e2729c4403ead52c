# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts training/ on the module path; every test imports this first."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "training"))
TOKENIZER_DATA = os.path.join(ROOT, "tests", "runtime", "tokenizer", "data")
MODELS = os.path.join(ROOT, "resources", "models")
