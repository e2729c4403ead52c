# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits how far the program trusts a copy (runtime/inference/sampling/copying.h).

  python3 copying.py --model FILE.gguf --corpus DIR --mirrors DIR --collector build/release/bin/collect_evidence \
      --output copying.json

Lines are taken out of files of projects that the corpus has in full enough, and are what commits added to the
repositories for fitting (commit_repositories.txt, bare ones in the mirrors' DIR); the collector, which is
made of the program's own code, says for each of their tokens what the network thinks and what speaks
for which copies, with the project's documents known and with the file alone. The scorer adds to each
such token's log probability what a small network makes of that, so that the right tokens get
likelier: softmax regression, by Adam. A seventh of the lines is left out, and tells how good it is.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import threading

import processor

processor.settle()

import numpy as np

import commits
import filters
import positions

FEATURES = 26
HIDDEN = 24
MOST_SCORE = 12

# Tasks: lines of files, in projects.
PROJECTS, LINES = 14, 40  # a language, a project
FEWEST_FILES = 8
MOST_PROJECT = 6_000_000  # characters: what the program indexes
LONGEST_ANSWER = 24  # tokens; the rest of a line is not learned from
COMMIT_LINES, SHARING, COMMIT_SEED = 240, 12, 11  # a repository, a project's state
COMMITS_COUNT = 3  # as often: they are what the program is for

EPOCHS, BATCH, RATE = 40, 256, 0.01
LEFT_OUT = 7  # one of so many blocks
BLOCK = 400  # rows: neighbors go together

# Candidates of all tokens one behind the other; by token: where they begin, how many there are, the
# index of the right one among them or -1, and the network's log probability of what is right.
Rows = collections.namedtuple("Rows", "features start count right chance")


def draw_tasks(records, picker):
    """Lines for the collector: of each project its documents, then tasks in them."""
    projects = collections.defaultdict(list)
    for record in records:
        projects[record["project"]].append(record)
    names = sorted(name for name, files in projects.items() if len(files) >= FEWEST_FILES)
    picker.shuffle(names)
    for name in names[:PROJECTS]:
        files, size = [], 0
        for record in picker.sample(projects[name], len(projects[name])):
            if size + len(record["text"]) > MOST_PROJECT:
                break
            files.append(record)
            size += len(record["text"])
        yield {"documents": [record["text"] for record in files]}
        usable = [n for n, record in enumerate(files) if len(record["text"]) in positions.FILE_SIZES]
        drawn = 0
        for _ in range(12 * LINES if usable else 0):
            own = picker.choice(usable)
            found = positions.draw_line(files[own]["text"], picker, whole=drawn % 2 == 0)
            if not found:
                continue
            yield {
                "own": own,
                "name": os.path.basename(files[own]["path"]),
                "prefix": found[0],
                "truth": found[1] + "\n",
                "tokens": LONGEST_ANSWER,
                "suffix": found[2],
                "both": True,
            }
            drawn += 1
            if drawn == LINES:
                break


def commit_tasks(repository):
    """Lines of commits for the collector: some share a project, as the first one's parent left it. They are older
    than those that replay.py draws, which certainty is fitted to."""
    with commits.History(repository) as history:
        drawn = commits.draw(history, COMMIT_LINES, COMMIT_SEED, skipped=commits.LATEST)
        for begin in range(0, len(drawn), SHARING):
            tree, size = {}, 0
            for document in history.tree(drawn[begin].parent):
                if size + len(document.text) <= MOST_PROJECT:
                    tree[document.path] = document.text
                    size += len(document.text)
            yield {"documents": list(tree.values())}
            paths = list(tree)
            for added in drawn[begin : begin + SHARING]:
                path = added.task.path
                yield {
                    "own": paths.index(path) if path in tree else -1,
                    "name": os.path.basename(path),
                    "prefix": added.task.prefix,
                    "truth": added.task.truth + "\n",
                    "tokens": LONGEST_ANSWER,
                    "suffix": added.task.suffix,
                    "gone": "".join(line + "\n" for line in added.removed),
                    "both": True,
                }


def run_collector(collector, model, tasks):
    """The bytes that it writes."""
    process = subprocess.Popen([collector, model], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def feed():
        for task in tasks:
            process.stdin.write((json.dumps(task) + "\n").encode())
        process.stdin.close()

    feeder = threading.Thread(target=feed)
    feeder.start()
    with process.stdout:
        output = process.stdout.read()
    feeder.join()
    if process.wait() != 0:
        sys.exit("The collector failed.")
    return output


def collect(collector, model, tasks):
    """The collector's rows."""
    return parse(run_collector(collector, model, tasks))


def parse(output):
    floats = np.frombuffer(output, np.float32)
    integers = np.frombuffer(output, np.int32)
    features, start, count, right, chance = [], [], [], [], []
    at = total = 0
    while at < len(floats):
        candidates = int(integers[at])
        right.append(integers[at + 1])
        chance.append(floats[at + 2])
        features.append(floats[at + 3 : at + 3 + candidates * FEATURES].reshape(-1, FEATURES))
        start.append(total)
        count.append(candidates)
        total += candidates
        at += 3 + candidates * FEATURES
    return Rows(np.concatenate(features), *map(np.array, (start, count, right, chance)))


def join(some):
    """Rows one behind the other."""
    before = np.cumsum([0, *(len(rows.features) for rows in some)])
    moved = [rows._replace(start=rows.start + offset) for rows, offset in zip(some, before)]
    return Rows(*map(np.concatenate, zip(*moved)))


class Scorer:
    """ReLU network of one hidden layer. `parameters` are in terms of standardized features."""

    def __init__(self, rows, seed):
        self.mean = rows.features.mean(0)
        self.deviation = rows.features.std(0) + 1e-6
        random = np.random.default_rng(seed)
        self.parameters = [
            random.normal(0, FEATURES**-0.5, (HIDDEN, FEATURES)),
            np.zeros(HIDDEN),
            np.zeros(HIDDEN),
            np.zeros(1),
        ]

    def losses(self, rows, tokens, gradients=None):
        """Nats of what is right at each of `tokens`; the mean's derivatives are put into
        `gradients`."""
        count = rows.count[tokens]
        row = np.repeat(np.arange(len(tokens)), count)
        first = np.cumsum(count) - count
        which = np.arange(count.sum()) - first[row] + rows.start[tokens][row]
        features = rows.features[which]
        own = features[:, 0].astype(np.float64)  # the network's log probability
        inputs = (features - self.mean) / self.deviation
        hidden, bias, output, last = self.parameters
        unit = inputs @ hidden.T + bias
        active = np.maximum(unit, 0)
        score = active @ output + last[0]
        inside = np.abs(score) < MOST_SCORE
        weight = np.exp(own + np.clip(score, -MOST_SCORE, MOST_SCORE))
        others = 1 - np.bincount(row, np.exp(own), len(tokens))
        total = np.maximum(others, 1e-9) + np.bincount(row, weight, len(tokens))
        right = rows.right[tokens]
        copied = right >= 0
        at = first[copied] + right[copied]
        losses = np.log(total)
        losses[~copied] -= rows.chance[tokens][~copied]
        losses[copied] -= np.log(weight[at])
        if gradients is not None:
            change = weight / total[row]
            change[at] -= 1
            change *= inside / len(tokens)
            back = change[:, None] * output * (unit > 0)
            gradients[:] = [back.T @ inputs, back.sum(0), active.T @ change, change.sum()[None]]
        return losses

    def weights(self):
        """As the program takes them: of features as they are."""
        hidden, bias, output, last = self.parameters
        scaled = hidden / self.deviation
        bias = bias - scaled @ self.mean
        units = np.concatenate([scaled, bias[:, None], output[:, None]], axis=1)
        return [float(weight) for weight in units.ravel()] + [float(last[0])]


def fit(rows, seed=0, report=print):
    """The scorer's weights."""
    tokens = np.arange(len(rows.count))
    left_out = tokens[(tokens // BLOCK) % LEFT_OUT == LEFT_OUT // 2]
    learned = np.setdiff1d(tokens, left_out)
    scorer = Scorer(rows, seed)
    random = np.random.default_rng(seed + 1)
    means = [np.zeros_like(p) for p in scorer.parameters]
    squares = [np.zeros_like(p) for p in scorer.parameters]
    steps = EPOCHS * -(-len(learned) // BATCH)
    step = 0
    for _ in range(EPOCHS):
        order = random.permutation(learned)
        for begin in range(0, len(order), BATCH):
            gradients = []
            scorer.losses(rows, order[begin : begin + BATCH], gradients)
            rate = RATE * (1 - step / steps)
            step += 1
            for p, mean, square, gradient in zip(scorer.parameters, means, squares, gradients):
                mean += 0.1 * (gradient - mean)
                square += 0.01 * (gradient**2 - square)
                p -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    if len(left_out):
        report(
            f"{len(learned)} tokens learned from, {len(left_out)} left out; of these, nats a token: "
            f"{-rows.chance[left_out].mean():.4f} by the network alone, "
            f"{scorer.losses(rows, left_out).mean():.4f} with copying"
        )
    return scorer.weights()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--mirrors", required=True, help="folder with the repositories")
    parser.add_argument("--collector", required=True, help="the program's collect_evidence")
    parser.add_argument("--output", required=True, help="JSON file, for export_gguf.py")
    parser.add_argument("--seed", type=int, default=9)
    options = parser.parse_args()

    folder = os.path.join(options.corpus, "train")
    repositories = commits.read_list(commits.LIST, options.mirrors)

    def of_corpus(name):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        tasks = draw_tasks(records, random.Random(f"{options.seed} {name}"))
        return run_collector(options.collector, options.model, tasks)

    def of_commits(repository):
        tasks = list(commit_tasks(repository))
        return run_collector(options.collector, options.model, tasks)

    # Nobody is measured by the minor ones.
    names = [n for n in sorted(os.listdir(folder)) if n.split(".")[0] not in filters.MINOR]
    fitted = [repository for repository in repositories if repository.fitted]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        corpus = parse(b"".join(pool.map(of_corpus, names)))
        written = parse(b"".join(pool.map(of_commits, fitted)))
    weights = fit(join([corpus, *[written] * COMMITS_COUNT]), options.seed)
    with open(options.output, "w", encoding="utf-8") as file:
        json.dump(weights, file)


if __name__ == "__main__":
    main()
