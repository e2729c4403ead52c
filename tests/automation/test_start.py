# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests how the program starts: with a profile of its own, and after a start that crashed."""

import os
import signal
import tempfile
import unittest

from window_test import waferpair


class Start(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="waferpair-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.project = os.path.join(self.folder, "project")
        os.mkdir(self.project)

    def start(self, *targets, flags=()):
        return waferpair.Window(*targets, folder=self.folder, flags=flags, model=False)

    def write(self, name, text):
        path = os.path.join(self.project, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def kept(self, name):
        return os.path.exists(os.path.join(self.folder, "profile/state/waferpair", name))

    def test_it_keeps_to_its_profile(self):
        with self.start(self.project) as window:
            window.wait("/folder", equals=self.project)
        self.assertTrue(self.kept("recent.json"))
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["errors.log", "profile", "project", "waferpair"])
        with self.start() as window:  # without a target what was open comes back
            window.wait("/folder", equals=self.project)

    def test_it_asks_before_it_opens_what_crashed_its_start(self):
        for end in (signal.SIGKILL, signal.SIGSEGV):
            with self.start(self.project) as window:
                window.wait("/folder", equals=self.project)  # so it does after a kill
                os.kill(window.process.pid, end)
                self.assertEqual(window.process.wait(waferpair.PATIENCE), -end)
            self.assertEqual(self.kept("start-crashed"), end == signal.SIGSEGV)
        with self.start(self.project) as window:
            window.wait("/notices/0", contains="crashed while it was starting")
            window.idle()
            self.assertEqual(len(window.state("/notices")), 1)
            # The report is shown, and the question stays.
            window.click({"object": "showCrash"})
            window.wait("/notices/0", contains="crashed while it was starting")
            window.key("Escape")
            self.assertEqual(window.state("/folder"), "")
            self.assertFalse(self.kept("start-crashed"))  # the mark is for one start
            window.click({"object": "openLastTime"})
            window.wait("/folder", equals=self.project)

    def test_two_files_are_compared(self):
        left, right = self.write("a.txt", "one\ntwo\n"), self.write("b.txt", "one\n2\n")
        with self.start(left, right, flags=("--diff",)) as window:
            window.wait("/document/title", equals="b.txt")
            window.key("F7")
            window.key("Ctrl+M")
            window.key("T")
            window.idle()
            self.assertEqual(window.text(), "one\ntwo\n")
            self.assertEqual(window.state("/folder"), "")

    def test_three_files_are_merged_into_a_fourth(self):
        files = [self.write("base", "1\n2\n3\n"), self.write("ours", "1\nours\n3\n"),
                 self.write("theirs", "1\ntheirs\n3\n"), os.path.join(self.project, "out.txt")]
        with self.start(*files, flags=("--merge",)) as window:
            window.wait("/document/title", equals="out.txt")
            window.idle()
            window.key("F7")
            window.key("Ctrl+M")
            window.key("2")
            window.key("Ctrl+S")
            window.idle()
        with open(files[3], encoding="utf-8") as file:
            self.assertEqual(file.read(), "1\ntheirs\n3\n")

    def test_a_new_window_is_empty(self):
        with self.start(self.project) as window:
            window.wait("/folder", equals=self.project)
        with self.start(flags=("--new-window",)) as window:
            window.idle()
            self.assertEqual(window.state("/folder"), "")
        with self.start() as window:  # and what was open before it comes back all the same
            window.wait("/folder", equals=self.project)

    def test_a_window_opens_another_one(self):
        with self.start(self.project) as window:
            window.wait("/folder", equals=self.project)
            window.run("file.newWindow")
            window.wait("/folder", equals="")  # the state is that of the window in front
            window.run("file.closeWindow")
            window.wait("/folder", equals=self.project)


if __name__ == "__main__":
    unittest.main(verbosity=2)
