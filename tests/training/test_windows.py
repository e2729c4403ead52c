# SPDX-License-Identifier: GPL-3.0-or-later
"""Training windows have the promised length and layout. Skipped without numpy."""

import json
import os
import tempfile
import unittest

import support  # noqa: F401
import related
import tokenizer

try:
    import numpy as np

    import shards
    import windows
except ImportError:
    raise unittest.SkipTest("numpy is not installed")

LINES = "".join(f"    value_{i} = compute(argument_{i}, 'caf\u00e9')\n" for i in range(200))
OTHER = "".join(f"def helper_{i}(argument_{i}):\n    return {i}\n" for i in range(100))
STRANGE = "".join(f"foreign_{i} = strange_{i}\n" for i in range(100))


def write_corpus(folder):
    records = [
        ("r", "src/foreign.py", STRANGE),
        ("p", "src/other.py", OTHER),
        ("p", "src/module.py", LINES),
    ]
    with open(os.path.join(folder, "python.jsonl"), "w", encoding="utf-8") as file:
        for project, path, text in records:
            record = {"project": project, "path": path, "text": text}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


class WindowTest(unittest.TestCase):
    def setUp(self):
        with tempfile.TemporaryDirectory() as folder:
            write_corpus(folder)
            self.corpus = windows.Corpus(folder)
        self.vocabulary = tokenizer.Vocabulary([(32, 32), (256, 256)])
        self.sampler = windows.Sampler(self.corpus, self.vocabulary, 4)
        self.document = self.corpus.document("python", 0)

    def split(self, ids):
        """[(special token, bytes behind it)]."""
        spelled = {i: name for name, i in self.vocabulary.special.items()}
        parts = []
        for token in ids:
            if token in spelled:
                parts.append((spelled[token], []))
            else:
                parts[-1][1].append(token)
        return [(name, self.vocabulary.decode(part)) for name, part in parts]

    def test_documents_are_as_they_were_written(self):
        self.assertEqual(self.document.text, LINES)
        self.assertEqual((self.document.project, self.document.name), ("p", "module.py"))

    def test_windows_are_exactly_as_long_as_asked(self):
        for length in (64, 257, 1025):
            self.assertEqual(self.sampler.windows(3, length).shape, (3, length))

    def test_targets_are_the_next_ids_without_layout_tokens(self):
        drawn = self.sampler.windows(8, 257)
        ids, targets = windows.targets(drawn, self.vocabulary)
        np.testing.assert_array_equal(ids, drawn[:, :-1])
        shown = targets >= 0
        np.testing.assert_array_equal(targets[shown], drawn[:, 1:][shown])
        self.assertLessEqual(set(targets[targets >= self.vocabulary.first_special]), {self.vocabulary.eot})
        hidden = set(drawn[:, 1:][~shown])
        self.assertTrue(hidden)
        self.assertNotIn(self.vocabulary.eot, hidden)
        self.assertGreaterEqual(min(hidden), self.vocabulary.first_special)

    def test_a_sample_holds_suffix_prefix_and_the_middle_between_them(self):
        words = self.vocabulary
        whole = LINES.encode("utf-8")
        for _ in range(200):
            cursor, end = self.sampler._middle(LINES)
            ids = self.sampler._fill_in_the_middle(self.document, cursor, end, 400)
            self.assertLessEqual(len(ids), 400)
            parts = self.split(ids)
            if parts[0][0] == "<|file|>":
                self.assertEqual(parts.pop(0)[1], b"module.py")
            names = [name for name, _ in parts]
            self.assertEqual(names, ["<|suf|>", "<|pre|>", "<|eot|>"])
            suffix, continued = parts[0][1], parts[1][1]
            at = whole.find(continued)
            self.assertGreaterEqual(at, 0)
            # The middle may have been cut to its budget; then the suffix follows somewhat later.
            self.assertGreaterEqual(whole.find(suffix, at), at)
            self.assertEqual(ids[-1], words.eot)

    def test_context_comes_from_the_same_project(self):
        ids = self.sampler._context(self.document, 2000, 60)
        self.assertLessEqual(len(ids), 60)
        (file, name), (pre, text) = self.split(ids)
        self.assertEqual((file, name, pre), ("<|file|>", b"other.py", "<|pre|>"))
        self.assertIn(text, OTHER.encode("utf-8"))

    def test_a_middle_lies_inside_the_text(self):
        for _ in range(500):
            cursor, end = self.sampler._middle(LINES)
            self.assertTrue(0 <= cursor <= end <= len(LINES))
            self.assertLessEqual(end - cursor, windows.LONGEST_MIDDLE)

    def test_equal_seeds_draw_equal_windows(self):
        for seed in (4, (1, 2, 3)):
            first = windows.Sampler(self.corpus, self.vocabulary, seed).windows(2, 300)
            again = windows.Sampler(self.corpus, self.vocabulary, seed).windows(2, 300)
            np.testing.assert_array_equal(first, again)
        self.assertTrue((first != self.sampler.windows(2, 300)).any())


class RelatedTest(unittest.TestCase):
    def test_the_lines_with_the_most_shared_names_win(self):
        text = "alpha_value + beta_value + gamma_value"
        filler = "nothing_here\n" * 40
        wanted = "alpha_value\nbeta_value\ngamma_value\n"
        name, lines = related.lines(text, [("a", filler + wanted + filler), ("b", filler)])
        self.assertEqual(name, "a")
        self.assertIn(wanted, lines)

    def test_nothing_is_better_than_lines_without_shared_names(self):
        self.assertIsNone(related.lines("alpha_value", [("a", "beta_value\n")]))
        self.assertIsNone(related.lines("alpha_value", []))


class ShardTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, number):
        ids = np.arange(number * 100, number * 100 + 50, dtype=np.uint16).reshape(10, 5)
        shards.write(self.folder.name, number, ids)

    def firsts(self, reader, count):
        return [int(window[0]) for window in reader.take(count, 5)]

    def test_shards_that_arrive_later_are_read_before_any_comes_again(self):
        self.write(3)
        reader = shards.ShardReader(self.folder.name)
        self.assertEqual(self.firsts(reader, 4), [300, 305, 310, 315])
        self.write(1)
        self.assertEqual(self.firsts(reader, 7)[-2:], [345, 100])
        self.assertEqual(self.firsts(reader, 9), list(range(105, 150, 5)))
        again = self.firsts(reader, 20)
        self.assertEqual(again, [*range(100, 150, 5), *range(300, 350, 5)])

    def test_another_reader_goes_on_where_one_stopped(self):
        for number in range(3):
            self.write(number)
        reader = shards.ShardReader(self.folder.name)
        self.firsts(reader, 13)
        place = json.loads(json.dumps(reader.place))
        expected = self.firsts(reader, 30)
        other = shards.ShardReader(self.folder.name, place)
        self.assertEqual(self.firsts(other, 30), expected)

    def test_windows_too_short_are_refused(self):
        self.write(0)
        with self.assertRaisesRegex(ValueError, "shorter"):
            shards.ShardReader(self.folder.name).take(1, 6)


if __name__ == "__main__":
    unittest.main()
