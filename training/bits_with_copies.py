# SPDX-License-Identifier: GPL-3.0-or-later
"""Bits per UTF-8 byte of held-out files as the program predicts them, with what it copies.

  python3 bits_with_copies.py --model FILE.gguf --corpus DIR \
      --collector ../build/release/bin/collect_evidence [--windows 30]

Pieces of files are continued token by token, each from all that is in front of it: by the network
alone, with copies from the file, and with copies from the other files of the project, too. What is
behind a piece is not known. Needs numpy.
"""

import argparse
import collections
import os
import random
import sys

import processor

processor.settle()

import numpy as np

import copying
import gguf
import positions
import report
import tokenizer

SCORER_KEY = "waferpair.copying.scorer"
WINDOW_TOKENS = 400
SHORTEST_FILE = 2048  # characters
NETWORK, FILE, PROJECT = "network alone", "file alone", "project"


def nats(rows, weights):
    """Of what is right at each token, with the scorer that a model's file holds."""
    *units, last = np.array(weights, np.float64)
    units = np.array(units).reshape(-1, copying.FEATURES + 2)
    features = rows.features.astype(np.float64)
    active = np.maximum(features @ units[:, : copying.FEATURES].T + units[:, copying.FEATURES], 0)
    score = active @ units[:, copying.FEATURES + 1] + last
    score = np.clip(score, -copying.MOST_SCORE, copying.MOST_SCORE)
    own = features[:, 0]
    row = np.repeat(np.arange(len(rows.count)), rows.count)
    others = np.maximum(1 - np.bincount(row, np.exp(own), len(rows.count)), 1e-9)
    total = others + np.bincount(row, np.exp(own + score), len(rows.count))
    copied = rows.right >= 0
    right = rows.chance.astype(np.float64)
    at = rows.start[copied] + rows.right[copied]
    right[copied] = own[at] + score[at]
    return np.log(total) - right


def draw(documents, vocabulary, count, seed):
    """[(project, index in it, prefix, piece)] of up to `count` files, by project."""
    picker = random.Random(seed)
    projects = collections.defaultdict(list)
    for document in documents:
        projects[document.project].append(document)
    usable = [
        (name, own)
        for name, files in projects.items()
        for own, document in enumerate(files)
        if len(document.text) >= SHORTEST_FILE
    ]
    pieces = []
    for name, own in sorted(picker.sample(usable, min(count, len(usable)))):
        text = projects[name][own].text
        start = text.rfind("\n", 0, picker.randrange(0, len(text) * 3 // 4)) + 1
        ids = vocabulary.encode(text[start : start + 4 * WINDOW_TOKENS].encode("utf-8"))
        piece = vocabulary.decode(ids[:WINDOW_TOKENS]).decode("utf-8", "ignore")
        pieces.append((name, own, text[:start], piece))
    return projects, pieces


def measure(options, model, weights, documents, vocabulary, seed):
    """{method: [[bits, bytes] of a piece]} of one language."""
    projects, pieces = draw(documents, vocabulary, options.windows, seed)
    found = {NETWORK: [], FILE: [], PROJECT: []}
    for method in (FILE, PROJECT):
        tasks, known = [], None
        for name, own, prefix, piece in pieces:
            if known != (name if method == PROJECT else ""):
                known = name if method == PROJECT else ""
                files = projects[name] if method == PROJECT else []
                tasks.append({"documents": [document.text for document in files]})
            path = projects[name][own].path
            task = {"own": own, "name": os.path.basename(path), "prefix": prefix, "suffix": ""}
            tasks.append({**task, "truth": piece, "tokens": 2 * WINDOW_TOKENS})
        lengths = [len(vocabulary.encode(piece.encode("utf-8"))) for *_, piece in pieces]
        rows = copying.collect(options.collector, model, tasks)
        if len(rows.count) != sum(lengths):
            sys.exit(f"{model} has no room for {WINDOW_TOKENS} tokens behind a prompt.")
        ends = np.cumsum(lengths)[:-1]
        sums = [part.sum() / np.log(2) for part in np.split(nats(rows, weights), ends)]
        sizes = [len(piece.encode("utf-8")) for *_, piece in pieces]
        found[method] = [list(pair) for pair in zip(sums, sizes)]
        alone = [-part.sum() / np.log(2) for part in np.split(rows.chance.astype(np.float64), ends)]
        found[NETWORK] = [list(pair) for pair in zip(alone, sizes)]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--collector", required=True, help="the program's collect_evidence")
    parser.add_argument("--windows", type=int, default=30, help="a language")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    metadata = gguf.Reader(options.model).metadata
    if SCORER_KEY not in metadata:
        parser.error(f"{options.model} has no {SCORER_KEY}: it does not copy")
    vocabulary = tokenizer.Vocabulary.of_model(metadata)
    held_out = positions.read_documents(os.path.join(options.corpus, "held_out"))
    found = collections.defaultdict(dict)
    for language, documents in held_out.items():
        seed = f"{options.seed} {language}"
        of_language = measure(
            options, options.model, metadata[SCORER_KEY], documents, vocabulary, seed
        )
        for method, windows in of_language.items():
            found[method][language] = windows
    for method, languages in found.items():
        print(f"{method}:\n\n{report.bits_table(languages)}\n")


if __name__ == "__main__":
    main()
