# SPDX-License-Identifier: GPL-3.0-or-later
"""Completions without a model, on texts small enough to see the answer."""

import unittest

import support  # noqa: F401
import baselines

try:
    import ngram
except ImportError:
    ngram = None


class CopyTest(unittest.TestCase):
    def test_the_longest_match_is_continued(self):
        prefix = "if (x) set(left, 1);\nwhile (y) set(left, 2);\nif (x) set(le"
        self.assertEqual(baselines.copy_from_file(prefix, ""), "ft, 1);")
        self.assertEqual(baselines.copy_from_file("set(le", "\n" + prefix), "ft, 1);")

    def test_below_is_looked_at_where_above_there_is_nothing(self):
        self.assertEqual(baselines.copy_from_file("open(", "\nreopen(name);\n"), "name);")

    def test_other_files_count_where_they_match_longer(self):
        other = "x = 1\nif ready: start(engine)\n"
        self.assertEqual(baselines.copy_from_project("if ready: st", "", [other]), "art(engine)")
        own = "y = 2\nif ready: stop()\nif ready: st"
        self.assertEqual(baselines.copy_from_project(own, "", [other]), "op()")
        longer = "z = 3\n" + other
        self.assertEqual(
            baselines.copy_from_project("ready: stop()\nx = 1\nif ready: st", "", [longer]), "art(engine)"
        )
        self.assertEqual(baselines.copy_from_project("abc", "", ["abcd"]), "")

    def test_short_matches_do_not_count(self):
        self.assertEqual(baselines.copy_from_file("abcd\nxcd", ""), "")


class BufferWordTest(unittest.TestCase):
    def test_the_nearest_word_above_then_below(self):
        above = "counter = 1\ncountry = 2\n"
        self.assertEqual(baselines.buffer_word(above + "x = cou", "\ncount\n"), "ntry")
        self.assertEqual(baselines.buffer_word("x = cou", "\ncount\ncounter\n"), "nt")

    def test_only_words_that_go_on(self):
        self.assertEqual(baselines.buffer_word("count\nx = count", ""), "")
        self.assertEqual(baselines.buffer_word("count\nx = ", ""), "")


@unittest.skipIf(ngram is None, "numpy is not installed")
class NgramTest(unittest.TestCase):
    def setUp(self):
        self.corpus = ngram.Corpus(["for item in items:\n    print(item)\n"] * 3)

    def complete(self, prefix, suffix="", typed=""):
        return ngram.Completer(self.corpus, prefix, suffix).complete(typed)

    def test_the_corpus_is_continued_to_the_end_of_the_line(self):
        self.assertEqual(self.complete("for item in"), " items:")
        self.assertEqual(self.complete("x\nfor it", typed="em i"), "n items:")

    def test_the_file_outweighs_the_corpus(self):
        self.assertEqual(self.complete("for item in rows:\nfor item in"), " rows:")
        self.assertEqual(self.complete("for item in", "\nfor item in rows:\n"), " rows:")

    def test_a_word_that_nothing_begins_with_ends_it(self):
        self.assertEqual(self.complete("for qqq"), "")

    def test_followers_are_counted_for_each_length_of_context(self):
        corpus = ngram.Corpus(["a b", "a b", "c b", "a d"])
        found = list(corpus.followers([b"c"]))
        self.assertEqual(found, [[(b" b", 1)]])
        self.assertEqual(sorted(next(corpus.followers([b"a"]))), [(b" b", 2), (b" d", 1)])
        self.assertEqual(list(corpus.followers([b"x"])), [])

    def test_nothing_reaches_over_the_end_of_a_text(self):
        corpus = ngram.Corpus(["a b", "c d"])
        self.assertEqual(list(corpus.followers([b" b"])), [])

    def test_interpolation_after_witten_and_bell(self):
        # 3 of 4 and 1 of 4, two kinds: 3/6, 1/6, and 2/6 is left for the lower order.
        mixed = ngram.interpolate({"x": 0.5, "z": 0.5}, [("x", 3), ("y", 1)])
        self.assertAlmostEqual(mixed["x"], 3 / 6 + 0.5 * 2 / 6)
        self.assertAlmostEqual(mixed["y"], 1 / 6)
        self.assertAlmostEqual(mixed["z"], 0.5 * 2 / 6)

    def test_the_file_counts_contexts_as_the_corpus_does(self):
        text = "a b c a b d a b c"
        in_file = list(ngram.File(text, "").followers([b" a", b" b"]))
        in_corpus = list(ngram.Corpus([text]).followers([b" a", b" b"]))
        self.assertEqual([sorted(f) for f in in_file], [sorted(f) for f in in_corpus])


if __name__ == "__main__":
    unittest.main()
