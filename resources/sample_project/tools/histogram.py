# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws what word_counter prints as bars, one a word."""

import sys


def read_counts(lines):
    counts = []
    for line in lines:
        count, _, word = line.strip().partition("\t")
        if word and count.isdigit():
            counts.append((word, int(count)))
    return counts


def draw(counts, width=40):
    largest = max((count for _, count in counts), default=1)
    for word, count in counts:
        print(f"{word:>16} {'#' * (count * width // largest)} {count}")


if __name__ == "__main__":
    draw(read_counts(sys.stdin))
