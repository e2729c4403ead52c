# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked of a running program at the places of an evaluation.

At each place only files of its own project are known.
"""

import re

import golf
from program import USERS_LEAST_PROBABILITY, shown_line

LEAST_PROBABILITIES = (0.1, 0.3, 0.5, USERS_LEAST_PROBABILITY)

LAST_KEY = re.compile(r"(?:\n[ \t]*|.)\Z", re.DOTALL)


class Desk:
    """Where tasks are laid out in a running program, one at a time.

    The other files of a task's project are open, and its own as the task has it. They stay open for
    the next task of the same project, as those of an editor do: only what differs is edited. The
    task's own file is opened anew: of a file that is edited the program knows which lines are gone, and
    what the next task asks for would be among them.
    """

    def __init__(self, program):
        self.program = program
        self.session = None
        self.files = None  # that the session has open
        self.places = {}  # of these, by path

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._clear()

    def _clear(self):
        if self.session:
            self.session.close()
        self.session, self.files, self.places = None, None, {}

    def lay(self, task, others, old=None):
        """The task's Place. The last key in front of the cursor, or the line break and the
        indentation that an editor gives with it, is typed just before anything is asked: all before
        it the program has had time to read. With `old` the file is opened with that text, and edited
        once."""
        self._open(task.project, {other.path for other in others} | {task.path})
        key = LAST_KEY.search(task.prefix).group() if task.prefix else ""
        before = task.prefix[: len(task.prefix) - len(key)]
        for other in others:
            self._put(task, other.path, other.text)
        if task.path in self.places:
            self.places.pop(task.path).close()
        place = self._put(task, task.path, before + task.suffix if old is None else old)
        place.rewrite(before + task.suffix)
        place.offset = len(before.encode("utf-8"))
        self.session.settle()
        if key:
            place.type(key)
        return place

    def _open(self, project, paths):
        if (project, paths) != self.files:
            self._clear()
            self.session, self.files = self.program.session(), (project, paths)

    def _put(self, task, path, text):
        if path in self.places:
            self.places[path].rewrite(text)
        else:
            self.places[path] = self.session.place(task.project, path, task.language, text)
        return self.places[path]


class Workplace(Desk):
    """A desk on which the files of a project come and go, as with its commits, and the others stay."""

    def _open(self, project, paths):
        if self.files is None or self.files[0] != project:
            self._clear()
            self.session = self.program.session()
        self.files = project, paths
        for path in sorted(set(self.places) - paths):
            self.places.pop(path).close()


def complete(desk, task, others, **wishes):
    """The suggested line."""
    return shown_line(desk.lay(task, others).suggest(**wishes).text)


def examine(desk, task, others):
    """The suggested line, how sure the program is of it, what is left of it for users who want
    surer ones; what it would be without the checks; what it is after a pause; and times, of this
    place and of one key on."""
    place = desk.lay(task, others)
    cold = place.suggest()
    unchecked = place.suggest(checks=False)
    gated = {least: place.suggest(least) for least in LEAST_PROBABILITIES}
    place.session.settle()
    paused = place.suggest()
    place.type(task.truth[0])
    return {
        "line": shown_line(cold.text),
        "certainty": cold.probability,
        "gated": {least: shown_line(answer.text) for least, answer in gated.items()},
        "unchecked": shown_line(unchecked.text),
        "paused": shown_line(paused.text),
        "cold": cold,
        "warm": place.suggest(),
    }


def play_golf(desk, task, others, least_probability=0.0, patient=False):
    """Between two keys the program has time for the one before, as with a person who types."""
    place = desk.lay(task, others)
    written = 0

    def ask(typed):
        nonlocal written
        if typed:
            place.session.settle()
            place.type(typed[written:])
        written = len(typed)
        return shown_line(place.suggest(least_probability).text)

    return golf.play(task.truth, ask, patient)
