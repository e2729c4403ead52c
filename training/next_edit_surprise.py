#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells whether a model's surprise would improve the gate of next edits, on what `bench_next_edit --dump FILE --model MODEL` wrote.

    next_edit_surprise.py GATE DUMP... [--on DUMP...] --commits N

Each dump is of one project, of N commits; GATE is the gate that it was made with. Gates are fitted with and without the surprise, and
judged on each dump by a fit without that one: on those behind --on, or on all. "fitted" are fitted anew as fit_next_edit.py does.
"GATE" has the probability by GATE in place of the features: projects that GATE was fitted on say nothing of it.

All gates know which candidates the model was asked about, as that follows from GATE. They are compared where they show something in the
same share of the commits (those that no finder has anything for included), with one threshold for all finders. In brackets: 95 % of
draws of projects, with replacement, the threshold chosen anew in each.

What a dump asks about depends on what GATE showed: what a gate under test would show and GATE did not is there at each later question,
too, and counts each time. The first of each commit is free of that; figures of other programs are not to be set beside the others."""

import argparse
import json
import pathlib

import numpy as np

import fit_next_edit as gates

SHARES = (0.15, 0.2, 0.25, 0.33)  # of the commits
DRAWS = 1000
NATS = 50.0  # byte values of the dump to ten nats, so that the penalty holds weights of theirs as it does others
LOG_ODDS = 0.1  # likewise


def surprise(scores, how):
    """Features of what the model makes of the new lines and of the old ones."""
    scored = scores[:, :1] != 0
    if how == "without":
        return scored.astype(np.float32)
    new, old = (scores[:, [1, 2] if how == "network" else [3, 4]].T / NATS)[:, :, None]
    return np.hstack([scored, new, old, old - new]).astype(np.float32)


def log_odds(gate, rows):
    """By the stored gate, as gate.cpp computes them."""
    odds = np.zeros(len(rows["label"]), np.float32)
    for f, name in enumerate(gates.FINDERS):
        model = gate["finders"].get(name, {"bias": -30})
        mine = rows["finder"] == f
        odds[mine] = model["bias"]
        for key, weight in model.get("weights", {}).items():
            odds[mine] += weight * np.prod([rows["x"][mine, gates.FEATURES.index(part)] for part in key.split("*")], axis=0)
    return odds[:, None] * LOG_ODDS


def left_out(rows, judged):
    """Probabilities of the judged repositories' rows, each by gates that were fitted on the other ones."""
    p = np.zeros(len(rows["label"]))
    theirs = [rows["repository"] == repository for repository in judged]
    theirs = [there for there in theirs if not (there & rows["onlyJudged"]).any()] + [rows["onlyJudged"]]
    for there in theirs:
        if there.any():
            part = gates.taken(rows, ~there & ~rows["onlyJudged"])
            p[there] = gates.predict(gates.fit_all(part, gates.FINDERS), gates.taken(rows, there))
    return p


class Shown:
    """What a gate shows first in each question, from the most probable on."""

    def __init__(self, p, rows):
        best = gates.shown_at(p, rows, np.zeros(len(gates.FINDERS)))
        best = best[np.argsort(-p[best], kind="stable")]
        self.right, self.repository, self.question = (rows[name][best] for name in ("label", "repository", "question"))
        _, first, self.commit = np.unique(rows["commit"][best], return_index=True, return_inverse=True)
        self.isMost = np.zeros(len(best), bool)  # the most probable of its commit
        self.isMost[first] = True

    def figures(self, times, commits, share):
        """Per cent right of all that is shown, and of what is shown first in each commit, with something shown in the share of
        the commits."""
        weight = times[self.repository]
        shown = np.searchsorted(np.cumsum(weight * self.isMost), share * commits * times.sum() - 1e-9) + 1
        weight, right = weight[:shown], self.right[:shown]
        in_time = np.lexsort((self.question[:shown], self.commit[:shown]))
        commit = self.commit[in_time]
        first = in_time[np.r_[True, commit[1:] != commit[:-1]]]
        return [100 * (weight[i] * right[i]).sum() / weight[i].sum() for i in (slice(None), first)]

    def commits_at(self, times, commits, right):
        """Per cent of the commits that have something shown where so much of all that is shown is right."""
        weight = times[self.repository]
        enough = np.flatnonzero(np.cumsum(weight * self.right) >= right * np.cumsum(weight))
        enough = enough[enough >= 30]  # not by a few at the top
        return 100 * (weight * self.isMost)[:enough[-1] + 1].sum() / (commits * times.sum()) if len(enough) else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gate", type=pathlib.Path)
    parser.add_argument("dump", type=pathlib.Path, nargs="+")
    parser.add_argument("--on", type=pathlib.Path, nargs="+", default=[])
    parser.add_argument("--commits", type=int, required=True)
    args = parser.parse_args()
    dumps = args.dump + [file for file in args.on if file not in args.dump]
    rows = gates.read(dumps, scores=True)
    rows = gates.taken(rows, rows["typed"])
    rows["repository"] //= 100
    rows["onlyJudged"] = rows["repository"] >= len(args.dump)
    judged = np.array([i for i, file in enumerate(dumps) if file in (args.on or dumps)])
    mine = np.isin(rows["repository"], judged)
    print(f"{len(judged)} projects, {len(judged) * args.commits} commits, {np.unique(rows['commit'][mine]).size} of them with a "
          f"candidate; {mine.sum()} candidates, {(rows['scores'][mine, 0] != 0).sum()} scored, "
          f"{int(rows['label'][mine].sum())} right")
    odds = log_odds(json.loads(args.gate.read_text()), rows)
    features = {"fitted": rows["x"], "GATE": odds}
    shown = {}
    for base, x in features.items():
        for how in ("without", "network", "copying"):
            rows["x"] = np.hstack([x, surprise(rows["scores"], how)])
            pairs = gates.FIRST, gates.SECOND
            if base == "GATE":
                gates.FIRST, gates.SECOND = gates.FIRST[:0], gates.SECOND[:0]
            p = left_out(rows, judged)
            gates.FIRST, gates.SECOND = pairs
            shown[base, how] = Shown(p[mine], gates.taken(rows, mine))
    random = np.random.default_rng(1)
    draws = [np.bincount(judged, minlength=len(dumps))]
    draws += [np.bincount(random.choice(judged, len(judged)), minlength=len(dumps)) for _ in range(DRAWS)]

    def tell(label, measure):
        values = {key: np.array([measure(one, times) for times in draws]) for key, one in shown.items()}
        for (base, how), value in values.items():
            gain = value - values[base, "without"]
            low, high = np.percentile(value[1:], [2.5, 97.5])
            text = f"{label:34} {base:>6} {how:>7}: {value[0]:5.1f} ({low:.1f} to {high:.1f})"
            if how != "without":
                text += "   gain %+5.1f (%+.1f to %+.1f)" % (gain[0], *np.percentile(gain[1:], [2.5, 97.5]))
            print(text)

    for share in SHARES:
        for i, what in enumerate(("right, % of all shown", "right, % of the first of each")):
            tell(f"{what}, in {share:.0%}", lambda one, times, i=i, share=share: one.figures(times, args.commits, share)[i])
    for right in (0.7, 0.75):
        tell(f"commits, %, where {right:.0%} are right", lambda one, times, right=right: one.commits_at(times, args.commits, right))


if __name__ == "__main__":
    main()
