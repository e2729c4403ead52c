# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures a model in the program that ships it, on the held-out projects of a corpus.

  python3 evaluate.py --program BIN_DIR --model FILE.gguf --corpus DIR [--previous OLD.gguf]
      [--humaneval HumanEval-SingleLineInfilling.jsonl.gz] [--output FILE.md] [--details FILE.json]

What is measured is what an editor gets from waferd; baselines stand beside it at the same places.
The printed page explains its tables. Needs python3-websockets; without numpy, or with --ngram-mb 0,
the 7-gram is left out. --positions, --golf-lines and --windows bound the time; a page made with
other seeds or numbers is of other places.
"""

import argparse
import collections
import datetime
import hashlib
import json
import mmap
import os
import random
import sys
import tempfile

import asking
import baselines
import bits
import golf
import positions
import program
import report
import twins

LANGUAGES = ("c", "cpp", "go", "java", "javascript", "python", "rust", "typescript")
COPYING_KEYS = b"waferpair.copying."


class Run:
    """What was asked for and what has been found so far."""

    def __init__(self, options):
        self.options = options
        self.held_out = positions.read_documents(os.path.join(options.corpus, "held_out"))
        # A dict for each task: "task", "answers" {method: line}, and what examine() says.
        self.results = []
        for language, documents in self.held_out.items():
            tasks = positions.draw_tasks(language, documents, options.positions, options.seed)
            self.results += [{"task": task, "answers": {}} for task in tasks]
        self.games = collections.defaultdict(list)  # {method: [(task, Game)]}
        self.facts = {}
        self.projects = {}  # what is known beside a file, by its name
        if options.project_mb > 0:
            finder = twins.Finder()
            for result in by_project(self.results):
                self.know_project(result["task"], finder)

    def know_project(self, task, finder):
        name = positions.file_of(task)
        if name not in self.projects:
            documents = finder.without(task, self.held_out[task.language])
            budget = int(self.options.project_mb * 1e6)
            self.projects[name] = positions.project_files(task, documents, budget)

    def project(self, task):
        """The other files of the task's project that the program is given."""
        return self.projects.get(positions.file_of(task), [])

    def golf_tasks(self, language):
        """The first whole lines among the language's tasks, by project."""
        tasks = [r["task"] for r in self.results if r["task"].language == language]
        whole = [task for task in tasks if task.kind == positions.LINE_START]
        return sorted(whole[: self.options.golf_lines], key=lambda task: task.project)

    def play(self, method, tasks, play):
        self.games[method] += [(task, play(task)) for task in tasks]

    def all_golf_tasks(self):
        return [task for language in self.held_out for task in self.golf_tasks(language)]


def note(text):
    print(text, file=sys.stderr, flush=True)


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def copies(path):
    """Whether the model's file, of whatever kind, says how copying is to be trusted."""
    with open(path, "rb") as file:
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return data.find(COPYING_KEYS) >= 0


def without_copying(path, folder):
    """A copy of a model's file whose weights for copying the program does not find. The new keys
    are as long as the old ones, so nothing else moves."""
    with open(path, "rb") as file:
        data = file.read()
    renamed = os.path.join(folder, "network.gguf")
    with open(renamed, "wb") as file:
        file.write(data.replace(COPYING_KEYS, b"waferpair.without."))
    return renamed


def by_project(results):
    """Those of one project together: its files are opened once."""
    key = lambda task: (task.language, task.project, task.path)
    return sorted(results, key=lambda result: key(result["task"]))


def measure_program(run):
    options = run.options
    least = program.USERS_LEAST_PROBABILITY
    with program.Program(options.program, options.model) as server:
        run.facts.update(
            version=server.version,
            model=server.model,
            load_seconds=server.load_seconds,
            loaded_bytes=server.loaded_bytes,
        )
        with asking.Desk(server) as desk:
            for number, result in enumerate(by_project(run.results)):
                task = result["task"]
                result.update(asking.examine(desk, task, run.project(task)))
                result["answers"][report.SUGGESTION] = result["line"]
                result["answers"][report.UNCHECKED] = result["unchecked"]
                result["answers"][report.PAUSE] = result["paused"]
                if number % 100 == 99:
                    note(f"{number + 1} of {len(run.results)} positions")
            tasks = run.all_golf_tasks()
            play = lambda *how: lambda task: asking.play_golf(desk, task, run.project(task), *how)
            run.play(report.SUGGESTION, tasks, play())
            run.play(report.SUGGESTION_GATED, tasks, play(least))
            run.play(report.REALISTIC, tasks, play(least, True))
        with asking.Desk(server) as desk:
            if options.project_mb > 0:
                for result in run.results:
                    task, answers = result["task"], result["answers"]
                    answers[report.FILE_ALONE] = asking.complete(desk, task, [])
                    answers[report.COPIED] = asking.complete(desk, task, [], checks=False)
                run.play(report.FILE_ALONE, tasks, lambda task: asking.play_golf(desk, task, []))
            note("golf played")
            if options.humaneval:
                infilling = positions.read_infilling(options.humaneval)
                run.facts["humaneval"] = [
                    [task.truth, asking.complete(desk, task, [])] for task in infilling
                ]
                note("HumanEval filled in")
        run.facts["greatest_bytes"] = server.memory("VmHWM")


def measure_other(run, method, model):
    """The lines and the golf of another model in the same program."""
    # Other documents are there to be copied from.
    project = run.project if copies(model) else lambda task: []
    with program.Program(run.options.program, model) as server, asking.Desk(server) as desk:
        for result in by_project(run.results):
            task, answers = result["task"], result["answers"]
            answers[method] = asking.complete(desk, task, project(task))
            if method == report.NETWORK:
                answers[report.UNHEALED] = asking.complete(desk, task, [], healing=False)
        play = lambda task: asking.play_golf(desk, task, project(task))
        run.play(method, run.all_golf_tasks(), play)
    note(f"{method} measured")


def measure_baselines(run):
    for result in run.results:
        task = result["task"]
        answers = result["answers"]
        answers[report.COPY] = baselines.copy_from_file(task.prefix, task.suffix)
        if run.options.project_mb > 0:
            texts = [document.text for document in run.project(task)]
            answers[report.COPY_PROJECT] = baselines.copy_from_project(task.prefix, task.suffix, texts)
    for method, complete in (
        (report.COPY, baselines.copy_from_file),
        (report.BUFFER_WORDS, baselines.buffer_word),
    ):

        def play(task):
            return golf.play(task.truth, lambda typed: complete(task.prefix + typed, task.suffix))

        run.play(method, run.all_golf_tasks(), play)


def measure_ngram(run):
    """A language at a time: memory holds one sample of the training split."""
    try:
        import ngram
    except ImportError:
        return note("no numpy: the 7-gram is left out")
    train = os.path.join(run.options.corpus, "train")
    for language in run.held_out:
        documents = positions.read_documents(train, only=language).get(language, [])
        random.Random(f"{run.options.seed} {language}").shuffle(documents)
        texts, left = [], run.options.ngram_mb * 1e6
        for document in documents:
            left -= len(document.text)
            if left < 0:
                break
            texts.append(document.text)
        corpus = ngram.Corpus(texts)
        for result in run.results:
            task = result["task"]
            if task.language == language:
                completer = ngram.Completer(corpus, task.prefix, task.suffix)
                result["answers"][report.NGRAM] = completer.complete()

        def play(task):
            completer = ngram.Completer(corpus, task.prefix, task.suffix)
            return golf.play(task.truth, completer.complete)

        run.play(report.NGRAM, run.golf_tasks(language), play)
        note(f"7-gram: {language} measured")


def details(run):
    """All that was found, for another look at it."""
    return {
        "facts": run.facts,
        "positions": [
            {
                "language": result["task"].language,
                "file": positions.file_of(result["task"]),
                "kind": result["task"].kind,
                "cursor": len(result["task"].prefix),
                "truth": result["task"].truth,
                "answers": result["answers"],
                "certainty": result["certainty"],
                "gated": result["gated"],
                "cold": result["cold"]._asdict(),
                "warm": result["warm"]._asdict(),
            }
            for result in run.results
        ],
        "golf": {
            method: [
                {"file": positions.file_of(task), "line": task.truth, **game._asdict()}
                for task, game in games
            ]
            for method, games in run.games.items()
        },
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="folder with waferd and waferctl")
    parser.add_argument("--model", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--previous", help="a model to be measured beside it")
    parser.add_argument("--positions", type=int, default=60, help="line completions a language")
    parser.add_argument("--golf-lines", type=int, default=20, help="a language")
    parser.add_argument(
        "--windows", type=int, default=40, help="a language, for bits per byte; 0: leave them out"
    )
    parser.add_argument(
        "--project-mb",
        type=float,
        default=1,
        help="of other files of the project that the program is given; 0: none",
    )
    parser.add_argument("--ngram-mb", type=float, default=6, help="a language; 0: no 7-gram")
    parser.add_argument("--humaneval", help="HumanEval-SingleLineInfilling.jsonl.gz")
    parser.add_argument("--output", help="write the page to this file, too")
    parser.add_argument("--details", help="write every completion to this JSON file")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    needed = [os.path.join(options.program, name) for name in ("waferd", "waferctl")]
    needed += [options.model, os.path.join(options.corpus, "held_out")]
    for path in needed + [path for path in (options.previous, options.humaneval) if path]:
        if not os.path.exists(path):
            parser.error(f"{path} is not there")
    if options.positions < 1 or options.golf_lines < 1:
        parser.error("--positions and --golf-lines are at least 1")
    run = Run(options)
    if not run.results:
        parser.error(f"{options.corpus}: no file of held_out/ is long enough")

    run.facts.update(
        date=datetime.date.today().isoformat(),
        file=os.path.basename(options.model),
        sha256=sha256(options.model),
        file_bytes=os.path.getsize(options.model),
        previous=options.previous
        and [os.path.basename(options.previous), sha256(options.previous)],
        absent=[language for language in LANGUAGES if language not in run.held_out],
    )
    if options.windows > 0:
        run.facts["bits"] = bits.per_byte(
            options.program, options.model, run.held_out, options.windows, options.seed
        )
        note("bits per byte measured")
    measure_program(run)
    if copies(options.model):
        with tempfile.TemporaryDirectory() as folder:
            measure_other(run, report.NETWORK, without_copying(options.model, folder))
    if options.previous:
        measure_other(run, report.PREVIOUS, options.previous)
    measure_baselines(run)
    if options.ngram_mb > 0:
        measure_ngram(run)
    page = report.page(run)
    print(page)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(page + "\n")
    if options.details:
        with open(options.details, "w", encoding="utf-8") as file:
            json.dump(details(run), file, indent=1)


if __name__ == "__main__":
    main()
