# SPDX-License-Identifier: GPL-3.0-or-later
"""What the documentation names is there: tests by their names, files that pages link to."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_functions(program):
    """The names of the test functions in the sources that make `program`."""
    sources = [
        listed.parent / source
        for listed in ROOT.glob("tests/**/CMakeLists.txt")
        for name, source in re.findall(
            r"waferpair_test\((\w+)\s+SOURCES\s+([\w/]+\.cpp)", listed.read_text()
        )
        if name == program
    ]
    if not sources:  # a loop declares it: test_gui_files is of test_files.cpp
        name = re.sub("^test_(gui_|view_)?", "test_", program)
        sources = ROOT.glob(f"tests/**/{name}.cpp")
    return {
        function
        for source in sources
        for function in re.findall(r"^  void (\w+)\(\)", source.read_text(), re.MULTILINE)
    }


class Docs(unittest.TestCase):
    def test_tests_that_are_named_exist(self):
        page = (ROOT / "docs/complaints.md").read_text()
        rows = [row for row in page.splitlines() if re.match(r"\| \d+ \|", row)]
        self.assertEqual(len(rows), 20)
        for row in rows:
            named = re.findall(r"`(test_\w+)\.(\w+)`", row)
            self.assertTrue(named, row)
            for program, function in named:
                self.assertIn(function, test_functions(program), f"{program}.{function}")

    def test_files_that_pages_link_to_exist(self):
        for page in [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("docs/guide/*.md")]:
            for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
                if not re.match(r"[a-z]+:", link):
                    self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")

    def test_each_page_stands_behind_one_door(self):
        listed = re.findall(r"^\| \[[^]]+\]\(([\w.-]+)\) \|", (ROOT / "docs/README.md").read_text(), re.MULTILINE)
        self.assertEqual(sorted(listed), sorted(page.name for page in (ROOT / "docs").glob("*.md") if page.name != "README.md"))

    def test_the_keys_of_other_editors_are_as_their_file_has_them(self):
        rows = {}
        for row in (ROOT / "docs/keys.md").read_text().splitlines():
            if cells := re.fullmatch(r"\| `([\w.-]+)` \| (`.*`)? ?\| (`.*`)? ?\|", row):
                keys = [cell.replace("\\|", "|")[1:-1].split("` or `") if cell else [] for cell in cells.groups()[1:]]
                rows[cells[1]] = dict(zip(("vscode", "kate"), keys))
        maps = json.loads((ROOT / "resources/key_maps.json").read_text())
        self.assertGreater(len(maps["vscode"]), 40)
        for name, keys_of in maps.items():
            shown = {command: row[name] for command, row in rows.items() if row[name]}
            self.assertEqual(shown, keys_of)


if __name__ == "__main__":
    unittest.main()
