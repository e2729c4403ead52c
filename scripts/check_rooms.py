#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the architecture: a room includes only the rooms it may know (docs/architecture.md)."""

import pathlib
import re
import sys

# Which rooms a room may include, besides itself. Longest matching folder wins.
ALLOWED = {
    "runtime/base": [],
    "runtime/exclusions": ["runtime/base"],
    "runtime/grammar": ["runtime/base"],
    "runtime/protocol": [],
    "runtime/trace": ["runtime/base", "runtime/protocol"],
    "runtime/gguf": ["runtime/base"],
    "runtime/tokenizer": ["runtime/base", "runtime/gguf"],
    "runtime/tensor": ["runtime/base"],
    "runtime/transformer": ["runtime/base", "runtime/gguf", "runtime/tensor"],
    "runtime/wafer": ["runtime/base", "runtime/tensor"],
    "runtime/mesh": ["runtime/base", "runtime/tensor", "runtime/wafer"],
    "runtime/strict": ["runtime/base", "runtime/tensor", "runtime/transformer", "runtime/wafer", "runtime/mesh"],
    "runtime/inference": ["runtime/base", "runtime/grammar", "runtime/gguf", "runtime/tokenizer", "runtime/tensor",
                          "runtime/transformer", "runtime/wafer"],
    "runtime/server": ["runtime/base", "runtime/grammar", "runtime/protocol", "runtime/trace",
                       "runtime/inference", "runtime/wafer"],
    "runtime/waferd": ["runtime"],
    "runtime/waferctl": ["runtime"],
    "editor": [],
    "wafer_view": ["runtime/protocol"],
    "gui": ["editor", "wafer_view", "runtime/base", "runtime/exclusions", "runtime/protocol", "runtime/trace"],
}
# Libraries that a room must do without, by the beginning of the included name.
FORBIDDEN_LIBRARIES = {"runtime": ("Q", "Qsci/", "KSyntaxHighlighting/"), "editor": ("QTcpSocket", "QWebSocket", "QNetwork"),
                       "wafer_view": ("QTcpSocket", "QWebSocket", "QNetwork", "Qsci/")}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')


def room_of(path: str) -> str | None:
    """The longest room whose folder holds `path`."""
    rooms = [room for room in ALLOWED if path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def problems(root: pathlib.Path):
    for room in ALLOWED:
        for file in sorted((root / room).glob("**/*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                quoted, target = match[1] == '"', match[2]
                where = f"{file.relative_to(root)}:{number}"
                if quoted:
                    other = room_of(target)
                    if other and other != room and not any(
                            other == may or other.startswith(may + "/") for may in ALLOWED[room]):
                        yield f"{where}: {room} may not know {other} ({target})"
                else:
                    for prefix, names in FORBIDDEN_LIBRARIES.items():
                        if (room + "/").startswith(prefix + "/") and target.startswith(names):
                            yield f"{where}: {room} does without <{target}>"


def main() -> int:
    found = list(problems(pathlib.Path(__file__).resolve().parent.parent))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
