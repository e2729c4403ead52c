# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of language servers: which completions are names, and where they are asked for."""

import unittest

import support  # noqa: F401
import commits
import language_names
import positions


def item(label, kind=2, **more):
    return {"label": label, "kind": kind, **more}


class LanguageNamesTest(unittest.TestCase):
    def test_words_begin_behind_signs_and_blanks(self):
        for line, start in (("a.si", 2), ("a.", 2), ("x = foo", 4), ("", 0), ("a->b_1", 3)):
            self.assertEqual(language_names.word_start(line), start, line)

    def test_a_whole_list_behind_a_sign_is_all(self):
        items = [item("size"), item(" push()", insertText="push"), item("•far", textEdit={"newText": "far()"})]
        self.assertEqual(language_names.read_names(items, True), (["size", "push", "far"], True))
        self.assertEqual(language_names.read_names(items, False)[1], False)
        whole = {"isIncomplete": True, "items": items}
        self.assertEqual(language_names.read_names(whole, True)[1], False)

    def test_what_the_server_does_not_know_is_no_name(self):
        items = [item("size"), item("guessed", kind=1), item("forLoop", kind=15), item("+"), item("size")]
        self.assertEqual(language_names.read_names(items, True), (["size"], False))
        for nothing in (None, [], {"items": []}, [item("guessed", kind=1)]):
            self.assertEqual(language_names.read_names(nothing, True), ([], False))

    def test_a_path_has_no_names(self):
        items = [item("size"), item("assoc.js", kind=17)]
        self.assertEqual(language_names.read_names(items, True), ([], False))
        self.assertEqual(language_names.read_names([item("src", kind=19)], True), ([], False))

    def test_members_are_written_from_behind_their_sign(self):
        class Last:
            def choice(self, columns):
                return columns[-1]

        for line, column in (
            ("  a.b->c(d);", 7),
            ("x = std::move(y)", 9),
            ("f(x).size()", 5),
            ("a = 1.5", None),
            ("...rest", None),
            ("no sign", None),
        ):
            self.assertEqual(commits.column_of(line, positions.MEMBER, Last()), column, line)


if __name__ == "__main__":
    unittest.main()
