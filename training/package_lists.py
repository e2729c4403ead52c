# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the lists in packages/: which packages the corpus is made of. Standard library only.

A line is a package; the files part them by language, for the reader and for their usual caps.

  usual cap=MB
  <kind> <package> [held-out] [cap=MB] [only=LANGUAGE,...] [version=V integrity=HASH]

usual      the cap of the lines below that have none: the more projects a language has, the less of
           each keeps it at its share of the corpus

kind       "binary" or "source", of the Debian archive, or "npm"
held-out   the whole project is kept out of training and used by evaluate.py only
cap        keep at most this many megabytes of the project
only       take these languages from it and no others
version, integrity   of an npm package, as its registry states them; Debian's are in the manifest

A package belongs here when most of it is under a permissive license that corpus.py can read. To
grow the corpus, add lines and run corpus.py again.
"""

import collections
import os

import filters

KINDS = ("binary", "source", "npm")
USUAL_CAP_MB = 12.0

# kind: one of KINDS. cap_mb: of the project's programming languages together, at most.
# only: the languages that are taken from it; empty for all. version, integrity: those of the list;
# the Debian archive names its own, so only npm packages have them.
Package = collections.namedtuple(
    "Package", "kind name held_out cap_mb only version integrity", defaults=("", "")
)


def read(folder):
    """The packages in a folder's *.txt files; raises ValueError naming a line that is wrong."""
    packages = []
    names = set()
    for file_name in sorted(os.listdir(folder)):
        if not file_name.endswith(".txt"):
            continue
        usual_cap = str(USUAL_CAP_MB)
        with open(os.path.join(folder, file_name), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                fields = line.split("#")[0].split()
                if not fields:
                    continue
                try:
                    if fields[0] == "usual":
                        usual_cap = _usual_cap(fields)
                        continue
                    package = _package(fields, usual_cap)
                    if package.name in names:
                        raise ValueError(f"'{package.name}' is listed twice")
                except ValueError as error:
                    raise ValueError(f"{file_name}:{number}: {error}") from error
                names.add(package.name)
                packages.append(package)
    return packages


def _usual_cap(fields):
    """The cap of a line "usual cap=MB"."""
    key, _, value = fields[-1].partition("=")
    if len(fields) != 2 or key != "cap":
        raise ValueError("expected usual cap=MB")
    return str(float(value))


def _package(fields, usual_cap):
    """The package of one line."""
    kind, *rest = fields
    if kind not in KINDS or not rest:
        raise ValueError(f"expected one of {', '.join(KINDS)} and a name")
    name, *options = rest
    values = {"cap": usual_cap, "only": "", "version": "", "integrity": ""}
    held_out = False
    for option in options:
        key, equals, value = option.partition("=")
        if option == "held-out":
            held_out = True
        elif equals and value and key in values:
            values[key] = value
        else:
            raise ValueError(f"unknown option '{option}'")
    only = frozenset(filter(None, values["only"].split(",")))
    if only - set(filters.NAMES):
        raise ValueError(f"only={values['only']}: the languages are {', '.join(filters.NAMES)}")
    pinned = values["version"], values["integrity"]
    if (kind == "npm") != all(pinned) or (kind != "npm" and any(pinned)):
        raise ValueError("version= and integrity= belong to an npm package, both of them")
    return Package(kind, name, held_out, float(values["cap"]), only, *pinned)
