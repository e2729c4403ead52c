# SPDX-License-Identifier: GPL-3.0-or-later
"""Hashes of the words of a text, fast: for comparing texts with many others. Needs numpy.

A word is a run of letters, digits, "_" and bytes beyond ASCII. Blanks only part words.
"""

import numpy as np

_BLANK, _WORD, _SIGN = range(3)
_CLASS = np.full(256, _SIGN, np.uint8)
_CLASS[[*range(48, 58), *range(65, 91), 95, *range(97, 123), *range(128, 256)]] = _WORD
_CLASS[[*b" \t\n\r\f\v"]] = _BLANK

_BYTE_HASH = np.random.default_rng(1997).integers(1, 1 << 63, 256, np.uint64)
BASE = 0x9E3779B97F4A7C15  # odd, so that it has an inverse modulo 2^64
LONGEST = 1 << 18  # bytes hashed at once; a word across such a border counts as two


def _powers(base):
    """base^0, base^1 ... modulo 2^64."""
    factors = np.full(LONGEST, base, np.uint64)
    factors[0] = 1
    return np.multiply.accumulate(factors)


_POWERS = _powers(BASE)
_INVERSES = _powers(pow(BASE, -1, 1 << 64))


def mix(values):
    """Spreads each bit over all 64."""
    values = (values ^ values >> np.uint64(32)) * np.uint64(0xD6E8FEB86659FD93)
    return values ^ values >> np.uint64(32)


def words(data: bytes, signs=False):
    """One hash (uint64) a word, in order; with `signs`, each other sign is a word, too."""
    parts = [data[i : i + LONGEST] for i in range(0, len(data), LONGEST)]
    return np.concatenate([_words(part, signs) for part in parts or [b""]])


def runs(words_of_text, length):
    """One hash (uint64) for each `length` words in a row; none for a shorter text."""
    count = max(len(words_of_text) - length + 1, 0)
    hashes = np.zeros(count, np.uint64)
    for offset in range(length):
        hashes = hashes * np.uint64(BASE) + words_of_text[offset : offset + count]
    return mix(hashes)


def _words(data, signs):
    data = np.frombuffer(data, np.uint8)
    classes = np.full(len(data) + 2, _BLANK, np.uint8)
    classes[1:-1] = _CLASS[data]
    inside = classes == _WORD
    begins = inside[1:-1] & ~inside[:-2]
    finishes = inside[1:-1] & ~inside[2:]
    if signs:
        alone = classes[1:-1] == _SIGN
        begins |= alone
        finishes |= alone
    starts, ends = np.flatnonzero(begins), np.flatnonzero(finishes) + 1
    # The polynomial in BASE of a word's bytes, as a difference of sums over all that stands before
    # its end and before its start.
    sums = np.zeros(len(data) + 1, np.uint64)
    np.cumsum(_BYTE_HASH[data] * _POWERS[: len(data)], out=sums[1:])
    return mix((sums[ends] - sums[starts]) * _INVERSES[starts])
