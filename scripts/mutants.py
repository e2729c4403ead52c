#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes a file's lines one at a time and tells which changes the tests of its room do not notice.

A mutant is one small change of one line: a comparison, a sign, a constant, a condition, a call left out. It is killed when a
test fails or does not end; one that does not compile does not count. What survives is either a missing test or a line that
nothing needs. The work is done in a checkout of its own (build/mutants), so that nothing here is touched; changes that are not
committed are taken along.

  scripts/mutants.py runtime/exclusions/secret_text.cpp
  scripts/mutants.py editor/text/save_file.cpp --tests test_save_file test_text_file --most 60
"""

import argparse
import dataclasses
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What is swapped for what, longest first where one begins another.
SWAPS = [
    (r"(?<![<>=!+\-*/])==(?!=)", "!="), (r"!=", "=="),
    (r" <= ", " < "), (r" >= ", " > "), (r" < ", " <= "), (r" > ", " >= "),
    (r" && ", " || "), (r" \|\| ", " && "),
    (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" \+= ", " -= "), (r" -= ", " += "),
    (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
    (r"\bstd::min\b", "std::max"), (r"\bstd::max\b", "std::min"),
    (r"\bcontinue;", "break;"), (r"\bbreak;", "continue;"),
    (r"(?<=[(!&|] )!(?=\w)|(?<=\()!(?=\w)", ""),
]
NUMBER = re.compile(r"(?<![\w.'\"])(\d+)(?![\w.'\"])")
CALL = re.compile(r"^\s+(?!return\b|delete\b|else\b|case\b|using\b|throw\b|goto\b)[\w:.>\[\]-]+\([^=]*\);$|^\s+[\w:.>\[\]()-]+ (?:\+=|-=|\|=|=) [^;]*;$")
CONDITION = re.compile(r"^(\s+(?:\} else )?if )\((.*)\) ?(\{|return\b[^;]*;|continue;|break;)$")
# Lines that hold no behaviour that a test could see.
LEFT_OUT = re.compile(r"^\s*(//|#|assert\(|static_assert|Q_ASSERT|using\b|template\b|namespace\b|public:|private:|protected:|\}|$)")


@dataclasses.dataclass(frozen=True)
class Mutant:
    line: int  # from 1
    before: str
    after: str


def strings_of(line: str) -> list[tuple[int, int]]:
    """Where the line's string and character literals and its comment lie."""
    return [found.span() for found in re.finditer(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'|//.*$", line)]


def mutants_of(text: str) -> list[Mutant]:
    """Every mutant of the text of a C++ file, in the order of its lines."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if LEFT_OUT.match(line):
            continue
        literal = strings_of(line)

        def add(begin: int, end: int, new: str) -> None:
            if not any(a < end and begin < b for a, b in literal):
                found.append(Mutant(number, line, line[:begin] + new + line[end:]))

        for pattern, new in SWAPS:
            for match in re.finditer(pattern, line):
                add(*match.span(), new)
        for match in NUMBER.finditer(line):
            add(*match.span(), str(int(match[1]) + 1))
        condition = CONDITION.match(line)
        if condition:
            for value in ("true", "false"):
                found.append(Mutant(number, line, f"{condition[1]}({value}) {condition[3]}"))
        if CALL.match(line):
            found.append(Mutant(number, line, re.match(r"\s*", line)[0] + ";"))
    return found


def tests_of(file: pathlib.Path) -> list[str]:
    """The tests of the file's room: those that name its header, else all of the folder that mirrors its own."""
    header = str(file.with_suffix(".h"))
    folder = ROOT / "tests" / file.parent
    while not folder.is_dir():
        folder = folder.parent
    near = sorted(folder.glob("**/test_*.cpp"))
    naming = [test for test in near if f'"{header}"' in test.read_text()]
    return [test.stem for test in naming or near]


class Checkout:
    """A checkout of the project in build/mutants, with a debug build of its own."""

    def __init__(self) -> None:
        self.folder = ROOT / "build" / "mutants"
        self.build = self.folder / "build" / "debug"
        if not (self.folder / ".git").exists():
            self.run("git", "worktree", "prune", cwd=ROOT)
            self.run("git", "worktree", "add", "--detach", "--force", str(self.folder), "HEAD", cwd=ROOT)
        self.run("git", "checkout", "--detach", "--force", self.head())
        changed = subprocess.run(["git", "diff", "--binary", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
        if changed:
            subprocess.run(["git", "apply"], input=changed, cwd=self.folder, check=True)
        libraries = self.folder / "build" / "deps"
        libraries.parent.mkdir(exist_ok=True)
        if (ROOT / "build" / "deps").exists() and not libraries.exists():
            libraries.symlink_to(ROOT / "build" / "deps")
        self.run("cmake", "--preset", "debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1")

    @staticmethod
    def head() -> str:
        return subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()

    def run(self, *command: str, cwd: pathlib.Path | None = None) -> None:
        subprocess.run(command, cwd=cwd or self.folder, check=True, stdout=subprocess.DEVNULL)

    def builds(self, tests: list[str]) -> bool:
        return subprocess.run(["ninja", "-C", self.build, *tests], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def passes(self, tests: list[str], seconds: float) -> bool:
        """Whether all of them pass, each within these seconds."""
        command = ["ctest", "--test-dir", str(self.build), "--stop-on-failure", "--timeout", str(int(seconds) + 1), "-R", f"^({'|'.join(tests)})$"]
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("file", type=pathlib.Path, help="a .cpp file, from the top of the checkout")
    arguments.add_argument("--tests", nargs="+", help="the tests that should notice; without it those of the file's room")
    arguments.add_argument("--most", type=int, default=0, help="so many mutants at most, chosen by --seed (0: all)")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--bar", type=float, default=90, help="percent that have to be killed")
    options = arguments.parse_args()
    file = options.file
    if file.suffix != ".cpp" or not (ROOT / file).is_file():
        arguments.error(f"{file} is no .cpp file of this project; name one from the top of the checkout.")
    text = (ROOT / file).read_text()
    mutants = mutants_of(text)
    if options.most and len(mutants) > options.most:
        mutants = sorted(random.Random(options.seed).sample(mutants, options.most), key=lambda mutant: mutant.line)
    tests = options.tests or tests_of(file)

    checkout = Checkout()
    print(f"{file}: {len(mutants)} mutants, {', '.join(tests)}", flush=True)
    begun = time.monotonic()
    if not checkout.builds(tests) or not checkout.passes(tests, 600):
        print("mutants: these tests do not build and pass as the file is; mend that first.", file=sys.stderr)
        return 2
    # A mutant that loops is killed by a limit well above what the tests take.
    limit = 10 * max(1.0, time.monotonic() - begun)
    killed, survived, invalid = 0, [], 0
    lines = text.split("\n")
    try:
        for mutant in mutants:
            changed = lines[:]
            changed[mutant.line - 1] = mutant.after
            (checkout.folder / file).write_text("\n".join(changed))
            if not checkout.builds(tests):
                invalid += 1
            elif checkout.passes(tests, min(limit, 120)):
                survived.append(mutant)
                print(f"{file}:{mutant.line}: survives\n  - {mutant.before.strip()}\n  + {mutant.after.strip()}", flush=True)
            else:
                killed += 1
    finally:
        (checkout.folder / file).write_text(text)
    share = 100 * killed / max(1, killed + len(survived))
    print(f"{file}: {killed} killed, {len(survived)} survived ({share:.0f} % killed), {invalid} did not compile")
    return 0 if share >= options.bar else 1


if __name__ == "__main__":
    sys.exit(main())
