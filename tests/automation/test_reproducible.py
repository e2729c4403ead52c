# SPDX-License-Identifier: GPL-3.0-or-later
"""waferpair --reproducible: the same session gives the same pictures twice, to the pixel, and the
same state but for what is named after folders."""

import os
import tempfile
import unittest

from window_test import sample_project, waferpair

TYPED = (
    "\n// The number of words that are longer than the limit.\n"
    "int countLongWords(const std::vector<std::string>& words, int limit) {\n"
    "int count = 0;\n"
    "for (const std::s"
)


class Session:
    """A run of the session, with the pictures and states that it showed, by name."""

    def __init__(self, folder):
        self.pictures = {}
        self.states = {}
        project = sample_project(folder)
        with waferpair.Window(folder=folder, flags=["--reproducible"]) as window:
            self.window = window
            window.resize(1440, 900)
            window.wait("/model/state", equals="ready")
            window.open(project)
            window.open(os.path.join(project, "src", "text_stats.cpp"))
            self.look("opened")
            window.key("Ctrl+End")
            window.type(TYPED)
            window.wait("/document/ghost/shown", equals=True)
            self.look("suggested")
            window.key("Tab")
            self.look("accepted")
            window.key("Ctrl+Shift+P")
            window.type("toggle")
            self.look("palette")
            window.key("Escape")
            window.call("doubleClick", element=[{"object": "waferView"}])
            self.look("zoomed", [{"object": "waferView"}])

    def look(self, name, element=()):
        self.window.idle()
        self.pictures[name] = self.window.screenshot(*element)
        self.states[name] = self.window.state()


class Reproducible(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = []
        # The same path both times: it is in titles and tips.
        with tempfile.TemporaryDirectory() as outer:
            folder = os.path.join(outer, "run")
            for _ in range(2):
                os.mkdir(folder)
                cls.runs.append(Session(folder))
                os.rename(folder, os.path.join(outer, f"was-{len(cls.runs)}"))

    def test_pictures_are_the_same_to_the_pixel(self):
        first, second = self.runs
        self.assertEqual(list(first.pictures), list(second.pictures))
        for name, picture in first.pictures.items():
            with self.subTest(picture=name):
                if picture != second.pictures[name] and "WAFERPAIR_KEEP" in os.environ:
                    for run, session in enumerate(self.runs):
                        path = os.path.join(os.environ["WAFERPAIR_KEEP"], f"{name}-{run}.png")
                        with open(path, "wb") as file:
                            file.write(session.pictures[name])
                self.assertTrue(picture == second.pictures[name], "the pictures differ")
        # They show something, and not the same each time.
        self.assertEqual(len(set(first.pictures.values())), len(first.pictures))

    def test_states_are_the_same(self):
        first, second = self.runs
        for name, state in first.states.items():
            with self.subTest(state=name):
                self.assertEqual(state, second.states[name])

    def test_the_wafer_has_figures_and_the_host_has_none(self):
        figures = self.runs[0].states["suggested"]["figures"]
        self.assertGreater(figures["wafer"]["tokens_per_second"], 0)
        self.assertEqual(figures["host"], {})


if __name__ == "__main__":
    unittest.main(verbosity=2)
