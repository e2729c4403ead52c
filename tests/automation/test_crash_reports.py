# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests what crashes leave: of the window, told at its next start, and of the model server."""

import glob
import os
import signal
import tempfile
import unittest

from window_test import waferpair


class CrashReports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="waferpair-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.project = os.path.join(self.folder, "very-secret-project")
        os.mkdir(self.project)

    def start(self, *targets, model=False):
        return waferpair.Window(*targets, folder=self.folder, model=model)

    def reports(self):
        return sorted(glob.glob(os.path.join(self.folder, "profile/state/waferpair/crashes/*")))

    def crash(self):
        with self.start(self.project) as window:
            window.wait("/folder", equals=self.project)
            window.key("Ctrl+N")
            window.type("a secret text")
            window.idle()
            os.kill(window.process.pid, signal.SIGSEGV)
            self.assertEqual(window.process.wait(waferpair.PATIENCE), -signal.SIGSEGV)

    def test_a_crash_is_told_once_and_can_be_read_copied_and_deleted(self):
        self.crash()
        (path,) = self.reports()
        self.assertTrue(path.endswith(".new"))
        with self.start() as window:
            window.idle()
            notices = window.state("/notices")
            # In one notice with the question what to open, as it crashed soon after its start.
            told = [text for text in notices if "crashed" in text]
            self.assertEqual(len(told), 1, notices)
            self.assertIn("A report of it is on this computer; it was sent to nobody.", told[0])
            window.click({"object": "showCrash"})
            window.wait("/dialogs/0/name", equals="crashDialog")
            with open(self.reports()[0], encoding="utf-8") as file:
                report = file.read()
            self.assertRegex(report, r"(?m)^Program: Waferpair \d+\.\d+\.\d+$")
            self.assertRegex(report, r"(?m)^Qt: \d+\.\d+\.\d+, platform \w+$")
            self.assertIn("Signal: SIGSEGV", report)
            self.assertRegex(report, r"libc\.so|libQt6")
            for secret in ("secret", self.folder, "/"):
                self.assertNotIn(secret, report)
            shown = window.call("tree", element={"object": "crashText"})
            self.assertIn("SIGSEGV", str(shown))
            window.click({"object": "crashDelete"})
            window.idle()
            self.assertEqual(self.reports(), [])
            window.key("Esc")
        with self.start() as window:
            window.idle()
            self.assertNotIn("crashed", " ".join(window.state("/notices")))
            window.run("help.crashReports")
            window.wait("/dialogs/0/name", equals="crashDialog")
            self.assertIn("There are no crash reports", str(window.call("tree")))

    def test_the_servers_crash_is_told_at_once(self):
        with self.start(self.project, model=True) as window:
            window.wait("/model/state", equals="ready")
            (server,) = self.children(window.process.pid)
            os.kill(server, signal.SIGABRT)
            window.wait("/notices/0", contains="The model server crashed.")
            window.wait("/model/state", equals="ready")  # and it is back
            (path,) = self.reports()
            with open(path, encoding="utf-8") as file:
                report = file.read()
            self.assertRegex(report, r"(?m)^Program: waferd \d+\.\d+\.\d+$")
            self.assertIn("Signal: SIGABRT", report)
            self.assertNotIn("/", report)

    @staticmethod
    def children(pid):
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
            return [int(child) for child in file.read().split()]


if __name__ == "__main__":
    unittest.main(verbosity=2)
