# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands beside the network when a suggestion is made: copying and token healing.

  python3 copying.py --model FILE.gguf --corpus DIR      prints the weights that export_gguf.py takes

Copying: what followed the same tokens before is likely to follow again. How likely is a logistic
regression on how many tokens agree, in how many places, and what the network thinks; it is fitted
here, on files of the training split. Healing: the last word in front of the cursor is taken away
and written anew, only with tokens that agree with it, as the cursor may stand inside a token. The
runtime does the same (runtime/inference/copying.h, token_healing.h); this is the reference.
"""

import argparse
import collections
import math
import os
import random

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import tokenizer

LEAST_MATCH = 2  # tokens
MOST_MATCH = 32  # longer ones are not told apart
CANDIDATES = 32  # the latest places
LONGEST_WORD = 32  # bytes; longer ones are not healed
NEVER = 1e-6

# For fitting: windows and positions a language, and of each position the rest of a line that is
# not known.
WINDOW_TOKENS = 512
WINDOWS, POSITIONS = 40, 40
SHORTEST_HOLE, LONGEST_HOLE = 8, 30

Evidence = collections.namedtuple("Evidence", "token matched places agreeing")


class Index:
    """Where tokens have been: a log, and for each LEAST_MATCH of them their places."""

    def __init__(self):
        self.tokens = []
        self.places = collections.defaultdict(list)

    def append(self, tokens):
        """-1 ends a text: nothing reaches over."""
        for token in tokens:
            end = len(self.tokens)
            self.tokens.append(token)
            if end >= LEAST_MATCH:
                self.places[tuple(self.tokens[end - LEAST_MATCH : end])].append(end)

    def weigh(self, context, allowed=lambda token: True):
        """Evidence from the places that agree the longest with the end of `context`, or None."""
        tokens, found, best = self.tokens, [], 0
        longest = min(len(context), MOST_MATCH)
        for end in reversed(self.places.get(tuple(context[-LEAST_MATCH:]), [])[-CANDIDATES:]):
            length = 0
            while length < min(longest, end) and tokens[end - 1 - length] == context[-1 - length]:
                length += 1
            if length < max(best, LEAST_MATCH) or tokens[end] < 0 or not allowed(tokens[end]):
                continue
            if length > best:
                best, found = length, []
            found.append(tokens[end])
        if not found:
            return None
        token, agreeing = collections.Counter(found).most_common(1)[0]
        return Evidence(token, best, len(found), agreeing)


def features(evidence, network):
    network = min(max(network, NEVER), 1 - NEVER)
    return [
        1.0,
        math.log(evidence.matched),
        math.log(evidence.places),
        float(evidence.agreeing < evidence.places),
        math.log(evidence.agreeing / evidence.places),
        math.log(network / (1 - network)),
    ]


def probability(weights, evidence, network):
    score = float(np.dot(weights, features(evidence, network)))
    return min(max(1 / (1 + math.exp(-score)), NEVER), 1 - NEVER)


def mix(weights, evidence, chances):
    """`chances` with the evidence's token as likely as it is, the others likewise among themselves."""
    own = chances[evidence.token]
    wanted = probability(weights, evidence, own)
    mixed = chances * ((1 - wanted) / max(1 - own, NEVER))
    mixed[evidence.token] = wanted
    return mixed


def healed_end(prefix):
    """The bytes at the end of `prefix` that are to be written anew."""
    line = max(prefix.rfind(b"\n"), len(prefix) - 256, 0)
    words = tokenizer.pre_tokenize(prefix[line:])
    word = words[-1] if words else b""
    if len(word) == len(prefix) or len(word) > LONGEST_WORD or b"\n" in word or b"\r" in word:
        return b""
    return word


def agreeing(vocabulary, left):
    """For each token whether it goes along with `left`, which is to be spelled out."""
    spelled = vocabulary.token_bytes
    agrees = [bool(t) and (t.startswith(left) or left.startswith(t)) for t in spelled]
    return np.array(agrees + [False] * (vocabulary.size - len(spelled)))


def collect(shape, weights, vocabulary, documents, picker):
    """[(evidence, network's chance, whether it is right)] of files of one language."""
    import model  # needs a compiler; the rest of this module does not

    worker = model.Worker(shape, weights, 1, WINDOW_TOKENS)
    usable = [d for d in documents if 4000 <= len(d[1]) < 60_000]
    rows = []
    for _ in range(WINDOWS if usable else 0):
        ids = vocabulary.encode(picker.choice(usable)[1].encode("utf-8"))
        if len(ids) < WINDOW_TOKENS + LONGEST_HOLE:
            continue
        start = picker.randrange(len(ids) - WINDOW_TOKENS)
        window = ids[start : start + WINDOW_TOKENS]
        worker.forward(np.array([[vocabulary.pre] + window[:-1]]))
        logits = worker.normed @ weights["embedding"].T
        for offset in picker.sample(range(64, WINDOW_TOKENS), POSITIONS):
            at = start + offset
            index = Index()
            index.append(ids[at + picker.randrange(SHORTEST_HOLE, LONGEST_HOLE) :])
            index.append([-1])
            index.append(ids[:at])
            evidence = index.weigh(ids[:at])
            if evidence is None:
                continue
            row = logits[offset] - logits[offset].max()
            chance = float(np.exp(row[evidence.token]) / np.exp(row).sum())
            rows.append((evidence, chance, evidence.token == ids[at]))
    return rows


def fit(rows):
    """Weights of the logistic regression, by Newton's method."""
    inputs = np.array([features(evidence, chance) for evidence, chance, _ in rows])
    right = np.array([float(hit) for _, _, hit in rows])
    weights = np.zeros(inputs.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-inputs @ weights))
        curvature = (inputs * (chance * (1 - chance))[:, None]).T @ inputs
        weights += np.linalg.solve(
            curvature + 1e-3 * np.eye(len(weights)), inputs.T @ (right - chance)
        )
    return weights


def main():
    import export_gguf
    import windows

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--seed", type=int, default=9)
    options = parser.parse_args()
    shape, weights, vocabulary = export_gguf.load_model(options.model)
    picker = random.Random(options.seed)
    rows = []
    for documents in windows.Corpus(os.path.join(options.corpus, "train")).documents.values():
        rows += collect(shape, weights, vocabulary, documents, picker)
    print(",".join(f"{weight:.4f}" for weight in fit(rows)))


if __name__ == "__main__":
    main()
