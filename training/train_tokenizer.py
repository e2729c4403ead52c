# SPDX-License-Identifier: GPL-3.0-or-later
"""Learns the BPE merges from the training split of a corpus.

  python3 train_tokenizer.py --corpus DIR --output VOCAB.json [--size 4096] [--sample-mb 24]

Standard library only. Every language gives the same share of the sample, so that the big ones do
not own the vocabulary.
"""

import argparse
import collections
import heapq
import json
import os
import random

import tokenizer

RAREST = 3  # pre-tokens seen less often teach no merge


def read_sample(corpus, sample_bytes):
    """Yields texts (bytes) of the training split, up to an equal share of each language."""
    folder = os.path.join(corpus, "train")
    names = sorted(os.listdir(folder))
    share = sample_bytes // len(names)
    for name in names:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            lines = file.readlines()
        random.Random(name).shuffle(lines)
        taken = 0
        for line in lines:
            text = json.loads(line)["text"].encode("utf-8")
            yield text
            taken += len(text)
            if taken >= share:
                break


def learn_merges(counts, merge_count):
    """The best `merge_count` merges for pre-token counts {bytes: int}."""
    words = []
    frequencies = []
    for piece, count in sorted(counts.items()):
        if count >= RAREST and len(piece) > 1:
            words.append(list(piece))
            frequencies.append(count)

    pair_count = collections.Counter()
    pair_words = collections.defaultdict(set)  # indices of the words that may hold the pair
    for index, word in enumerate(words):
        for pair in zip(word, word[1:]):
            pair_count[pair] += frequencies[index]
            pair_words[pair].add(index)
    # Lazy heap: an entry whose count is out of date is pushed again with the present one.
    heap = [(-count, pair) for pair, count in pair_count.items()]
    heapq.heapify(heap)

    merges = []
    while len(merges) < merge_count and heap:
        count, pair = heapq.heappop(heap)
        if pair_count[pair] != -count:
            if pair_count[pair] > 0:
                heapq.heappush(heap, (-pair_count[pair], pair))
            continue
        token = tokenizer.BYTE_COUNT + len(merges)
        merges.append(pair)
        changed = set()
        for index in pair_words.pop(pair):
            old = words[index]
            new = merge_word(old, pair, token)
            if len(new) == len(old):
                continue
            for removed in zip(old, old[1:]):
                pair_count[removed] -= frequencies[index]
            for added in zip(new, new[1:]):
                pair_count[added] += frequencies[index]
                if token in added:
                    pair_words[added].add(index)
                    changed.add(added)
            words[index] = new
        del pair_count[pair]
        for added in changed:
            heapq.heappush(heap, (-pair_count[added], added))
    return merges


def merge_word(word, pair, token):
    """`word` with each occurrence of `pair` replaced by `token`, left to right."""
    merged = []
    position = 0
    while position < len(word):
        if word[position] == pair[0] and word[position + 1 : position + 2] == [pair[1]]:
            merged.append(token)
            position += 2
        else:
            merged.append(word[position])
            position += 1
    return merged


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--size", type=int, default=4096, help="of the vocabulary")
    parser.add_argument("--sample-mb", type=float, default=24)
    options = parser.parse_args()
    counts = collections.Counter()
    for text in read_sample(options.corpus, int(options.sample_mb * 1e6)):
        counts.update(tokenizer.pre_tokenize(text))
    merge_count = options.size - tokenizer.BYTE_COUNT - tokenizer.SPECIAL_COUNT
    merges = learn_merges(counts, merge_count)
    if len(merges) < merge_count:
        raise SystemExit(f"only {len(merges)} merges in this sample; use a larger one")
    vocabulary = tokenizer.Vocabulary(merges)
    vocabulary.save(options.output)
    total = sum(len(piece) * count for piece, count in counts.items())
    tokens = sum(len(vocabulary.encode(piece)) * count for piece, count in counts.items())
    print(f"{vocabulary.size} tokens, {total / tokens:.3f} bytes a token on the sample")


if __name__ == "__main__":
    main()
