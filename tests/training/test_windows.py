# SPDX-License-Identifier: GPL-3.0-or-later
"""Training windows have the promised length and layout. Skipped without numpy."""

import json
import os
import tempfile
import unittest

import support  # noqa: F401
import tokenizer

try:
    import numpy as np

    import windows
except ImportError:
    raise unittest.SkipTest("numpy is not installed")

LINES = "".join(f"    value_{i} = compute(argument_{i}, 'caf\u00e9')\n" for i in range(200))


class WindowTest(unittest.TestCase):
    def setUp(self):
        with tempfile.TemporaryDirectory() as folder:
            record = {"project": "p", "path": "src/module.py", "text": LINES}
            with open(os.path.join(folder, "python.jsonl"), "w", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
            corpus = windows.Corpus(folder)
        self.vocabulary = tokenizer.Vocabulary([(32, 32), (256, 256)])
        self.sampler = windows.Sampler(corpus, self.vocabulary, 4)

    def test_windows_are_exactly_as_long_as_asked(self):
        for length in (64, 257, 1025):
            self.assertEqual(len(self.sampler.window(length)), length)

    def test_targets_are_the_next_ids_without_layout_tokens(self):
        ids, targets = self.sampler.batch(4, 256)
        self.assertEqual((ids.shape, targets.shape), ((4, 256), (4, 256)))
        shown = targets[:, :-1] >= 0
        np.testing.assert_array_equal(targets[:, :-1][shown], ids[:, 1:][shown])
        self.assertTrue((targets <= self.vocabulary.eot).all())
        self.assertTrue((ids[:, 1:][~shown] > self.vocabulary.eot).all())

    def test_a_sample_holds_suffix_prefix_and_the_middle_between_them(self):
        words = self.vocabulary
        whole = LINES.encode("utf-8")
        for _ in range(200):
            ids = self.sampler._fill_in_the_middle("module.py", LINES, 400)
            self.assertLessEqual(len(ids), 400)
            self.assertEqual(ids[-1], words.eot)
            suf, pre = ids.index(words.suf), ids.index(words.pre)
            if ids[0] == words.file:
                self.assertEqual(words.decode(ids[:suf]), b"module.py")
            suffix = words.decode(ids[suf + 1 : pre])
            continued = words.decode(ids[pre + 1 : -1])
            at = whole.find(continued)
            self.assertGreaterEqual(at, 0)
            # The middle may have been cut to its budget; then the suffix follows somewhat later.
            self.assertGreaterEqual(whole.find(suffix, at), at)

    def test_a_middle_lies_inside_the_text(self):
        for _ in range(500):
            cursor, end = self.sampler._middle(LINES)
            self.assertTrue(0 <= cursor <= end <= len(LINES))
            self.assertLessEqual(end - cursor, windows.LONGEST_MIDDLE)

    def test_equal_seeds_draw_equal_windows(self):
        again = windows.Sampler(self.sampler.corpus, self.vocabulary, 4)
        self.assertEqual(self.sampler.window(300), again.window(300))


if __name__ == "__main__":
    unittest.main()
