# SPDX-License-Identifier: GPL-3.0-or-later
"""What OpenBLAS is told of the processor, before numpy and torch are imported. Standard library only."""

import os
import subprocess
import sys

# OpenBLAS falls back to this one, which has no AVX, on processors that are newer than itself.
UNKNOWN = "Prescott"

CORE_NAME = """
import ctypes
library = ctypes.CDLL("libopenblas.so.0")
library.openblas_get_corename.restype = ctypes.c_char_p
print(library.openblas_get_corename().decode())
"""


def core_for(flags):
    """The core type with the quickest products on a processor with these flags of /proc/cpuinfo; None without AVX2."""
    if {"avx512f", "avx512bw", "avx512vl"} <= flags:
        return "SkylakeX"
    return "Haswell" if {"avx2", "fma"} <= flags else None


def settle(environment=os.environ):
    """One thread a worker, and a core type where OpenBLAS knows none; what is set already stays."""
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        environment.setdefault(variable, "1")
    if "OPENBLAS_CORETYPE" in environment:
        return
    asked = subprocess.run([sys.executable, "-c", CORE_NAME], capture_output=True, text=True)
    if asked.returncode != 0 or asked.stdout.strip() != UNKNOWN:
        return
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            core = core_for(set(file.read().split()))
    except OSError:
        return
    if core:
        environment["OPENBLAS_CORETYPE"] = core
