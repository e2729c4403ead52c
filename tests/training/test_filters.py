# SPDX-License-Identifier: GPL-3.0-or-later
"""Generated, minified and non-code files are left out; license comments are stripped."""

import unittest

import support  # noqa: F401
import filters

CODE = b"int add(int a, int b) {\n  return a + b;\n}\n" * 10


class FilterTest(unittest.TestCase):
    def test_ordinary_code_passes(self):
        self.assertIsNone(filters.reason_to_skip("src/add.c", CODE))

    def test_reasons_to_skip(self):
        self.assertEqual(filters.reason_to_skip("vendor/add.c", CODE), "path")
        self.assertEqual(filters.reason_to_skip("js/jquery.min.js", CODE), "path")
        self.assertEqual(filters.reason_to_skip("add.c", b"int x;"), "size")
        self.assertEqual(filters.reason_to_skip("add.c", b"// DO NOT EDIT\n" + CODE), "generated")
        self.assertEqual(filters.reason_to_skip("add.c", b"x" * 1001 + b"\n" + CODE), "minified")
        self.assertEqual(filters.reason_to_skip("add.c", b"0x12, 0x34,\n" * 50), "not code")

    def test_languages_go_by_extension(self):
        self.assertEqual(filters.language_of("a/b.HPP"), "cpp")
        self.assertEqual(filters.language_of("a/b.py"), "python")
        self.assertIsNone(filters.language_of("a/py"))
        self.assertEqual(filters.language_of("a/CMakeLists.txt"), "cmake")
        self.assertIsNone(filters.language_of("a/notes.txt"))

    def test_qt_translations_are_no_typescript(self):
        xml = b'<?xml version="1.0"?>\n<!DOCTYPE TS>\n' + b"<message>text</message>\n" * 20
        self.assertEqual(filters.reason_to_skip("po/app_de.ts", xml), "not code")
        self.assertIsNone(filters.reason_to_skip("src/app.ts", CODE))

    def test_fingerprint_ignores_white_space_only(self):
        self.assertEqual(filters.fingerprint(b"a b\n c"), filters.fingerprint(b"ab  c\r\n"))
        self.assertNotEqual(filters.fingerprint(b"a b"), filters.fingerprint(b"a c"))

    def test_license_comment_is_stripped_and_code_kept(self):
        for notice in (
            "/* Copyright 2020 X.\n * License: MIT\n */\n",
            "// Copyright 2020 X.\n// All rights.\n",
            "# Copyright 2020 X.\n#\n# License: MIT\n",
            "/* (c) X */\n\n// SPDX-License-Identifier: MIT\n",
        ):
            self.assertEqual(filters.clean(notice + "int x; /* a */\n"), "int x; /* a */\n", notice)

    def test_other_comments_and_shebangs_stay(self):
        for text in ("// Adds numbers.\nint x;\n", "#!/bin/x\n# License: MIT\nx = 1\n"):
            self.assertEqual(filters.clean(text), text)

    def test_line_ends_become_unix(self):
        self.assertEqual(filters.clean("\ufeffa\r\nb\rc\n"), "a\nb\nc\n")


if __name__ == "__main__":
    unittest.main()
