# SPDX-License-Identifier: GPL-3.0-or-later
"""The check for training text in held-out files. Skipped without numpy."""

import unittest

import support  # noqa: F401
import positions

try:
    import overlap
except ImportError:
    raise unittest.SkipTest("numpy is not installed")

WORDS = [f"word{i}" for i in range(20)]
LINE = " ".join(WORDS)


class OverlapTest(unittest.TestCase):
    def find(self, text, *training):
        document = positions.Document("p", "a.c", text)
        ((path, runs, found),) = overlap.find([document], training)["p"]
        self.assertEqual(path, "a.c")
        return runs, found

    def test_runs_that_are_in_training_are_found(self):
        self.assertEqual(self.find(LINE, "other words", LINE), (13, 13))
        self.assertEqual(self.find(LINE, "other " * 20), (13, 0))
        # Ten words in a row hold three runs of eight.
        self.assertEqual(self.find(LINE, "x " + " ".join(WORDS[5:15]) + " y"), (13, 3))

    def test_order_counts_and_blanks_do_not(self):
        self.assertEqual(self.find(LINE, " ".join(reversed(WORDS))), (13, 0))
        self.assertEqual(self.find("f ( a , b ) ; }", "\n\tf(a,b);\n}"), (1, 1))

    def test_short_texts_have_no_runs(self):
        self.assertEqual(self.find("a b c", LINE), (0, 0))
        self.assertEqual(self.find(LINE), (13, 0))

    def test_rows_are_sums(self):
        projects = {"q": [("x", 10, 6), ("y", 30, 2)], "p": [("z", 0, 0)]}
        self.assertEqual(
            list(overlap.rows(projects)),
            [("p", 1, 0, 0.0, 0), ("q", 2, 40, 0.2, 1), ("all", 3, 40, 0.2, 1)],
        )
        self.assertEqual(overlap.much_of(projects["q"]), ["x"])


if __name__ == "__main__":
    unittest.main()
