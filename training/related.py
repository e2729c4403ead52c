# SPDX-License-Identifier: GPL-3.0-or-later
"""Which lines of other files have to do with some text: those that share its identifiers. Standard
library only."""

import re

IDENTIFIER = re.compile(r"[A-Za-z_]\w{3,}")
CHUNK = 12  # lines
SMALLEST_OVERLAP = 3  # identifiers; what shares fewer is no help


def identifiers(text):
    return set(IDENTIFIER.findall(text))


def lines(text, files):
    """(name, lines) of the CHUNK lines of one of `files`, a list of (name, text), with the most
    identifiers of `text`, or None. What nearly all files have, such as keywords, counts for none
    of them."""
    wanted = identifiers(text)
    known = [wanted & identifiers(other) for _, other in files]
    if len(files) > 2:
        wanted -= set.intersection(*known)
    best, most = None, SMALLEST_OVERLAP - 1
    for (name, other), shared in zip(files, known):
        if len(shared & wanted) <= most:
            continue
        split = other.splitlines(keepends=True)
        for first in range(0, len(split), CHUNK // 2):
            chunk = "".join(split[first : first + CHUNK])
            overlap = len(identifiers(chunk) & wanted)
            if overlap > most and chunk not in text:
                best, most = (name, chunk), overlap
    return best
