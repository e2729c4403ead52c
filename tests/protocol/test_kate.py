# SPDX-License-Identifier: GPL-3.0-or-later
"""Debian's Kate, set up by waferctl connect, on a display of its own and used by keys. PICTURES names a folder for pictures
of each step, where scrot is installed."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import waferd

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODEL = ROOT / "resources" / "models" / "waferpair-mini.gguf"
LINES = "def total(numbers):\n    result = 0\n    for number in numbers:\n        result += number\n    return result\n\n\n" \
        "print(total([1, 2]))\nprint(total([3, 4]))\n"
PROGRAMS = ("kate", "Xvfb", "xdotool", "dbus-run-session")


class Kate(waferd.unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.server = waferd.Server(folder.name, model=str(MODEL), threads=None)
        self.addCleanup(self.server.stop)
        self.file = self.home / "sum.txt"
        self.file.write_text(LINES, encoding="utf-8")
        self.environment = {
            **os.environ, "HOME": folder.name, "XDG_RUNTIME_DIR": folder.name, "XDG_STATE_HOME": folder.name,
            "XDG_CONFIG_HOME": f"{folder.name}/.config", "XDG_DATA_HOME": f"{folder.name}/.data",
            "XDG_CACHE_HOME": f"{folder.name}/.cache", "QT_QPA_PLATFORM": "xcb"}
        self.environment["DISPLAY"] = self.start_display()

    def start(self, *command, **options):
        process = subprocess.Popen(command, env=self.environment, stderr=subprocess.DEVNULL, **options)
        self.addCleanup(process.wait, waferd.PATIENCE)
        self.addCleanup(process.terminate)
        return process

    def start_display(self):
        """The server chooses its number, and tells it once that it listens."""
        reading, writing = os.pipe()
        self.start("Xvfb", "-displayfd", str(writing), "-screen", "0", "1200x800x24", "-nolisten", "tcp", pass_fds=[writing],
                   stdout=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as told:
            return f":{told.readline().strip()}"

    def x(self, *arguments):
        ran = subprocess.run(["xdotool", *arguments], env=self.environment, capture_output=True, text=True,
                             timeout=waferd.PATIENCE, check=False)
        return ran.stdout.split()

    def picture(self, name):
        if (folder := os.environ.get("PICTURES")) and shutil.which("scrot"):
            subprocess.run(["scrot", "-o", os.path.join(folder, f"kate-{name}.png")], env=self.environment, check=False)

    def until(self, happened, what):
        end = time.monotonic() + 2 * waferd.PATIENCE
        while time.monotonic() < end:
            if found := happened():
                return found
            time.sleep(0.2)
        self.picture("failed")
        self.fail(f"waited in vain: {what}\n{self.file.read_text(encoding='utf-8')}")

    def window(self):
        return self.until(lambda: self.x("search", "--onlyvisible", "--name", r"sum\.txt"), "its window")[0]

    def focus(self, window):
        """There is no window manager to do it."""
        self.x("windowfocus", "--sync", window)

    def test_an_item_of_its_list_is_shown_and_taken(self):
        waferctl = os.path.join(os.path.abspath(waferd.BIN), "waferctl")
        subprocess.run([waferctl, "connect", "kate", "--write"], check=True, env=self.environment, capture_output=True,
                       timeout=waferd.PATIENCE)
        self.start("dbus-run-session", "--", "kate", "-n", "--startanon", str(self.file), stdout=subprocess.DEVNULL)
        # It asks once whether the server may be started.
        question = self.until(lambda: self.x("search", "--onlyvisible", "--name", "LSP server start requested"), "its question")
        self.picture("1-asks")
        self.focus(question[0])
        self.x("key", "Return")
        self.until(lambda: not self.x("search", "--onlyvisible", "--name", "LSP server start requested"), "the answer")
        self.focus(self.window())
        self.x("key", "ctrl+End")

        def taken():
            # The list opens by itself behind three letters; Return takes its first item.
            self.x("type", "--delay", "60", "print(tot")
            time.sleep(1)
            self.picture("2-list")
            self.x("key", "Return")
            self.x("key", "ctrl+s")
            time.sleep(1)
            added = self.file.read_text(encoding="utf-8").removeprefix(LINES)
            if "print(total([" in added:
                return added
            # It was the word alone, as the model was not there yet: once more, on a line of its own.
            self.x("key", "Escape", "End", "Return")
            return None

        added = self.until(taken, "an item of the model")
        self.picture("3-taken")
        line = next(line for line in added.splitlines() if "print(total([" in line)
        # Kate has closed the brackets that were typed; the item does not close them again.
        self.assertEqual(line.count("("), line.count(")"), line)


if __name__ == "__main__":
    if missing := [program for program in PROGRAMS if not shutil.which(program)]:
        print("skipped: not installed:", ", ".join(missing))
        sys.exit(77)
    waferd.main()
