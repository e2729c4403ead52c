#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the architecture: a room includes only the rooms it may know (docs/architecture.md)."""

import pathlib
import re
import sys

def below(room: str, folders: str) -> list[str]:
    return [f"{room}/{folder}" for folder in folders.split()]


# The rooms of everything that runs models, and the rooms that both processes share.
MODELS = below("runtime", "base grammar jinja gguf tokenizer tensor transformer wafer")
SHARED = below("runtime", "base exclusions protocol trace")
# The rooms that the server is made of.
SERVED = below("runtime", "base grammar protocol trace inference wafer experiment")

# The rooms that a room may include, besides itself and the files directly in the folders above it: these
# and the folders below them. A file belongs to the longest folder that matches.
ALLOWED = {
    "runtime/base": [],
    "runtime/exclusions": ["runtime/base"],
    "runtime/grammar": ["runtime/base"],
    "runtime/jinja": ["runtime/base"],
    "runtime/protocol": ["runtime/base"],
    "runtime/trace": ["runtime/base", "runtime/protocol"],
    "runtime/gguf": ["runtime/base"],
    "runtime/tokenizer": ["runtime/base", "runtime/gguf"],
    "runtime/tensor": ["runtime/base"],
    "runtime/tensor/generic": ["runtime/base"],
    "runtime/tensor/avx2": ["runtime/base"],
    "runtime/tensor/avx512": ["runtime/base"],
    "runtime/tensor/amx": ["runtime/base", "runtime/tensor/avx512"],
    "runtime/tensor/neon": ["runtime/base"],
    "runtime/transformer": ["runtime/base", "runtime/gguf", "runtime/tensor"],
    "runtime/wafer/machine": ["runtime/base"],
    "runtime/wafer/cost": ["runtime/base", "runtime/wafer/machine"],
    "runtime/wafer/plan": ["runtime/base", "runtime/tensor", "runtime/wafer/machine", "runtime/wafer/cost"],
    "runtime/wafer/estimate": ["runtime/base", "runtime/tensor", "runtime/wafer"],
    "runtime/mesh": ["runtime/base", "runtime/tensor", "runtime/wafer"],
    "runtime/strict": ["runtime/base", "runtime/tensor", "runtime/transformer", "runtime/wafer", "runtime/mesh"],
    "runtime/experiment": ["runtime/base", "runtime/tensor", "runtime/wafer", "runtime/mesh"],
    "runtime/inference": [],
    "runtime/inference/prompt": [*MODELS],
    "runtime/inference/drafts": [*MODELS],
    "runtime/inference/sampling": [*MODELS, "runtime/inference/drafts"],
    "runtime/inference/output": [*MODELS, "runtime/inference/prompt"],
    "runtime/inference/model": [*MODELS, *below("runtime/inference", "prompt sampling")],
    "runtime/inference/engine": [*MODELS, *below("runtime/inference", "prompt drafts sampling output model")],
    "runtime/server": ["runtime/base", *below("runtime/server", "core http session")],
    "runtime/server/core": [*SERVED],
    "runtime/server/dialects": [*SERVED, "runtime/server/core"],
    "runtime/server/http": [*SERVED, *below("runtime/server", "core dialects")],
    "runtime/server/session": [*SERVED, *below("runtime", "mesh tokenizer"), *below("runtime/server", "core dialects")],
    "runtime/lsp": ["runtime/base", "runtime/exclusions"],
    "runtime/waferd": ["runtime"],
    "runtime/waferctl": ["runtime"],
    "editor/text": ["runtime/base"],
    "editor/assist": ["editor/text"],
    "editor/modal": ["editor/text"],
    "editor/spell": ["editor/text"],
    "editor/view": ["editor/text", "editor/assist"],
    "editor/layers": [*below("editor", "text view spell")],
    "editor/keys": [*below("editor", "text view layers")],
    "editor/ghost": [*below("editor", "text assist view layers keys")],
    "editor/widget": [*below("editor", "text assist modal spell view layers keys ghost")],
    "pairing/request": ["editor/text", "runtime/base", "runtime/exclusions"],
    "pairing/kept": ["editor/text", "runtime/base"],
    "pairing/agents": ["editor/text", "runtime/exclusions", "pairing/changes", "programs", "pairing/request"],
    "pairing/answers": ["editor/text"],
    "pairing/ask": ["editor/text", "runtime/exclusions", *below("pairing", "agents answers changes context models request retrieval threads tools")],
    "pairing/changes": ["editor/text", "editor/assist", "runtime/exclusions", *below("pairing", "answers kept placing")],
    "pairing/commands": ["editor/text", "programs", *below("pairing", "answers context request")],
    "pairing/context": ["editor/text", "runtime/base", "runtime/exclusions", *below("pairing", "answers retrieval")],
    "pairing/downloads": ["editor/text", "runtime/base", "runtime/exclusions", "pairing/endpoints", "pairing/request"],
    "pairing/edits": ["editor/text", "editor/assist", *below("pairing", "answers kept next_edit placing request")],
    "pairing/endpoints": ["editor/text", "pairing/request"],
    "pairing/forms": [],
    "pairing/models": ["editor/text", "runtime/base", "runtime/exclusions", *below("pairing", "agents downloads endpoints request taught")],
    "pairing/next_edit": ["editor/text", "editor/assist", "runtime/base", "runtime/exclusions"],
    "pairing/placing": ["editor/text", "editor/assist", *below("pairing", "answers next_edit")],
    "pairing/plans": ["editor/text", "editor/assist", "runtime/exclusions",
                      "programs", *below("pairing", "answers ask changes commands context edits forms kept models placing request retrieval threads")],
    "pairing/retrieval": ["editor/text", "runtime/base", "runtime/exclusions"],
    "pairing/review": ["editor/text", *below("pairing", "answers changes context edits forms models request retrieval")],
    "pairing/taught": ["editor/text", "editor/assist", "pairing/next_edit"],
    "pairing/threads": ["editor/text", *below("pairing", "agents context kept request retrieval")],
    "programs": ["editor/text", "runtime/exclusions"],
    "workbench/git": ["editor/text", "runtime/base"],
    "workbench/search": ["editor/text"],
    "workbench/terminal": ["editor/text", "programs"],
    "workbench/tasks": ["editor/text", "programs"],
    "workbench/debug": ["editor/text", "editor/assist", "runtime/base", "programs"],
    "workbench/testing": ["editor/text", "programs"],
    "workbench/language": ["editor/text", "editor/assist", "programs"],
    "pairing/tools": ["editor/text", "runtime/base", "runtime/exclusions", *below("pairing", "agents changes commands context request retrieval")],
    "wafer_view": ["runtime/protocol"],
    "gui/store": [*SHARED, "editor", "programs"],
    "gui/kit": [*SHARED, "editor", "gui/store", "programs"],
    "gui/client": [*SHARED, "editor", "gui/store"],
    "gui/suggestions": [*SHARED, "editor", *below("gui", "store kit")],
    "gui/documents": [*SHARED, "editor", *below("gui", "store kit suggestions")],
    "gui/project": [*SHARED, "editor", *below("gui", "store kit client documents")],
    "gui/model": [*SHARED, "editor", "pairing", "programs", "wafer_view", *below("gui", "store kit client project")],
    "gui/wafer": [*SHARED, "editor", "wafer_view", *below("gui", "store kit client model")],
    "gui/race": [*SHARED, "editor", "wafer_view", *below("gui", "store kit client model")],
    "gui/lessons": [*SHARED, "editor", *below("gui", "store kit client")],
    "gui/pairing": [*SHARED, "editor", "pairing", "programs", *below("gui", "store kit client documents project model")],
    "gui/workbench": [*SHARED, "editor", "pairing", "workbench", *below("gui", "store kit documents project pairing")],
    "gui/terminal": [*SHARED, "editor", "pairing", "workbench", *below("gui", "store kit documents project pairing")],
    "gui/tasks": [*SHARED, "editor", "pairing", "workbench", *below("gui", "store kit documents project terminal")],
    "gui/testing": [*SHARED, "editor", "pairing", "workbench", *below("gui", "store kit documents project pairing terminal tasks")],
    "gui/debug": [*SHARED, "editor", "workbench", *below("gui", "store kit documents project workbench terminal tasks")],
    "gui/shell": [*SHARED, "editor", "pairing", "workbench", "wafer_view",
                  *below("gui", "store kit client suggestions documents project model wafer race lessons pairing workbench terminal tasks testing git help debug")],
    "gui/help": [*SHARED, "editor", *below("gui", "store kit")],
    "gui/git": [*SHARED, "editor", "pairing", "workbench", *below("gui", "store kit documents project")],
    "gui/automation": [*SHARED, "editor", "pairing", "workbench", "wafer_view", "gui"],
    "gui": [*SHARED, "editor", "pairing", "workbench", "wafer_view", "gui"],
}
# Libraries that a room must do without, by the beginning of the included name.
WIDGETS = ("QApplication", "QWidget", "QtWidgets", "QGui", "QtGui", "QPainter", "Qsci/")
FORBIDDEN_LIBRARIES = {"runtime": ("Q", "Qsci/", "KSyntaxHighlighting/"), "editor": ("QTcpSocket", "QWebSocket", "QNetwork"),
                       "pairing": WIDGETS, "programs": WIDGETS, "workbench": WIDGETS,
                       "wafer_view": ("QTcpSocket", "QWebSocket", "QNetwork", "Qsci/")}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')


def room_of(path: str) -> str | None:
    """The longest room whose folder holds `path`."""
    rooms = [room for room in ALLOWED if path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def problems(root: pathlib.Path):
    for room in ALLOWED:
        for file in sorted((root / room).glob("**/*")):
            if file.suffix not in (".h", ".cpp") or room_of(str(file.relative_to(root))) != room:
                continue
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                quoted, target = match[1] == '"', match[2]
                where = f"{file.relative_to(root)}:{number}"
                if quoted:
                    other = room_of(target)
                    if other and not (room + "/").startswith(other + "/") and not any(
                            other == may or other.startswith(may + "/") for may in ALLOWED[room]):
                        yield f"{where}: {room} may not know {other} ({target})"
                else:
                    for prefix, names in FORBIDDEN_LIBRARIES.items():
                        if (room + "/").startswith(prefix + "/") and target.startswith(names):
                            yield f"{where}: {room} does without <{target}>"


def undocumented(root: pathlib.Path):
    """Rooms that docs/architecture.md has no row for, and rows without a room."""
    text = (root / "docs/architecture.md").read_text()
    listed = set(re.findall(r"`([\w/]+)`", "".join(re.findall(r"(?m)^\| (`.*?`) \|", text))))
    for room in ALLOWED:
        if room not in listed and not any(other.startswith(room + "/") for other in ALLOWED):
            yield f"docs/architecture.md has no row for {room}"
    for room in sorted(listed):
        if not (root / room).is_dir():
            yield f"docs/architecture.md has a row for {room}, which is no folder"


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent
    found = [*problems(root), *undocumented(root)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
