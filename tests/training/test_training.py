# SPDX-License-Identifier: GPL-3.0-or-later
"""Training from end to end on a tiny corpus: it learns, stops, goes on, decays; warm starts keep
what was learned; and the program computes what PyTorch does. Skipped without torch, numpy or gcc."""

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import support

try:
    import numpy as np
    import torch
except ImportError:
    raise unittest.SkipTest("numpy or torch is not installed")
if not shutil.which("gcc"):
    raise unittest.SkipTest("gcc is not installed")

import checkpoint
import export_gguf
import held_out
import kernels
import model
import optimizer
import shapes
import tokenizer
import train_tokenizer
import warm_start

WAFERCTL = os.path.join(os.environ.get("WAFERPAIR_BIN", ""), "waferctl")
TRAIN = os.path.join(support.ROOT, "training", "train.py")


def source(name):
    body = "".join(
        f"def {name}_{i}(values):\n    total_{i} = sum(values) + {i}\n    return total_{i}\n\n"
        for i in range(80)
    )
    return f"import os\n\n{body}"


def vocabulary(merges):
    pieces = {}
    for name in ("alpha", "beta"):
        for piece in tokenizer.pre_tokenize(source(name).encode("utf-8")):
            pieces[piece] = pieces.get(piece, 0) + 1
    return tokenizer.Vocabulary(train_tokenizer.learn_merges(pieces, merges))


def random_weights(shape):
    picker = torch.Generator().manual_seed(3)
    weights = model.initial_weights(shape, 1)
    for name, value in weights.items():
        noise = 0.05 * torch.randn(value.shape, generator=picker)
        weights[name] = value * 4 if name == "output_norm" else value + noise
    return weights


def no_progress():
    return {"step": 0, "tokens": 0, "seconds": 0.0, "cpu_seconds": 0.0}


class OptimizerTest(unittest.TestCase):
    def test_orthogonalised_matrices_have_singular_values_near_one(self):
        for products in (torch.float32, torch.bfloat16):
            for rows, columns in ((40, 24), (24, 40)):
                matrix = torch.randn(rows, columns, generator=torch.Generator().manual_seed(1))
                found = optimizer.orthogonalise(matrix, products)
                self.assertEqual(found.dtype, torch.float32)
                values = torch.linalg.svdvals(found)
                self.assertTrue(((values > 0.5) & (values < 1.4)).all(), values)


class CheckpointTest(unittest.TestCase):
    def test_round_trip(self):
        shape = shapes.Shape(50, 64, 1, 2, 96, 1, shapes.QWEN3)
        weights = random_weights(shape)
        state = {k: v * 0.37 for k, v in optimizer.empty_state(weights).items()}
        state["embedding/momentum"] += 0.123
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "checkpoint.npz")
            for kind, tolerance in ((checkpoint.F32, 0), (checkpoint.BF16, 4e-3), (checkpoint.Q8_0, 0.01)):
                saved = checkpoint.Checkpoint(shape, weights, state, {"step": 7})
                checkpoint.save(path, saved, kind)
                found = checkpoint.load(path)
                self.assertEqual(found.shape.as_dict(), shape.as_dict())
                self.assertEqual(found.progress, {"step": 7})
                self.assertEqual(list(found.weights), list(weights))
                for name, value in weights.items():
                    error = (found.weights[name] - value).abs().max() / value.abs().max()
                    self.assertLessEqual(float(error), tolerance, (kind, name))
                self.assertEqual(list(found.state), list(state))
                torch.testing.assert_close(
                    found.state["embedding/momentum"], state["embedding/momentum"], rtol=4e-3, atol=0
                )
            self.assertEqual(os.listdir(folder), ["checkpoint.npz"])


class WarmStartTest(unittest.TestCase):
    def setUp(self):
        self.vocabulary = vocabulary(150)
        self.shape = shapes.Shape(self.vocabulary.size, 64, 2, 2, 96)
        self.weights = random_weights(self.shape)
        self.ids = torch.tensor([self.vocabulary.encode(source("gamma").encode())[:200]])

    @torch.no_grad()
    def states(self, shape, weights):
        return model.forward(weights, self.ids, model.PlainSteps(shape, self.ids.shape[1]))

    def test_added_layers_keep_the_function(self):
        for layers in (2, 3, 5):
            shape = shapes.Shape(**{**self.shape.as_dict(), "layers": layers})
            weights = warm_start.grow(self.shape, self.weights, shape, 1)
            self.assertEqual(set(weights), set(shape.parameters()))
            kept = [layer for layer in warm_start.placement(2, layers) if layer is not None]
            self.assertEqual(kept, [0, 1])
            torch.testing.assert_close(
                self.states(shape, weights), self.states(self.shape, self.weights)
            )

    def test_all_that_is_added_keeps_the_function_and_learns(self):
        for old in (
            shapes.Shape(self.vocabulary.size, 64, 2, 2, 96),
            shapes.Shape(self.vocabulary.size, 64, 2, 4, 96, 2, shapes.QWEN3),
        ):
            old_weights = random_weights(old)
            larger = {"width": 128, "layers": 3, "heads": 9, "kv_heads": 3, "hidden": 160}
            for change in ({"width": 128}, {"hidden": 160}, {"heads": 8}, larger):
                with self.subTest(architecture=old.architecture, change=change):
                    shape = shapes.Shape(**{**old.as_dict(), **change})
                    weights = warm_start.grow(old, old_weights, shape, 1)
                    found = {name: tuple(value.shape) for name, value in weights.items()}
                    self.assertEqual(found, shape.parameters())
                    before, after = self.states(old, old_weights), self.states(shape, weights)
                    torch.testing.assert_close(
                        after[:, : old.width], before, rtol=1e-3, atol=1e-3
                    )
                    self.assertFalse(weights["embedding"][:, old.width :].any())
                    # A column is what one unit of what was added says.
                    for name, gradient in self.gradients(shape, weights).items():
                        if name.endswith(("embedding", ".attention_out", ".down")):
                            self.assertTrue(gradient.any(dim=0).all(), name)

    def gradients(self, shape, weights):
        leaves = {name: value.clone().requires_grad_() for name, value in weights.items()}
        inputs, targets = self.ids[:, :-1].contiguous(), self.ids[:, 1:].contiguous()
        model.loss(leaves, inputs, targets, model.PlainSteps(shape, inputs.shape[1])).backward()
        return {name: leaf.grad for name, leaf in leaves.items()}

    def test_the_same_vocabulary_keeps_its_rows(self):
        old = self.weights["embedding"]
        rows = warm_start.embedding(old, self.vocabulary, self.vocabulary, torch.zeros_like(old))
        used = self.vocabulary.first_special + len(self.vocabulary.special)
        torch.testing.assert_close(rows[:used], old[:used])

    def test_less_is_refused(self):
        of_two_groups = shapes.Shape(self.vocabulary.size, 64, 2, 4, 96, 2)
        for old, change, reason in (
            (self.shape, {"width": 32}, "width, hidden and layers"),
            (self.shape, {"hidden": 64}, "width, hidden and layers"),
            (self.shape, {"layers": 1}, "width, hidden and layers"),
            (self.shape, {"heads": 1}, "heads"),
            (of_two_groups, {"kv_heads": 1}, "heads"),
            (of_two_groups, {"kv_heads": 4}, "heads"),
            (self.shape, {"architecture": shapes.QWEN3}, "architecture"),
        ):
            shape = shapes.Shape(**{**old.as_dict(), **change})
            with self.assertRaisesRegex(ValueError, reason):
                warm_start.grow(old, random_weights(old), shape, 1)


class RunTest(unittest.TestCase):
    """The real train.py. What a test leaves in the class's folder, later ones use."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.corpus = os.path.join(cls.folder.name, "corpus")
        for split, name in (("train", "alpha"), ("held_out", "beta")):
            os.makedirs(os.path.join(cls.corpus, split))
            path = os.path.join(cls.corpus, split, "python.jsonl")
            with open(path, "w", encoding="utf-8") as file:
                record = {"project": name, "path": f"{name}.py", "text": source(name)}
                file.write(json.dumps(record) + "\n")
        for merges in (150, 220):
            vocabulary(merges).save(cls.path(f"{merges}.json"))
        cls.train("first", tokens=40 * 512)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, *names):
        return os.path.join(cls.folder.name, *names)

    @classmethod
    def command(cls, run, merges=150, **flags):
        flags = {"layers": 1, "length": 128, "micro-batch": 256, "batch-tokens": 512, **flags}
        command = [sys.executable, TRAIN, "--corpus", cls.corpus, "--run", cls.path(run)]
        command += ["--vocabulary", cls.path(f"{merges}.json"), "--device", "cpu"]
        for name, value in flags.items():
            command += [f"--{name.replace('_', '-')}", str(value)]
        return command

    @classmethod
    def train(cls, run, **flags):
        subprocess.run(cls.command(run, **flags), check=True, timeout=110)

    @classmethod
    def load(cls, run):
        return checkpoint.load(cls.path(run, "checkpoint.npz"))

    def log(self, run):
        with open(self.path(run, "log.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def trained(self, run):
        return os.path.exists(self.path(run, "log.jsonl")) and any("loss" in e for e in self.log(run))

    def measured(self, run):
        return [line["held_out"] for line in self.log(run) if "held_out" in line]

    def test_it_learns(self):
        found = self.measured("first")
        self.assertLess(found[-1], 0.6 * found[0])
        self.assertEqual(self.load("first").progress["tokens"], 40 * 512)

    def test_going_on_is_as_if_it_had_not_stopped(self):
        # What bfloat16 rounds off would grow to more than what is looked for here.
        self.train("whole", tokens=40 * 512, products="float32")
        self.train("parts", tokens=20 * 512, products="float32")
        self.assertEqual(self.load("parts").progress["step"], 20)
        self.train("parts", tokens=40 * 512, products="float32")
        whole, parts = self.load("whole"), self.load("parts")
        self.assertEqual(parts.progress["step"], 40)
        # The momentum was rounded on the way; the windows must have been the same.
        for name, value in whole.weights.items():
            error = (parts.weights[name] - value).norm() / value.norm()
            self.assertLess(float(error), 0.05, name)
        self.assertAlmostEqual(self.measured("parts")[-1], self.measured("whole")[-1], delta=0.05)

    def test_sigterm_saves(self):
        running = subprocess.Popen(self.command("killed", save_every=1e9))
        try:
            while not self.trained("killed"):
                self.assertIsNone(running.poll())
                time.sleep(0.05)
            running.send_signal(signal.SIGTERM)
            self.assertEqual(running.wait(60), 0)
        finally:
            running.kill()
        self.assertGreaterEqual(self.load("killed").progress["step"], 10)

    def test_decay_ends_at_rate_zero_and_leaves_its_start_alone(self):
        start = self.path("first", "checkpoint.npz")
        with open(start, "rb") as file:
            before = file.read()
        flags = {"from": start, "decay_tokens": 10 * 512, "rounding": "q4_0"}
        self.train("decayed", **flags)
        self.assertEqual(self.load("decayed").progress["tokens"], 50 * 512)
        self.train("decayed", **flags)  # is over, so it does nothing
        self.assertEqual(self.load("decayed").progress["tokens"], 50 * 512)
        self.assertAlmostEqual(self.log("decayed")[1]["rate"], 0.1)
        with open(start, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertLess(self.measured("decayed")[-1], self.measured("first")[-1])
        again = {"from": self.path("decayed", "checkpoint.npz"), "tokens": 60 * 512}
        self.train("again", rate=0.5, **again)
        self.assertEqual(self.load("again").progress["tokens"], 60 * 512)
        self.assertEqual(self.log("again")[1]["rate"], 0.5)
        flags = {"from": self.path("again", "checkpoint.npz"), "decay_tokens": 20 * 512}
        self.train("half", **flags)
        self.assertAlmostEqual(self.log("half")[1]["rate"], 0.5 * 11 / 20, delta=0.001)
        self.train("stopped", tokens=70 * 512, **flags)
        further = {"from": self.path("stopped", "checkpoint.npz"), "tokens": 80 * 512}
        self.train("further", **further)
        self.assertAlmostEqual(self.log("further")[-2]["rate"], 0.5 * 10 / 20, delta=0.001)
        self.assertEqual(self.load("further").progress["tokens"], 80 * 512)

    def test_a_warm_start_with_another_vocabulary_is_far_ahead(self):
        old = {"from": self.path("first", "checkpoint.npz")}
        old["from_vocabulary"] = self.path("150.json")
        self.train("warm", merges=220, tokens=0, layers=2, **old)
        self.train("fresh", merges=220, tokens=0)
        warm, fresh, first = (self.measured(run)[0] for run in ("warm", "fresh", "first"))
        learned = self.measured("first")[-1]
        self.assertLess(warm, learned + 0.5 * (min(fresh, first) - learned))

    def test_a_grown_model_begins_where_the_other_was(self):
        old = {"from": self.path("first", "checkpoint.npz")}
        self.train("wide", tokens=0, shape="c10", layers=2, **old)
        self.assertAlmostEqual(
            self.measured("wide")[0], self.measured("first")[-1], delta=0.002
        )

    def test_a_checkpoint_of_another_vocabulary_is_refused(self):
        words = vocabulary(150)
        words.merges[-1] = words.merges[0]  # of the same size
        words.save(self.path("151.json"))
        command = self.command("first", merges=151)
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=110)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("is of another vocabulary", done.stderr)

    @unittest.skipUnless(os.path.exists(WAFERCTL), "WAFERPAIR_BIN names no folder with waferctl")
    def test_the_program_and_pytorch_agree(self):
        words = vocabulary(150)
        text = source("delta")[:1200]
        ids = words.encode(text.encode("utf-8"))
        for architecture in (shapes.LLAMA, shapes.QWEN3):
            shape = shapes.Shape(words.size, 128, 2, 4, 160, 2, architecture)
            found = checkpoint.Checkpoint(shape, random_weights(shape), {}, no_progress())
            for kind in ("q8_0", "q4_0", "f32"):
                with self.subTest(architecture=architecture, kind=kind):
                    path = self.path(f"{architecture}.{kind}.gguf")
                    stored = export_gguf.tensors(shape, found.weights, kind)
                    facts = export_gguf.metadata(shape, words, kind, 0, [])
                    export_gguf.gguf.write(path, facts, stored)
                    read, weights, again = export_gguf.load_model(path)
                    self.assertEqual(read.as_dict(), shape.as_dict())
                    self.assertEqual(again.merges, words.merges)
                    expected = held_out.text_loss(shape, weights, ids) / (len(ids) - 1)
                    with open(self.path("text"), "w", encoding="utf-8") as file:
                        file.write(text)
                    command = [WAFERCTL, "perplexity", path, self.path("text"), "--json"]
                    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=60)
                    (score,) = json.loads(done.stdout)["files"]
                    self.assertEqual(score["tokens"], len(ids) - 1)
                    # The program's activations have eight bits.
                    self.assertAlmostEqual(score["nats_per_token"], expected, delta=0.02)
                    self.assertGreater(abs(expected - math.log(words.size)), 0.1)


if __name__ == "__main__":
    unittest.main()
