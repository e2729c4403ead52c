#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that what a project brings is read by one function (runtime/base/guest_file.h, editor/text/guest_file.h): it
waits for no FIFO, reads no device, and stops at a bound. What opens files in another way is listed here, with what it
reads: the program's own, or what it only writes."""

import pathlib
import re
import sys

FOLDERS = ("editor", "gui", "pairing", "programs", "workbench", "wafer_view", "runtime/base", "runtime/exclusions", "runtime/lsp")

# Ways to open a file, or to have one opened. Names of static functions (QFile::encodeName) are none.
WAYS = {
    "QFile": re.compile(r"\bQFile\s*[({]|\bQFile\s+\w+\s*[({;]|<QFile>\("),
    "QSaveFile": re.compile(r"\bQSaveFile\s+\w+"),
    "std::fstream": re.compile(r"\bstd::[io]?fstream\s+\w+|\b[io]fstream\s*[({]"),
    "fopen": re.compile(r"\bf(?:re)?open(?:64)?\s*\("),
    "open": re.compile(r"\bO_(?:RDONLY|RDWR|WRONLY)\b|(?<!\w)::open(?:at)?\s*\("),
    "QSettings": re.compile(r"\bQSettings\s+\w+"),
    "QImageReader": re.compile(r"\bQImageReader\s*\("),
    "QImageReader of a name": re.compile(r"\bQImageReader\s+\w+\s*[({](?!&)"),
    "a picture of a name": re.compile(r"\bQ(?:Image|Pixmap|Icon|Movie)\s*\(\s*\w*[pP]ath\w*\s*[,)]|\bQSvgRenderer\s*\w*\s*\(\s*\w*[pP]ath"),
    "QMimeDatabase": re.compile(r"\bQMimeDatabase\b"),
    "QTextDocument::setMarkdown": re.compile(r"\bsetMarkdown\s*\("),
    "editorconfig_parse": re.compile(r"\beditorconfig_parse\s*\("),
}

OWN = "what the program keeps for itself"
SHIPPED = "what the program is shipped with"
KERNEL = "what the kernel says, by a name that is not a project's"
WRITES = "is made, written, renamed or removed, not read"

EXEMPT = {
    # The one function.
    "runtime/base/guest_file.cpp": "the one function itself",
    "editor/text/editor_config.cpp": "libeditorconfig opens by itself what was looked at before",
    "editor/widget/prose.cpp": "the one way to lay out Markdown",
    # What is no project's.
    "editor/spell/dictionary.cpp": "dictionaries of the system and the user",
    "gui/automation/tour_context.cpp": KERNEL,
    "gui/client/power_source.cpp": KERNEL,
    "gui/client/session_token.cpp": OWN,
    "gui/debug/debug_runner.cpp": f"{SHIPPED}, and {KERNEL}",
    "gui/help/guide_view.cpp": SHIPPED,
    "gui/kit/icons.cpp": SHIPPED,
    "gui/kit/key_maps.cpp": SHIPPED,
    "gui/lessons/lesson_shelf.cpp": SHIPPED,
    "gui/main.cpp": "the standard input",
    "gui/model/model_getter.cpp": SHIPPED,
    "gui/pairing/next_edit_service.cpp": SHIPPED,
    "gui/project/sample_project.cpp": SHIPPED,
    "gui/shell/keys_dialog.cpp": SHIPPED,
    "gui/store/choices_file.cpp": OWN,
    "gui/store/crash_reports.cpp": OWN,
    "gui/store/file_history.cpp": OWN,
    "gui/store/json_file.cpp": OWN,
    "gui/store/recovery_store.cpp": OWN,
    "gui/store/settings_file.cpp": OWN,
    "gui/store/start_guard.cpp": OWN,
    "gui/wafer/sample_trace.cpp": SHIPPED,
    "gui/workbench/language_tools.cpp": SHIPPED,
    "pairing/changes/change_store.cpp": OWN,
    "pairing/downloads/part_file.cpp": OWN,
    "pairing/kept/kept_files.cpp": OWN,
    "runtime/base/crash_report.cpp": OWN,
    "runtime/base/file_lock.cpp": OWN,
    "runtime/base/available_memory.cpp": KERNEL,
    "runtime/base/port_owner.cpp": KERNEL,
    "workbench/debug/process_list.cpp": KERNEL,
    "programs/child_process.cpp": KERNEL,
    "workbench/terminal/pty_process.cpp": f"a terminal, and {KERNEL}",
    # What is not read.
    "editor/text/save_file.cpp": WRITES,
    "gui/documents/byte_trash.cpp": WRITES,
    "gui/documents/file_operations.cpp": WRITES,
    "gui/documents/snippet_commands.cpp": WRITES,
    "gui/shell/hand_over_server.cpp": WRITES,
    "pairing/changes/disk_texts.cpp": WRITES,
    "runtime/base/output_file.cpp": WRITES,
    "workbench/git/discards.cpp": WRITES,
    "workbench/git/git_reading.cpp": WRITES,
    "workbench/language/project_reach.cpp": WRITES,
}


def bare(line: str) -> str:
    """The line without its comment and the contents of its texts."""
    return re.sub(r'"(?:\\.|[^"\\])*"', '""', line).split("//")[0]


def problems(root: pathlib.Path):
    used = set()
    for folder in FOLDERS:
        for file in sorted((root / folder).glob("**/*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            name = str(file.relative_to(root))
            for number, line in enumerate(file.read_text().splitlines(), 1):
                for what, way in WAYS.items():
                    if not way.search(bare(line)):
                        continue
                    used.add(name)
                    if name not in EXEMPT:
                        yield f"{name}:{number}: {what} opens what may be a project's; read it by readGuestFile()"
    for name in sorted(set(EXEMPT) - used):
        yield f"scripts/check_reads.py: {name} opens nothing, and needs no exemption"


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent
    found = list(problems(root))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
