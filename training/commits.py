# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines that real commits added, each with the texts as they were when it was written.

Read by `git` from bare repositories. A commit is replayed top-down: above a line stands what the commit
made of the file, below it what the commit found there; the project is the parent's tree. Standard
library only. The same seed draws the same lines from the same histories.
"""

import collections
import os
import random
import re
import subprocess

import positions

SUFFIXES = {
    "c": (".c", ".h"),
    "cpp": (".cc", ".cpp", ".h", ".hpp"),
    "go": (".go",),
    "java": (".java",),
    "javascript": (".js", ".mjs", ".cjs"),
    "python": (".py",),
    "rust": (".rs",),
    "typescript": (".ts", ".tsx"),
}
LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "commit_repositories.txt")
LATEST = 800  # commits that lines are drawn from
LINES_OF_A_COMMIT = 2
MOST_FILES, MOST_LINES = 12, 400  # of a commit: larger ones are imports, moves or formatting

HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)

# A history to draw from: `fitted` tells that numbers of the program were fitted on it.
Repository = collections.namedtuple("Repository", "name language head fitted git")

# `task` is a positions.Task whose kind is that of the place; `removed` are the lines that the commit
# took out where this one stands, and `written` is how many lines that replace them stand above it.
Added = collections.namedtuple("Added", "repository commit parent date is_test task removed written")


def text_before(added):
    """The text of the file as it was before these lines were removed."""
    above = added.task.prefix.split("\n")[:-1]
    kept = above[: len(above) - added.written]
    return "\n".join([*kept, *added.removed]) + added.task.suffix


def read_list(path, mirrors):
    """The repositories of a list, whose lines are: name, language, commit, "fit" or "report". They lie in
    `mirrors` as OWNER+NAME, with the git directory in it or in its folder `repo`."""
    repositories = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.strip() or line.startswith("#"):
                continue
            name, language, head, use = line.split()
            folder = os.path.join(mirrors, name.replace("/", "+"))
            git = os.path.join(folder, "repo")
            git = git if os.path.isdir(git) else folder
            repositories.append(Repository(name, language, head, use == "fit", git))
    return repositories


class History:
    """What is asked of a repository. Ends its helper process when it is closed."""

    def __init__(self, repository):
        self.repository = repository
        self._blobs = subprocess.Popen(
            ["git", f"--git-dir={repository.git}", "cat-file", "--batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._texts = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._blobs.stdin.close()
        self._blobs.stdout.close()
        self._blobs.wait()

    def git(self, *arguments):
        command = ["git", f"--git-dir={self.repository.git}", *arguments]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout

    def text(self, blob):
        """None where it is no UTF-8."""
        if blob not in self._texts:
            self._blobs.stdin.write(blob.encode() + b"\n")
            self._blobs.stdin.flush()
            size = int(self._blobs.stdout.readline().split()[2])
            data = self._blobs.stdout.read(size + 1)[:size]
            try:
                self._texts[blob] = data.decode("utf-8").replace("\r\n", "\n")
            except UnicodeDecodeError:
                self._texts[blob] = None
        return self._texts[blob]

    def is_source(self, path):
        return path.endswith(SUFFIXES[self.repository.language])

    def tree(self, commit):
        """The source files of a commit, as positions.Documents."""
        found = []
        for entry in self.git("ls-tree", "-r", "-l", "-z", commit).split(b"\0"):
            if not entry:
                continue
            (mode, kind, blob, size), path = entry.split(b"\t")[0].split(), entry.split(b"\t")[1]
            path = path.decode("utf-8", "replace")
            if kind != b"blob" or mode == b"120000" or not self.is_source(path):
                continue
            text = self.text(blob.decode()) if int(size) <= 1 << 20 else None
            if text is not None:
                found.append(positions.Document(self.repository.name, path, text))
        return found

    def commits(self, skipped=0):
        """(commit, parent, date) of the latest behind those that are skipped, those with one parent."""
        wanted = (f"-{LATEST}", f"--skip={skipped}")
        log = self.git("log", "--no-merges", *wanted, "--format=%H %P %ct", self.repository.head)
        rows = [line.split() for line in log.decode().splitlines()]
        return [(row[0], row[1], int(row[2])) for row in rows if len(row) == 3]

    def changed(self, commit, parent):
        """(path, old blob, new blob) of each source file that was changed, not made."""
        raw = self.git("diff-tree", "-r", "-z", "--no-renames", "--diff-filter=M", parent, commit)
        fields = raw.split(b"\0")[:-1]
        rows = []
        for head, path in zip(fields[0::2], fields[1::2]):
            path = path.decode("utf-8", "replace")
            if self.is_source(path):
                rows.append((path, *(blob.decode() for blob in head.split()[2:4])))
        return rows

    def hunks(self, old, new):
        """(old start, old count, new start, new count), in lines from 0."""
        diff = self.git("diff", "-U0", "--no-color", "--no-ext-diff", old, new)
        for match in HUNK.finditer(diff):
            start, count, new_start, new_count = (int(g) if g else 1 for g in match.groups())
            # Where a side has no lines, git names the line in front.
            yield start - (count > 0), count, new_start - (new_count > 0), new_count


def is_worth_typing(line):
    stripped = line.strip()
    short = len(stripped) < positions.SHORTEST_LINE
    return not (
        short
        or len(stripped) > positions.LONGEST_LINE
        or stripped.startswith(positions.COMMENT_STARTS)
    )


def lines_of(history, commit, parent):
    """(path, the lines above, line, suffix, removed lines, how many of the lines above replace them) of each line to
    write."""
    files = history.changed(commit, parent)
    if not 0 < len(files) <= MOST_FILES:
        return []
    found = []
    for path, old_blob, new_blob in files:
        old, new = history.text(old_blob), history.text(new_blob)
        if old is None or new is None or len(old) not in positions.FILE_SIZES:
            continue
        old_lines, new_lines = old.split("\n"), new.split("\n")
        for start, count, new_start, new_count in history.hunks(old_blob, new_blob):
            removed = tuple(old_lines[start : start + count])
            below = "\n" + "\n".join(old_lines[start + count :])
            for number in range(new_start, min(new_start + new_count, len(new_lines))):
                if not is_worth_typing(new_lines[number]):
                    continue
                above = "".join(line + "\n" for line in new_lines[:number])
                found.append((path, above, new_lines[number], below, removed, number - new_start))
        if len(found) > MOST_LINES:
            return []
    return found


def column_of(line, kind, picker):
    """Where the line is to be written from; None where it has no such place."""
    column = len(line) - len(line.lstrip())
    if kind == positions.MEMBER:
        columns = [match.end() for match in positions.MEMBER_SIGN.finditer(line)]
        return picker.choice(columns) if columns else None
    return picker.randrange(column + 1, len(line)) if kind == positions.MID_LINE else column


def draw(history, count, seed, kinds=(positions.LINE_START, positions.MID_LINE), skipped=0):
    """Up to `count` Added lines, to be written from places of these kinds in turn; commits in the order of
    time, of the latest behind those that are skipped."""
    repository = history.repository
    picker = random.Random(f"{seed} {repository.name}")
    commits = history.commits(skipped)
    picker.shuffle(commits)
    added = []
    for commit, parent, date in commits:
        lines = lines_of(history, commit, parent)
        for path, above, line, below, removed, written in picker.sample(
            lines, min(LINES_OF_A_COMMIT, len(lines))
        ):
            kind = kinds[len(added) % len(kinds)]
            column = column_of(line, kind, picker)
            if column is None or len(line[column:].strip()) < positions.SHORTEST_TRUTH:
                continue
            task = positions.Task(
                language=repository.language,
                project=repository.name,
                path=path,
                kind=kind,
                prefix=above + line[:column],
                truth=line[column:].rstrip(),
                suffix=below,
            )
            is_test = bool(positions.TEST_FILE.search(path))
            added.append(Added(repository, commit, parent, date, is_test, task, removed, written))
            if len(added) == count:
                return sorted(added, key=lambda one: (one.date, one.commit, one.task.path))
    return sorted(added, key=lambda one: (one.date, one.commit, one.task.path))
