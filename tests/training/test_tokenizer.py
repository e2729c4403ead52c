# SPDX-License-Identifier: GPL-3.0-or-later
"""The pre-tokenizer is the one PRETOKENIZER.md defines, and encoding loses nothing."""

import collections
import json
import os
import random
import unittest

import support
import tokenizer
import train_tokenizer


def byte_class(byte):
    """The class letter of PRETOKENIZER.md."""
    if byte in b"\r\n":
        return "N"
    if byte in b" \t":
        return "S"
    if ord("A") <= byte <= ord("Z"):
        return "U"
    if ord("a") <= byte <= ord("z") or byte >= 0x80:
        return "L"
    if ord("0") <= byte <= ord("9"):
        return "D"
    return "_" if byte == ord("_") else "P"


def split_by_rules(text):
    """The rules of PRETOKENIZER.md step by step: a second opinion on the expression."""
    classes = [byte_class(byte) for byte in text]

    def run(start, wanted, limit):
        end = start
        while end < len(text) and end - start < limit and classes[end] == wanted:
            end += 1
        return end

    def kind(position):
        return classes[position] if position < len(text) else ""

    def word(start):
        start = run(start, "_", 16)
        lower_from = start + 1 if kind(start) == "U" else start
        if kind(lower_from) == "L":
            return run(lower_from, "L", 32)
        end = run(start, "U", 32)
        return end - 1 if end > start and kind(end) == "L" else end

    pieces = []
    at = 0
    while at < len(text):
        first = at + 1 if text[at] == 0x20 else at
        if classes[at] == "N":
            end = run(run(at, "N", 16), "S", 64)
        elif kind(first) in ("U", "L", "_"):
            end = word(first)
        elif kind(first) == "D":
            end = first + 1
        elif kind(first) == "P":
            end = run(first, "P", 8)
        else:
            end = run(at, "S", 64)
            if end - at > 1 and text[end - 1] == 0x20 and kind(end) not in ("", "S", "N"):
                end -= 1
        pieces.append(text[at:end])
        at = end
    return pieces


class PreTokenizerTest(unittest.TestCase):
    def test_vectors_hold(self):
        path = os.path.join(support.TOKENIZER_DATA, "waferpair_pre.json")
        with open(path, encoding="utf-8") as file:
            vectors = json.load(file)["vectors"]
        self.assertGreaterEqual(len(vectors), 40)
        for vector in vectors:
            pieces = tokenizer.pre_tokenize(vector["text"].encode("utf-8"))
            self.assertEqual([len(piece) for piece in pieces], vector["lengths"], vector["text"])

    def test_expression_and_rules_agree_on_random_bytes(self):
        picker = random.Random(3)
        alphabets = (b" ab", b"_Ab", b"_aAB1", b" \t\n\rx", b" _aB1(\n", bytes(range(256)))
        for alphabet in alphabets:
            for _ in range(600):
                text = bytes(picker.choices(alphabet, k=picker.randrange(150)))
                self.assertEqual(tokenizer.pre_tokenize(text), split_by_rules(text), text)

    def test_expression_and_rules_agree_on_long_runs(self):
        for byte in (b" ", b"\t", b"\n", b"_", b"a", b"A", b"1", b"-", b"\xe2"):
            for count in (1, 2, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 129):
                for end in (b"", b"x", b"X", b"Xy", b" ", b"\n", b"_", b"7", b"+"):
                    text = byte * count + end
                    self.assertEqual(tokenizer.pre_tokenize(text), split_by_rules(text), text)

    def test_pre_tokens_are_never_longer_than_80_bytes(self):
        text = b"\n" * 200 + b" " * 300 + b"_" * 99 + b"a" * 300 + b"A" * 300 + b"=" * 99
        self.assertLessEqual(max(map(len, tokenizer.pre_tokenize(text))), 80)


class VocabularyTest(unittest.TestCase):
    def setUp(self):
        text = b"def add(first, second):\n    return first + second\n" * 9
        counts = collections.Counter(tokenizer.pre_tokenize(text))
        self.vocabulary = tokenizer.Vocabulary(train_tokenizer.learn_merges(counts, 20))

    def test_decoding_gives_the_text_back(self):
        unicode = "caf\u00e9 \U0001f600".encode("utf-8")
        for text in (b"", b"def add(a):\n\treturn a", unicode, bytes(range(256))):
            self.assertEqual(self.vocabulary.decode(self.vocabulary.encode(text)), text)

    def test_frequent_words_become_one_token(self):
        self.assertEqual(len(self.vocabulary.encode(b"first")), 1)

    def test_special_tokens_are_never_produced_from_text(self):
        ids = self.vocabulary.encode(b"<|eot|><|pre|><|suf|>")
        self.assertLess(max(ids), self.vocabulary.first_special)

    def test_lowest_rank_merges_first(self):
        # b+c ranks before a+b, so "abc" is a + bc although a+b comes first in the text.
        vocabulary = tokenizer.Vocabulary([(98, 99), (97, 98)])
        self.assertEqual(vocabulary.encode(b"abc"), [97, 256])

    def test_the_vocabulary_is_the_documented_one(self):
        path = os.path.join(support.ROOT, "training", "vocabulary.json")
        vocabulary = tokenizer.Vocabulary.load(path)
        self.assertEqual((vocabulary.size, vocabulary.first_special), (8192, 8160))
        self.assertEqual((vocabulary.eot, vocabulary.pre, vocabulary.file), (8160, 8161, 8164))
        self.assertEqual(vocabulary.special["<|edit|>"], 8165)
        self.assertEqual(vocabulary.special["<|no_edit|>"], 8172)
        self.assertEqual(vocabulary.special["<|lang_c|>"], 8173)
        self.assertEqual(vocabulary.special["<|lang_typescript|>"], 8180)
        spellings = vocabulary.special_tokens()
        self.assertEqual(len(set(spellings)), tokenizer.SPECIAL_COUNT)
        self.assertEqual(spellings[21], "<|reserved_21|>")
        with open(os.path.join(support.TOKENIZER_DATA, "waferpair_ids.json"), "rb") as file:
            for vector in json.load(file)["vectors"]:
                self.assertEqual(vocabulary.encode(vector["text"].encode("utf-8")), vector["ids"])

    def test_byte_alphabet_is_one_printable_character_a_byte(self):
        alphabet = tokenizer.byte_alphabet()
        self.assertEqual(len(set(alphabet)), 256)
        self.assertEqual(alphabet[ord("a")], "a")
        self.assertEqual(alphabet[ord(" ")], "\u0120")
        self.assertEqual(alphabet[ord("\n")], "\u010a")


if __name__ == "__main__":
    unittest.main()
