# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of an evaluation and their intervals. Standard library only."""

import random

BOOTSTRAP_ROUNDS = 1000


def edit_similarity(left, right):
    """1 - Levenshtein distance / longer length."""
    if not left and not right:
        return 1.0
    previous = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        current = [i]
        for j, b in enumerate(right, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (a != b)))
        previous = current
    return 1 - previous[-1] / max(len(left), len(right))


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def ratio(pairs):
    """Sum over sum of (above, below)."""
    above, below = map(sum, zip(*pairs))
    return above / below if below else 0.0


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def by_file(items, file_of):
    """[[items of one file]]"""
    groups = {}
    for item in items:
        groups.setdefault(file_of(item), []).append(item)
    return list(groups.values())


def interval(strata, statistic, seed=11):
    """95 % bootstrap interval. `strata` is a list (say, of languages) of lists of groups (say,
    files) of items. Groups are drawn anew within each stratum; `statistic` takes the items, a list
    for each stratum."""
    picker = random.Random(seed)
    values = []
    for _ in range(BOOTSTRAP_ROUNDS):
        drawn = [picker.choices(groups, k=len(groups)) for groups in strata]
        values.append(statistic([[item for group in one for item in group] for one in drawn]))
    values.sort()
    return values[int(0.025 * len(values))], values[int(0.975 * len(values))]


def macro(statistic):
    """The mean over strata of a statistic of one of them."""
    return lambda strata: mean(statistic(items) for items in strata)


def precision_of_surest(items, share):
    """Of (certainty, right): the share that is right among the surest, so many of all."""
    ranked = sorted(items, key=lambda item: item[0], reverse=True)
    return mean(right for _, right in ranked[: max(1, int(share * len(ranked)))])
