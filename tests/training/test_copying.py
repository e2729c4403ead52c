# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests what the trust in copies is fitted to, and how. Skipped without numpy."""

import json
import math
import os
import random
import sys
import tempfile
import unittest
from unittest import mock

import support  # noqa: F401

try:
    import numpy as np

    import bits_with_copies
    import commits
    import copying
    import positions
except ImportError:
    raise unittest.SkipTest("numpy is not installed")

TEXT = "".join(f"int value_{n} = compute({n});\n" for n in range(200))


def made_rows(count, seed):
    """Tokens with two candidates each; what has the larger feature 3 is right more often."""
    picker = np.random.default_rng(seed)
    features = picker.normal(size=(2 * count, copying.FEATURES)).astype(np.float32)
    features[:, 0] = np.log(picker.uniform(0.01, 0.3, 2 * count))
    odds = 3 * (features[1::2, 3] - features[0::2, 3])
    right = (picker.uniform(size=count) < 1 / (1 + np.exp(-odds))).astype(int)
    chance = features[2 * np.arange(count) + right, 0]
    return copying.Rows(features, 2 * np.arange(count), np.full(count, 2), right, chance)


class TaskTest(unittest.TestCase):
    def test_a_line_is_cut_out_as_it_stands(self):
        picker = random.Random(1)
        for whole in (True, False) * 20:
            found = positions.draw_line(TEXT, picker, whole)
            if found is None:
                continue
            prefix, truth, suffix = found
            self.assertEqual(prefix + truth + suffix, TEXT)
            self.assertNotIn("\n", truth)
            self.assertTrue(suffix.startswith("\n"))
            self.assertEqual(prefix.endswith("\n"), whole)

    def test_comments_and_short_lines_are_not_learned_from(self):
        for text in ("// only a comment\n" * 9, "}\n" * 9, "# one\n" * 9):
            self.assertIsNone(positions.draw_line(text, random.Random(2), True))

    def test_tasks_follow_their_project(self):
        records = [
            {"project": project, "path": f"src/{n}.c", "text": TEXT}
            for project in ("a", "b")
            for n in range(copying.FEWEST_FILES)
        ]
        records.append({"project": "small", "path": "x.c", "text": TEXT})
        tasks = list(copying.draw_tasks(records, random.Random(3)))
        self.assertIn("documents", tasks[0])
        self.assertEqual(sum("documents" in task for task in tasks), 2)
        self.assertEqual(len(tasks), 2 + 2 * copying.LINES)
        for task in tasks:
            if "own" in task:
                self.assertLess(task["own"], copying.FEWEST_FILES)


class CommitTasksTest(unittest.TestCase):
    def test_lines_share_the_tree_of_the_first_one_s_parent(self):
        task = lambda path, truth: positions.Task("c", "o/n", path, positions.MID_LINE, "int ", truth, "\n")
        one = lambda number, path, removed: commits.Added(
            None, f"c{number}", f"p{number}", number, False, task(path, f" x{number};"), removed, 0
        )
        drawn = [one(n, "a.c", ("old();", "older();")) for n in range(copying.SHARING)]
        drawn.append(one(99, "new.c", ()))
        asked = []

        class History:
            __enter__ = lambda self: self
            __exit__ = lambda self, *_: None

            def tree(self, commit):
                asked.append(commit)
                return [positions.Document("o/n", path, path * 2) for path in ("b.c", "a.c")]

        def draw(history, count, seed, skipped):
            self.assertEqual(skipped, commits.LATEST)
            return drawn

        with mock.patch.multiple(commits, History=lambda repository: History(), draw=draw):
            tasks = list(copying.commit_tasks("any"))
        self.assertEqual(asked, ["p0", "p99"])
        self.assertEqual(len(tasks), 2 + len(drawn))
        self.assertEqual(tasks[0], {"documents": ["b.cb.c", "a.ca.c"]})
        self.assertEqual((tasks[1]["own"], tasks[1]["truth"]), (1, " x0;\n"))
        self.assertEqual(tasks[1]["gone"], "old();\nolder();\n")
        self.assertEqual((tasks[-1]["own"], tasks[-1]["name"], tasks[-1]["gone"]), (-1, "new.c", ""))


class CollectorTest(unittest.TestCase):
    def test_what_the_collector_writes_is_read_back(self):
        script = (
            "import json, struct, sys\n"
            "for line in sys.stdin:\n"
            "    own = json.loads(line)['own']\n"
            "    sys.stdout.buffer.write(struct.pack('<iif', own, own - 1, -0.5))\n"
            f"    sys.stdout.buffer.write(struct.pack('<%df' % ({copying.FEATURES} * own),\n"
            f"                                        *range({copying.FEATURES} * own)))\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "collector")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#!{sys.executable}\n{script}")
            os.chmod(path, 0o700)
            rows = copying.collect(path, "model", [{"own": 2}, {"own": 0}, {"own": 1}])
        self.assertEqual(rows.count.tolist(), [2, 0, 1])
        self.assertEqual(rows.right.tolist(), [1, -1, 0])
        self.assertEqual(rows.start.tolist(), [0, 2, 2])
        self.assertEqual(rows.features.shape, (3, copying.FEATURES))
        self.assertEqual(rows.features[1, 0], copying.FEATURES)


class FitTest(unittest.TestCase):
    def test_joined_rows_mean_what_they_meant(self):
        some = [made_rows(20, 4), made_rows(30, 5)]
        scorer = copying.Scorer(some[0], 5)
        for parameter in scorer.parameters:
            parameter += np.random.default_rng(6).normal(0, 0.3, parameter.shape)
        apart = [scorer.losses(rows, np.arange(len(rows.count))) for rows in some]
        joined = copying.join([*some, some[0]])
        together = scorer.losses(joined, np.arange(70))
        self.assertTrue(np.allclose(together, np.concatenate([*apart, apart[0]])))

    def test_gradients_are_those_of_the_loss(self):
        rows = made_rows(20, 4)
        scorer = copying.Scorer(rows, 5)
        random_numbers = np.random.default_rng(6)
        for parameter in scorer.parameters:
            parameter += random_numbers.normal(0, 0.3, parameter.shape)
        tokens = np.arange(20)
        gradients = []
        scorer.losses(rows, tokens, gradients)
        for parameter, gradient in zip(scorer.parameters, gradients):
            index = tuple(0 for _ in parameter.shape)
            before = parameter[index]
            parameter[index] = before + 1e-5
            above = scorer.losses(rows, tokens).mean()
            parameter[index] = before - 1e-5
            below = scorer.losses(rows, tokens).mean()
            parameter[index] = before
            self.assertAlmostEqual(gradient[index], (above - below) / 2e-5, 6)

    def test_a_file_s_weights_give_what_was_fitted(self):
        rows = made_rows(50, 9)
        rows.right[::7] = -1
        scorer = copying.Scorer(rows, 10)
        for parameter in scorer.parameters:
            parameter += np.random.default_rng(11).normal(0, 0.3, parameter.shape)
        fitted = scorer.losses(rows, np.arange(50))
        self.assertTrue(np.allclose(bits_with_copies.nats(rows, scorer.weights()), fitted, atol=1e-5))

    def test_what_tells_right_from_wrong_is_learned(self):
        rows = made_rows(3000, 7)
        scorer = copying.Scorer(rows, 8)
        said = []
        weights = copying.fit(rows, 8, said.append)
        self.assertEqual(len(weights), copying.HIDDEN * (copying.FEATURES + 2) + 1)
        self.assertTrue(all(math.isfinite(weight) for weight in weights))
        plain, copied = [float(word) for word in said[0].split() if word[0].isdigit() and "." in word]
        self.assertLess(copied, 0.75 * plain)
        self.assertAlmostEqual(json.loads(json.dumps(weights))[0], weights[0])
        self.assertEqual(scorer.parameters[2].tolist(), [0] * copying.HIDDEN)  # starts by adding nothing


if __name__ == "__main__":
    unittest.main()
