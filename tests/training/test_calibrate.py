# SPDX-License-Identifier: GPL-3.0-or-later
"""Certainty: the editor's rules as Python knows them, and the fit of the program's numbers."""

import unittest

import support  # noqa: F401
import editor_gate

try:
    import numpy as np

    import calibrate
except ImportError:
    np = None


class GateTest(unittest.TestCase):
    def test_places_are_told_by_what_stands_left_of_the_caret(self):
        for line, place in (
            ("", editor_gate.LINE_START),
            (" \t", editor_gate.LINE_START),
            ("a.", editor_gate.MEMBER),
            ("a->", editor_gate.MEMBER),
            ("A::", editor_gate.MEMBER),
            ("ab_1", editor_gate.WORD),
            ("f(", editor_gate.ELSEWHERE),
        ):
            self.assertEqual(editor_gate.place_of(line), place, line)

    def test_more_is_asked_where_anything_may_follow(self):
        word = editor_gate.least_probability(0.75, editor_gate.WORD, False)
        self.assertEqual(word, 0.75)
        start = editor_gate.least_probability(0.75, editor_gate.LINE_START, False)
        again = editor_gate.least_probability(0.75, editor_gate.LINE_START, True)
        self.assertTrue(word <= start < again < 1)

    def test_right_is_what_goes_on_like_it_to_the_end_of_a_word(self):
        self.assertTrue(editor_gate.is_right("abc", "abc(x)"))
        self.assertTrue(editor_gate.is_right("abc(x)", "abc(x)"))
        self.assertFalse(editor_gate.is_right("ab", "abc(x)"))
        self.assertFalse(editor_gate.is_right("abd", "abc(x)"))


@unittest.skipIf(np is None, "no numpy")
class CalibrationTest(unittest.TestCase):
    def test_the_programs_table_is_read_and_written(self):
        source = calibrate.SOURCE.read_text()
        table = calibrate.read_table(source)
        self.assertEqual(len(table), 4)
        self.assertTrue(all(slope > 0 for _, slope in table))
        others = [(0.5, 1.25), (-0.5, 0.75), (0.0, 1.0), (1.0, 2.0)]
        self.assertEqual(calibrate.read_table(calibrate.write_table(source, others)), others)
        back = calibrate.write_table(calibrate.write_table(source, others), table)
        self.assertEqual(calibrate.read_table(back), table)

    def test_what_is_said_too_low_is_raised(self):
        picker = np.random.default_rng(1)
        truth = picker.uniform(0.05, 0.95, 20_000)
        right = (picker.uniform(size=truth.size) < truth).astype(float)
        said = calibrate.logistic((calibrate.logit(truth) - 0.8) / 0.7)
        offset, slope = calibrate.fit(said, right)
        self.assertAlmostEqual(offset, 0.8, delta=0.05)
        self.assertAlmostEqual(slope, 0.7, delta=0.05)

    def test_few_change_little(self):
        offset, slope = calibrate.fit(np.array([0.5, 0.5]), np.array([1.0, 1.0]))
        self.assertLess(abs(offset), 0.5)
        self.assertAlmostEqual(slope, 1, delta=0.1)

    def test_a_fitted_program_is_fitted_again(self):
        rows = [("r", editor_gate.WORD, 0.8, True)]
        table = [(0.0, 1.0), (0.0, 1.0), (0.4, 0.9), (0.0, 1.0)]
        probability, right = calibrate.by_place(rows, table)[2]
        said = calibrate.logistic(0.4 + 0.9 * calibrate.logit(probability))
        self.assertAlmostEqual(said[0], 0.8)
        self.assertEqual(list(right), [1.0])


if __name__ == "__main__":
    unittest.main()
