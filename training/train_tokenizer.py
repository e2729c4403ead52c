# SPDX-License-Identifier: GPL-3.0-or-later
"""Learns the BPE merges from the training split of a corpus.

  python3 train_tokenizer.py --corpus DIR --output VOCAB.json [--size 8192] [--sample-mb 48]
  python3 train_tokenizer.py --corpus DIR --compare VOCAB.json ...

Standard library only. Every programming language gives the same share of the sample, so that the
big ones do not own the vocabulary. --compare prints how many bytes a token of each vocabulary holds
in the held-out projects.
"""

import argparse
import collections
import heapq
import json
import os
import random

import filters
import tokenizer

RAREST = 3  # pre-tokens seen less often teach no merge
HELD_OUT_BYTES = 2_000_000  # of each language, to compare vocabularies by
MINOR_SHARE = 0.2  # of what stands beside the code, for each 1 of a programming language


def read_texts(path, limit):
    """Some texts (bytes) of a .jsonl file, drawn at random until they hold `limit` bytes."""
    with open(path, "rb") as file:
        starts = [0]
        for line in file:
            starts.append(starts[-1] + len(line))
        starts.pop()
        random.Random(os.path.basename(path)).shuffle(starts)
        taken = 0
        for start in starts:
            if taken >= limit:
                break
            file.seek(start)
            text = json.loads(file.readline())["text"].encode("utf-8")
            yield text
            taken += len(text)


def read_sample(corpus, sample_bytes):
    """Yields texts (bytes) of the training split, up to a share of each language."""
    folder = os.path.join(corpus, "train")
    shares = {}
    for name in sorted(os.listdir(folder)):
        shares[name] = MINOR_SHARE if name.removesuffix(".jsonl") in filters.MINOR else 1.0
    for name, share in shares.items():
        limit = sample_bytes * share / sum(shares.values())
        yield from read_texts(os.path.join(folder, name), limit)


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


def bytes_a_token(vocabulary, texts):
    """How many bytes a token stands for on average."""
    total = tokens = 0
    for text in texts:
        total += len(text)
        tokens += len(vocabulary.encode(text))
    return total / tokens


def compare(corpus, vocabularies):
    """Prints bytes a token, by language of the held-out projects, as a table."""
    folder = os.path.join(corpus, "held_out")
    print("| language |" + "".join(f" {vocabulary.size:,} |" for vocabulary in vocabularies))
    print("|---|" + "---|" * len(vocabularies))
    columns = []
    for name in sorted(os.listdir(folder)):
        texts = list(read_texts(os.path.join(folder, name), HELD_OUT_BYTES))
        columns.append([bytes_a_token(vocabulary, texts) for vocabulary in vocabularies])
        print_row(name.removesuffix(".jsonl"), columns[-1])
    print_row("mean", [sum(values) / len(columns) for values in zip(*columns)])


def print_row(name, values):
    print(f"| {name} |" + "".join(f" {value:.2f} |" for value in values))


def learn(options):
    """Writes the vocabulary of the sample."""
    counts = collections.Counter()
    for text in read_sample(options.corpus, options.sample_mb * 1e6):
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", required=True)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--output", help="learn a vocabulary and write it to this file")
    action.add_argument("--compare", nargs="+", help="measure these vocabularies instead")
    parser.add_argument("--size", type=int, default=8192, help="of the vocabulary")
    parser.add_argument("--sample-mb", type=float, default=48)
    options = parser.parse_args()
    if options.compare:
        compare(options.corpus, [tokenizer.Vocabulary.load(path) for path in options.compare])
    else:
        learn(options)


if __name__ == "__main__":
    main()
