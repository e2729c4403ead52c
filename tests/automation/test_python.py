# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Python module has for the tests of others: pictures compared with kept ones, a fixture for pytest."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

from window_test import SOURCE, WindowTest, waferpair
from waferpair import png


class Pictures(WindowTest):
    files = {"a.txt": "one\n"}
    flags = ["--reproducible"]

    def golden(self):
        folder = tempfile.TemporaryDirectory(prefix="waferpair-")
        self.addCleanup(folder.cleanup)
        return os.path.join(folder.name, "window.png")

    def test_a_picture_is_kept_once_and_then_compared(self):
        golden = self.golden()
        self.window.open(self.path("a.txt"))
        self.window.idle()
        first = self.window.screenshot()
        with self.assertRaisesRegex(AssertionError, "is made"):
            waferpair.assert_same(first, golden)
        waferpair.assert_same(self.window.screenshot(), golden)

        self.window.run("view.theme")
        self.window.idle()
        other = self.window.screenshot()
        with self.assertRaisesRegex(AssertionError, "differ from .*window.differs.png"):
            waferpair.assert_same(other, golden)
        beside = os.path.join(os.path.dirname(golden), "window.differs.png")
        with open(beside, "rb") as file:
            self.assertEqual(png.Picture.of(file.read()).width, 3 * png.Picture.of(other).width)

        os.environ["WAFERPAIR_RENEW"] = "1"
        try:
            waferpair.assert_same(other, golden)
        finally:
            del os.environ["WAFERPAIR_RENEW"]
        waferpair.assert_same(other, golden)
        self.assertFalse(os.path.exists(beside))
        with self.assertRaises(AssertionError):
            waferpair.assert_same(first, golden)


class Pytest(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("pytest"), "there is no pytest (python3-pytest)")
    def test_the_fixture_gives_each_test_a_window(self):
        with tempfile.TemporaryDirectory(prefix="waferpair-") as folder:
            with open(os.path.join(folder, "test_typing.py"), "w", encoding="utf-8") as file:
                file.write(
                    "def test_typing(waferpair_window):\n"
                    "    waferpair_window.key('Ctrl+N')\n"
                    "    waferpair_window.type('hello')\n"
                    "    assert waferpair_window.text() == 'hello'\n\n"
                    "def test_wrong(waferpair_window):\n"
                    "    assert waferpair_window.state('/document') is not None\n"
                )
            environment = dict(os.environ, PYTHONPATH=os.path.join(SOURCE, "resources/python"))
            command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "waferpair.pytest_plugin", folder]
            ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=waferpair.PATIENCE)
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
        self.assertIn("1 failed, 1 passed", ran.stdout)


if __name__ == "__main__":
    unittest.main()
