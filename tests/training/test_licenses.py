# SPDX-License-Identifier: GPL-3.0-or-later
"""The license gate lets permissive files through and nothing else."""

import unittest

import support  # noqa: F401
import licenses

DEP5 = """Format: 1.0
Upstream-Name: example

Files: *
Copyright: 2001 Someone
License: Expat

Files: src/gnu/* tools/*.py
 extra/one.c
Copyright: 2002 Someone Else
License: GPL-2+
 This paragraph has a text.

Files: src/gnu/free.c
Copyright: 2003 Third
License: BSD-3-clause or GPL-2
"""


class ExpressionTest(unittest.TestCase):
    def test_accepts_permissive_licenses(self):
        for name in (
            "Expat", "MIT", "BSD-3-clause", "Apache-2.0", "ISC", "Zlib", "BSL-1.0", "PSF-2",
            "Apache-2.0 with LLVM-exception", "public-domain", "curl", "BSD-2-clause and Expat",
        ):  # fmt: skip
            self.assertTrue(licenses.is_permissive(name), name)

    def test_refuses_copyleft_and_unknown_licenses(self):
        for name in (
            "", "GPL-2", "GPL-3+", "LGPL-2.1+", "AGPL-3", "MPL-2.0", "EPL-1.0", "CDDL-1.0",
            "CC-BY-SA-4.0", "CC-BY-NC-4.0", "unknown", "proprietary", "custom",
            "permissive-looking",
        ):  # fmt: skip
            self.assertFalse(licenses.is_permissive(name), name)

    def test_one_permissive_alternative_is_enough(self):
        self.assertTrue(licenses.is_permissive("GPL-2 or MIT"))
        self.assertTrue(licenses.is_permissive("MIT or Apache-2.0"))
        self.assertFalse(licenses.is_permissive("GPL-2 or MPL-2.0"))

    def test_every_term_of_a_conjunction_must_be_permissive(self):
        self.assertFalse(licenses.is_permissive("Expat and GPL-2"))
        self.assertFalse(licenses.is_permissive("Expat, and LGPL-2.1"))
        self.assertTrue(licenses.is_permissive("GPL-2 or Expat and ISC"))
        self.assertFalse(licenses.is_permissive("MIT or Apache-2.0, and SunCustom, and ISC"))
        self.assertTrue(licenses.is_permissive("GPL-2 or MIT, and ISC"))
        self.assertFalse(licenses.is_permissive("Expat-and-Amazon-License"))

    def test_a_name_counts_only_as_a_whole_word(self):
        self.assertFalse(licenses.is_permissive("mitigated"))
        self.assertFalse(licenses.is_permissive("goodwill"))


class CopyrightTest(unittest.TestCase):
    def test_last_matching_paragraph_decides(self):
        parsed = licenses.Copyright.parse(DEP5)
        self.assertEqual(parsed.license_of("src/main.c"), "Expat")
        self.assertEqual(parsed.license_of("src/gnu/deep/er.c"), "GPL-2+")
        self.assertEqual(parsed.license_of("tools/make.py"), "GPL-2+")
        self.assertEqual(parsed.license_of("extra/one.c"), "GPL-2+")
        self.assertEqual(parsed.license_of("src/gnu/free.c"), "BSD-3-clause or GPL-2")

    def test_pattern_matches_below_an_install_prefix(self):
        parsed = licenses.Copyright.parse(DEP5)
        self.assertEqual(parsed.license_of("usr/share/x/tools/make.py"), "GPL-2+")

    def test_text_that_is_not_machine_readable_gives_none(self):
        self.assertIsNone(licenses.Copyright.parse("This package was debianized by hand."))
        self.assertIsNone(licenses.Copyright.parse(""))

    def test_uncovered_path_has_no_license(self):
        parsed = licenses.Copyright([(["src/*"], "MIT")])
        self.assertEqual(parsed.license_of("doc/a.py"), "")
        self.assertFalse(licenses.is_permissive(parsed.license_of("doc/a.py")))


class PackageJsonTest(unittest.TestCase):
    def parse(self, text, *others):
        notices = [("package.json", text.encode("utf-8")), *others]
        return licenses.PackageJson.parse(notices)

    def passes(self, text):
        parsed = self.parse(text)
        return parsed is not None and licenses.is_permissive(parsed.license_of("src/a.ts"))

    def test_permissive_licenses_pass(self):
        for license in (
            '"MIT"', '"ISC"', '"Apache-2.0"', '"BSD-3-Clause"', '"0BSD"', '"(MIT OR GPL-3.0)"',
            '"Apache-2.0 OR MIT"', '{"type": "MIT", "url": "x"}',
        ):  # fmt: skip
            self.assertTrue(self.passes('{"license": %s}' % license), license)
        self.assertTrue(self.passes('{"licenses": [{"type": "GPL-2.0"}, {"type": "MIT"}]}'))

    def test_everything_else_does_not(self):
        for text in (
            "{}", "", "[]", "null", '{"license": ""}', '{"license": 3}', '{"license": []}',
            '{"license": "GPL-3.0"}', '{"license": "MPL-2.0"}', '{"license": "UNLICENSED"}',
            '{"license": "SEE LICENSE IN LICENSE.md"}', '{"license": "MIT AND LGPL-2.1"}',
            '{"license": "GPL-3.0 AND (MIT OR X11)"}', '{"licenses": [{"name": "MIT"}]}',
        ):  # fmt: skip
            self.assertFalse(self.passes(text), text)

    def test_a_copyleft_license_text_outweighs_what_is_stated(self):
        text = '{"license": "MIT"}'
        self.assertIsNone(self.parse(text, ("LICENSE", b"GNU General Public License")))
        self.assertIsNotNone(self.parse(text, ("LICENSE", b"Permission is hereby granted")))

    def test_the_nearest_package_json_that_names_one_decides(self):
        parsed = self.parse(
            '{"license": "MIT"}',
            ("esm/package.json", b'{"type": "module"}'),
            ("deps/other/package.json", b'{"license": "GPL-2.0"}'),
        )
        self.assertEqual(parsed.license_of("esm/a.js"), "MIT")
        self.assertEqual(parsed.license_of("deps/other/src/a.js"), "GPL-2.0")
        self.assertEqual(parsed.license_of("deps/a.js"), "MIT")


class NoticeTest(unittest.TestCase):
    def test_copyleft_notice_in_a_file_is_seen(self):
        for text in (
            b"/* GNU General Public License */", b"# LGPL-2.1", b"// SPDX: GPL-3.0-or-later",
            b"// Mozilla Public License", b"/* GNU Lesser General Public */",
        ):  # fmt: skip
            self.assertTrue(licenses.names_copyleft(text), text)

    def test_permissive_notice_is_not_taken_for_copyleft(self):
        for text in (b"// MIT License", b"# Licensed under the Apache License", b"int x;"):
            self.assertFalse(licenses.names_copyleft(text), text)

    def test_only_the_beginning_of_a_file_counts(self):
        self.assertFalse(licenses.names_copyleft(b"x" * licenses.NOTICE_BYTES + b" GPL"))


if __name__ == "__main__":
    unittest.main()
