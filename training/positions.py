# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked in an evaluation: places in held-out files, drawn with fixed seeds.

Standard library only. The same seed draws the same places from the same corpus, and asking for more
of them keeps the first ones.
"""

import collections
import gzip
import json
import os
import random
import re

FILE_SIZES = range(2000, 60_000)  # characters
MOST_FILES = 1000  # open at once; waferd takes no more than 1,024
SHORTEST_LINE, LONGEST_LINE, SHORTEST_TRUTH = 6, 120, 4
COMMENT_STARTS = ("//", "#", "*", "/*", '"""', "--")
TEST_FILE = re.compile(
    r"(^|[/_.-])(tests?|spec|specs|__tests__|testdata|testing)([/_.-]|$)|Test\w*\.java$"
)
LINE_START, MID_LINE, MEMBER = "line start", "mid-line", "behind . -> ::"
MEMBER_SIGN = re.compile(r"(?<=[\w)\]>])(\.|->|::)(?=[^\W\d])")  # a name follows

Document = collections.namedtuple("Document", "project path text")

# A place where the rest of a line is missing: `truth`, without blanks at its end.
Task = collections.namedtuple("Task", "language project path kind prefix truth suffix")


def file_of(task):
    """Names the task's file across projects."""
    return f"{task.project}/{task.path}"


def read_documents(folder, only=None):
    """{language: [Document]} of one split of a corpus (see corpus.py), in the order given there; of
    one language alone where it is named."""
    documents = {}
    for name in sorted(os.listdir(folder)):
        if only and name.split(".")[0] != only:
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        documents[name.split(".")[0]] = [
            Document(record["project"], record["path"], record["text"]) for record in records
        ]
    return documents


def draw_line(text, picker, whole):
    """(prefix, truth, suffix) of a line, from its first character that is not blank or, unless
    `whole`, from a random one behind it; None if it is no line to complete."""
    lines = text.split("\n")
    number = picker.randrange(len(lines) // 5, len(lines))
    line = lines[number]
    stripped = line.strip()
    if not SHORTEST_LINE <= len(stripped) <= LONGEST_LINE or stripped.startswith(COMMENT_STARTS):
        return None
    column = len(line) - len(line.lstrip())
    if not whole:
        column = picker.randrange(column + 1, len(line))
    if len(line[column:].strip()) < SHORTEST_TRUTH:
        return None
    cursor = sum(len(before) + 1 for before in lines[:number]) + column
    return text[:cursor], line[column:], text[cursor + len(line) - column :]


def draw_tasks(language, documents, count, seed):
    """Up to `count` tasks, in turn at the first character of a line that is not blank and at a
    random one behind it."""
    picker = random.Random(f"{seed} {language}")
    usable = [document for document in documents if len(document.text) in FILE_SIZES]
    tasks = []
    for _ in range(100 * count if usable else 0):
        if len(tasks) == count:
            break
        document = picker.choice(usable)
        kind = LINE_START if len(tasks) % 2 == 0 else MID_LINE
        found = draw_line(document.text, picker, whole=kind == LINE_START)
        if not found:
            continue
        prefix, truth, suffix = found
        tasks.append(
            Task(
                language=language,
                project=document.project,
                path=document.path,
                kind=kind,
                prefix=prefix,
                truth=truth.rstrip(),
                suffix=suffix,
            )
        )
    return tasks


def draw_windows(documents, count, seed, shortest, longest):
    """Pieces of up to `longest` characters that begin at a line, each from another file, which has
    at least a third more than `shortest` characters."""
    picker = random.Random(seed)
    usable = [d.text for d in documents if len(d.text) * 3 >= shortest * 4]
    for text in picker.sample(usable, min(count, len(usable))):
        start = text.rfind("\n", 0, picker.randrange(0, len(text) - shortest)) + 1
        yield text[start : start + longest]


def project_files(task, documents, most_bytes):
    """The other files of the task's project, those of the nearest folders first, while they fit
    into `most_bytes` of UTF-8."""
    folders = task.path.split("/")[:-1]

    def distance(document):
        others = document.path.split("/")[:-1]
        shared = len(os.path.commonprefix([folders, others]))
        return len(folders) + len(others) - 2 * shared, document.path

    # A path that several of a project's packages have names one file of an editor's.
    near = {d.path: d for d in documents if d.project == task.project and d.path != task.path}
    chosen = []
    for document in sorted(near.values(), key=distance):
        size = len(document.text.encode("utf-8"))
        if size <= most_bytes and len(chosen) < MOST_FILES:
            most_bytes -= size
            chosen.append(document)
    return chosen


def read_infilling(path):
    """The tasks of OpenAI's HumanEval-SingleLineInfilling.jsonl.gz, the cursor behind the line's
    indentation: that comes from the editor."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    if not records:
        raise ValueError(f"{path} holds no tasks")
    tasks = []
    for record in records:
        line = record["canonical_solution"].rstrip("\n")
        truth = line.strip()
        tasks.append(
            Task(
                language="python",
                project="HumanEval",
                path=f"{record['task_id'].split('/')[2]}.py",
                kind="infilling",
                prefix=record["prompt"] + line[: line.index(truth)],
                truth=truth,
                suffix="\n" + record["suffix"],
            )
        )
    return tasks
