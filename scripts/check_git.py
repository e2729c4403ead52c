#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that git is started in one place, which decides what of a repository may be run (workbench/git/git_call.cpp), and that
repositories are found by one rule (editor/text/git_repository.cpp)."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["editor", "gui", "pairing", "programs", "runtime", "wafer_view", "workbench"]
STARTER = "workbench/git/git_call.cpp"
OPENERS = ["editor/text/git_repository.cpp", "workbench/git/worktrees.cpp"]
TEXT = r'(?:Q\w+\(\s*)?"(?:[^"\s]*/)?git(?:"|\s)'
START = re.compile(r"\b(?:start\w*|execute|setProgram|findExecutable|system|popen|exec[lv]p?e?|posix_spawnp?)\s*\(\s*" + TEXT)
NAME = re.compile(r'\bQ(?:StringLiteral|Latin1String|ByteArray|String)\(\s*"(?:[^"\s]*/)?git"\s*\)')
OPEN = re.compile(r"\bgit_repository_open\w*\s*\(")


def main() -> int:
    faults = []
    for folder in FOLDERS:
        for file in sorted(ROOT.glob(f"{folder}/**/*")):
            if file.suffix not in (".cpp", ".h"):
                continue
            name, text = str(file.relative_to(ROOT)), file.read_text()
            for pattern, places, what in [(START, [STARTER], "starts git"), (NAME, [STARTER], "names git as a program"),
                                          (OPEN, OPENERS, "opens a repository")]:
                for found in pattern.finditer(text) if name not in places else []:
                    faults.append(f"{name}:{text.count(chr(10), 0, found.start()) + 1}: {what}; {places[0]} does")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
