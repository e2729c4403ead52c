# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are much alike, so that knowing one gives the other away. Standard library only."""

import re

RUN = 8  # words: identifiers, numbers and single signs
MUCH = 0.3  # of the runs of the shorter text

WORD = re.compile(r"\w+|[^\w\s]")


def runs_of(text):
    words = WORD.findall(text)
    return {hash(tuple(words[at : at + RUN])) for at in range(len(words) - RUN + 1)}


def are_twins(one, other):
    """Of two texts' runs."""
    return len(one & other) > MUCH * min(len(one), len(other))


class Finder:
    """Remembers the runs of one project's files at a time."""

    def __init__(self):
        self._project, self._runs = None, {}

    def without(self, task, documents):
        """Those of the task's project that are no twins of its file, nor the file itself."""
        if task.project != self._project:
            self._project, self._runs = task.project, {}
        own = runs_of(task.prefix + task.truth + task.suffix)
        return [
            document
            for document in documents
            if document.project == task.project
            and document.path != task.path
            and not are_twins(own, self._runs_of(document))
        ]

    def _runs_of(self, document):
        if document not in self._runs:
            self._runs[document] = runs_of(document.text)
        return self._runs[document]
