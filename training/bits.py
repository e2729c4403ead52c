# SPDX-License-Identifier: GPL-3.0-or-later
"""Bits per UTF-8 byte of plain text, by `waferctl perplexity`."""

import json
import os
import subprocess
import tempfile

import gguf
import positions
import tokenizer

WINDOW_TOKENS = 512


def per_byte(folder, model, documents, count, seed):
    """{language: [[bits, bytes] of a window of WINDOW_TOKENS]}; ValueError for a model that
    export_gguf.py did not write."""
    metadata = gguf.Reader(model).metadata
    if metadata.get("tokenizer.ggml.pre") != "waferpair":
        raise ValueError(f"{model}: its tokens are not known here, so windows cannot be cut")
    vocabulary = tokenizer.Vocabulary.of_model(metadata)
    found = {}
    for language, of_language in documents.items():
        with tempfile.TemporaryDirectory() as pieces:
            files = []
            for text in positions.draw_windows(
                of_language, count, seed, WINDOW_TOKENS * 3, WINDOW_TOKENS * 8
            ):
                ids = vocabulary.encode(text.encode("utf-8"))[:WINDOW_TOKENS]
                if len(ids) == WINDOW_TOKENS:
                    files.append(os.path.join(pieces, str(len(files))))
                    with open(files[-1], "wb") as file:
                        file.write(vocabulary.decode(ids))
            if files:
                found[language] = scored(folder, model, files)
    return found


def scored(folder, model, files):
    """[[bits, bytes]] of files that each fit into one window."""
    command = [os.path.join(folder, "waferctl"), "perplexity", model, *files]
    # A window more than enough: a text that is cut in the middle of a word may take a token more.
    command += ["--window", str(2 * WINDOW_TOKENS), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    scores = json.loads(done.stdout)["files"]
    return [[score["bits_per_byte"] * score["bytes"], score["bytes"]] for score in scores]
