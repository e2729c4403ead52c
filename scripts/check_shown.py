#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that texts of others are shown with marks for what one does not see in them (editor/text/unseen.h). What widgets
of Qt show is seen to by gui/kit/shown_texts.h. Whoever paints text itself, has rows of its own or fills a field with text
has its text from one of the functions that mark, or is listed here, with what it shows."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = (*(f"editor/{room}" for room in ("view", "layers", "keys", "ghost", "widget")), "gui", "wafer_view")

WAYS = {
    "paints text": re.compile(r"\bdraw(?:Static)?Text\s*\(|\bdrawItemText\s*\(|\bQTextLayout\s+\w+\s*[({]"),
    "has rows of its own": re.compile(r":\s*public\s+QStyledItemDelegate\b|\bQStyledItemDelegate::QStyledItemDelegate\b"),
    "fills a field": re.compile(r"\b(?:setPlainText|appendPlainText|insertPlainText|insertText|setHtml)\s*\("),
}
MARKS = re.compile(r"\b(?:shownForm|approvalForm|oneLineForm|withoutUnseen|printedText|UnseenNote|ShownDelegate)\b")

OURS = "words of this program alone"
FIGURES = "figures, and names of this program's"
SHIPPED = "what the program is shipped with"
LABEL = "a label or a button, of which shown_texts.h has set the text"

EXEMPT = {
    "editor/view/code_accessible.cpp": "the editor's own text, as assistive technology edits it",
    "gui/help/crash_dialog.cpp": OURS,
    "gui/help/guide_window.cpp": SHIPPED,
    "gui/kit/elided.cpp": LABEL,
    "gui/lessons/handout.cpp": SHIPPED,
    "gui/model/other_editors_dialog.cpp": "settings that this program writes",
    "gui/pairing/ask_input.cpp": "what the user types, and names that are chosen from marked rows",
    "gui/pairing/context_meter.cpp": FIGURES,
    "gui/race/shares_bar.cpp": FIGURES,
    "gui/race/users_chart.cpp": FIGURES,
    "gui/shell/key_sheet.cpp": SHIPPED,
    "gui/shell/keys_dialog.cpp": SHIPPED,
    "gui/terminal": "cells as a terminal has them",
    "gui/workbench/found_delegate": "rows of found_model.cpp, which marks",
    "wafer_view": FIGURES,
}


def main() -> int:
    faults = []
    used = set()
    for folder in FOLDERS:
        for file in sorted(ROOT.glob(f"{folder}/**/*")):
            if file.suffix not in (".cpp", ".h"):
                continue
            name, text = str(file.relative_to(ROOT)), file.read_text()
            found = [(match.start(), what) for what, way in WAYS.items() for match in way.finditer(text)]
            if not found:
                continue
            exempt = [each for each in EXEMPT if name.startswith(each)]
            used.update(exempt)
            twin = file.with_suffix(".h" if file.suffix == ".cpp" else ".cpp")
            if exempt or MARKS.search(text) or (twin.exists() and MARKS.search(twin.read_text())):
                continue
            for at, what in found:
                line = text.count("\n", 0, at) + 1
                faults.append(f"{name}:{line}: {what}, and marks nothing: take editor::shownForm(), or say in scripts/check_shown.py what it shows")
    faults += [f"scripts/check_shown.py: {each} shows nothing, and needs no exemption" for each in EXEMPT if each not in used]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
