# SPDX-License-Identifier: GPL-3.0-or-later
"""Copying and healing, as the runtime does them. Skipped without numpy."""

import unittest

import support  # noqa: F401
import tokenizer

try:
    import numpy as np

    import copying
except ImportError:
    raise unittest.SkipTest("numpy is not installed")

WEIGHTS = [0.0639, 0.8737, 0.6627, -1.3823, 1.4704, 0.2983]


class CopyingTest(unittest.TestCase):
    def test_the_longest_agreement_counts_and_of_equals_the_latest(self):
        index = copying.Index()
        index.append([1, 2, 3, 7, 1, 2, 4, 7, 1, 2, 5])
        self.assertEqual(index.weigh([9, 1, 2]), copying.Evidence(5, 2, 3, 1))
        self.assertEqual(index.weigh([7, 1, 2]), copying.Evidence(5, 3, 2, 1))
        self.assertEqual(index.weigh([7, 1, 2], lambda t: t != 5), copying.Evidence(4, 3, 1, 1))
        self.assertIsNone(index.weigh([3, 9]))

    def test_nothing_reaches_over_the_end_of_a_text(self):
        index = copying.Index()
        index.append([1, 2, -1, 3, 4])
        self.assertIsNone(index.weigh([1, 2]))

    # The same numbers stand in tests/runtime/inference/test_copying.cpp.
    def test_probabilities(self):
        for matched, places, agreeing, network, expected in [
            (2, 1, 1, 0.1, 0.5035176),
            (7, 3, 3, 0.01, 0.7542423),
            (32, 16, 16, 0.9, 0.9962593),
            (3, 4, 2, 0.5, 0.3872115),
            (4, 1, 1, 0.0, 0.0548853),
        ]:
            evidence = copying.Evidence(5, matched, places, agreeing)
            self.assertAlmostEqual(copying.probability(WEIGHTS, evidence, network), expected, 6)

    def test_mixing_keeps_the_sum(self):
        chances = np.array([0.5, 0.3, 0.2])
        mixed = copying.mix(WEIGHTS, copying.Evidence(2, 8, 2, 2), chances)
        self.assertAlmostEqual(mixed.sum(), 1)
        self.assertAlmostEqual(mixed[0] / mixed[1], 5 / 3)
        self.assertGreater(mixed[2], 0.5)

    def test_fitting_finds_what_made_the_data(self):
        picker = np.random.default_rng(1)
        rows = []
        for _ in range(20_000):
            places = int(picker.integers(1, 17))
            evidence = copying.Evidence(
                0, int(picker.integers(2, 33)), places, int(picker.integers(1, places + 1))
            )
            chance = float(picker.uniform(0.001, 0.999))
            right = picker.random() < copying.probability(WEIGHTS, evidence, chance)
            rows.append((evidence, chance, bool(right)))
        for found, made in zip(copying.fit(rows), WEIGHTS):
            self.assertLess(abs(found - made), 0.3)

    def test_the_last_word_is_healed(self):
        for prefix, healed in [
            (b"", b""),
            (b"int", b""),
            (b"int cou", b" cou"),
            (b"int countLo", b"Lo"),
            (b"x = f(", b"("),
            (b"x = ", b" "),
            (b"x;\n    ", b""),
            (b"x;\n    re", b"re"),
        ]:
            self.assertEqual(copying.healed_end(prefix), healed, prefix)

    def test_only_what_agrees_is_allowed(self):
        vocabulary = tokenizer.Vocabulary([(ord("r"), ord("e")), (256, ord("t"))])
        allowed = np.flatnonzero(copying.agreeing(vocabulary, b"re"))
        spelled = {vocabulary.token_bytes[token] for token in allowed}
        self.assertEqual(spelled, {b"r", b"re", b"ret"})


if __name__ == "__main__":
    unittest.main()
