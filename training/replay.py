# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the suggestions on lines that real commits added (commits.py).

  python3 replay.py --program BIN_DIR --model FILE.gguf --mirrors DIR [--use report|fit]
      [--lines 60] [--typed 12] [--certainties FILE.json] [--details FILE.json] [--servers [--members 60]]
      [--processes 1]

DIR has the repositories of commit_repositories.txt as bare git directories. Each line is asked for once,
in turn at its first character that is not blank and at a random one behind it; the lines that it replaces were
removed before, by an edit, and the copies that it is compared with know these, too. Some are then typed letter by
letter, with a suggestion asked for when the editor asks. With --servers
it measures instead what the names of language servers are worth (language_names.py), where there is one: with
and without them, and at further places, behind the signs of members. Intervals are 95 %, by bootstrap over
files within repositories. Needs python3-websockets.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import itertools
import json
import os
import sys

import asking
import baselines
import commits
import editor_gate
import language_names
import positions
import program
import report
import scores

PROJECT_BYTES = 6_000_000
COMPETING, TOKENS = "lines that compete", "token by token"
RUNNERS_UP, COPY_FILE, COPY_PROJECT = "it or a runner-up", "copy from file", "copy from project"
NAMED = "with the server's names"
METHODS = (COMPETING, TOKENS, RUNNERS_UP, COPY_FILE, COPY_PROJECT)
ALTERNATIVES = 2  # that the editor offers (SuggestionChoices::kMost)
LEVEL = program.USERS_LEAST_PROBABILITY
# How the time of a key is measured: least probability, lines. No truth is shorter than that.
AS_EDITOR = "as the editor asks"
KEYS = ((TOKENS, 0, 0), (COMPETING, 0, editor_gate.COMPETING_LINES))
KEYS += ((AS_EDITOR, LEVEL, editor_gate.COMPETING_LINES),)
# What certainty is examined from on: what is less likely is never shown by itself.
LEAST_EXAMINED = 0.2
SAID = (0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0)

Certainty = collections.namedtuple("Certainty", "repository place said right")


class Tally:
    """Of the keys behind which the caret stood in one kind of place."""

    def __init__(self):
        self.keys = self.ghosts = self.right = self.right_letters = 0

    def add(self, other):
        for field in vars(self):
            setattr(self, field, getattr(self, field) + getattr(other, field))


class Namer:
    """Names for the places of a line that is written, asked for once a word as the editor does."""

    def __init__(self, project, added):
        self.project, self.added = project, added
        self._asked = {}  # by where the word begins

    def wishes(self, written):
        """What is asked with when `written`, a beginning of the line, stands in front of the caret."""
        line = self.added.task.prefix.rsplit("\n", 1)[-1] + self.added.task.truth
        start = language_names.word_start(written)
        if not written[:start].endswith(language_names.SIGNS):
            return {}
        if start not in self._asked:
            above = self.added.task.prefix
            above = above[: above.rfind("\n") + 1] + line[:start]
            text = above + self.added.task.suffix
            task = self.added.task
            self._asked[start] = self.project.names(self.added.parent, task.path, text, len(above))
        names = self._asked[start]
        if not names.names:
            return {}
        return {"names": names.names, "names_are_all": names.all}


def examine(desk, added, others):
    """What each method gives for the rest of the line, how sure the program is, and seconds."""
    task = added.task
    place = desk.lay(task, others, commits.text_before(added))
    whole = place.suggest(lines=editor_gate.COMPETING_LINES)
    answers = {COMPETING: program.shown_line(whole.text)}
    answers[TOKENS] = program.shown_line(place.suggest().text)
    ranked = [whole]
    for rank in range(1, ALTERNATIVES + 1):
        ranked.append(place.suggest(lines=editor_gate.COMPETING_LINES, alternative=rank))
    ranked = [(program.shown_line(answer.text), answer.probability) for answer in ranked]
    answers[RUNNERS_UP] = task.truth if task.truth in dict(ranked) else ""
    removed = "\n" + "\n".join(added.removed)
    answers[COPY_FILE] = baselines.copy_from_file(task.prefix, task.suffix, removed)
    texts = [other.text for other in others]
    answers[COPY_PROJECT] = baselines.copy_from_project(task.prefix, task.suffix, texts, removed)
    first = {}
    for key, (how, least, lines) in zip(task.truth, KEYS):
        desk.session.settle()
        place.type(key)
        first[how] = place.suggest(least, lines=lines).first
    return {
        "added": added,
        "answers": answers,
        "ranked": ranked,
        "first": first,
    }


def examine_names(desk, added, others, namer):
    """What is suggested with a server's names and without."""
    task = added.task
    place = desk.lay(task, others, commits.text_before(added))
    plain = place.suggest(lines=editor_gate.COMPETING_LINES)
    written = task.prefix.rsplit("\n", 1)[-1]
    wishes = namer.wishes(written)
    named = place.suggest(lines=editor_gate.COMPETING_LINES, **wishes) if wishes else plain
    answers = {COMPETING: program.shown_line(plain.text), NAMED: program.shown_line(named.text)}
    return {
        "added": added,
        "answers": answers,
        "ranked": [[answers[NAMED], named.probability], [answers[COMPETING], plain.probability]],
        "first": {},
        "known": whether_known(written, task.truth, wishes),
    }


def whether_known(written, rest, wishes):
    """Whether the server's names have the one that stands there, where they are all; None elsewhere."""
    if not wishes.get("names_are_all"):
        return None
    begun = written[language_names.word_start(written) :]
    return language_names.NAME.match(begun + rest).group() in wishes["names"]


def type_line(desk, added, others, tallies, certainties, namer=None):
    """A whole line, letter by letter. What is shown stays while what is typed goes along with it."""
    task = added.task
    line_break = task.prefix.rfind("\n") + 1
    line = task.prefix[line_break:] + task.truth
    indent = len(line) - len(line.lstrip())
    task = task._replace(prefix=task.prefix[:line_break] + line[:indent], truth=line[indent:])
    place = desk.lay(task, others, commits.text_before(added))
    shown, contradicted = "", False
    for at in range(len(task.truth)):
        rest = task.truth[at:]
        before = line[: indent + at]
        kind = editor_gate.place_of(before)
        if at > 0:
            key = task.truth[at - 1]
            place.session.settle()
            place.type(key)
            if shown and shown[0] != key:
                contradicted = True
            shown = shown[1:] if shown[:1] == key else ""
        tally = tallies[kind]
        tally.keys += 1
        wishes = {"lines": editor_gate.COMPETING_LINES, **(namer.wishes(before) if namer else {})}
        if certainties is not None:
            sure = place.suggest(LEAST_EXAMINED, **wishes)
            text = program.shown_line(sure.text)
            if text and sure.probability:
                right = editor_gate.is_right(text, rest)
                repository = added.repository.name
                certainties.append(Certainty(repository, kind, sure.probability, right))
        if shown:
            continue
        least = editor_gate.least_probability(LEVEL, kind, contradicted)
        if kind != editor_gate.WORD:
            contradicted = False
        answer = place.suggest(least, **wishes)
        text = program.shown_line(answer.text)
        ends = answer.reason != "unsure"
        if not text or not editor_gate.is_worth_showing(text, before, ends):
            continue
        shown = text
        tally.ghosts += 1
        if editor_gate.is_right(text, rest):
            tally.right += 1
            tally.right_letters += editor_gate.letters(text)


class Found:
    """What the lines of one repository say, or of several."""

    def __init__(self):
        self.results = []
        self.tallies = {place: Tally() for place in editor_gate.PLACES}
        self.named_tallies = {place: Tally() for place in editor_gate.PLACES}
        self.servers = {}  # by repository: seconds that answers took
        self.letters = 0
        self.certainties = []

    def add(self, other):
        self.results += other.results
        for place in editor_gate.PLACES:
            self.tallies[place].add(other.tallies[place])
            self.named_tallies[place].add(other.named_tallies[place])
        self.servers.update(other.servers)
        self.letters += other.letters
        self.certainties += other.certainties


def run(options, repository):
    """What the lines of one repository say, by a waferd of its own."""
    found = Found()
    server = program.Program(options.program, options.model)
    project = contextlib.nullcontext()
    if options.servers:
        if repository.language not in language_names.SERVERS:
            return found
        project = language_names.Project(repository.git, language_names.SERVERS[repository.language])
    with commits.History(repository) as history, server, asking.Workplace(server) as desk, project:
        drawn = commits.draw(history, options.lines, options.seed)
        every = max(1, len(drawn) // max(1, options.typed))
        typed = drawn[::every] if options.typed > 0 else []
        if options.servers:
            members = commits.draw(history, options.members, options.seed, (positions.MEMBER,))
            drawn = sorted(drawn + members, key=lambda added: (added.date, added.commit))
        for added in drawn:
            tree = history.tree(added.parent)
            others = positions.project_files(added.task, tree, PROJECT_BYTES)
            namer = Namer(project, added) if options.servers else None
            result = examine_names(desk, added, others, namer) if namer else examine(desk, added, others)
            found.results.append(result)
            if any(added is one for one in typed):
                type_line(desk, added, others, found.tallies, found.certainties)
                if namer:
                    type_line(desk, added, others, found.named_tallies, None, namer)
                line = added.task.prefix.rsplit("\n", 1)[-1] + added.task.truth
                found.letters += editor_gate.letters(line)
        if options.servers:
            found.servers[repository.name] = project.seconds
    print(f"{repository.name}: {len(drawn)} lines", file=sys.stderr, flush=True)
    return found


def strata(results, value):
    """By repository, by file."""
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for result in results:
        added = result["added"]
        groups[added.repository.name][added.task.path].append(value(result))
    return [list(files.values()) for files in groups.values()]


def share(results, value):
    if not results:
        return "-"
    mean = lambda drawn: scores.mean(item for items in drawn for item in items)
    low, high = scores.interval(strata(results, value), mean)
    middle = scores.mean(map(value, results))
    return f"{report.percent(middle)} ({report.percent(low)} to {report.percent(high)})"


def names_table(results):
    """With a server's names beside without, at the same places."""
    line_start, mid_line, member = positions.LINE_START, positions.MID_LINE, positions.MEMBER
    kinds = {
        "line starts and mid-line": lambda r: r["added"].task.kind in (line_start, mid_line),
        member: lambda r: r["added"].task.kind == member,
        "of these, where the server's names are all": lambda r: (
            r["added"].task.kind == member and r["known"] is not None
        ),
    }
    for repository in sorted({r["added"].repository.name for r in results}):
        kinds[f"{member}, {repository}"] = lambda r, name=repository: (
            r["added"].task.kind == member and r["added"].repository.name == name
        )
    rows = []
    right = lambda method: lambda r: float(r["answers"][method] == r["added"].task.truth)
    gain = lambda r: right(NAMED)(r) - right(COMPETING)(r)
    first = lambda method: lambda r: float(is_first_right(r["answers"][method], r["added"].task.truth))
    for name, belongs in kinds.items():
        chosen = [r for r in results if belongs(r)]
        won, lost = (sum(gain(r) == sign for r in chosen) for sign in (1, -1))
        row = [name, str(len(chosen)), share(chosen, right(COMPETING)), share(chosen, right(NAMED))]
        row += [share(chosen, gain), f"{won}, {lost}"]
        rows.append([*row, share(chosen, first(COMPETING)), share(chosen, first(NAMED))])
    head = ["the caret", "n", "without", "with names", "difference", "won, lost"]
    table = report.table([*head, "first name right without", "with"], rows)
    told = [r["known"] for r in results if r["known"] is not None]
    return f"{table}\n\nOf {len(told)} names, {sum(told)} are among all that the server has."


def is_first_right(text, truth):
    name = language_names.NAME.match(truth).group()
    return bool(name) and language_names.NAME.match(text).group() == name


def servers_table(servers):
    rows = []
    for name, seconds in servers.items():
        times = [1000 * second for second in seconds]
        parts = [f"{scores.percentile(times, part):.0f}" if times else "-" for part in (0.5, 0.9)]
        quick = report.percent(scores.mean(time <= 80 for time in times)) if times else "-"
        rows.append([name, str(len(times)), *parts, quick])
    return report.table(["server", "questions", "ms p50", "p90", "within 80 ms %"], rows)


def lines_table(results):
    kinds = {
        "all": lambda result: True,
        "line start": lambda result: result["added"].task.kind == positions.LINE_START,
        "mid-line": lambda result: result["added"].task.kind == positions.MID_LINE,
        "without test files": lambda result: not result["added"].is_test,
        "test files": lambda result: result["added"].is_test,
    }
    rows = []
    for name, belongs in kinds.items():
        chosen = [result for result in results if belongs(result)]
        right = lambda method: lambda r: r["answers"][method] == r["added"].task.truth
        rows.append([name, str(len(chosen)), *(share(chosen, right(m)) for m in METHODS)])
    for repository in sorted({r["added"].repository.name for r in results}):
        chosen = [r for r in results if r["added"].repository.name == repository]
        right = lambda method: scores.mean(
            r["answers"][method] == r["added"].task.truth for r in chosen
        )
        rows.append([repository, str(len(chosen)), *(report.percent(right(m)) for m in METHODS)])
    return report.table(["lines", "n", *METHODS], rows)


def typing_table(tallies, letters):
    rows = []
    whole = Tally()
    for tally in tallies.values():
        whole.add(tally)
    for place, tally in [*tallies.items(), ("all", whole)]:
        right = report.percent(tally.right / tally.ghosts) if tally.ghosts else "-"
        each = f"{tally.right_letters / tally.right:.1f}" if tally.right else "-"
        wrong = f"{100 * (tally.ghosts - tally.right) / max(1, tally.keys):.2f}"
        saved = report.percent(tally.right_letters / max(1, letters))
        rows.append([place, str(tally.keys), str(tally.ghosts), right, each, wrong, saved])
    head = ["the caret", "keys", "ghosts", "right %", "letters of a right one"]
    return report.table([*head, "wrong ones in 100 keys", "letters in right ones %"], rows)


def certainty_table(certainties):
    rows = []
    for place in editor_gate.PLACES:
        for low, high in zip(SAID, SAID[1:]):
            some = [c for c in certainties if c.place == place and low <= c.said < high]
            if not some:
                continue
            said = report.percent(scores.mean(c.said for c in some))
            right = report.percent(scores.mean(c.right for c in some))
            rows.append([place, f"{low:.1f} to {high:.1f}", str(len(some)), said, right])
    return report.table(["the caret", "certainty", "n", "said %", "right %"], rows)


def times_table(results):
    rows = []
    for method in (TOKENS, COMPETING, AS_EDITOR):
        times = [1000 * result["first"][method] for result in results]
        middle, late = (scores.percentile(times, part) for part in (0.5, 0.9))
        rows.append([method, f"{middle:.1f}", f"{late:.1f}"])
    return report.table(["one more key", "first text ms p50", "p90"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="folder with waferd")
    parser.add_argument("--model", required=True)
    parser.add_argument("--mirrors", required=True, help="folder with the repositories")
    parser.add_argument("--use", choices=("report", "fit"), default="report")
    parser.add_argument("--lines", type=int, default=60, help="a repository")
    parser.add_argument("--typed", type=int, default=12, help="of these, letter by letter")
    parser.add_argument("--certainties", help="write those to this JSON file, for calibrate.py")
    parser.add_argument("--details", help="write every answer to this JSON file")
    parser.add_argument("--servers", action="store_true", help="ask language servers, too")
    parser.add_argument("--members", type=int, default=60, help="lines a repository, with --servers")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--processes", type=int, default=1, help="repositories at a time; the times suffer")
    options = parser.parse_args()
    repositories = [
        repository
        for repository in commits.read_list(commits.LIST, options.mirrors)
        if repository.fitted == (options.use == "fit")
    ]
    whole = Found()
    with concurrent.futures.ProcessPoolExecutor(options.processes) as pool:
        for found in pool.map(run, itertools.repeat(options), repositories):
            whole.add(found)
    if options.servers:
        print(names_table(whole.results), "\n")
        print(servers_table(whole.servers), "\n")
    else:
        print(lines_table(whole.results), "\n")
    if options.typed > 0:
        print(typing_table(whole.tallies, whole.letters), "\n")
        if options.servers:
            print(typing_table(whole.named_tallies, whole.letters), "\n")
        print(certainty_table(whole.certainties), "\n")
    if not options.servers:
        print(times_table(whole.results))
    if options.certainties:
        with open(options.certainties, "w", encoding="utf-8") as file:
            json.dump(whole.certainties, file)
    if options.details:
        rows = [
            {
                "repository": result["added"].repository.name,
                "commit": result["added"].commit,
                "file": result["added"].task.path,
                "kind": result["added"].task.kind,
                "truth": result["added"].task.truth,
                "removed": result["added"].removed,
                "begun": result["added"].task.prefix.rsplit("\n", 1)[-1],
                "answers": result["answers"],
                "ranked": result["ranked"],
                "first": result["first"],
                "known": result.get("known"),
            }
            for result in whole.results
        ]
        with open(options.details, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
