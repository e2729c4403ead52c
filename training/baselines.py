# SPDX-License-Identifier: GPL-3.0-or-later
"""Completions that need no model, to be measured beside it. Standard library only."""

import re

SHORTEST_COPY_MATCH, LONGEST_COPY_MATCH = 4, 200  # characters
WORD = re.compile(r"[A-Za-z_]\w+")
WORD_BEING_TYPED = re.compile(r"[A-Za-z_]\w*$")


def copy_from_file(prefix, suffix, removed=""):
    """The rest of the line behind the longest match of the text in front of the cursor, which is
    looked for in what was removed there, then above, then below."""
    best = ""
    for length in range(SHORTEST_COPY_MATCH, min(len(prefix), LONGEST_COPY_MATCH) + 1):
        key = prefix[-length:]
        gone = removed.rfind(key)
        above = prefix.rfind(key, 0, len(prefix) - 1)
        if gone >= 0:
            answer = removed[gone + length :]
        elif above >= 0:
            answer = prefix[above + length :]
        else:
            below = suffix.find(key)
            if below < 0:
                break
            answer = suffix[below + length :]
        best = answer.split("\n")[0].rstrip()
    return best


def copy_from_project(prefix, suffix, others, removed=""):
    """The same, where the texts of other files are known, too: the longest match anywhere, of equals
    that in what was removed, then in the file, then in the first file that has it."""
    best, matched = "", SHORTEST_COPY_MATCH - 1
    for text in (removed, prefix[:-1], suffix, *others):
        low, high = matched + 1, min(len(prefix), LONGEST_COPY_MATCH)
        if low > high or text.rfind(prefix[-low:]) < 0:
            continue
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if text.rfind(prefix[-middle:]) >= 0 else (low, middle - 1)
        matched = low
        key = prefix[-low:]
        at = text.find(key) if text is suffix else text.rfind(key)
        best = text[at + low :].split("\n")[0].rstrip()
    return best


def buffer_word(prefix, suffix):
    """The rest of the word that is being typed, from the nearest word above that begins like it, or
    the first one below: what Vim's Ctrl-P offers first."""
    typed = WORD_BEING_TYPED.search(prefix)
    if not typed:
        return ""
    start = typed.group()
    above = WORD.findall(prefix[: typed.start()])
    for word in above[::-1] + WORD.findall(suffix):
        if word.startswith(start) and word != start:
            return word[len(start) :]
    return ""
