# SPDX-License-Identifier: GPL-3.0-or-later
"""Near duplicates are found by what MinHash estimates. Skipped without numpy."""

import random
import unittest

import support  # noqa: F401

try:
    import numpy as np

    import near_duplicates
    import word_hashes
except ImportError:
    raise unittest.SkipTest("numpy is not installed")


def words(count, seed):
    picker = random.Random(seed)
    return ["".join(picker.choices("abcdefgh_", k=7)) for _ in range(count)]


def text_of(sequence):
    return " ".join(sequence).encode("utf-8")


def exact(one, other):
    """The Jaccard similarity of the sets of five words in a row."""
    sets = [{tuple(words[i : i + 5]) for i in range(len(words) - 4)} for words in (one, other)]
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


class ShingleTest(unittest.TestCase):
    def test_equal_runs_of_words_have_equal_hashes_wherever_they_stand(self):
        sequence = words(60, 1)
        whole = near_duplicates.shingles(text_of(sequence))
        self.assertEqual(len(set(whole.tolist())), 56)
        part = near_duplicates.shingles(b"(\n\t" + b", ".join(text_of(sequence).split()[7:40]))
        self.assertEqual(part.tolist(), whole[7:36].tolist())

    def test_a_text_longer_than_a_part_has_the_same_shingles(self):
        sequence = words(50_000, 2)
        count = word_hashes.LONGEST // 8  # words of seven letters and a blank
        whole = near_duplicates.shingles(text_of(sequence))
        self.assertEqual(len(whole), 50_000 - 4)
        tail = near_duplicates.shingles(text_of(sequence[count:]))
        self.assertEqual(whole[count:].tolist(), tail.tolist())

    def test_short_texts_have_one(self):
        one = near_duplicates.shingles(b"a b c")
        self.assertEqual(len(one), 1)
        self.assertEqual(one.tolist(), near_duplicates.shingles(b"a, b(c)").tolist())
        self.assertNotEqual(one.tolist(), near_duplicates.shingles(b"a c b").tolist())
        self.assertEqual(len(near_duplicates.shingles(b"")), 0)
        signatures = map(near_duplicates.signature, (b"", b"+"))
        self.assertEqual(near_duplicates.similarity(*signatures), 1)


class EstimateTest(unittest.TestCase):
    def test_estimate_agrees_with_the_exact_similarity(self):
        # The standard deviation of an estimate by 32 permutations is at most 0.09; over 40 pairs
        # a share the mean error must be small.
        for replaced in (0, 5, 20, 60, 120, 300):
            errors = []
            for seed in range(40):
                one = words(300, seed)
                other = one[:-replaced] + words(replaced, seed + 1000) if replaced else one
                estimate = near_duplicates.similarity(
                    near_duplicates.signature(text_of(one)),
                    near_duplicates.signature(text_of(other)),
                )
                errors.append(estimate - exact(one, other))
            self.assertLess(abs(np.mean(errors)), 0.045, replaced)
            self.assertLess(np.max(np.abs(errors)), 0.36, replaced)

    def test_the_index_finds_all_that_comparing_each_pair_finds(self):
        picker = random.Random(4)
        index = near_duplicates.Index()
        added = []
        found = 0
        for number in range(600):
            base = words(120, number % 40)
            start = picker.randrange(0, 60)
            sequence = base[start : start + picker.randrange(40, 60)]
            values = near_duplicates.signature(text_of(sequence))
            best = max((near_duplicates.similarity(values, other) for other in added), default=0)
            self.assertEqual(index.holds_like(values), best >= near_duplicates.THRESHOLD)
            found += best >= near_duplicates.THRESHOLD
            index.add(values)
            added.append(values)
        self.assertGreater(found, 50)
        self.assertLess(found, 550)

    def test_bands_cannot_all_be_broken_by_what_the_threshold_allows(self):
        values = near_duplicates.signature(text_of(words(100, 5)))
        index = near_duplicates.Index()
        index.add(values)
        allowed = near_duplicates.PERMUTATIONS - near_duplicates.FEWEST_EQUAL
        other = values.copy()
        other[: allowed * near_duplicates.ROWS : near_duplicates.ROWS] += 1  # one in each band
        self.assertTrue(index.holds_like(other))
        other[-1] += 1
        self.assertFalse(index.holds_like(other))


if __name__ == "__main__":
    unittest.main()
