# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked of a running program at the places of an evaluation.

Each place gets a session of its own: nothing that another one opened is known there.
"""

import re

import golf
from program import USERS_LEAST_PROBABILITY, shown_line

LEAST_PROBABILITIES = (0.1, USERS_LEAST_PROBABILITY, 0.5, 0.7)

LAST_KEY = re.compile(r"(?:\n[ \t]*|.)\Z", re.DOTALL)


class Visit:
    """A session at a task, with other files of its project open in it.

    The last key in front of the cursor, or the line break and the indentation that an editor gives
    with it, is typed just before anything is asked: all before it the program has had time to read.
    """

    def __init__(self, program, task, others):
        self.session = program.session()
        try:
            self._open(task, others)
        except BaseException:
            self.session.close()
            raise

    def _open(self, task, others):
        for other in others:
            self.session.place(other.project, other.path, task.language, other.text)
        key = LAST_KEY.search(task.prefix).group() if task.prefix else ""
        before = task.prefix[: len(task.prefix) - len(key)]
        self.place = self.session.place(
            task.project, task.path, task.language, before, task.suffix
        )
        self.session.settle()
        if key:
            self.place.type(key)

    def __enter__(self):
        return self.place

    def __exit__(self, *_):
        self.session.close()


def complete(program, task, others):
    """The suggested line."""
    with Visit(program, task, others) as place:
        return shown_line(place.suggest().text)


def examine(program, task, others):
    """The suggested line, how sure the program is of it, what is left of it for users who want
    surer ones; what it is after a pause; and times, of this place and of one key on."""
    with Visit(program, task, others) as place:
        cold = place.suggest()
        gated = {least: shown_line(place.suggest(least).text) for least in LEAST_PROBABILITIES}
        place.session.settle()
        paused = place.suggest()
        place.type(task.truth[0])
        return {
            "line": shown_line(cold.text),
            "certainty": cold.probability,
            "gated": gated,
            "paused": shown_line(paused.text),
            "cold": cold,
            "warm": place.suggest(),
        }


def play_golf(program, task, others, least_probability=0.0, patient=False):
    """Between two keys the program has time for the one before, as with a person who types."""
    with Visit(program, task, others) as place:
        written = 0

        def ask(typed):
            nonlocal written
            if typed:
                place.session.settle()
                place.type(typed[written:])
            written = len(typed)
            return shown_line(place.suggest(least_probability).text)

        return golf.play(task.truth, ask, patient)
