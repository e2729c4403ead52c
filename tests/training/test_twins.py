# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files of a project give another one away."""

import unittest

import support  # noqa: F401
import positions
import twins


def text(first, last):
    return "\n".join(f"word{number}" for number in range(first, last))


class TwinsTest(unittest.TestCase):
    def without(self, *texts):
        """The numbers of those that may be known beside words 0 to 109, of which word 99 is missing."""
        task = positions.Task("c", "p", "own.c", "mid-line", text(0, 99) + "\n", text(99, 100), "\n" + text(100, 110))
        documents = [positions.Document("p", f"{number}.c", one) for number, one in enumerate(texts)]
        others = [positions.Document("p", "own.c", "x"), positions.Document("q", "other.c", "x")]
        found = twins.Finder().without(task, documents + others)
        return [int(document.path.split(".")[0]) for document in found]

    def test_a_copy_and_what_holds_or_is_much_of_it_are_left_out(self):
        self.assertEqual(self.without(text(0, 110), text(0, 1000), text(40, 60), "\n".join("abcdefghijkl")), [3])

    def test_a_share_of_the_shorter_one_decides(self):
        # 40 words of 110 begin 33 of 103 runs, 37 words 30 of them.
        self.assertEqual(self.without(text(70, 1000), text(73, 1000)), [1])

    def test_what_is_missing_in_the_file_counts_and_blanks_do_not(self):
        self.assertEqual(self.without(text(92, 107).replace("\n", "\t ")), [])

    def test_texts_without_a_run_are_no_twins(self):
        self.assertEqual(self.without("", text(0, 7)), [0, 1])


if __name__ == "__main__":
    unittest.main()
