# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model's surprise would add to the gate of next edits, on dumps whose answer is known."""

import pathlib
import tempfile
import unittest

import support  # noqa: F401

try:
    import numpy as np

    import fit_next_edit as gates
    import next_edit_surprise as surprise
except ImportError:
    np = None


@unittest.skipIf(np is None, "numpy is not installed")
class NextEditSurpriseTest(unittest.TestCase):
    def read(self, telling):
        """Dumps of four projects, 60 commits each with one question and two candidates of which one is right: by
        `telling`, the surprise of its lines says so, or it is as much for both. No feature does."""
        random = np.random.default_rng(2)
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for project in range(4):
                rows = []
                for commit in range(60):
                    right = random.integers(2)
                    for candidate in range(2):
                        row = np.zeros(gates.HEADER + len(gates.FEATURES) + gates.SCORES, np.uint8)
                        row[1], row[2], row[3], row[6], row[7] = 2, candidate == right, commit, 1, 1
                        row[gates.HEADER:gates.HEADER + 5] = random.integers(0, 100, 5)
                        new = 20 if telling and candidate == right else 120
                        row[-gates.SCORES:] = 1, new + random.integers(20), 100, new + random.integers(20), 100
                        rows.append(row)
                files.append(pathlib.Path(folder) / str(project))
                np.array(rows).tofile(files[-1])
            rows = gates.read(files, scores=True)
        rows["repository"] //= 100
        rows["onlyJudged"] = rows["repository"] == 3
        return rows

    def right_first(self, rows, how):
        x = rows["x"]
        part = {**rows, "x": np.hstack([x, surprise.surprise(rows["scores"], how)])}
        shown = surprise.Shown(surprise.left_out(part, np.arange(4)), part)
        return shown.figures(np.ones(4), 60, 0.5)[1]

    def test_surprise_that_tells_right_from_wrong_improves_the_gate(self):
        rows = self.read(telling=True)
        self.assertLess(self.right_first(rows, "without"), 70)
        self.assertGreater(self.right_first(rows, "network"), 95)
        self.assertGreater(self.right_first(rows, "copying"), 95)

    def test_surprise_that_tells_nothing_does_not(self):
        rows = self.read(telling=False)
        self.assertLess(self.right_first(rows, "network"), 70)

    def test_figures_are_of_all_that_is_shown_and_of_the_first_of_each_commit(self):
        # Two commits of project 0, one of project 1; the threshold for two of three commits is 0.7.
        rows = {"finder": np.full(5, 2), "label": np.array([0.0, 1, 1, 1, 0]), "commit": np.array([1, 1, 2, 2, 3]),
                "repository": np.array([0, 0, 0, 0, 1]), "question": np.arange(5)}
        shown = surprise.Shown(np.array([0.8, 0.9, 0.2, 0.7, 0.3]), rows)
        once, only_second = np.array([1, 1]), np.array([0, 1])
        np.testing.assert_allclose(shown.figures(once, 1.5, 2 / 3), [200 / 3, 50])
        np.testing.assert_allclose(shown.figures(only_second, 1.5, 2 / 3), [0, 0])

    def test_the_stored_gate_is_computed_as_the_program_does(self):
        x = np.zeros((2, len(gates.FEATURES)), np.float32)
        first, second = gates.FEATURES[0], gates.FEATURES[1]
        x[1, :2] = 0.5, 1
        rows = {"label": np.zeros(2), "finder": np.array([2, 2]), "x": x}
        gate = {"finders": {gates.FINDERS[2]: {"bias": -1, "weights": {first: 2, f"{first}*{second}": 4}}}}
        odds = surprise.log_odds(gate, rows) / surprise.LOG_ODDS
        np.testing.assert_allclose(odds[:, 0], [-1, 2], rtol=1e-6)


if __name__ == "__main__":
    unittest.main()
