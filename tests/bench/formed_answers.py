#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Has a real model write ten plans, ten remarks and ten messages of commits, free and held to their forms.

formed_answers.py MODEL.gguf [--kind KIND...] [--show]. WAFERPAIR_BIN names the folder with waferd and
formed_answer. Counted is what a program can tell: a plan is usable with three to eight steps that differ from
one another and from the wish, each naming a file that there is, a new one or a command; a remark, at a line of
the file that the diff shows; a message, of a first line of 8 to 72 letters that
is no code and has an end.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "protocol"))
sys.path.append(str(HERE))
import formed_answers_cases
import waferd

MADE = {"plan": formed_answers_cases.plans, "commit": formed_answers_cases.commits,
        "remarks": formed_answers_cases.remarks}
PATH = re.compile(r"[\w./-]+\.(?:py|md|txt|json|toml|cfg)\b")


def words(text):
    return set(re.findall(r"\w+", text.lower()))


def plan_problem(case, result):
    steps = result["steps"]
    if not 3 <= len(steps) <= 8:
        return f"{len(steps)} steps"
    if len(set(steps)) < len(steps):
        return "a step stands there twice"
    wish = words(case["wish"])
    if all(words(step) <= wish for step in steps):
        return "it is an echo of the wish"
    about = 0
    for step in steps:
        made = re.match(r"Create (\S+):", step)
        named = [name for name in PATH.findall(step) if not (made and name == made.group(1))]
        is_invented = [n for n in named if "/" in n and n not in case["files"] and n != "notes.json"]
        if is_invented:
            return f"{is_invented[0]} is not there"
        about += bool(made or "`" in step or any(n in f for n in named for f in case["files"]))
    return "" if about == len(steps) else f"{len(steps) - about} of {len(steps)} steps name no file and no command"


def commit_problem(_, result):
    first, *rest = result["message"].split("\n")
    if not 8 <= len(first) <= 72:
        return f"its first line has {len(first)} letters"
    if rest and rest[0].strip():
        return "no empty line follows the first"
    if re.match(r"(diff |[+@-]|```|import |def |class |commit )", first):
        return "it is code"
    if any(first.count(mark) % 2 for mark in '`"') or first.count("(") != first.count(")"):
        return "its first line is cut off"
    return "it does not end as a sentence does" if re.search(r"[^\w`'\")\]]\.?$|\b(a|an|the|for|with|to|of)$", first) else ""


def remarks_problem(case, result):
    if not result["remarks"]:
        return "" if "No remarks" in result["answer"] else "nothing can be read"
    path = case["diffs"][0].split("+++ b/")[1].split("\n")[0]
    shown = []
    for first, count in re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", case["diffs"][0], re.MULTILINE):
        shown += range(int(first), int(first) + int(count or 1))
    for remark in result["remarks"]:
        if remark["path"] != path or remark["line"] not in shown:
            return f"{remark['path']}:{remark['line']} is not shown"
    return ""


PROBLEM = {"plan": plan_problem, "commit": commit_problem, "remarks": remarks_problem}


def answers(server, cases, free):
    command = [os.path.join(waferd.BIN, "formed_answer"), "--url", f"http://127.0.0.1:{server.port}/v1",
               "--token-file", server.token_file, *(["--free"] if free else [])]
    done = subprocess.run(command, input=json.dumps(cases), stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def judged(server, kind, cases, free):
    """For each case: its result, and what is wrong with it; empty: nothing."""
    return [(result, result["failed"] or PROBLEM[kind](case, result))
            for case, result in zip(cases, answers(server, cases, free), strict=True)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--kind", nargs="*", default=list(MADE), choices=list(MADE))
    parser.add_argument("--held", action="store_true", help="leave the free ones out")
    parser.add_argument("--show", action="store_true", help="print the answers, too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, \
            waferd.Server(folder, model=[arguments.model], threads=None) as server:
        server.wait_until_loaded()
        for kind in arguments.kind:
            for free in (False,) if arguments.held else (True, False):
                results = judged(server, kind, MADE[kind](), free)
                good = sum(not problem for _, problem in results)
                seconds = statistics.median(result["ms"] for result, _ in results) / 1000
                none = sum(not result.get("remarks", True) and not problem for result, problem in results)
                print(f"{kind}, {'free' if free else 'held to its form'}: {good} of {len(results)} usable, "
                      + (f"{none} of them without a remark, " if kind == "remarks" else "")
                      + f"{seconds:.1f} s at the median", flush=True)
                for result, problem in results:
                    if problem or arguments.show:
                        print(f"  {result['id']}: {problem or 'usable'}", flush=True)
                    if arguments.show:
                        print("    " + result["answer"].replace("\n", "\n    "), flush=True)


if __name__ == "__main__":
    main()
