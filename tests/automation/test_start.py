# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests how the program starts: with a profile of its own, and after a start that crashed."""

import os
import signal
import tempfile
import unittest

import waferpair


class Start(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="waferpair-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.project = os.path.join(self.folder, "project")
        os.mkdir(self.project)

    def start(self, *targets):
        return waferpair.Window(*targets, folder=self.folder, model=False)

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
            self.assertEqual(window.state("/folder"), "")
            self.assertFalse(self.kept("start-crashed"))  # the mark is for one start
            window.click({"object": "openLastTime"})
            window.wait("/folder", equals=self.project)


if __name__ == "__main__":
    unittest.main(verbosity=2)
