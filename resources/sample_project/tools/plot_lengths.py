#!/usr/bin/env python3
# SPDX-License-Identifier: CC0-1.0
"""Draws word lengths from the CSV that wordwise writes: wordwise --csv FILE | plot_lengths.py"""

import csv
import sys


def read_counts(lines):
    """Returns {length: count}; lines that make no sense are skipped with a word on stderr."""
    counts = {}
    for row in csv.DictReader(lines):
        try:
            counts[int(row["length"])] = int(row["count"])
        except (KeyError, TypeError, ValueError):
            print(f"skipped: {row}", file=sys.stderr)
    return counts


def mean_length(counts):
    total = sum(counts.values())
    if total == 0:
        return 0.0
    return sum(length * count for length, count in counts.items()) / total


def draw(counts, height=12):
    """Columns of blocks, one for each length, as a list of lines."""
    if not counts:
        return ["nothing to draw"]
    top = max(counts.values()) or 1
    lines = []
    for level in range(height, 0, -1):
        cells = []
        for length in sorted(counts):
            filled = counts[length] * height >= level * top
            cells.append(" █ " if filled else "   ")
        lines.append("".join(cells).rstrip())
    lines.append("".join(f"{length:^3}" for length in sorted(counts)))
    return lines


def main():
    counts = read_counts(sys.stdin)
    print("\n".join(draw(counts)))
    print(f"\nmean length {mean_length(counts):.2f}")


if __name__ == "__main__":
    main()
