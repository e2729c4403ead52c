# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds files that are nearly the same, by MinHash.

Two texts are near duplicates when the estimated Jaccard similarity of their sets of shingles (runs
of five words) is at least 0.7. Of 32 permutations each text keeps the smallest hash; the share of
equal ones estimates the similarity (Broder 1997, On the resemblance and containment of documents).
Needs numpy.
"""

import math

import numpy as np

import word_hashes

SHINGLE = 5  # words
PERMUTATIONS = 32
THRESHOLD = 0.7
# Texts are compared when a whole band is equal. Of 32 values at most 9 may differ (below), and nine
# cannot touch all of ten bands: nothing that the threshold accepts is overlooked.
ROWS = 3
BANDS = PERMUTATIONS // ROWS
FEWEST_EQUAL = math.ceil(THRESHOLD * PERMUTATIONS)
assert PERMUTATIONS - FEWEST_EQUAL < BANDS

_random = np.random.default_rng(1997)
_FACTORS = _random.integers(0, 1 << 32, (PERMUTATIONS, 1), np.uint32) | np.uint32(1)
_TERMS = _random.integers(0, 1 << 32, (PERMUTATIONS, 1), np.uint32)
_BLOCK = 2048  # shingles permuted at once: they stay in the processor's cache


def shingles(data: bytes):
    """Hashes (uint32) of the runs of SHINGLE words; a shorter text is one run.

    One without words has none.
    """
    words = word_hashes.words(data)
    hashes = word_hashes.runs(words, min(SHINGLE, max(len(words), 1)))
    return (hashes >> np.uint64(32)).astype(np.uint32)


def signature(data: bytes):
    """PERMUTATIONS values (uint32) that tell how alike texts are."""
    hashes = shingles(data)
    smallest = np.full(PERMUTATIONS, np.uint32(0xFFFFFFFF))
    for start in range(0, len(hashes), _BLOCK):
        permuted = hashes[start : start + _BLOCK] * _FACTORS + _TERMS
        np.minimum(smallest, permuted.min(axis=1), out=smallest)
    return smallest


def similarity(one, other) -> float:
    """The estimated Jaccard similarity of two signatures."""
    return float((one == other).mean())


class Index:
    """The signatures of the texts that were kept."""

    def __init__(self):
        self._signatures = np.empty((1024, PERMUTATIONS), np.uint32)
        self._count = 0
        self._buckets = {}  # (band, its values) -> numbers of signatures

    def holds_like(self, wanted) -> bool:
        """Whether a near duplicate of `wanted` was added."""
        near = set()
        for key in self._keys(wanted):
            near.update(self._buckets.get(key, ()))
        if not near:
            return False
        equal = (self._signatures[list(near)] == wanted).sum(axis=1)
        return bool(equal.max() >= FEWEST_EQUAL)

    def add(self, values):
        if self._count == len(self._signatures):
            self._signatures = np.concatenate([self._signatures, self._signatures])
        self._signatures[self._count] = values
        for key in self._keys(values):
            self._buckets.setdefault(key, []).append(self._count)
        self._count += 1

    def _keys(self, values):
        """What the values of each band are found under."""
        data = np.ascontiguousarray(values[: BANDS * ROWS]).tobytes()
        width = ROWS * values.itemsize
        return [(band, data[band * width : (band + 1) * width]) for band in range(BANDS)]
