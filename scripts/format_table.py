#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what a model loses and gains in each format: the tables of docs/formats.md.

  scripts/format_table.py --model FILE.gguf [--formats Q8_0,Q4_0/Q8_0] [--rounds 5] TEXT...

"Q4_0/Q8_0" is Q4_0 with the head in Q8_0. Each copy of the model is made by `waferctl quantize`; bits
per byte of the texts come from `waferctl perplexity`, tokens a second from `waferctl bench`, in turns
over all formats, so that other work of the computer falls on all alike. A format that the model's
rows are no whole blocks of is left out with the reason on standard error.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

ALL = "F16 Q8_0 Q6_K Q5_1 Q5_0 Q5_K Q4_1 Q4_K Q4_0/Q8_0 Q4_0 IQ4_NL/Q8_0 IQ4_NL MXFP4/Q8_0 MXFP4 Q3_K Q2_K"


def waferctl(binary, *arguments):
    """Returns what waferctl prints, or None where it fails, after printing its reason."""
    done = subprocess.run([binary, *arguments], capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        print(done.stderr.strip(), file=sys.stderr)
        return None
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--formats", default=ALL.replace(" ", ","))
    parser.add_argument("--rounds", type=int, default=5, help="of the bench; 0 leaves speed out")
    parser.add_argument("--threads", default="1", help="of the bench and of perplexity")
    parser.add_argument("--window", default="512")
    parser.add_argument("--bin", default=os.path.join(os.path.dirname(__file__), "../build/release/bin"))
    parser.add_argument("texts", nargs="+", metavar="TEXT")
    options = parser.parse_args()
    binary = os.path.join(options.bin, "waferctl")

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ["as it is"] + options.formats.split(","):
            path = options.model
            if rows:
                path = os.path.join(folder, name.replace("/", "-") + ".gguf")
                body, _, head = name.partition("/")
                asked = ["quantize", options.model, path, "--format", body]
                if waferctl(binary, *asked, *(["--head", head] if head else [])) is None:
                    continue
            score = waferctl(binary, "perplexity", path, *options.texts, "--json",
                             "--window", options.window, "--threads", options.threads)
            if score is None:
                return 1
            rows.append({"name": name, "path": path, "bytes": os.path.getsize(path),
                         "score": json.loads(score)["total"], "speed": []})
        for _ in range(options.rounds):
            for row in rows:
                measured = waferctl(binary, "bench", "--model", row["path"], "--threads",
                                    options.threads, "--rounds", "3", "--tokens", "200", "--json")
                if measured is None:
                    return 1
                row["speed"].append(json.loads(measured)["host"]["decode_tokens_per_second"])

    total = rows[0]["score"]
    print(f"{total['tokens']} tokens, {total['bytes']} bytes of text, windows of {options.window}; "
          f"{options.threads} thread(s).\n")
    print("| format/head | file, MB | bits a byte | nats a token | cost | tokens/s, median (range) |")
    print("|---|---|---|---|---|---|")
    for row in rows:
        score = row["score"]
        cost = 100 * (score["nats"] / total["nats"] - 1)
        speed = ""
        if row["speed"]:
            speed = (f"{statistics.median(row['speed']):.0f} "
                     f"({min(row['speed']):.0f}-{max(row['speed']):.0f})")
        print(f"| {row['name']} | {row['bytes'] / 1e6:.2f} | {score['bits_per_byte']:.4f} | "
              f"{score['nats_per_token']:.4f} | {cost:+.2f} % | {speed} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
