# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of the held-out projects stands in the training split: the share of their runs of eight
words that occur there.

  python3 overlap.py --corpus DIR

Words are identifiers, numbers and single signs; blanks do not count. A run is told by a hash of 64
bits. Some overlap is in the nature of code ("for (int i = 0; i <"); a file that was copied shows as
one with most of its runs found, so those are counted, too. Needs numpy, and some 20 bytes of memory
for each word of the held-out split.
"""

import argparse
import json
import os

import numpy as np

import positions
import word_hashes

RUN = 8
MUCH = 0.5  # of a file's runs
SIEVE_BITS = 27  # a table that tells most runs of training at once to be in no held-out file


def runs_of(text):
    """Hashes of the runs of a text; the same text has the same ones."""
    return word_hashes.runs(word_hashes.words(text.encode("utf-8"), signs=True), RUN)


def sieve_places(hashes):
    return hashes >> np.uint64(64 - SIEVE_BITS)


def find(held_out, training_texts):
    """{project: [(path, runs, found) of a file]}; `held_out` is a list of documents."""
    runs = [runs_of(document.text) for document in held_out]
    sought = np.unique(np.concatenate(runs)) if runs else np.zeros(0, np.uint64)
    sieve = np.zeros(1 << SIEVE_BITS, bool)
    sieve[sieve_places(sought)] = True
    found = np.zeros(len(sought), bool)
    for text in training_texts:
        of_text = runs_of(text)
        of_text = of_text[sieve[sieve_places(of_text)]]
        at = np.searchsorted(sought, of_text)
        at[at == len(sought)] = 0
        if len(sought):
            found[at[sought[at] == of_text]] = True
    projects = {}
    for document, of_file in zip(held_out, runs):
        hits = int(found[np.searchsorted(sought, of_file)].sum())
        projects.setdefault(document.project, []).append((document.path, len(of_file), hits))
    return projects


def training_texts(folder):
    """One after the other: the split need not fit into memory."""
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)["text"]


def much_of(files):
    """The paths of those with more than MUCH of their runs found."""
    return [path for path, runs, hits in files if hits > MUCH * runs]


def rows(projects):
    """(name, files, runs, share found, files with much of them found), the last of all together."""
    everything = [file for files in projects.values() for file in files]
    for name, files in [*sorted(projects.items()), ("all", everything)]:
        runs = sum(runs for _, runs, _ in files)
        hits = sum(hits for _, _, hits in files)
        yield name, len(files), runs, hits / runs if runs else 0.0, len(much_of(files))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", required=True)
    folder = parser.parse_args().corpus
    held_out = positions.read_documents(os.path.join(folder, "held_out"))
    documents = [document for found in held_out.values() for document in found]
    projects = find(documents, training_texts(os.path.join(folder, "train")))
    print(f"| project | files | runs of {RUN} words | in training % | files over {MUCH:.0%} |")
    print("|---|---|---|---|---|")
    for name, files, runs, share, much in rows(projects):
        print(f"| {name} | {files} | {runs:,} | {100 * share:.1f} | {much} |")
    print(f"\nOver {MUCH:.0%}:")
    for project, files in sorted(projects.items()):
        for path in much_of(files):
            print(f"- {project}: {path}")


if __name__ == "__main__":
    main()
