# SPDX-License-Identifier: GPL-3.0-or-later
"""Bits per byte of held-out text, while training and of finished models.

  python3 held_out.py --corpus DIR MODEL.gguf [--count 12] [--texts FOLDER]
  python3 held_out.py --corpus DIR --vocabulary VOCAB.json CHECKPOINT.npz

The texts are pieces of CHARACTERS that begin at a line, the same for every model and vocabulary.
The first token of each is not counted, nor are its bytes: as in `waferctl perplexity`. --texts
writes them into files, for exactly that. What is published is measured by evaluate.py.
"""

import argparse
import json
import math
import os

import torch

import checkpoint
import export_gguf
import kernels
import model
import positions
import tokenizer

CHARACTERS = 1500
COUNT = 12  # of a language
SEED = 7


def texts(folder, count=COUNT):
    """{language: [text]} of the held-out split of a corpus."""
    drawn = {}
    for language, documents in positions.read_documents(os.path.join(folder, "held_out")).items():
        found = positions.draw_windows(documents, count, SEED, CHARACTERS, CHARACTERS)
        drawn[language] = list(found)
    return {language: found for language, found in drawn.items() if found}


def bits_per_byte(shape, weights, vocabulary, drawn):
    """({language: bits per byte}, their mean)."""
    found = {}
    for language, of_language in drawn.items():
        nats = size = 0
        for text in of_language:
            ids = vocabulary.encode(text.encode("utf-8"))
            nats += text_loss(shape, weights, ids)
            size += len(vocabulary.decode(ids[1:]))
        found[language] = nats / size / math.log(2)
    return found, sum(found.values()) / len(found)


@torch.no_grad()
def text_loss(shape, weights, ids):
    """The nats of a text's tokens but the first."""
    device = weights["embedding"].device
    ids = torch.tensor([ids], device=device)
    steps = kernels.steps_for(shape, ids.shape[1] - 1, device)
    return float(model.loss(weights, ids[:, :-1].contiguous(), ids[:, 1:].contiguous(), steps))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", help="a GGUF file or, with --vocabulary, a checkpoint")
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--vocabulary")
    parser.add_argument("--count", type=int, default=COUNT, help="pieces of each language")
    parser.add_argument("--texts", help="folder to write the pieces to")
    options = parser.parse_args()
    drawn = texts(options.corpus, options.count)
    if options.texts:
        for language, of_language in drawn.items():
            os.makedirs(os.path.join(options.texts, language), exist_ok=True)
            for number, text in enumerate(of_language):
                path = os.path.join(options.texts, language, str(number))
                with open(path, "w", encoding="utf-8", newline="") as file:
                    file.write(text)
    if options.vocabulary:
        shape, weights = checkpoint.load(options.model)[:2]
        vocabulary = tokenizer.Vocabulary.load(options.vocabulary)
    else:
        shape, weights, vocabulary = export_gguf.load_model(options.model)
    of_language, mean = bits_per_byte(shape, weights, vocabulary, drawn)
    rounded = {language: round(bits, 4) for language, bits in of_language.items()}
    print(json.dumps({**rounded, "mean": round(mean, 4)}))


if __name__ == "__main__":
    main()
