# SPDX-License-Identifier: GPL-3.0-or-later
"""Training windows: what one sequence of the model looks like. README.md shows the layouts.

A window is filled with samples until it is full. A sample is either plain (text from left to right)
or fill-in-the-middle in SPM order: the suffix first, then the prefix, and the middle simply
continues it. Cuts are made between characters and the pieces are encoded one by one, as an editor's
cursor does.
"""

import json
import os

import numpy as np

FIM_SHARE = 0.6
FILE_HEADER_SHARE = 0.7
SUFFIX_SHARE = 0.85  # of the fill-in-the-middle samples; the others have an empty suffix
LONGEST_SUFFIX = 600  # characters
LONGEST_MIDDLE = 400  # characters
SMALLEST_SAMPLE = 96  # tokens; a shorter rest of a window is filled with plain text
CHARACTERS_PER_TOKEN = 5  # more than the real 3.1, so that a slice of text always fills its budget
LANGUAGE_WEIGHT = {"python": 1.5, "cpp": 1.2, "c": 1.0, "go": 1.0, "rust": 1.0}
NO_TARGET = -1


class Corpus:
    """The documents of one split, by language."""

    def __init__(self, folder):
        self.documents = {}
        for name in sorted(os.listdir(folder)):
            language = name.split(".")[0]
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                records = [json.loads(line) for line in file]
            self.documents[language] = [(os.path.basename(r["path"]), r["text"]) for r in records]
        self.languages = list(self.documents)
        # A long document is drawn more often, but not in proportion: square root.
        self.chances = {}
        weights = []
        for language, documents in self.documents.items():
            lengths = np.sqrt([len(text) for _, text in documents])
            self.chances[language] = np.cumsum(lengths / lengths.sum())
            size = sum(len(text) for _, text in documents)
            weights.append(LANGUAGE_WEIGHT.get(language, 0.8) * size**0.3)
        self.language_chances = np.cumsum(np.array(weights) / sum(weights))

    def draw(self, random):
        """(file name, text) of a random document."""
        pick = np.searchsorted(self.language_chances, random.random())
        language = self.languages[min(pick, len(self.languages) - 1)]
        pick = np.searchsorted(self.chances[language], random.random())
        return self.documents[language][min(pick, len(self.documents[language]) - 1)]


class Sampler:
    """Draws windows; each instance owns its random state, so a thread can have one of its own."""

    def __init__(self, corpus, vocabulary, seed):
        self.corpus = corpus
        self.vocabulary = vocabulary
        self.random = np.random.default_rng(seed)

    def batch(self, sequences, length):
        """(ids, targets), each [sequences, length]; of the special tokens only eot is a target."""
        windows = np.array([self.window(length + 1) for _ in range(sequences)], np.int64)
        targets = windows[:, 1:].copy()
        targets[targets > self.vocabulary.eot] = NO_TARGET
        return windows[:, :-1], targets

    def window(self, length):
        """`length` token ids."""
        ids = []
        while len(ids) < length:
            left = length - len(ids)
            name, text = self.corpus.draw(self.random)
            if left >= SMALLEST_SAMPLE and self.random.random() < FIM_SHARE:
                budget = left
                if left >= 3 * SMALLEST_SAMPLE and self.random.random() < 0.5:
                    budget = int(self.random.integers(SMALLEST_SAMPLE, left))
                ids += self._fill_in_the_middle(name, text, budget)
            else:
                ids += self._plain(name, text, left)
        return ids[:length]

    def _header(self, name):
        if self.random.random() < FILE_HEADER_SHARE:
            return [self.vocabulary.file] + self.vocabulary.encode(name.encode("utf-8"))
        return []

    def _encode(self, text):
        return self.vocabulary.encode(text.encode("utf-8"))

    def _plain(self, name, text, budget):
        """Text from the file's beginning or a random line, to the budget or the file's end."""
        header = self._header(name)
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

    def _fill_in_the_middle(self, name, text, budget):
        cursor, end = self._middle(text)
        suffix_end = end
        if self.random.random() < SUFFIX_SHARE:
            suffix_end += int(self.random.integers(20, LONGEST_SUFFIX))
        middle = self._encode(text[cursor:end])[: budget // 3] + [self.vocabulary.eot]
        suffix = self._encode(text[end:suffix_end])[: budget // 3]
        header = self._header(name)[: budget // 6]
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
