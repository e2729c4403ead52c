# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the lines of real commits that two models suggest rightly, each alone and as a cascade.

  python3 cascade.py --program BIN_DIR --model SMALL.gguf --larger LARGE.gguf --mirrors DIR [--lines 8]

One waferd has both. At each line both are asked as the window asks them, once for whatever there is and once for
what is as sure as comes by itself; the cascade takes the line that gui/client/cascade.h takes: that of the larger
model where the small one has none or was cut and it goes on, else the likelier of the two. A line is right where all
of its rest is. Told are also the times to the first text and to the line's end with the text already read, of the
small model while it is alone and while the larger one computes. DIR and the lines are as in replay.py; needs
python3-websockets.
"""

import argparse
import json
import os
import time

import asking
import commits
import editor_gate
import positions
import program
import scores

LEVELS = (0, program.USERS_LEAST_PROBABILITY)
METHODS = ("small", "large", "cascade", "either")


def takes_over(large, small):
    """As takesOver() of gui/client/cascade.cpp has it; of whole answers."""
    text, before = large.text.rstrip(), small.text.rstrip()
    if before.startswith(text):
        return False
    if not before:
        return True
    if text.startswith(before) and small.reason == "unsure":
        return True
    return (large.probability or 0) > (small.probability or 0)


def both(place, large):
    """The small model's first text while the larger one computes: seconds."""
    session = place.session
    fields = {"uri": place.uri, "version": place.version, "offset": place.offset, "max_lines": 1}
    lines = {"lines": editor_gate.COMPETING_LINES}

    async def ask():
        first, second = session.requests + 1, session.requests + 2
        session.requests += 2
        begun, seen, ended = time.perf_counter(), None, set()
        for number, wishes in ((first, lines), (second, {"model": large})):
            await session._socket.send(json.dumps({"type": "completion.create", "id": number, **fields, **wishes}))
        while ended != {first, second}:
            event = await session._receive()
            now = time.perf_counter() - begun
            if event.get("id") == first and event["type"] in ("completion.delta", "completion.done"):
                seen = seen or now
            if event["type"] == "completion.done":
                ended.add(event["id"])
        return seen

    return session._run(ask())


def examine(desk, added, others, large):
    place = desk.lay(added.task, others, commits.text_before(added))
    # All of it is read by then, as where the caret has rested.
    place.session.complete(uri=place.uri, version=place.version, offset=place.offset, model=large, ahead=True)
    result = {"added": added, "levels": {}}
    for level in LEVELS:
        small = place.suggest(level, lines=editor_gate.COMPETING_LINES)
        other = place.suggest(level, model=large)
        shown = other if takes_over(other, small) else small
        texts = {"small": small, "large": other, "cascade": shown}
        texts = {name: program.shown_line(answer.text) for name, answer in texts.items()}
        truth = added.task.truth
        texts["either"] = truth if truth in texts.values() else texts["cascade"]
        result["levels"][level] = texts
        if level == 0:
            result["certainties"] = small.probability, other.probability
    alone, other = place.suggest(lines=editor_gate.COMPETING_LINES), place.suggest(model=large)
    result["times"] = {"small, alone": alone.first, "large, its line": other.whole, "small, beside": both(place, large)}
    return result


def report(results):
    print(f"{len(results)} lines of real commits")
    for level in LEVELS:
        for name in METHODS:
            texts = [(r["levels"][level][name], r["added"].task.truth) for r in results]
            right = sum(text == truth for text, truth in texts)
            shown = sum(bool(text.strip()) for text, _ in texts)
            print(f"  at least {level:.2f} sure  {name:8} {right:3} right of {shown} shown")
    for name in results[0]["times"]:
        times = [1000 * result["times"][name] for result in results]
        print(f"  {name:16} p50 {scores.percentile(times, .5):6.1f} ms, p90 {scores.percentile(times, .9):6.1f} ms")
    print("  load of the last minute: %.2f" % os.getloadavg()[0], flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="folder with waferd")
    parser.add_argument("--model", required=True)
    parser.add_argument("--larger", required=True)
    parser.add_argument("--mirrors", required=True, help="folder with the repositories")
    parser.add_argument("--use", choices=("report", "fit"), default="report")
    parser.add_argument("--lines", type=int, default=8, help="a repository")
    parser.add_argument("--details", help="write every answer to this JSON file")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    results = []
    for repository in commits.read_list(commits.LIST, options.mirrors):
        if repository.fitted != (options.use == "fit"):
            continue
        server = program.Program(options.program, options.model, options.larger)
        with commits.History(repository) as history, server, asking.Workplace(server) as desk:
            for added in commits.draw(history, options.lines, options.seed):
                others = positions.project_files(added.task, history.tree(added.parent), 1_000_000)
                results.append(examine(desk, added, others, os.path.abspath(options.larger)))
        print(f"{repository.name}: {len(results)} lines so far", flush=True)
    report(results)
    if options.details:
        rows = [
            {"repository": r["added"].repository.name, "file": r["added"].task.path, "truth": r["added"].task.truth,
             "kind": r["added"].task.kind, "certainties": r["certainties"],
             "answers": {str(level): texts for level, texts in r["levels"].items()}, "times": r["times"]}
            for r in results
        ]
        with open(options.details, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
