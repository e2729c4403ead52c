# SPDX-License-Identifier: GPL-3.0-or-later
"""Examples of edits, made from a file as it stands: a name is being changed, line by line, and a
region is rewritten accordingly, or stays as it is where the name does not occur. Standard library
only.
"""

import collections
import re

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_0-9]{2,40}")
PART = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])")  # of an identifier
KEYWORDS = set(
    "abstract and as async await bool boolean break case catch chan char class const continue crate "
    "def default defer defined del double elif else endif enum except export extends extern false "
    "final finally float for foreach from func function goto if ifdef ifndef impl implements import "
    "in include inline int interface is lambda let long loop match mod move mut namespace new nil "
    "none not null operator or override package pass private protected pub public raise range "
    "readonly ref register return select self short signed sizeof static str string struct super "
    "switch template this throw throws trait true try type typedef typename typeof undefined union "
    "unsafe unsigned use using var virtual void volatile where while with yield".split()
)
MOST_LINES = 8  # of a region
MOST_HISTORY = 2  # lines
NOTHING_TO_DO = 0.3  # share of the examples whose region stays as it is
FEWEST_LINES = 3  # that hold the name
LONGEST_LINE = 160  # characters
TRIES = 12

# history: [(line before, line after)], oldest first. before, after: the region.
Edit = collections.namedtuple("Edit", "history before after")


def draw(text, random):
    """An Edit, or None where no name was found that can be changed; `random` is numpy's."""
    lines = text.splitlines(keepends=True)
    for _ in range(TRIES):
        line = lines[int(random.integers(0, len(lines)))]
        names = [name for name in IDENTIFIER.findall(line) if name.lower() not in KEYWORDS]
        if names and len(line) <= LONGEST_LINE:
            name = names[int(random.integers(0, len(names)))]
            edit = rename(lines, name, new_name(name, text, random), random)
            if edit:
                return edit
    return None


def new_name(name, text, random):
    """`name` with one of its parts replaced by a part of another identifier, in the same case; None
    where it has none or the result is in use."""
    parts = list(PART.finditer(name))
    start = int(random.integers(0, max(1, len(text) - 2000)))
    others = PART.findall(text[start : start + 2000])
    if not parts or not others:
        return None
    part = parts[int(random.integers(0, len(parts)))]
    other = others[int(random.integers(0, len(others)))]
    spelled = part.group()
    if spelled.isupper():
        other = other.upper()
    else:
        other = other.capitalize() if spelled[0].isupper() else other.lower()
    changed = name[: part.start()] + other + name[part.end() :]
    return None if changed in text else changed


def rename(lines, name, new, random):
    """The Edit in which `name` becomes `new`, or None."""
    if not new:
        return None
    whole = re.compile(rf"\b{re.escape(name)}\b")
    change = lambda piece: whole.sub(lambda _: new, piece)
    holders = [i for i, line in enumerate(lines) if whole.search(line)]
    if len(holders) < FEWEST_LINES:
        return None
    size = int(random.integers(1, MOST_LINES + 1))
    if random.random() < NOTHING_TO_DO:
        first = int(random.integers(0, len(lines)))
    else:
        holder = holders[int(random.integers(0, len(holders)))]
        first = max(0, holder - int(random.integers(0, size)))
    before = "".join(lines[first : first + size])
    rest = [i for i in holders if not first <= i < first + size]
    if not rest or len(before) > size * LONGEST_LINE:
        return None
    count = min(len(rest), int(random.integers(1, MOST_HISTORY + 1)))
    # An editing session goes from place to place in order, mostly near what comes next.
    rest.sort(key=lambda i: abs(i - first))
    done = sorted(rest[:count])
    history = [(lines[i], change(lines[i])) for i in done if len(lines[i]) <= LONGEST_LINE]
    if not history:
        return None
    return Edit(history, before, change(before))
