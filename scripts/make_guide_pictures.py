#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the pictures of the user's guide and of README.md anew, by driving the program as its users do
(docs/automation.md). It runs without a display; with --reproducible the same build gives the same pictures.

    scripts/make_guide_pictures.py [NAME...]     all, or those of these names: window, suggestion, ask ...
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/automation"))
from window_test import sample_project, waferpair  # noqa: E402

from waferpair import png  # noqa: E402

GUIDE = ROOT / "docs/guide/images"
SIZE = (1280, 800)


def git(folder, *arguments):
    settings = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


class Pictures:
    """A window on a copy of the sample project, which is a repository with a change in it."""

    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="waferpair-")
        self.project = sample_project(self.temporary.name)
        git(self.project, "init", "-q")
        git(self.project, "add", ".")
        git(self.project, "commit", "-q", "-m", "Words and how long they are")
        # A question about a language server would stand above the text.
        settings = pathlib.Path(self.temporary.name, "window/profile/config/waferpair/settings.json")
        settings.parent.mkdir(parents=True)
        settings.write_text('{"editor/languageServers": false}\n', encoding="utf-8")
        self.window = waferpair.Window(self.project, folder=os.path.join(self.temporary.name, "window"),
                                       flags=("--reproducible",))
        self.window.resize(*SIZE)
        self.window.wait("/model/state", equals="ready")
        self.window.idle()

    def close(self):
        self.window.stop()
        self.temporary.cleanup()

    def open(self, file, line=None, column=None):
        self.window.open(os.path.join(self.project, file), line, column)
        self.window.idle()

    def save(self, path, *element):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png.written(*png.parts(self.window.screenshot(*element))))
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KiB")

    def suggest(self):
        """Has the model write on behind a line that was begun."""
        window = self.window
        self.open("src/histogram.cpp", 32)
        window.key("End")
        window.type("\n\nint Histogram::")
        window.idle()
        if not window.state("/document/ghost/shown"):
            window.key("Alt+\\")  # whatever the model has
            window.idle()

    # -- A picture each

    def suggestion_and_window(self):
        self.suggest()
        self.save(GUIDE / "window.png")
        self.save(GUIDE / "suggestion.png", {"object": "codeEditor"})
        self.save(GUIDE / "wafer.png", {"object": "waferDock"})
        self.window.key("Esc")
        self.window.run("file.revert")
        self.window.idle()

    def ask(self):
        self.window.run("ask.ask")
        self.window.type("How is the longest word found?")
        self.window.key("Return")
        self.window.idle()
        self.save(GUIDE / "ask.png", {"object": "pairDock"})
        self.window.run("view.ask")
        self.window.idle()

    def git_changes(self):
        self.open("src/histogram.cpp", 8)
        self.window.key("Home")
        self.window.type("// Counts a word.\n")
        self.window.key("Ctrl+S")
        self.window.idle()
        self.window.run("git.changes")
        self.window.idle()
        self.save(GUIDE / "git.png")


def main():
    if not shutil.which("git"):
        sys.exit("make_guide_pictures: git is missing")
    pictures = Pictures()
    try:
        wanted = {"window": pictures.suggestion_and_window, "ask": pictures.ask, "git": pictures.git_changes}
        for name, make in wanted.items():
            if len(sys.argv) < 2 or name in sys.argv[1:]:
                make()
    finally:
        pictures.close()


if __name__ == "__main__":
    main()
