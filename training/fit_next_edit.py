#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits the gate of next edits (pairing/next_edit/gate.h) on what `bench_next_edit --dump` wrote.

    fit_next_edit.py GATE DUMP... [--precision P | --threshold T] [--note TEXT] [--finder NAME [--features A,B,...]]

What the surprise of a model would be worth as a further feature is told by next_edit_surprise.py.

A logistic regression for each finder, over its features and pairs of them. Thresholds are chosen on repositories that the weights tried
with them were not fitted on, in turn, so that what would be shown is right at least so often.

A first dump is made without a gate, which gives a first one. The second is made with that: it has the candidates that
matter, and dismissals. Weights are fitted on both orders of the edits, thresholds on the one in which somebody types."""

import argparse
import json
import pathlib
import re

import numpy as np

HEADER = 8  # bytes of a row before its features: repository, finder, label, commit (3), step, as typed
SCORES = 5  # bytes behind the features in a dump made with `--model`: whether it was asked, nats of new and old lines by its
# network, then as it copies
FOLDS = 3
STEPS = (0.02, 0.05, 0.1, 0.2)  # by which a threshold is lowered
LOWEST = 0.3  # threshold
CANDIDATES = 6  # of a question, by the gate that the dump was made with
PENALTY = 2.0  # what holds back the weights of features
PAIR_PENALTY = 6.0
# The features whose pairs are features, too.
PAIRED = ["nextLine", "within3", "within50", "otherFile", "madeTwice", "dismissed", "latest", "onlyChange",
          "newKnown", "definition", "inComment", "left1", "right1", "likeness", "sameFunction", "only", "many"]
ROOT = pathlib.Path(__file__).resolve().parent.parent


def names(file: str, array: str) -> list[str]:
    """The strings of a C++ array."""
    text = (ROOT / "pairing/next_edit" / file).read_text()
    body = re.search(array + r"\[\] = \{(.*?)\};", text, re.S)[1]
    return re.findall(r'"(\w+)"', body)


FEATURES = names("features.cpp", "kFeatureNames")
FINDERS = names("gate.cpp", "kFinderNames")
FIRST, SECOND = np.array([(a, b) for i, a in enumerate(map(FEATURES.index, PAIRED))  # columns of each pair
                          for b in map(FEATURES.index, PAIRED[i + 1:])]).T


def sigmoid(x):
    return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


def with_pairs(x):
    """The features, the products of pairs of them, and 1 for the bias."""
    return np.hstack([x, x[:, FIRST] * x[:, SECOND], np.ones((len(x), 1), x.dtype)])


def fit(x, y, weight, steps=8):
    """Newton's method; the last coefficient is the bias, which is not held back."""
    plain = x.shape[1]
    x = with_pairs(x)
    y, weight = y.astype(x.dtype), weight.astype(x.dtype)
    ridge = np.full(x.shape[1], PENALTY, x.dtype)
    ridge[plain:] = PAIR_PENALTY
    ridge[-1] = 1e-3
    w = np.zeros(x.shape[1], x.dtype)
    for _ in range(steps):
        p = sigmoid(x @ w)
        gradient = x.T @ (weight * (p - y)) + ridge * w
        curvature = (x * (weight * p * (1 - p))[:, None]).T @ x + np.diag(ridge)
        step = np.linalg.solve(curvature, gradient)
        w -= step
        if np.abs(step).max() < 1e-3:
            break
    return w


def weights_of(commit):
    """A commit with many candidates counts more than one with few, but not in proportion."""
    _, inverse, count = np.unique(commit, return_inverse=True, return_counts=True)
    return 3 / np.sqrt(count[inverse])


def fit_all(rows, finders):
    models = {}
    for f in range(len(finders)):
        mine = rows["finder"] == f
        if mine.sum() >= 50 and 5 <= rows["label"][mine].sum() < mine.sum():
            models[f] = fit(rows["x"][mine], rows["label"][mine], weights_of(rows["commit"][mine]))
    return models


def predict(models, rows):
    p = np.zeros(len(rows["label"]))
    for f, w in models.items():
        mine = rows["finder"] == f
        p[mine] = sigmoid(with_pairs(rows["x"][mine]) @ w)
    return p


def shown_at(p, rows, thresholds):
    """The most probable candidate of each question among those above their finder's threshold."""
    order = np.lexsort((-p, rows["question"]))
    order = order[p[order] >= thresholds[rows["finder"][order]]]
    _, first = np.unique(rows["question"][order], return_index=True)
    return order[first]


def report(p, rows, thresholds):
    best = shown_at(p, rows, thresholds)
    right = rows["label"][best].mean() if len(best) else 1
    commits = np.unique(rows["commit"][best]).size / np.unique(rows["commit"]).size
    return right, commits, len(best)


def choose(rows, finders, precision):
    """Thresholds for the finders that show something in as many commits as can be had with the precision. From high
    ones, that is lowered each time which brings the most commits for what it shows wrong."""
    held = np.zeros(len(rows["label"]))  # probabilities by a fit without the row's own repository and a few others
    for repositories in np.array_split(np.unique(rows["repository"]), FOLDS):
        there = np.isin(rows["repository"], repositories)
        held[there] = predict(fit_all(taken(rows, ~there), finders), taken(rows, there))
    # The order of files and lines is nobody's; what is shown is judged in the other one.
    held, rows = held[rows["typed"]], taken(rows, rows["typed"])
    print("one threshold for all: right, commits, shown (repositories left out in turn)")
    for threshold in np.arange(0.95, 0.29, -0.05):
        print("%9.2f %6.3f %8.3f %6d" % (threshold, *report(held, rows, np.full(len(finders), threshold))))
    thresholds = np.full(len(finders), 0.95)
    while True:
        right, commits, shown = report(held, rows, thresholds)
        best = None
        for f in range(len(finders)):
            for lower in STEPS:
                tried = thresholds.copy()
                tried[f] -= lower
                after = report(held, rows, tried)
                if tried[f] < LOWEST or after[0] < precision or after[1] <= commits:
                    continue
                wrong = max(1.0, after[2] * (1 - after[0]) - shown * (1 - right))
                if best is None or (after[1] - commits) / wrong > best[0]:
                    best = ((after[1] - commits) / wrong, tried)
        if best is None:
            break
        thresholds = best[1]
    print("chosen: right %.3f, commits %.3f, shown %d" % report(held, rows, thresholds))
    shown = shown_at(held, rows, thresholds)
    for f, name in enumerate(finders):
        mine = shown[rows["finder"][shown] == f]
        if len(mine):
            print(f"{name:>9} from {thresholds[f]:.2f}: right {rows['label'][mine].mean():.3f}, "
                  f"commits {np.unique(rows['commit'][mine]).size}, shown {len(mine)}")
    return [round(float(t), 2) for t in thresholds]


def read(dumps, scores=False):
    """The rows of the dumps, numbered by dump and repository in it; `scores` are theirs, where they have some."""
    parts = []
    for i, file in enumerate(dumps):
        columns = HEADER + len(FEATURES) + (SCORES if scores else 0)
        parts.append(np.fromfile(file, np.uint8).reshape(-1, columns).astype(np.int64))
        parts[-1][:, 0] += 100 * i  # numbers of repositories
    raw = np.vstack(parts)
    # A row belongs to the question before it while repository, commit and step are the same.
    commit = raw[:, 0] << 24 | raw[:, 3] | raw[:, 4] << 8 | raw[:, 5] << 16
    key = commit << 9 | raw[:, 7] << 8 | raw[:, 6]
    question = np.cumsum(np.r_[0, key[1:] != key[:-1]])
    start = np.r_[0, np.flatnonzero(key[1:] != key[:-1]) + 1]
    rows = {"repository": raw[:, 0], "finder": raw[:, 1], "label": raw[:, 2].astype(float), "commit": commit,
            "question": question, "typed": raw[:, 7] != 0,
            "x": (raw[:, HEADER:HEADER + len(FEATURES)] / 100.0).astype(np.float32), "scores": raw[:, HEADER + len(FEATURES):]}
    return taken(rows, np.arange(len(raw)) - start[question] < CANDIDATES)


def taken(rows, which):
    return {name: column[which] for name, column in rows.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gate", type=pathlib.Path)
    parser.add_argument("dump", type=pathlib.Path, nargs="+")
    parser.add_argument("--precision", type=float, default=0.8)
    parser.add_argument("--threshold", type=float, help="show from here on, and try no others")
    parser.add_argument("--note", default="")
    parser.add_argument("--finder", help="fit this one, and leave the others in GATE as they are")
    parser.add_argument("--features", help="only these, without pairs: where there are few commits to fit on")
    args = parser.parse_args()
    global FIRST, SECOND
    features, finders, rows = FEATURES, FINDERS, read(args.dump)
    if args.finder:
        rows = taken(rows, rows["finder"] == finders.index(args.finder))
    if args.features:
        FIRST, SECOND = FIRST[:0], SECOND[:0]
        unused = [i for i, name in enumerate(features) if name not in args.features.split(",")]
        rows["x"][:, unused] = 0
    chosen = [args.threshold] * len(finders) if args.threshold else choose(rows, finders, args.precision)
    models = fit_all(rows, finders)
    for f, name in enumerate(finders):
        mine = rows["finder"] == f
        print(f"{name}: {mine.sum()} candidates, right {rows['label'][mine].mean() if mine.any() else 0:.3f}")
    columns = features + [f"{features[a]}*{features[b]}" for a, b in zip(FIRST, SECOND)]
    gate = json.loads(args.gate.read_text()) if args.finder else {"finders": {}}
    gate = {**gate, "note": args.note or gate.get("note", "")}
    for f, w in models.items():
        gate["finders"][finders[f]] = {"bias": round(float(w[-1]), 3), "threshold": chosen[f],
                                       "weights": {name: round(float(value), 3) for name, value in zip(columns, w)
                                                   if abs(value) >= 0.02}}
    args.gate.write_text(json.dumps(gate, indent=1) + "\n")


if __name__ == "__main__":
    main()
