# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases, how often each was tried, and what was lost."""

import random
import traceback

CASES = {}  # group -> [case]


def case(what, short=1, long=None, ways=()):
    """`what` was done `short` times in the short run, `long` times in the long one, and each round
    in the next of the `ways`."""

    def register(function):
        group = function.__module__.removeprefix("cases_")
        CASES.setdefault(group, []).append(Case(what, function, short, long or short, tuple(ways)))
        return function

    return register


class Skipped(Exception):
    """Raised when this machine lacks something that the case needs; the text says what."""


class Case:
    def __init__(self, what, function, short, long, ways):
        self.what, self.function, self.ways = what, function, ways
        self.rounds = {False: short, True: long}
        self.tried, self.losses, self.note = 0, [], ""

    @property
    def key(self):
        return self.function.__name__

    def run(self, long, seed):
        for number in range(self.rounds[long]):
            chance = random.Random(f"{self.key} {seed} {number}")
            try:
                note = self.function(chance, number)
            except Skipped as skipped:
                self.note = f"not tried: {skipped}"
                return
            except Exception as error:  # every round is one line of the record
                self.losses.append(f"round {number}: {error or type(error).__name__}")
                if not isinstance(error, AssertionError):
                    traceback.print_exc()
            else:
                self.note = note or self.note
            self.tried += 1


def table(cases):
    """Returns the table of the cases in Markdown."""
    head = ("what was done", "tried", "lost", "")
    rows = [(c.what, str(c.tried), str(len(c.losses)), c.note) for c in cases]
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(4)]
    lines = ["| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths)) + " |"
             for row in [head, *rows]]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
    lines += [f"\n{c.what}, each in turn: {'; '.join(c.ways)}." for c in cases if c.ways]
    return "\n".join(lines)
