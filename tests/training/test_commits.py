# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of a history that is made here: what stands around each when it is written."""

import os
import subprocess
import tempfile
import unittest

import support  # noqa: F401
import commits
import positions

FILLER = "".join(f"int filler_{number} = {number};\n" for number in range(120))


def git(folder, *arguments):
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    command = ["git", "-C", folder, *identity, *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


class HistoryTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        git(self.folder, "init", "-q")
        self.write("a.c", FILLER + "int one;\n  old_call(1);\nint two;\n")
        self.write("other.c", "int other;\n")
        self.write("notes.txt", "not code\n")
        self.parent = self.commit()
        self.write("a.c", "int very_first;\n" + FILLER + "int one;\n  new_call(1);\n  further(2);\nint two;\n")
        self.head = self.commit()
        self.history = commits.History(
            commits.Repository("o/n", "c", self.head, True, os.path.join(self.folder, ".git"))
        )
        self.addCleanup(self.history.__exit__)

    def write(self, path, text):
        with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self):
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-q", "-m", "x")
        return git(self.folder, "rev-parse", "HEAD").decode().strip()

    def test_above_is_new_and_below_is_old(self):
        lines = commits.lines_of(self.history, self.head, self.parent)
        self.assertEqual(
            [line for _, _, line, *_ in lines], ["int very_first;", "  new_call(1);", "  further(2);"]
        )
        path, above, line, below, removed, written = lines[0]
        self.assertEqual((path, above, removed, written), ("a.c", "", (), 0))
        self.assertEqual(below, "\n" + FILLER + "int one;\n  old_call(1);\nint two;\n")
        _, above, line, below, removed, written = lines[2]
        self.assertEqual(above, "int very_first;\n" + FILLER + "int one;\n  new_call(1);\n")
        self.assertEqual(below, "\nint two;\n")
        self.assertEqual((removed, written), (("  old_call(1);",), 1))

    def test_the_tree_is_the_source_files_of_that_commit(self):
        tree = {document.path: document.text for document in self.history.tree(self.parent)}
        self.assertEqual(sorted(tree), ["a.c", "other.c"])
        self.assertIn("old_call", tree["a.c"])

    def test_the_same_seed_draws_the_same_lines(self):
        drawn = commits.draw(self.history, 5, 1)
        self.assertEqual(len(drawn), commits.LINES_OF_A_COMMIT)
        self.assertEqual(drawn, commits.draw(self.history, 5, 1))
        self.assertEqual(
            {one.task.kind for one in drawn}, {positions.LINE_START, positions.MID_LINE}
        )
        for one in drawn:
            self.assertEqual((one.commit, one.parent), (self.head, self.parent))

    def test_what_is_missing_is_the_rest_of_the_line(self):
        begins = set()
        for seed in range(60):
            for one in commits.draw(self.history, 5, seed):
                line = one.task.prefix.split("\n")[-1] + one.task.truth
                self.assertIn(line, ("int very_first;", "  new_call(1);", "  further(2);"))
                begins.add(one.task.truth[0])
        self.assertIn(" ", begins)

    def test_test_files_are_known_by_their_names(self):
        for path in ("tests/a.py", "pkg/a_test.go", "src/FooTest.java", "x.spec.ts", "test-a.c"):
            self.assertTrue(positions.TEST_FILE.search(path), path)
        for path in ("contest.c", "latest/a.py", "attestation.go"):
            self.assertFalse(positions.TEST_FILE.search(path), path)


class ListTest(unittest.TestCase):
    def test_every_language_is_fitted_on_and_reported(self):
        path = os.path.join(os.path.dirname(commits.__file__), "commit_repositories.txt")
        repositories = commits.read_list(path, "mirrors")
        for fitted in (True, False):
            languages = {one.language for one in repositories if one.fitted == fitted}
            self.assertEqual(languages, set(commits.SUFFIXES))
        self.assertEqual(repositories[0].git, os.path.join("mirrors", "jqlang+jq"))


if __name__ == "__main__":
    unittest.main()
