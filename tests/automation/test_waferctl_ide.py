# SPDX-License-Identifier: GPL-3.0-or-later
"""waferctl ide: the command line of a window that lets itself be driven."""

import json
import os
import subprocess
import tempfile
import unittest

from window_test import WindowTest, waferpair


def waferctl(folder, *arguments):
    """The ended process; `folder` is where its windows are found."""
    return subprocess.run(
        [os.path.join(waferpair.BIN, "waferctl"), "ide", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False,
        timeout=waferpair.PATIENCE, env=dict(os.environ, XDG_RUNTIME_DIR=folder),
    )


class Ide(WindowTest):
    files = {"a.txt": "text\n"}

    def ide(self, *arguments, code=0):
        done = waferctl(self.window.folder, *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr if code else done.stdout

    def test_the_only_window_is_found(self):
        self.assertEqual(json.loads(self.ide("state", "/folder")), self.project)
        self.assertEqual(
            json.loads(self.ide("--socket", self.window.path, "state", "/folder")), self.project
        )

    def test_a_session_by_hand(self):
        self.ide("wait", "idle")
        self.ide("key", "Ctrl+P")
        self.ide("type", "a.txt")
        self.ide("wait", "/overlay/rows/0", "--contains", "a.txt")
        self.ide("key", "Return")
        self.ide("wait", "/document/title", "--equals", "a.txt")
        self.ide("type", "more ")
        self.assertEqual(self.ide("text"), "more text\n")
        self.ide("run", "file.save")
        self.ide("wait", "/document/modified", "--equals", "false")
        self.assertEqual(self.read("a.txt"), "more text\n")
        picture = self.path("window.png")
        self.ide("screenshot", picture)
        with open(picture, "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
        self.ide("quit", "--at-once")
        self.assertEqual(self.window.process.wait(waferpair.PATIENCE), 0)

    def test_commands_and_tree_are_lists(self):
        lines = self.ide("commands").splitlines()
        self.assertIn("file.new\tFile: New File\tCtrl+N", lines)
        self.assertIn("file.save\tFile: Save\tCtrl+S\t(not now)", lines)
        tree = json.loads(self.ide("tree", "--depth", "2"))
        self.assertEqual(tree[0]["role"], "window")
        self.assertIn("menu bar", [child["role"] for child in tree[0]["children"]])

    def test_any_method_may_be_called(self):
        answer = self.ide("call", "state", '{"at": "/model/state"}')
        self.assertEqual(json.loads(answer), "none")
        self.assertIn("JSON", self.ide("call", "state", "{", code=2))

    def test_mistakes_are_told_with_a_remedy(self):
        self.assertIn("no.such", self.ide("run", "no.such", code=1))
        self.assertIn("commands", self.ide("run", "no.such", code=1))
        self.assertIn("/folder", self.ide("wait", "/folder", "--equals", "x", "--timeout", "0.1",
                                          code=1))
        self.ide("nonsense", code=2)
        self.ide("run", code=2)

    def test_several_windows_must_be_told_apart(self):
        with waferpair.Window(folder=self.window.folder, model=False) as second:
            told = self.ide("state", code=1)
            self.assertIn(self.window.path, told)
            self.assertIn(second.path, told)
            self.ide("--socket", second.path, "run", "file.new")
            for window, documents in ((second, 1), (self.window, 0)):
                told = json.loads(self.ide("--socket", window.path, "state", "/documents"))
                self.assertEqual(len(told), documents)


class NoWindow(unittest.TestCase):
    def test_it_is_said_how_to_start_one(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o700)
            done = waferctl(folder, "state")
            self.assertEqual(done.returncode, 1)
            self.assertIn("waferpair --automation", done.stderr)
            gone = waferctl(folder, "--socket", os.path.join(folder, "gone.sock"), "state")
            self.assertEqual(gone.returncode, 1)
            self.assertIn("gone.sock", gone.stderr)

    def test_help_is_there(self):
        for command in ([], ["wait"], ["screenshot"]):
            done = waferctl("/", *command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Usage", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
