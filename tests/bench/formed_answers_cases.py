# SPDX-License-Identifier: GPL-3.0-or-later
"""A small project, ten things to plan in it, and ten changes of it to be committed."""

import difflib

PROJECT = {
    "notes/store.py": '''import json
import os


class Store:
    """Keeps notes by name, in one file."""

    def __init__(self, path):
        self.path = path
        self.notes = {}
        if os.path.exists(path):
            with open(path) as file:
                self.notes = json.load(file)

    def get(self, name):
        return self.notes[name]

    def put(self, name, text):
        self.notes[name] = text
        self.save()

    def remove(self, name):
        del self.notes[name]
        self.save()

    def names(self):
        return sorted(self.notes)

    def save(self):
        with open(self.path, "w") as file:
            json.dump(self.notes, file)
''',
    "notes/cli.py": '''import argparse

from notes.format import table
from notes.store import Store


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["add", "show", "list", "remove"])
    parser.add_argument("name", nargs="?")
    parser.add_argument("text", nargs="?")
    arguments = parser.parse_args()
    store = Store("notes.json")
    if arguments.command == "add":
        store.put(arguments.name, arguments.text)
    elif arguments.command == "show":
        print(store.get(arguments.name))
    elif arguments.command == "remove":
        store.remove(arguments.name)
    else:
        print(table(store.names()))
''',
    "notes/format.py": '''def table(names):
    width = max(len(name) for name in names)
    return "\\n".join(name.ljust(width) for name in names)


def title(text):
    return text.split("\\n")[0].strip()
''',
    "notes/__init__.py": "",
    "tests/test_store.py": '''import unittest

from notes.store import Store


class TestStore(unittest.TestCase):
    def test_what_is_put_is_got(self):
        store = Store("/tmp/notes-test.json")
        store.put("a", "text")
        self.assertEqual(store.get("a"), "text")
''',
    "README.md": '''# Notes

Keeps notes on the command line: `python -m notes.cli add NAME TEXT`.
''',
    "setup.py": '''from setuptools import setup

setup(name="notes", version="0.1", packages=["notes"])
''',
}

WISHES = [
    "add a command that searches all notes for a word",
    "let notes have tags, and list the notes of a tag",
    "write the notes file atomically, so that a crash does not lose it",
    "fix the crash of the list command when there are no notes",
    "add tests for removing notes",
    "let the user choose the notes file with an option",
    "print a clear message when a note does not exist",
    "add an export of all notes as Markdown",
    "keep the time at which each note was changed last",
    "make the list command show the first line of each note",
]

# File, what stood there, what stands there now.
CHANGES = [
    ("notes/format.py", "    width = max(len(name) for name in names)\n",
     "    width = max((len(name) for name in names), default=0)\n"),
    ("notes/store.py", "        return self.notes[name]\n", "        return self.notes.get(name)\n"),
    ("notes/store.py", '        with open(self.path, "w") as file:\n            json.dump(self.notes, file)\n',
     '        with open(self.path + ".new", "w") as file:\n            json.dump(self.notes, file)\n'
     '        os.replace(self.path + ".new", self.path)\n'),
    ("notes/cli.py", '    store = Store("notes.json")\n',
     '    store = Store(os.environ.get("NOTES_FILE", "notes.json"))\n'),
    ("notes/cli.py", '    parser.add_argument("text", nargs="?")\n',
     '    parser.add_argument("text", nargs="?")\n    parser.add_argument("--file", default="notes.json")\n'),
    ("notes/format.py", '    return text.split("\\n")[0].strip()\n',
     '    return text.strip().split("\\n")[0][:60]\n'),
    ("tests/test_store.py", '        self.assertEqual(store.get("a"), "text")\n',
     '        self.assertEqual(store.get("a"), "text")\n\n    def test_what_is_removed_is_gone(self):\n'
     '        store = Store("/tmp/notes-test.json")\n        store.put("a", "text")\n        store.remove("a")\n'
     '        self.assertNotIn("a", store.names())\n'),
    ("README.md", "Keeps notes on the command line: `python -m notes.cli add NAME TEXT`.\n",
     "Keeps notes on the command line:\n\n    python -m notes.cli add NAME TEXT\n    python -m notes.cli show NAME\n"
     "    python -m notes.cli list\n"),
    ("setup.py", 'version="0.1"', 'version="0.2", python_requires=">=3.8"'),
    ("notes/store.py", "    def remove(self, name):\n        del self.notes[name]\n        self.save()\n",
     "    def remove(self, name):\n        if self.notes.pop(name, None) is not None:\n            self.save()\n"),
]


def diff_of(change):
    """As git writes it."""
    path, before, after = change
    old = PROJECT[path]
    assert old.count(before) == 1, (path, before)
    lines = difflib.unified_diff(old.splitlines(True), old.replace(before, after).splitlines(True),
                                 f"a/{path}", f"b/{path}")
    return f"diff --git a/{path} b/{path}\n" + "".join(lines)


def plans():
    texts = {name: text for name, text in PROJECT.items() if name.startswith("notes/") and text}
    return [{"id": f"plan {i}", "kind": "plan", "wish": wish, "files": sorted(PROJECT), "texts": texts}
            for i, wish in enumerate(WISHES)]


def commits():
    return [{"id": f"commit {i}", "kind": "commit", "diffs": [diff_of(change)]} for i, change in enumerate(CHANGES)]


def remarks():
    return [{"id": f"remarks {i}", "kind": "remarks", "diffs": [diff_of(change)]} for i, change in enumerate(CHANGES)]
