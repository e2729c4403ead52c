#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits how often a suggestion of some probability is right (runtime/inference/output/calibration.h).

  python3 calibrate.py FIT.json [--test REPORT.json] [--write]

The files are what `replay.py --certainties` wrote, FIT.json of the repositories to fit on. By kind of place,
the logit of the share that is right is a line over the logit of the probability: logistic regression, held
towards "as it says". What the program said is taken back to what it would have said unfitted, by the
numbers that calibration.cpp has, so a fitted program can be fitted again. Needs numpy.
"""

import argparse
import json
import pathlib
import re

import numpy as np

import editor_gate

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "runtime/inference/output/calibration.cpp"
PAIR = re.compile(r"\{(-?[\d.]+), (-?[\d.]+)\}")
HOLD_OFFSET, HOLD_SLOPE = 4.0, 40.0  # as many suggestions' worth of "as it says", about
EDGE = 1e-9


def logit(share):
    share = np.clip(share, EDGE, 1 - EDGE)
    return np.log(share / (1 - share))


def logistic(value):
    return 1 / (1 + np.exp(-value))


def read_table(source):
    """[(offset, slope)] by place, in the order of editor_gate.PLACES and of PlaceKind."""
    table = source[source.index("kPlaceFits = {{") :]
    pairs = PAIR.findall(table[: table.index("}};")])
    assert len(pairs) == len(editor_gate.PLACES)
    return [(float(offset), float(slope)) for offset, slope in pairs]


def write_table(source, fits):
    for (offset, slope), match in reversed(
        list(zip(fits, PAIR.finditer(source, source.index("kPlaceFits = {{"))))
    ):
        source = f"{source[: match.start()]}{{{offset:.2f}, {slope:.2f}}}{source[match.end() :]}"
    return source


def fit(probability, right):
    """(offset, slope), by Newton's method."""
    x = logit(probability)
    offset, slope = 0.0, 1.0
    for _ in range(50):
        said = logistic(offset + slope * x)
        weight = said * (1 - said)
        gradient = np.array(
            [
                (said - right).sum() + HOLD_OFFSET * offset,
                ((said - right) * x).sum() + HOLD_SLOPE * (slope - 1),
            ]
        )
        curvature = np.array(
            [
                [weight.sum() + HOLD_OFFSET, (weight * x).sum()],
                [(weight * x).sum(), (weight * x * x).sum() + HOLD_SLOPE],
            ]
        )
        step = np.linalg.solve(curvature, gradient)
        offset, slope = offset - step[0], slope - step[1]
    return offset, slope


def by_place(certainties, table):
    """[(unfitted probabilities, right)] by place."""
    places = []
    for place, (offset, slope) in zip(editor_gate.PLACES, table):
        rows = [(said, right) for _, kind, said, right in certainties if kind == place]
        said, right = (np.array(column, float) for column in zip(*rows)) if rows else ([], [])
        places.append((logistic((logit(said) - offset) / slope), np.asarray(right)))
    return places


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("certainties", help="of replay.py --use fit")
    parser.add_argument("--test", help="of replay.py --use report")
    parser.add_argument("--write", action="store_true", help="put the numbers into calibration.cpp")
    options = parser.parse_args()
    source = SOURCE.read_text()
    table = read_table(source)
    with open(options.certainties, encoding="utf-8") as file:
        known = by_place(json.load(file), table)
    fits = [fit(*place) for place in known]
    tested = known
    if options.test:
        with open(options.test, encoding="utf-8") as file:
            tested = by_place(json.load(file), table)
    print("| the caret | n | offset, slope | said %, unfitted | fitted | right % | squared error, unfitted | fitted |")
    print("|---|---|---|---|---|---|---|---|")
    for place, (offset, slope), (probability, right) in zip(editor_gate.PLACES, fits, tested):
        said = logistic(offset + slope * logit(probability))
        cells = [place, len(right), f"{offset:.2f}, {slope:.2f}"]
        if len(right):
            cells += [f"{100 * share.mean():.1f}" for share in (probability, said, right)]
            cells += [f"{((share - right) ** 2).mean():.4f}" for share in (probability, said)]
        print("| " + " | ".join(map(str, cells)) + " |")
    if options.write:
        SOURCE.write_text(write_table(source, fits))


if __name__ == "__main__":
    main()
