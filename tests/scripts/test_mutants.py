# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts/mutants.py makes of a line, and which tests it asks."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True
import mutants  # noqa: E402


def after(line):
    return [mutant.after for mutant in mutants.mutants_of(line)]


class Mutants(unittest.TestCase):
    def test_a_condition_is_turned_and_fixed(self):
        self.assertEqual(
            after("  if (a == b) {"), ["  if (a != b) {", "  if (true) {", "  if (false) {"]
        )

    def test_each_place_of_a_line_is_a_mutant_of_its_own(self):
        self.assertEqual(
            after("  return a < 1 && b < 20;"),
            [
                "  return a <= 1 && b < 20;",
                "  return a < 1 && b <= 20;",
                "  return a < 1 || b < 20;",
                "  return a < 2 && b < 20;",
                "  return a < 1 && b < 21;",
            ],
        )

    def test_a_call_is_left_out(self):
        self.assertEqual(after("    list.append(item);"), ["    ;"])

    def test_texts_comments_and_asserts_stay(self):
        for line in ['  say("a == b");', "  // a == b", "  assert(a == b);", "#if A == 1", "  call(); // 1 == 2"]:
            with self.subTest(line):
                self.assertFalse([each for each in after(line) if "!=" in each or "2 ==" in each])

    def test_a_room_s_tests_are_those_that_name_the_header(self):
        self.assertEqual(
            mutants.tests_of(pathlib.Path("editor/text/save_file.cpp")), ["test_save_file"]
        )

    def test_without_one_they_are_the_folder_s(self):
        tests = mutants.tests_of(pathlib.Path("runtime/base/no_such_file.cpp"))
        self.assertIn("test_file_lock", tests)
        self.assertGreater(len(tests), 5)


if __name__ == "__main__":
    unittest.main()
