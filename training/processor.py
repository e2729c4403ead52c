# SPDX-License-Identifier: GPL-3.0-or-later
"""What OpenBLAS is told of the processor, before numpy and torch are imported. Standard library only."""

import os
import subprocess
import sys

# Core types that use no AVX, and no AVX-512: what OpenBLAS takes processors for that are newer than itself.
WITHOUT_AVX = {"Prescott"}
WITHOUT_AVX512 = {"Prescott", "Haswell", "Zen"}

CORE_NAME = """
import ctypes
library = ctypes.CDLL("libopenblas.so.0")
library.openblas_get_corename.restype = ctypes.c_char_p
print(library.openblas_get_corename().decode())
"""


def better_core(chosen, flags):
    """The core type with quicker products than the one that OpenBLAS chose, on a processor with these flags of
    /proc/cpuinfo; None where there is none."""
    if {"avx512f", "avx512bw", "avx512vl"} <= flags and chosen in WITHOUT_AVX512:
        return "SkylakeX"
    if {"avx2", "fma"} <= flags and chosen in WITHOUT_AVX:
        return "Haswell"
    return None


def settle(environment=os.environ):
    """One thread a worker, and a better core type where OpenBLAS chose badly; what is set already stays."""
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        environment.setdefault(variable, "1")
    if "OPENBLAS_CORETYPE" in environment:
        return
    asked = subprocess.run([sys.executable, "-c", CORE_NAME], capture_output=True, text=True)
    if asked.returncode != 0:
        return
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            core = better_core(asked.stdout.strip(), set(file.read().split()))
    except OSError:
        return
    if core:
        environment["OPENBLAS_CORETYPE"] = core
