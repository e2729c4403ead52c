# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the window have in common: the module that is installed with the program, of this checkout, and its build."""

import os
import shutil
import sys
import tempfile
import unittest

SOURCE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
os.environ.setdefault("WAFERPAIR_BIN", os.path.join(SOURCE, "build/release/bin"))
sys.path.insert(0, os.path.join(SOURCE, "resources/python"))

import waferpair  # noqa: E402


def sample_project(folder):
    """A copy of the sample project below `folder`."""
    copy = os.path.join(folder, "sample_project")
    shutil.copytree(os.path.join(SOURCE, "resources/sample_project"), copy)
    return copy


class WindowTest(unittest.TestCase):
    """A window without a model on a project of its own for each test; `flags` and `model` may say
    otherwise."""

    flags = ()
    model = False
    files = {}

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="waferpair-")
        self.addCleanup(folder.cleanup)
        self.project = os.path.join(folder.name, "project")
        for name, text in self.files.items():
            self.write(name, text)
        os.makedirs(self.project, exist_ok=True)
        self.window = waferpair.Window(self.project, flags=self.flags, model=self.model)
        self.addCleanup(self.window.stop)

    def path(self, name):
        return os.path.join(self.project, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()
