# SPDX-License-Identifier: GPL-3.0-or-later
"""Training windows: what one sequence of the model looks like. README.md shows the layouts.

A window is filled with samples until it is full. A sample is plain (text from left to right),
fill-in-the-middle in SPM order (the suffix first, then the prefix, and the middle simply continues
it), or that with some lines of another file of the project in front. Cuts are made between
characters and the pieces are encoded one by one, as an editor's cursor does.
"""

import collections
import json
import mmap
import os
import sys

import numpy as np

import related

FIM_SHARE = 0.6  # of the samples that have room
FILE_HEADER_SHARE = 0.7
CONTEXT_SHARE = 0.25  # of the fill-in-the-middle samples that have room for it
SUFFIX_SHARE = 0.85  # of the fill-in-the-middle samples; the others have an empty suffix
LONGEST_SUFFIX = 600  # characters
LONGEST_MIDDLE = 400  # characters
SMALLEST_SAMPLE = 96  # tokens; a shorter rest of a window is filled with plain text
SMALLEST_WITH_CONTEXT = 384  # tokens
LONGEST_CONTEXT = 256  # tokens
CHARACTERS_PER_TOKEN = 5  # more than the real 3.2, so that a slice of text always fills its budget
LANGUAGE_WEIGHT = {"python": 1.5, "cpp": 1.2, "c": 1.0, "go": 1.0, "rust": 1.0}
LANGUAGE_WEIGHT.update(java=0.8, javascript=0.8, typescript=0.8)
USUAL_WEIGHT = 0.1  # of what is not a programming language, or a small one
NEIGHBORS = 15  # documents to either side that can give context: mostly of one folder
CANDIDATES = 6  # of them that are compared

NO_TARGET = -1

Document = collections.namedtuple("Document", "language index project name text")


class Corpus:
    """The documents of one split, by language, in the order of their paths. They stay on the disk."""

    def __init__(self, folder):
        self.files = {}
        self.places = {}  # language -> [(first byte, end, project)]
        # A long document is drawn more often, but not in proportion: square root.
        self.chances = {}
        weights = []
        for name in sorted(os.listdir(folder)):
            language = name.split(".")[0]
            with open(os.path.join(folder, name), "rb") as file:
                if not os.path.getsize(file.name):
                    continue
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            places, start = [], 0
            while start < len(data):
                end = data.find(b"\n", start) + 1 or len(data)
                record = json.loads(data[start:end])
                places.append((record["project"], record["path"], start, end))
                start = end
            places.sort()
            places = [(start, end, sys.intern(project)) for project, _, start, end in places]
            self.files[language] = data
            self.places[language] = places
            lengths = np.sqrt([end - start for start, end, _ in places])
            self.chances[language] = np.cumsum(lengths / lengths.sum())
            weights.append(LANGUAGE_WEIGHT.get(language, USUAL_WEIGHT) * len(data) ** 0.3)
        self.languages = list(self.files)
        self.language_chances = np.cumsum(np.array(weights) / sum(weights))

    def document(self, language, index):
        start, end, project = self.places[language][index]
        record = json.loads(self.files[language][start:end])
        return Document(language, index, project, os.path.basename(record["path"]), record["text"])

    def draw(self, random):
        """A random document."""
        pick = np.searchsorted(self.language_chances, random.random())
        language = self.languages[min(pick, len(self.languages) - 1)]
        pick = np.searchsorted(self.chances[language], random.random())
        return self.document(language, min(int(pick), len(self.places[language]) - 1))

    def neighbors(self, document, random):
        """Up to CANDIDATES other documents of the project in the same language."""
        places = self.places[document.language]
        first = max(0, document.index - NEIGHBORS)
        near = [
            i
            for i in range(first, min(len(places), document.index + NEIGHBORS + 1))
            if i != document.index and places[i][2] == document.project
        ]
        random.shuffle(near)
        return [self.document(document.language, i) for i in near[:CANDIDATES]]


class Sampler:
    """Draws windows. Equal seeds draw equal windows; a seed may be a tuple of whole numbers."""

    def __init__(self, corpus, vocabulary, seed):
        self.corpus = corpus
        self.vocabulary = vocabulary
        self.random = np.random.default_rng(seed)

    def windows(self, count, length):
        """Token ids [count, length]."""
        return np.array([self.window(length) for _ in range(count)], np.uint16)

    def window(self, length):
        """`length` token ids."""
        random = self.random
        ids = []
        while len(ids) < length:
            left = length - len(ids)
            document = self.corpus.draw(random)
            sample = []
            if left >= SMALLEST_SAMPLE and random.random() < FIM_SHARE:
                sample = self._gap(document, left)
            ids += sample or self._plain(document, left)
        return ids[:length]

    def _header(self, document):
        if self.random.random() < FILE_HEADER_SHARE:
            return [self.vocabulary.file] + self._encode(document.name)
        return []

    def _encode(self, text):
        return self.vocabulary.encode(text.encode("utf-8"))

    def _plain(self, document, budget):
        """Text from the file's beginning or a random line, to the budget or the file's end."""
        text = document.text
        header = self._header(document)
        if header or self.random.random() < 0.5:
            header.append(self.vocabulary.pre)
        start = 0
        if self.random.random() < 0.7:
            start = text.rfind("\n", 0, int(self.random.integers(0, len(text)))) + 1
        piece = text[start : start + budget * CHARACTERS_PER_TOKEN]
        ids = header + self._encode(piece)
        if start + len(piece) == len(text):
            ids.append(self.vocabulary.eot)
        return ids[:budget]

    def _gap(self, document, left):
        """Fill-in-the-middle in a part of what is left of the window, sometimes with context."""
        budget = left
        if left >= 3 * SMALLEST_SAMPLE and self.random.random() < 0.5:
            budget = int(self.random.integers(SMALLEST_SAMPLE, left))
        cursor, end = self._middle(document.text)
        context = []
        if budget >= SMALLEST_WITH_CONTEXT and self.random.random() < CONTEXT_SHARE:
            context = self._context(document, cursor, min(LONGEST_CONTEXT, budget // 3))
        return context + self._fill_in_the_middle(document, cursor, end, budget - len(context))

    def _context(self, document, cursor, budget):
        """Lines of a neighbor that share the most identifiers with what is around the cursor."""
        reach = budget * CHARACTERS_PER_TOKEN
        around = document.text[max(0, cursor - reach) : cursor + reach]
        near = self.corpus.neighbors(document, self.random)
        found = related.lines(around, [(other.name, other.text) for other in near])
        if not found:
            return []
        name, text = found
        head = [self.vocabulary.file] + self._encode(name) + [self.vocabulary.pre]
        return (head + self._encode(text))[:budget]

    def _fill_in_the_middle(self, document, cursor, end, budget):
        text = document.text
        suffix_end = end
        if self.random.random() < SUFFIX_SHARE:
            suffix_end += int(self.random.integers(20, LONGEST_SUFFIX))
        middle = self._encode(text[cursor:end])[: budget // 3] + [self.vocabulary.eot]
        suffix = self._encode(text[end:suffix_end])[: budget // 3]
        header = self._header(document)[: budget // 6]
        head = header + [self.vocabulary.suf] + suffix + [self.vocabulary.pre]
        room = budget - len(head) - len(middle)
        start = max(0, cursor - room * CHARACTERS_PER_TOKEN)
        prefix = self._encode(text[start:cursor])[-room:] if room > 0 else []
        return head + prefix + middle

    def _middle(self, text):
        """(cursor, end) in characters: mostly the rest of one line, as an editor asks for."""
        random = self.random
        at = int(random.integers(0, len(text)))
        line = text.rfind("\n", 0, at) + 1
        line_end = text.find("\n", at)
        if line_end < 0:
            line_end = len(text)
        first = line
        while first < line_end and text[first] in " \t":
            first += 1
        kind = random.random()
        if kind < 0.50 and first < line_end:  # rest of the line from anywhere in it
            cursor, end = int(random.integers(first, line_end)), line_end
        elif kind < 0.70:  # the line, from its first character that is not blank
            cursor, end = first, line_end
        elif kind < 0.92:  # the line and some more
            cursor, end = (first if kind < 0.85 else line_end), line_end
            for _ in range(int(random.integers(1, 6))):
                following = text.find("\n", end + 1)
                if following < 0:
                    break
                end = following
        else:  # anything
            cursor, end = at, min(len(text), at + int(random.integers(1, 120)))
        return cursor, min(end, cursor + LONGEST_MIDDLE)


def targets(windows, vocabulary):
    """(ids, targets), each one shorter than the windows. Of the special tokens only the end of a text
    is a target: a model answers with no other."""
    windows = windows.astype(np.int64)
    following = windows[:, 1:].copy()
    layout = (following >= vocabulary.first_special) & (following != vocabulary.eot)
    following[layout] = NO_TARGET
    return np.ascontiguousarray(windows[:, :-1]), following
