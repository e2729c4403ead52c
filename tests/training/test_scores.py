# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of an evaluation against examples worked by hand."""

import unittest

import support  # noqa: F401
import golf
import scores


class ScoreTest(unittest.TestCase):
    def test_edit_similarity(self):
        for left, right, expected in [
            ("", "", 1),
            ("abc", "", 0),
            ("kitten", "sitting", 1 - 3 / 7),
            ("return 0;", "return 1;", 1 - 1 / 9),
        ]:
            self.assertAlmostEqual(scores.edit_similarity(left, right), expected)
            self.assertAlmostEqual(scores.edit_similarity(right, left), expected)

    def test_macro_lets_each_language_count_the_same(self):
        self.assertAlmostEqual(scores.macro(scores.mean)([[1, 1, 1, 1], [0]]), 0.5)

    def test_ratio_is_of_the_sums(self):
        self.assertAlmostEqual(scores.ratio([(1, 2), (5, 8)]), 0.6)

    def test_percentiles(self):
        values = [5, 1, 4, 2, 3]
        self.assertEqual(scores.percentile(values, 0.5), 3)
        self.assertEqual(scores.percentile(values, 0.9), 5)
        self.assertEqual(scores.percentile([7], 0.9), 7)

    def test_precision_of_the_surest(self):
        items = [(0.9, 1), (0.8, 0), (0.7, 1), (0.2, 0), (0.1, 0), (0.05, 0)]
        precision = lambda share: scores.precision_of_surest(items, share)
        self.assertAlmostEqual(precision(0.5), 2 / 3)
        self.assertAlmostEqual(precision(0.34), 1 / 2)
        self.assertAlmostEqual(precision(0.01), 1)  # at least one
        self.assertAlmostEqual(precision(1), 1 / 3)

    def test_an_interval_has_no_width_where_all_groups_agree(self):
        strata = [[[1, 1], [1]], [[0], [0, 0]]]
        self.assertEqual(scores.interval(strata, scores.macro(scores.mean)), (0.5, 0.5))

    def test_an_interval_draws_whole_groups(self):
        # Two files of 50 equal results: every draw has 0, half or all of them right.
        seen = set()

        def statistic(strata):
            seen.add(scores.mean(strata[0]))
            return scores.mean(strata[0])

        self.assertEqual(scores.interval([[[1] * 50, [0] * 50]], statistic), (0, 1))
        self.assertEqual(seen, {0, 0.5, 1})

    def test_results_are_grouped_by_file(self):
        groups = scores.by_file(["a1", "b1", "a2"], lambda item: item[0])
        self.assertEqual(groups, [["a1", "a2"], ["b1"]])


class GolfTest(unittest.TestCase):
    @staticmethod
    def completer(answers):
        """Says answers[typed], else nothing; `asked` keeps what it was asked for."""
        asked = []

        def ask(typed):
            asked.append(typed)
            return answers.get(typed, "")

        return ask, asked

    def test_what_fits_is_taken_and_the_rest_typed(self):
        ask, asked = self.completer({"r": "eturn", "return": " nil", "return x": "y"})
        game = golf.play("return x;", ask)
        # r, then "eturn"; " nil" is wrong; " ", "x", ";" typed, "y" wrong.
        self.assertEqual(asked, ["", "r", "return", "return ", "return x"])
        self.assertEqual(game, golf.Game(9, 5, 5, 1, 2))
        self.assertEqual(golf.actions(game), 5)
        self.assertEqual(golf.actions(game, wrong_costs=1), 7)

    def test_one_character_is_not_taken(self):
        ask, _ = self.completer({"": "a", "a": "bc"})
        self.assertEqual(golf.play("abc", ask), golf.Game(3, 2, 2, 1, 1))

    def test_figures_of_several_lines(self):
        perfect, typed = golf.Game(10, 10, 1, 1, 0), golf.Game(10, 0, 10, 0, 4)
        games = [perfect, typed]
        self.assertAlmostEqual(golf.matched_ratio(games), 0.5)
        self.assertAlmostEqual(golf.moves_normalized([perfect]), 0)
        self.assertAlmostEqual(golf.moves_normalized([typed]), 1)
        self.assertAlmostEqual(golf.moves_normalized(games), (11 - 2) / (20 - 2))
        self.assertAlmostEqual(golf.perfect_lines(games), 0.5)
        self.assertAlmostEqual(golf.actions_saved(games), 1 - (1 + 14) / 20)

    def test_a_patient_player_types_along_with_what_is_shown(self):
        ask, asked = self.completer({"": "value = 1", "value = 2": "34"})
        game = golf.play("value = 234", ask, patient=True)
        # Asked again when the line has left what was shown: behind "value = 2".
        self.assertEqual(asked, ["", "value = 2"])
        self.assertEqual(game, golf.Game(11, 2, 2, 1, 1))

    def test_the_impatient_one_asks_at_each_key(self):
        ask, asked = self.completer({})
        golf.play("abc", ask)
        self.assertEqual(asked, ["", "a", "ab"])

    def test_what_is_typed_to_the_end_of_what_was_shown_is_asked_for_anew(self):
        ask, asked = self.completer({"": "a", "a": "bcd"})
        self.assertEqual(golf.play("abcd", ask, patient=True), golf.Game(4, 3, 2, 1, 1))
        self.assertEqual(asked, ["", "a"])


if __name__ == "__main__":
    unittest.main()
