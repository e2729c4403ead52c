#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes ids.json: the token ids that a small byte-level vocabulary gives for the texts of
pre_tokens.json, cut as each pre-tokenizer cuts them.

    tests/runtime/tokenizer/data/make_ids.py

The vocabulary is learned here, from the same texts: token b is the byte b, token 256 + r what merge r
makes. Each word's merges are applied one after the other, wherever they fit, as the papers define it;
ours looks for the best pair instead. (Merges that were learned never make a pair that comes earlier.)
"""

import collections
import json
import pathlib

MERGES = 500
# A word that is a token is that token, whatever the merges give ("ignore_merges" in tokenizer.json).
WHOLE_WORDS = {"llama-bpe", "minicpm5", "tekken"}
HERE = pathlib.Path(__file__).parent


def merged(ids: list[int], pair: tuple[int, int], token: int) -> list[int]:
    out: list[int] = []
    at = 0
    while at < len(ids):
        if tuple(ids[at:at + 2]) == pair:
            out.append(token)
            at += 2
        else:
            out.append(ids[at])
            at += 1
    return out


def learn(texts: list[bytes]) -> list[tuple[int, int]]:
    """The most frequent pair, again and again; of whole texts, so that some tokens cross words."""
    rows = [list(text) for text in texts]
    spelled = [bytes([byte]) for byte in range(256)]
    merges = []
    while len(merges) < MERGES:
        pairs = collections.Counter(pair for row in rows for pair in zip(row, row[1:]))
        new = [pair for pair in pairs if spelled[pair[0]] + spelled[pair[1]] not in spelled]
        best = max(new, key=lambda pair: (pairs[pair], -pair[0], -pair[1]))
        rows = [merged(row, best, 256 + len(merges)) for row in rows]
        merges.append(best)
        spelled.append(spelled[best[0]] + spelled[best[1]])
    return merges


def encode(word: bytes, merges: list[tuple[int, int]], tokens: dict[bytes, int], whole: bool) -> list[int]:
    if whole and word in tokens:
        return [tokens[word]]
    ids = list(word)
    for rank, pair in enumerate(merges):
        ids = merged(ids, pair, 256 + rank)
    return ids


def main() -> None:
    vectors = json.loads((HERE / "pre_tokens.json").read_text())["vectors"]
    merges = learn([vector["text"].encode() for vector in vectors])
    spelled = [bytes([byte]) for byte in range(256)]
    for left, right in merges:
        spelled.append(spelled[left] + spelled[right])
    tokens = {spelling: token for token, spelling in enumerate(spelled)}
    lines = []
    for vector in vectors:
        text, by_scheme = vector["text"].encode(), {}
        for scheme, lengths in vector["lengths"].items():
            at, ids = 0, []
            for length in lengths:
                ids += encode(text[at:at + length], merges, tokens, scheme in WHOLE_WORDS)
                at += length
            by_scheme.setdefault(json.dumps(ids, separators=(",", ":")), []).append(scheme)
        groups = ",".join(f'{{"schemes":{json.dumps(schemes, separators=(",", ":"))},"ids":{ids}}}'
                          for ids, schemes in by_scheme.items())
        lines.append(f'{{"text":{json.dumps(vector["text"])},"expected":[{groups}]}}')
    (HERE / "ids.json").write_text(
        '{"about":"Written by make_ids.py: ids by pre-tokenizer, of a vocabulary of bytes and merges.",\n"merges":'
        + json.dumps(merges, separators=(",", ":")) + ',\n"vectors":[\n' + ",\n".join(lines) + "\n]}\n")


if __name__ == "__main__":
    main()
