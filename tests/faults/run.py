# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries to make the program lose text, and prints what was tried and what was lost.

    run.py [--long] [--only CASE] [--markdown FILE] [GROUP ...]

Without groups: all. The exit code is 1 if anything was lost, 77 if nothing could be tried.
WAFERPAIR_FAULTS=long in the environment is --long.
"""

import argparse
import os
import shutil
import subprocess
import sys

import suite

GROUPS = ("kill", "signals", "disk", "files", "surroundings", "server")
# These groups mount file systems, in a namespace where nobody else sees them.
MOUNTING = ("disk", "surroundings")
INSIDE = "WAFERPAIR_FAULTS_INSIDE"


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--long", action="store_true",
                        default=os.environ.get("WAFERPAIR_FAULTS") == "long")
    parser.add_argument("--only", metavar="CASE", help="the name of one case's function")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--markdown", metavar="FILE", help="adds the table to this file")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    options = parser.parse_args()
    if unknown := set(options.groups) - set(GROUPS):
        parser.error(f"no such group: {', '.join(unknown)}")
    return options


def enter_namespace():
    """Begins again where mounting is allowed, if that can be."""
    if os.environ.get(INSIDE):
        return
    os.environ[INSIDE] = "no"
    unshare = ["unshare", "--user", "--map-root-user", "--mount"]
    if shutil.which("unshare") and subprocess.run([*unshare, "true"], capture_output=True).returncode == 0:
        os.environ[INSIDE] = "yes"
        os.execvp(unshare[0], [*unshare, sys.executable, "-B", *sys.argv])


def main():
    options = parse()
    for program in ("Xvfb", "xdotool"):
        if not shutil.which(program):
            print(f"skipped: {program} is not installed (scripts/setup.sh --tests)")
            return 77
    groups = options.groups or GROUPS
    if set(groups) & set(MOUNTING):
        enter_namespace()
    for group in groups:
        __import__(f"cases_{group}")
    cases = [c for group in groups for c in suite.CASES[group] if options.only in (None, c.key)]
    for one in cases:
        print(f"{one.key}: {one.what} ...", flush=True)
        one.run(options.long, options.seed)
        for loss in one.losses:
            print(f"  LOST {loss}", flush=True)
        print(f"  tried {one.tried}, lost {len(one.losses)} {one.note}", flush=True)
    written = suite.table(cases)
    print("\n" + written)
    if options.markdown:
        with open(options.markdown, "a", encoding="utf-8") as file:
            file.write(written + "\n")
    if any(one.losses for one in cases):
        return 1
    return 0 if any(one.tried for one in cases) else 77


if __name__ == "__main__":
    sys.exit(main())
