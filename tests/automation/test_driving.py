# SPDX-License-Identifier: GPL-3.0-or-later
"""The real program with its model, driven from outside through a session of work."""

import os
import struct
import tempfile
import unittest
import zlib

from window_test import WindowTest, sample_project, waferpair

TYPED = (
    "\n// The number of words that are longer than the limit.\n"
    "int countLongWords(const std::vector<std::string>& words, int limit) {\n"
    "int count = 0;\n"
    "for (const std::s"
)


class Session(unittest.TestCase):
    """The default model suggests; what comes is accepted, undone, and the file saved."""

    def test_a_session_of_work(self):
        with tempfile.TemporaryDirectory() as folder, waferpair.Window() as window:
            project = sample_project(folder)
            window.resize(1440, 900)  # room for the wafer view
            source = os.path.join(project, "src", "text_stats.cpp")
            window.open(project)
            window.wait("/folder", equals=project)
            window.wait("/model/state", equals="ready")
            window.idle()

            window.key("Ctrl+P")
            window.type("text_stats.c")
            window.idle()
            overlay = window.state("/overlay")
            self.assertEqual(overlay["input"], "text_stats.c")
            self.assertIn("text_stats.cpp", overlay["rows"][0])
            window.key("Return")
            window.wait("/document/path", equals=source)
            self.assertIsNone(window.state("/overlay"))
            self.assertEqual(window.state("/document/modified"), False)

            window.key("Ctrl+End")
            window.type(TYPED)
            window.wait("/document/ghost/shown", equals=True)
            window.idle()
            document = window.state("/document")
            before = window.text()
            ghost = document["ghost"]["remaining"]
            self.assertTrue(document["modified"])
            # What was opened has been closed behind the caret.
            position = document["ghost"]["position"]
            typed, closed = before.encode()[:position].decode(), before.encode()[position:].decode()
            self.assertTrue(typed.endswith("for (const std::s"), typed[-60:])
            self.assertEqual(closed, ")\n}")
            self.assertTrue(ghost)
            figures = window.state("/figures")
            self.assertGreater(figures["wafer"]["tokens_per_second"], 0)
            self.assertGreater(figures["host"]["tokens_per_second"], 0)
            self.assertEqual(window.state("/wafer/has_layout"), True)

            window.key("Tab")
            # A suggestion that closes it, too, takes the closer's place.
            rest = closed.removeprefix(")") if ")" in ghost else closed
            self.assertEqual(window.text(), typed + ghost + rest)
            window.key("Ctrl+Z")
            self.assertEqual(window.text(), before)

            window.key("Ctrl+Shift+P")
            window.type("file save")
            window.idle()
            self.assertEqual(window.state("/overlay/rows/0"), "File: Save")
            window.key("Return")
            window.wait("/document/modified", equals=False)
            with open(source, encoding="utf-8") as file:
                self.assertEqual(file.read(), before)


class Driving(WindowTest):
    files = {"a.txt": "one two\n", "src/main.cpp": "int main() { return 0; }\n"}

    def test_every_command_is_there_with_its_keys(self):
        commands = {command["id"]: command for command in self.window.call("commands")}
        self.assertEqual(commands["file.save"]["keys"], "Ctrl+S")
        self.assertFalse(commands["file.save"]["enabled"])  # nothing is open
        self.assertGreater(len(commands), 40)
        with self.assertRaises(waferpair.Refused) as refused:
            self.window.run("file.save")
        self.assertEqual(refused.exception.code, -32001)
        self.window.run("file.new")
        commands = {command["id"]: command for command in self.window.call("commands")}
        self.assertTrue(commands["file.save"]["enabled"])

    def test_carets_and_selections_are_told(self):
        self.window.open(self.path("src/main.cpp"), line=1, column=5)
        self.assertEqual(
            self.window.state("/document/carets"), [{"anchor": 4, "caret": 4, "line": 1, "column": 5}]
        )
        self.window.key("Ctrl+Shift+Right")
        self.assertEqual(self.window.state("/document/selected"), "main")
        self.assertEqual(self.window.state("/document/lines"), 2)

    def test_columns_count_characters_and_offsets_bytes(self):
        self.window.open(self.path("a.txt"))
        self.window.type("Größe 😀")
        self.assertEqual(self.window.state("/document/carets/0/caret"), len("Größe 😀".encode()))
        self.assertEqual(self.window.state("/document/carets/0/column"), len("Größe 😀") + 1)
        self.window.type("日本", compose=True)
        self.assertEqual(self.window.text(), "Größe 😀日本one two\n")

    def test_the_mouse_goes_where_elements_are(self):
        self.window.idle()
        self.window.call("doubleClick", element=[{"object": "folderTree"}, "a.txt"])
        self.window.wait("/document/title", equals="a.txt")
        self.window.key("Ctrl+F")
        self.window.type("two")
        self.window.click({"role": "check box", "object": "findCase"})
        focus = self.window.state("/focus")
        self.assertEqual(focus["role"], "editable text")
        self.window.key("Escape")
        self.assertEqual(self.window.state("/document/selected"), "two")

    def test_what_is_not_there_is_named(self):
        def refusal(method, **params):
            with self.assertRaises(waferpair.Refused) as refused:
                self.window.call(method, **params)
            return refused.exception

        self.assertIn("no.such", str(refusal("run", command="no.such")))
        self.assertIn("Nowhere", str(refusal("click", element="Nowhere")))
        self.assertIn("/no/such", str(refusal("open", path="/no/such")))
        self.assertIn("absolute", str(refusal("open", path="a.txt")))
        self.assertIn("names no key", str(refusal("key", keys="Ctrl+Nonsense")))
        self.assertIn("outside", str(refusal("click", at=[5000, 5000])))
        self.assertIn("No document", str(refusal("text")))
        self.assertIn("/nothing", str(refusal("state", at="/nothing")))
        slow = refusal("wait", at="/folder", equals="elsewhere", timeout_ms=50)
        self.assertEqual(slow.code, -32002)
        self.assertIn(self.project, str(slow))

    def test_unsaved_text_outlives_an_end_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            with waferpair.Window(self.project, folder=folder, model=False) as window:
                window.open(self.path("a.txt"))
                window.type("unsaved ")
            self.assertEqual(self.read("a.txt"), "one two\n")
            with waferpair.Window(self.project, folder=folder, model=False) as window:
                window.wait("/document/modified", equals=True)
                self.assertEqual(window.text(self.path("a.txt")), "unsaved one two\n")

    def test_quitting_asks_as_a_user_is_asked(self):
        self.window.open(self.path("a.txt"))
        self.window.type("x")
        self.window.call("quit")
        self.window.wait("/dialogs/0/name", equals="unsavedDialog")
        self.window.click({"object": "unsavedDiscard"})
        self.assertEqual(self.window.process.wait(waferpair.PATIENCE), 0)
        self.assertEqual(self.read("a.txt"), "one two\n")

    def test_a_question_that_waits_within_a_key_does_not_hold_the_driver(self):
        """The dialog's own question about a file that is there has an event loop of its own."""
        with open(self.path("b.txt"), "w", encoding="utf-8") as file:
            file.write("b\n")
        self.window.open(self.path("a.txt"))
        self.window.wait("/document/path", equals=self.path("a.txt"))
        self.window.call("run", command="file.saveAs")
        self.window.wait("/dialogs/0/name", equals="saveAsDialog")
        self.window.key("Ctrl+A")
        self.window.type(self.path("b.txt"))
        self.window.key("Return")
        self.assertEqual(len(self.window.state("/dialogs")), 2)
        # The list of names that it completes, the question, the dialog.
        for _ in range(3):
            if self.window.state("/dialogs"):
                self.window.key("Escape")
        self.assertEqual(self.window.state("/dialogs"), [])
        self.assertEqual(self.read("b.txt"), "b\n")

    def test_panes_are_told(self):
        self.window.open(self.path("a.txt"))
        self.assertEqual([pane["tabs"] for pane in self.window.state("/panes")], [[0]])
        self.window.key("Ctrl+\\")
        panes = self.window.state("/panes")
        self.assertEqual([pane["tabs"] for pane in panes], [[0], [0]])
        self.assertEqual([pane["active"] for pane in panes], [False, True])
        self.assertEqual([pane["front"] for pane in panes], [0, 0])
        self.assertGreater(panes[1]["x"], panes[0]["x"])
        self.assertEqual(panes[1]["y"], panes[0]["y"])
        self.assertEqual(len(self.window.state("/documents")), 1)

    def test_a_terminal_is_driven_and_read(self):
        window = self.window
        self.assertIsNone(window.state("/terminal"))
        window.key("Ctrl+`")
        window.wait("/terminal/running", equals=True)
        window.type("echo $((6 * 7)) > out.txt; cat out.txt; exit 5")
        window.key("Return")
        window.wait("/terminal/running", equals=False)
        self.assertIn("\n42\n", window.state("/terminal/text"))
        self.assertTrue(window.state("/terminal/shown"))

    def test_pictures_are_of_the_window_or_a_part(self):
        def size(png):
            # The size is in the header, which has a checksum of its own.
            self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(zlib.crc32(png[12:29]), struct.unpack(">I", png[29:33])[0])
            return struct.unpack(">II", png[16:24])

        self.window.idle()
        window = self.window.state("/window")
        self.assertEqual(size(self.window.screenshot()), (window["width"], window["height"]))
        part = size(self.window.screenshot({"object": "folderTree"}))
        self.assertLess(part[0], window["width"])
        file = self.path("picture.png")
        told = self.window.call("screenshot", file=file)
        with open(file, "rb") as picture:
            self.assertEqual(size(picture.read()), (told["width"], told["height"]))


if __name__ == "__main__":
    unittest.main(verbosity=2)
