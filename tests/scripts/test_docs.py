# SPDX-License-Identifier: GPL-3.0-or-later
"""What the documentation names is there: tests by their names, files that pages link to."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_functions():
    """Names of test functions by program: {"test_ask": {"escStopsAndKeepsWhatThereIs", ...}}."""

    def names(source):
        return set(re.findall(r"^  void (\w+)\(\)", source.read_text(), re.MULTILINE))

    # Programs that a loop declares have their names from it.
    functions = {
        f"test_view_{source.stem.removeprefix('test_')}": names(source)
        for source in ROOT.glob("tests/wafer_view/test_*.cpp")
    }
    for listed in ROOT.glob("tests/**/CMakeLists.txt"):
        for program, source in re.findall(
            r"waferpair_test\((\w+)\s+SOURCES\s+([\w/]+\.cpp)", listed.read_text()
        ):
            functions[program] = names(listed.parent / source)
    return functions


class Docs(unittest.TestCase):
    def test_tests_that_are_named_exist(self):
        page = (ROOT / "docs/complaints.md").read_text()
        rows = [row for row in page.splitlines() if re.match(r"\| \d+ \|", row)]
        self.assertEqual(len(rows), 20)
        functions = test_functions()
        for row in rows:
            named = re.findall(r"`(test_\w+)\.(\w+)`", row)
            self.assertTrue(named, row)
            for program, function in named:
                self.assertIn(function, functions.get(program, set()), f"{program}.{function}")

    def test_files_that_pages_link_to_exist(self):
        for page in [ROOT / "README.md", *ROOT.glob("docs/*.md")]:
            for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
                if not re.match(r"[a-z]+:", link):
                    self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")


if __name__ == "__main__":
    unittest.main()
