# SPDX-License-Identifier: GPL-3.0-or-later
"""The evaluation from end to end: the real waferd and the shipped model on a corpus made here.

WAFERPAIR_BIN names the folder with waferd and waferctl. Skipped without it or python3-websockets.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import support

BIN = os.environ.get("WAFERPAIR_BIN", "")
try:
    import websockets  # noqa: F401
except ImportError:
    raise unittest.SkipTest("python3-websockets is not installed")
if not os.path.exists(os.path.join(BIN, "waferd")):
    raise unittest.SkipTest("WAFERPAIR_BIN names no folder with waferd")

import asking
import evaluate
import gguf
import positions
import program
import report

MODEL = os.path.join(support.MODELS, "waferpair-mini.gguf")


def module(name):
    lines = [f"package {name}\n"]
    for i in range(60):
        lines.append(
            f"// Width{i} tells how wide it is.\nfunc (r *Rectangle) Width{i}() (int, error) {{\n"
            f"\tif r.{name}Width < {i} {{\n\t\treturn 0, errors.New(\"{name}: narrow\")\n\t}}\n"
            f"\treturn r.{name}Width, nil\n}}\n"
        )
    return "\n".join(lines)


class EvaluateTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.corpus = cls.folder.name
        for split, names in (("held_out", ("alpha", "beta")), ("train", ("gamma", "delta"))):
            os.mkdir(os.path.join(cls.corpus, split))
            with open(os.path.join(cls.corpus, split, "go.jsonl"), "w", encoding="utf-8") as file:
                for name in names:
                    record = {"project": split, "path": f"{name}.go", "text": module(name)}
                    file.write(json.dumps(record) + "\n")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def evaluate(self, model, *flags):
        output = os.path.join(self.corpus, "page.md")
        found = os.path.join(self.corpus, "details.json")
        command = [sys.executable, "-B", os.path.join(support.ROOT, "training", "evaluate.py")]
        command += ["--program", BIN, "--model", model, "--corpus", self.corpus]
        command += ["--positions", "4", "--golf-lines", "1", "--windows", "1", *flags]
        command += ["--output", output, "--details", found]
        done = subprocess.run(command, timeout=200, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(output, encoding="utf-8") as page, open(found, encoding="utf-8") as details:
            self.assertEqual(page.read(), done.stdout)
            return done.stdout, json.load(details)

    def test_a_page_and_details_that_agree(self):
        page, details = self.evaluate(MODEL, "--ngram-mb", "0.1")
        self.assertIn(evaluate.sha256(MODEL), page)
        self.assertIn("waferd ", page)
        self.assertIn("the held-out projects have no c, cpp, java,", page)
        self.assertEqual(len(details["positions"]), 4)
        for position in details["positions"]:
            answers = position["answers"]
            self.assertIn(report.NETWORK, answers)
            self.assertIn(report.FILE_ALONE, answers)
            for _, part in report.ABLATION:
                self.assertIn(part, answers)
            self.assertTrue(0 < position["certainty"] < 1)
            self.assertLessEqual(position["cold"]["first"], position["cold"]["whole"])
            self.assertLess(position["warm"]["computed"], position["warm"]["prompt"])
            # A surer text is the beginning of a less sure one.
            gated = [position["gated"][str(least)] for least in asking.LEAST_PROBABILITIES]
            for less, more in zip(gated, gated[1:]):
                self.assertTrue(less.startswith(more), (less, more))
        (line,) = details["golf"][report.SUGGESTION]
        self.assertTrue(0 <= line["completed"] <= line["characters"])
        ours = lambda position: position["answers"][report.SUGGESTION]
        exact = sum(ours(position) == position["truth"] for position in details["positions"])
        self.assertIn(f"| all | 4 | {25 * exact:.1f} ", page)
        self.assertIn(f"| + checks | {25 * exact:.1f} ", page)
        ((bits, size),) = details["facts"]["bits"]["go"]
        self.assertIn(f"| go | {bits / size:.3f} ", page)

    def test_the_same_model_does_the_same(self):
        network = evaluate.without_copying(MODEL, self.corpus)
        page, details = self.evaluate(
            network, "--previous", network, "--project-mb", "0", "--ngram-mb", "0", "--windows", "0"
        )
        self.assertNotIn("Bits per byte\n", page)
        self.assertIn("no other file is open", page)
        self.assertNotIn(report.FILE_ALONE, details["golf"])
        for position in details["positions"]:
            answers = position["answers"]
            self.assertNotIn(report.FILE_ALONE, answers)
            self.assertEqual(answers[report.PREVIOUS], answers[report.SUGGESTION])
            self.assertEqual(answers[report.PAUSE], answers[report.SUGGESTION])
        self.assertEqual(details["golf"][report.PREVIOUS], details["golf"][report.SUGGESTION])


class ProgramTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = program.Program(BIN, MODEL)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_open_files_are_copied_from_and_gone_with_their_session(self):
        # Nothing a network could guess; the other file says it.
        secret = "quxVortex7(zebra, mountain, 40213)"
        other = positions.Document("p", "other.go", f"package p\n\nvar a = {secret}\n" * 8)
        begun = "quxVo"
        task = positions.Task(
            language="go",
            project="p",
            path="here.go",
            kind=positions.MID_LINE,
            prefix=f"package p\n\nvar a = {begun}",
            truth=secret[len(begun) :],
            suffix="\n\nfunc f() {}\n",
        )
        with asking.Desk(self.server) as desk:
            self.assertNotEqual(asking.complete(desk, task, []), task.truth)
            self.assertEqual(asking.complete(desk, task, [other]), task.truth)
            self.assertNotEqual(asking.complete(desk, task, []), task.truth)

    def test_a_desk_has_of_a_file_only_what_the_task_has(self):
        # The same line was there in full for a task of another file.
        text = module("alpha")
        files = [positions.Document("p", name, text) for name in ("a.go", "b.go")]
        cut = text.index("Width7()") + len("Width7()")
        end = text.index("\n", cut)
        tasks = [
            positions.Task("go", "p", path, positions.MID_LINE, text[:cut], text[cut:end], text[end:])
            for path in ("a.go", "b.go")
        ]
        with asking.Desk(self.server) as desk:
            for task in (*tasks, tasks[0]._replace(prefix=text[: cut - 3])):
                others = [file for file in files if file.path != task.path]
                place = desk.lay(task, others)
                self.assertEqual(place.text, task.prefix + task.suffix)
                self.assertEqual(place.offset, len(task.prefix.encode("utf-8")))
                for other in others:
                    self.assertEqual(desk.places[other.path].text, other.text)
                self.assertNotEqual(place.suggest().reason, "failed")

    def test_what_the_task_before_had_is_not_known(self):
        secrets = [f"quxVortex(zebra, {number * 7919 % 9973})" for number in range(5, 25)]
        lines = ["def f():\n", *(f"    {secret}\n" for secret in secrets)]
        # Each line but the one asked for stood in the file when another was.
        with asking.Desk(self.server) as desk:
            for number in (4, 8, 5, 12):
                line = lines[number]
                task = positions.Task(
                    language="python",
                    project="p",
                    path="here.py",
                    kind=positions.LINE_START,
                    prefix="".join(lines[:number]) + "    ",
                    truth=line.strip(),
                    suffix="\n" + "".join(lines[number + 1 :]),
                )
                self.assertNotEqual(asking.complete(desk, task, []), task.truth)

    def test_typing_moves_the_cursor_of_the_document(self):
        begin, word, rest = "caf\u00e9 = 1\nprint(ca", "f\u00e9", ")\n"
        with tempfile.TemporaryDirectory() as folder:
            network = evaluate.without_copying(MODEL, folder)
            with program.Program(BIN, network) as server, server.session() as session:
                typed = session.place("p", "a.py", "python", begin, rest)
                typed.type(word)
                direct = session.place("q", "a.py", "python", begin + word, rest)
                self.assertEqual(direct.offset, typed.offset)
                self.assertEqual(direct.suggest().text, typed.suggest().text)

    def test_without_weights_for_copying_nothing_is_copied(self):
        self.assertTrue(evaluate.copies(MODEL))
        with tempfile.TemporaryDirectory() as folder:
            network = evaluate.without_copying(MODEL, folder)
            self.assertFalse(evaluate.copies(network))
            ours, theirs = gguf.Reader(network), gguf.Reader(MODEL)
            for name, tensor in theirs.tensors.items():
                self.assertEqual(ours.tensors[name].data, tensor.data)

    def test_a_wrong_request_is_told(self):
        with self.server.session() as session:
            place = session.place("p", "a.py", "python", "x = ")
            place.offset = 99
            with self.assertRaisesRegex(RuntimeError, "offset"):
                place.suggest()

    def test_a_broken_model_is_told(self):
        with tempfile.NamedTemporaryFile(suffix=".gguf") as file:
            file.write(b"GGUF")
            file.flush()
            with self.assertRaisesRegex(RuntimeError, os.path.basename(file.name)):
                program.Program(BIN, file.name).stop()

    def test_what_is_missing_is_named(self):
        command = [sys.executable, "-B", os.path.join(support.ROOT, "training", "evaluate.py")]
        command += ["--program", BIN, "--model", "/nowhere.gguf", "--corpus", "/nowhere"]
        done = subprocess.run(command, timeout=60, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/nowhere.gguf is not there", done.stderr)


if __name__ == "__main__":
    unittest.main()
