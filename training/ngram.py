# SPDX-License-Identifier: GPL-3.0-or-later
"""A 7-gram model with a cache of the file: the baseline of models that only count.

Its words are the pre-tokens of PRETOKENIZER.md. Probabilities of all orders are interpolated after
Witten and Bell, of each order first the corpus and then the file. Memory is bounded by the text it
is given: some 30 bytes a word. Needs numpy.
"""

import bisect
import collections
import re

import numpy as np

import tokenizer

ORDER = 7
MOST_PLACES = 2000  # of a context that are counted, evenly chosen
MOST_WORDS = 40  # of an answer
LINE = re.compile(r"[\n\r]*[^\n\r]*\Z")  # a line and the breaks in front of it


def longest_common_end(left, left_end, right, right_end, most):
    length = 0
    while (
        length < min(most, left_end, right_end)
        and left[left_end - 1 - length] == right[right_end - 1 - length]
    ):
        length += 1
    return length


class Corpus:
    """Where each context of a text stands: its places, sorted by the words in front of them, the
    nearest word first."""

    def __init__(self, texts):
        known = collections.defaultdict(lambda: len(known))
        ids = []
        for text in texts:
            ids += [known[word] for word in tokenizer.pre_tokenize(text.encode("utf-8"))]
            ids += [-1] * (ORDER - 1)  # nothing reaches over
        self.words = list(known)
        self.known = dict(known)
        self.ids = np.array([-1] * (ORDER - 1) + ids, np.int32)
        places = np.arange(ORDER - 1, len(self.ids), dtype=np.int32)
        places = places[self.ids[places] >= 0]
        keys = [self.ids[places - back] for back in range(ORDER - 1, 0, -1)]
        self.places = places[np.lexsort(keys)] if len(places) else places

    def followers(self, context):
        """For 1, 2, ... words of context, as long as they are found: [(word, count)] of what
        follows."""
        low, high = 0, len(self.places)
        for back in range(1, min(len(context), ORDER - 1) + 1):
            wanted = self.known.get(context[-back])
            if wanted is None:
                return
            at = lambda place: self.ids[place - back]
            low = bisect.bisect_left(self.places, wanted, low, high, key=at)
            high = bisect.bisect_right(self.places, wanted, low, high, key=at)
            if low == high:
                return
            stride = -(-(high - low) // MOST_PLACES)
            found, counts = np.unique(self.ids[self.places[low:high:stride]], return_counts=True)
            yield [(self.words[i], int(n) * stride) for i, n in zip(found, counts)]


class File:
    """The same for a file, small enough to look through all places of a word."""

    def __init__(self, prefix, suffix):
        gap = [None] * (ORDER - 1)
        above = tokenizer.pre_tokenize(prefix.encode("utf-8"))
        below = tokenizer.pre_tokenize(suffix.encode("utf-8"))
        self.words = gap + above + gap + below
        self.places = collections.defaultdict(list)
        for place in range(ORDER - 1, len(self.words)):
            if self.words[place] is not None:
                self.places[self.words[place - 1]].append(place)

    def followers(self, context):
        if not context:
            return
        counts = [collections.Counter() for _ in range(ORDER - 1)]
        for place in self.places.get(context[-1], ()):
            length = longest_common_end(self.words, place, context, len(context), ORDER - 1)
            for count in counts[:length]:
                count[self.words[place]] += 1
        for count in filter(None, counts):
            yield list(count.items())


def interpolate(chances, followers):
    """`chances` ({word: probability}) as the lower order below what was counted."""
    total = sum(count for _, count in followers)
    kinds = len(followers)
    mixed = {word: chance * kinds / (total + kinds) for word, chance in chances.items()}
    for word, count in followers:
        mixed[word] = mixed.get(word, 0.0) + count / (total + kinds)
    return mixed


class Completer:
    """Completes lines of one file."""

    def __init__(self, corpus, prefix, suffix):
        self.sources = (corpus, File(prefix, suffix))
        line = LINE.search(prefix).start()
        self.above = tokenizer.pre_tokenize(prefix[:line].encode("utf-8"))[-ORDER:]
        self.line = prefix[line:]

    def _chances(self, context):
        orders = [list(source.followers(context)) for source in self.sources]
        chances = {}
        for order in range(ORDER - 1):
            for found in orders:
                if order < len(found):
                    chances = interpolate(chances, found[order])
        return chances

    def complete(self, typed=""):
        """The rest of the line behind the prefix and `typed`."""
        context = self.above + tokenizer.pre_tokenize((self.line + typed).encode("utf-8"))
        # The last word may go on: it is written anew.
        left = b""
        if context and b"\n" not in context[-1]:
            left = context.pop()
        healed, answer = len(left), b""
        for _ in range(MOST_WORDS):
            chances = self._chances(context)
            fitting = [word for word in chances if word.startswith(left)]
            if not fitting:
                break
            # Of equally likely ones the same each time.
            word = max(fitting, key=lambda word: (chances[word], word))
            left = b""
            if b"\n" in word:
                break
            answer += word
            context.append(word)
        return answer[healed:].decode("utf-8", "ignore")
