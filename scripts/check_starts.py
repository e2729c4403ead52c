#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the rule of docs/trust.md: a file that starts programs is in the list below, with who asks the user before it does. A new one
asks gui/kit/start_gate.h (or FolderTrust, where something starts by itself), and gets a line here."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# By the beginning of their paths.
STARTS = {
    "programs/child_process": "started for those below",
    "workbench/terminal/pty_process": "started for terminal_session",
    "workbench/terminal/terminal_session": "gui/terminal/terminal_panel.cpp asks; tasks: gui/tasks/task_runner.cpp",
    "workbench/testing/test_run": "gui/testing/test_runner.cpp asks",
    "workbench/debug/adapter_link": "gui/debug/debug_runner.cpp asks",
    "workbench/debug/debug_adapter": "gui/debug/debug_runner.cpp asks before it has one looked for",
    "workbench/language/language_client": "workbench/language/language_service.cpp has the user's word",
    "workbench/language/tag_reader": "the user's own ctags, which reads a text from its input, in its sandbox",
    "workbench/git/exact_start": "started for git_call",
    "workbench/git/git_call": "git, without what its repository brings; what writes wants a trusted folder",
    "pairing/agents/agent_connection": "pairing/ask/ask_agents.cpp has the user's word",
    "pairing/commands/command_run": "gui/pairing/plan_panel.cpp asks; of models: pairing/tools/command_call.cpp, in a trusted folder",
    # This program's own.
    "gui/client/runtime_process": "waferd",
    "gui/model/client_connector": "waferctl",
    "gui/model/model_facts": "waferctl",
    "gui/shell/hand_over": "this program anew",
}
START = re.compile(r"\bQProcess\s+\w+\s*[;({]|\bnew\s+(?:(?:programs|workbench)::)?(?:QProcess|ChildProcess|PtyProcess)\b|"
                   r"make_unique<(?:(?:programs|workbench)::)?(?:QProcess|ChildProcess|PtyProcess)>|\bChildProcess\s+\w+\s*[;({]|"
                   r"QProcess::(?:start|execute)|\bposix_spawnp?\(|::exec[vl]p?e?\(|\bpopen\(|std::system\(|::v?fork\(|\bforkpty\(")


def problems():
    for room in ("editor", "gui", "pairing", "programs", "wafer_view", "workbench"):
        for file in sorted((ROOT / room).glob("**/*")):
            path = str(file.relative_to(ROOT))
            if file.suffix not in (".h", ".cpp") or any(path.startswith(f"{name}.") for name in STARTS):
                continue
            for number, line in enumerate(file.read_text().splitlines(), 1):
                if START.search(line.split("//")[0]):
                    yield f"{path}:{number}: starts a program, and scripts/check_starts.py does not know who asks before"
    for name in STARTS:
        if not list(ROOT.glob(f"{name}.*")):
            yield f"scripts/check_starts.py: {name} is not there"


found = list(problems())
print("\n".join(found), file=sys.stderr, end="\n" if found else "")
sys.exit(1 if found else 0)
