#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that names in unnamed namespaces are unique within a library. Its files are compiled a dozen at a time
(WAFERPAIR_BATCHES), so two that share a name compile or not as CMake's version happens to group them."""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMED = re.compile(r"^namespace (\w+) \{\n.*?^\}  // namespace \1$", re.S | re.M)
NAMESPACE = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.S | re.M)
DECLARATION = re.compile(r"^(?:template <[^\n]*>\n)?(?:enum class|enum|class|struct) (\w+)[^;\n]*\{"
                         r"|^(?:inline |static )*(?:constexpr|const) [^=({;\n]*?\b(k[A-Z]\w*|[a-z]\w*)(?:\[\w*\])? ?[={]", re.M)
FUNCTION = re.compile(r"^(?!(?:return|else|if|for|while|switch|using|constexpr \w+ k)\b)[\w:<][^=;{}()\n]*?[ *&](\w+)\(([^;{}]*?)\)(?: const)?(?: noexcept)? ?\{", re.M)


def libraries():
    """Each library with its files."""
    for cmake in ROOT.glob("**/CMakeLists.txt"):
        if "build" in cmake.relative_to(ROOT).parts:
            continue
        for name, body in re.findall(r"waferpair_library\((\w+)\s+([^)]*)\)", re.sub(r"#.*", "", cmake.read_text())):
            yield name, [cmake.parent / file for file in body.split() if file.endswith(".cpp") and (cmake.parent / file).exists()]


def types_of(parameters: str) -> str:
    """The parameters without their names and defaults."""
    plain = re.sub(r"=[^,]*", "", " ".join(parameters.split()))
    return ",".join(re.sub(r"(?<=[ *&>])\w+$", "", each.strip()).strip() for each in plain.split(","))


def names(file: pathlib.Path) -> set[str]:
    found = set()
    for body in NAMESPACE.findall(file.read_text()):
        body = NAMED.sub("", body)
        found |= {a or b for a, b in DECLARATION.findall(body)}
        found |= {f"{name}({types_of(parameters)})" for name, parameters in FUNCTION.findall(body)}
    return found


def main() -> int:
    wrong = 0
    for library, files in libraries():
        users = collections.defaultdict(list)
        for file in files:
            for name in names(file):
                users[name].append(str(file.relative_to(ROOT)))
        for name, where in sorted(users.items()):
            if len(where) > 1:
                print(f"{library}: {name} stands in the unnamed namespaces of {', '.join(sorted(where))}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
