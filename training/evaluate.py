# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures a GGUF model on the held-out projects of a corpus and prints tables for its model card.

  python3 evaluate.py --model FILE.gguf --corpus DIR [--windows 40] [--positions 60]

Bits per byte: plain text windows, nats of all their tokens over UTF-8 bytes. Line completion: at
the first character of a line that is not blank, or at a random character of it, the model is given
the prefix and the suffix in SPM order and completes greedily to the end of the line; exact match
(EM) and edit similarity (ES) after trimming. "suggestion" is what the program shows: the model with
its last word healed and with copying from the whole file (copying.py). Beside them at the same
positions: copying alone, what followed the longest match of characters. Intervals are 95 % bootstraps over files (bits per byte: over
windows).
"""

import argparse
import json
import math
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import random

import numpy as np

import copying
import decoder
import export_gguf
import model
import windows

WINDOW_TOKENS = 512
PREFIX_TOKENS, SUFFIX_TOKENS = 700, 120
LONGEST_ANSWER = 32  # tokens
FILE_SIZES = range(2000, 60_000)  # characters
SHORTEST_LINE, LONGEST_LINE, SHORTEST_TRUTH = 6, 120, 4
COMMENT_STARTS = ("//", "#", "*", "/*", '"""', "--")
SHORTEST_COPY_MATCH = 4  # characters
BOOTSTRAP_ROUNDS = 2000


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


def draw_positions(documents, count, seed):
    """Line completion tasks from distinct files as far as there are enough."""
    picker = random.Random(seed)
    usable = [d for d in documents if len(d[1]) in FILE_SIZES]
    tasks = []
    attempts = 0
    while len(tasks) < count and attempts < 100 * count:
        attempts += 1
        name, text = picker.choice(usable)
        lines = text.split("\n")
        number = picker.randrange(len(lines) // 5, len(lines))
        line = lines[number]
        stripped = line.strip()
        if not SHORTEST_LINE <= len(stripped) <= LONGEST_LINE:
            continue
        if stripped.startswith(COMMENT_STARTS):
            continue
        column = len(line) - len(line.lstrip())
        kind = "line start" if len(tasks) % 2 == 0 else "mid-line"
        if kind == "mid-line":
            column = picker.randrange(column + 1, len(line))
        if len(line[column:].strip()) < SHORTEST_TRUTH:
            continue
        cursor = sum(len(before) + 1 for before in lines[:number]) + column
        tasks.append(
            {
                "name": name,
                "kind": kind,
                "prefix": text[:cursor],
                "truth": line[column:].strip(),
                "suffix": text[cursor + len(line) - column :],
            }
        )
    return tasks


def complete_by_copy(task):
    """The rest of the line after the longest match of the text before the cursor."""
    prefix, suffix = task["prefix"], task["suffix"]
    best = ""
    length = SHORTEST_COPY_MATCH
    while length <= min(len(prefix), 200):
        key = prefix[-length:]
        above = prefix.rfind(key, 0, len(prefix) - 1)
        if above >= 0:
            answer = prefix[above + length :]
        else:
            below = suffix.find(key)
            if below < 0:
                break
            answer = suffix[below + length :]
        best = answer.split("\n")[0].strip()
        length += 1
    return best


class Completer:
    """Line completion by the model."""

    def __init__(self, shape, weights, vocabulary, copy_weights):
        self.vocabulary = vocabulary
        self.copy_weights = copy_weights
        context = PREFIX_TOKENS + SUFFIX_TOKENS + 128 + LONGEST_ANSWER
        self.decoder = decoder.Decoder(shape, weights, min(context, export_gguf.CONTEXT_LENGTH))

    def _encode(self, text):
        return self.vocabulary.encode(text.encode("utf-8"))

    def _prefill(self, task, prefix):
        vocabulary, encode = self.vocabulary, self._encode
        prompt = [vocabulary.file, *encode(task["name"])[:32], vocabulary.suf]
        prompt += encode(task["suffix"][: SUFFIX_TOKENS * 6])[:SUFFIX_TOKENS]
        prompt.append(vocabulary.pre)
        prompt += encode(prefix[-PREFIX_TOKENS * 6 :])[-PREFIX_TOKENS:]
        return self.decoder.prefill(prompt)

    def _ends(self, token):
        vocabulary = self.vocabulary
        return token >= vocabulary.first_special or b"\n" in vocabulary.token_bytes[token]

    def complete(self, task):
        """(line, mean log-probability of its tokens) by the network alone."""
        logits = self._prefill(task, task["prefix"])
        answer = []
        sure = 0.0
        for _ in range(LONGEST_ANSWER):
            token = int(np.argmax(logits))
            sure -= float(np.log(np.exp(logits - logits[token]).sum()))
            if self._ends(token):
                break
            answer.append(token)
            logits = self.decoder.step(token)
        text = self.vocabulary.decode(answer).decode("utf-8", "replace")
        return text.strip(), sure / (len(answer) + 1)

    def suggest(self, task):
        """(line, log-probability of the whole) with healing and copying."""
        typed = copying.healed_end(task["prefix"].encode("utf-8"))
        prefix = task["prefix"][: len(task["prefix"]) - len(typed.decode("utf-8"))]
        text, file = copying.Index(), copying.Index()
        text.append(self._encode(prefix))
        file.append(self._encode(task["suffix"]))
        logits = self._prefill(task, prefix)
        answer, left, sure = [], typed, 0.0
        for _ in range(LONGEST_ANSWER):
            chances = np.exp(logits - logits.max())
            if left:
                chances *= copying.agreeing(self.vocabulary, left)
            chances /= chances.sum()
            allowed = lambda token: chances[token] > 0
            found = [index.weigh(text.tokens, allowed) for index in (text, file)]
            evidence = max(filter(None, found), key=lambda e: e.matched, default=None)
            if evidence and self.copy_weights is not None:
                chances = copying.mix(self.copy_weights, evidence, chances)
            token = int(np.argmax(chances))
            sure += math.log(chances[token])
            if self._ends(token):
                break
            left = left[len(self.vocabulary.token_bytes[token]) :]
            answer.append(token)
            text.append([token])
            logits = self.decoder.step(token)
        line = self.vocabulary.decode(answer)[len(typed) :].decode("utf-8", "replace")
        return line.strip(), sure


def bits_per_byte(shape, weights, vocabulary, documents, count, seed):
    """[(bits, bytes)] of `count` windows of plain text, each from another file if possible."""
    picker = random.Random(seed)
    worker = model.Worker(shape, weights, 1, WINDOW_TOKENS)
    usable = [d for d in documents if len(d[1]) >= WINDOW_TOKENS * 4]
    results = []
    for name, text in picker.sample(usable, min(count, len(usable))):
        start = text.rfind("\n", 0, picker.randrange(0, len(text) - WINDOW_TOKENS * 3)) + 1
        piece = text[start : start + WINDOW_TOKENS * 8].encode("utf-8")
        ids = vocabulary.encode(piece)[:WINDOW_TOKENS]
        if len(ids) < WINDOW_TOKENS:
            continue
        inputs = np.array([[vocabulary.pre] + ids[:-1]])
        nats = float(worker.losses(inputs, np.array([ids])).astype(np.float64).sum())
        results.append((nats / math.log(2), len(vocabulary.decode(ids))))
    return results


def bootstrap(groups, statistic):
    """95 % interval of `statistic` over resampled `groups`."""
    picker = random.Random(11)
    values = sorted(
        statistic(picker.choices(groups, k=len(groups))) for _ in range(BOOTSTRAP_ROUNDS)
    )
    return values[int(0.025 * len(values))], values[int(0.975 * len(values))]


def macro_bits(by_language):
    """The mean over languages of bits per byte, with a bootstrap interval over windows."""
    ratio = lambda windows_: sum(w[0] for w in windows_) / sum(w[1] for w in windows_)
    picker = random.Random(12)
    means = []
    for _ in range(BOOTSTRAP_ROUNDS):
        ratios = [ratio(picker.choices(w, k=len(w))) for w in by_language.values()]
        means.append(sum(ratios) / len(ratios))
    means.sort()
    mean = sum(ratio(w) for w in by_language.values()) / len(by_language)
    return mean, means[int(0.025 * len(means))], means[int(0.975 * len(means))]


def score(tasks, method):
    """(EM %, low, high, ES %) of one method over tasks."""
    by_file = {}
    for task in tasks:
        by_file.setdefault(task["name"], []).append(task["exact"][method])
    groups = list(by_file.values())
    rate = lambda chosen: 100 * sum(map(sum, chosen)) / sum(map(len, chosen))
    low, high = bootstrap(groups, rate)
    similarity = 100 * sum(task["similar"][method] for task in tasks) / len(tasks)
    return rate(groups), low, high, similarity


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--windows", type=int, default=40, help="a language, for bits per byte")
    parser.add_argument("--positions", type=int, default=60, help="line completions a language")
    parser.add_argument("--details", help="write every completion to this JSON file")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    shape, weights, vocabulary = export_gguf.load_model(options.model)
    copy_weights = export_gguf.copy_weights(options.model)
    held_out = windows.Corpus(os.path.join(options.corpus, "held_out")).documents

    measured = {}
    for language, documents in held_out.items():
        found = bits_per_byte(shape, weights, vocabulary, documents, options.windows, options.seed)
        if found:
            measured[language] = found
    print("| language | bits per byte | windows |\n|---|---|---|")
    for language, found in measured.items():
        ratio = lambda chosen: sum(w[0] for w in chosen) / sum(w[1] for w in chosen)
        low, high = bootstrap(found, ratio)
        print(f"| {language} | {ratio(found):.3f} ({low:.3f}-{high:.3f}) | {len(found)} |")
    mean, low, high = macro_bits(measured)
    count = sum(map(len, measured.values()))
    print(f"| macro | {mean:.3f} ({low:.3f}-{high:.3f}) | {count} |\n", flush=True)

    completer = Completer(shape, weights, vocabulary, copy_weights)
    tasks = []
    for language, documents in held_out.items():
        for task in draw_positions(documents, options.positions, f"{options.seed} {language}"):
            task["language"] = language
            answers = {"copy": complete_by_copy(task)}
            answers["model"], _ = completer.complete(task)
            answers["suggestion"], task["sure"] = completer.suggest(task)
            task["answers"] = answers
            truth = task["truth"]
            task["exact"] = {m: int(a == truth) for m, a in answers.items()}
            task["similar"] = {m: edit_similarity(a, truth) for m, a in answers.items()}
            tasks.append(task)
    methods = ["model", "copy", "suggestion"]
    print("| positions | n | " + " | ".join(f"{m}: EM % (95 %), ES %" for m in methods) + " |")
    print("|---|---|" + "---|" * len(methods))
    sections = [("all", tasks)]
    for key in ("kind", "language"):
        for value in sorted({task[key] for task in tasks}):
            sections.append((value, [task for task in tasks if task[key] == value]))
    for title, chosen in sections:
        cells = []
        for method in methods:
            exact, low, high, similar = score(chosen, method)
            cells.append(f"{exact:.1f} ({low:.1f}-{high:.1f}), {similar:.1f}")
        print(f"| {title} | {len(chosen)} | " + " | ".join(cells) + " |")
    print("\n| shown, most certain first | suggestion EM % |\n|---|---|")
    ranked = sorted(tasks, key=lambda task: -task["sure"])
    for share in (0.1, 0.2, 0.3, 0.5):
        shown = ranked[: max(1, int(share * len(ranked)))]
        print(f"| {share:.0%} | {100 * sum(t['exact']['suggestion'] for t in shown) / len(shown):.1f} |")
    if options.details:
        with open(options.details, "w", encoding="utf-8") as file:
            keys = ("language", "kind", "name", "truth", "answers", "sure")
            json.dump([{key: task[key] for key in keys} for task in tasks], file, indent=1)


if __name__ == "__main__":
    main()
