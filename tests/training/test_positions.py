# SPDX-License-Identifier: GPL-3.0-or-later
"""The places of an evaluation: the same for the same seed, and files but for what is missing."""

import gzip
import json
import os
import tempfile
import unittest

import support  # noqa: F401
import positions

TEXT = "".join(
    f"def area_{i}(width, height):\n    # a rectangle\n    return width * height + {i}\n\n"
    for i in range(80)
)
DOCUMENTS = [positions.Document("shapes", f"pkg/file_{i}.py", TEXT) for i in range(5)]


class TaskTest(unittest.TestCase):
    def test_the_same_seed_draws_the_same_and_more_keep_the_first(self):
        few = positions.draw_tasks("python", DOCUMENTS, 8, 7)
        self.assertEqual(len(few), 8)
        self.assertEqual(few, positions.draw_tasks("python", DOCUMENTS, 8, 7))
        self.assertEqual(few, positions.draw_tasks("python", DOCUMENTS, 20, 7)[:8])
        self.assertNotEqual(few, positions.draw_tasks("python", DOCUMENTS, 8, 8))

    def test_only_the_rest_of_a_line_is_missing(self):
        for number, task in enumerate(positions.draw_tasks("python", DOCUMENTS, 20, 7)):
            missing = TEXT[len(task.prefix) : len(TEXT) - len(task.suffix)]
            self.assertEqual(task.prefix + missing + task.suffix, TEXT)
            self.assertEqual(missing.rstrip(), task.truth)
            self.assertTrue(task.suffix.startswith("\n"))
            self.assertGreaterEqual(len(task.truth), positions.SHORTEST_TRUTH)
            line = task.prefix.rsplit("\n", 1)[-1]
            self.assertFalse((line + task.truth).strip().startswith("#"))
            if number % 2 == 0:
                self.assertEqual((task.kind, line.strip()), (positions.LINE_START, ""))
            else:
                self.assertEqual(task.kind, positions.MID_LINE)
                self.assertNotEqual(line.strip(), "")

    def test_a_blank_behind_the_cursor_is_missing_too(self):
        tasks = positions.draw_tasks("python", DOCUMENTS, 80, 7)
        self.assertTrue(any(task.truth.startswith(" ") for task in tasks))

    def test_files_too_short_give_none(self):
        short = [positions.Document("shapes", "a.py", "x = 1\n" * 10)]
        self.assertEqual(positions.draw_tasks("python", short, 4, 7), [])
        self.assertEqual(list(positions.draw_windows(short, 4, 7, 100, 200)), [])

    def test_windows_begin_at_lines(self):
        windows = list(positions.draw_windows(DOCUMENTS, 3, 7, 500, 900))
        self.assertEqual(len(windows), 3)
        for window in windows:
            self.assertIn("\n" + window, "\n" + TEXT)
            self.assertTrue(500 <= len(window) <= 900)


class ProjectTest(unittest.TestCase):
    def setUp(self):
        self.task = positions.Task("go", "p", "net/http/client.go", "mid-line", "a", "b", "c")

    def files(self, *documents, most=1000):
        made = [positions.Document(*document) for document in documents]
        return [d.path for d in positions.project_files(self.task, made, most)]

    def test_near_files_of_the_project_come_first_never_the_own_one(self):
        found = self.files(
            ("p", "cmd/main.go", "x"),
            ("p", "net/url.go", "x"),
            ("p", "net/http/client.go", "the answer"),
            ("p", "net/http/server.go", "x"),
            ("q", "net/http/other.go", "x"),
        )
        self.assertEqual(found, ["net/http/server.go", "net/url.go", "cmd/main.go"])

    def test_what_does_not_fit_is_left_out(self):
        found = self.files(
            ("p", "net/http/a.go", "\u00e9" * 5),
            ("p", "net/http/b.go", "x" * 7),
            ("p", "c.go", "x"),
            most=12,
        )
        self.assertEqual(found, ["net/http/a.go", "c.go"])

    def test_a_path_is_opened_once(self):
        self.assertEqual(self.files(("p", "a.go", "x"), ("p", "a.go", "y")), ["a.go"])


class CorpusTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_documents_come_by_language_in_order(self):
        for language in ("rust", "c"):
            name = os.path.join(self.folder, f"{language}.jsonl")
            with open(name, "w", encoding="utf-8") as file:
                for path in ("z", "a"):
                    record = {"project": "p", "path": path, "text": language}
                    file.write(json.dumps(record) + "\n")
        documents = positions.read_documents(self.folder)
        self.assertEqual(list(documents), ["c", "rust"])
        self.assertEqual(documents["rust"][0], positions.Document("p", "z", "rust"))
        self.assertEqual(documents["rust"][1].path, "a")

    def infilling(self, *records):
        path = os.path.join(self.folder, "tasks.jsonl.gz")
        with gzip.open(path, "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
        return positions.read_infilling(path)

    def test_infilling_tasks_miss_a_line(self):
        (task,) = self.infilling(
            {
                "task_id": "SingleLineInfilling/HumanEval/3/L2",
                "prompt": "def f(x):\n",
                "canonical_solution": "    y = x\n",
                "suffix": "    return y\n",
            }
        )
        self.assertEqual((task.path, task.truth), ("3.py", "y = x"))
        self.assertTrue(task.prefix.endswith("\n    "))
        self.assertEqual(
            task.prefix + task.truth + task.suffix, "def f(x):\n    y = x\n    return y\n"
        )

    def test_a_file_without_tasks_is_an_error(self):
        with self.assertRaises(ValueError):
            self.infilling()


if __name__ == "__main__":
    unittest.main()
