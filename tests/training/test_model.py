# SPDX-License-Identifier: GPL-3.0-or-later
"""The network and its kernels: gradients, causality, quantized formats. Skipped without torch, numpy
or gcc."""

import shutil
import unittest

import support  # noqa: F401

try:
    import numpy as np
    import torch
except ImportError:
    raise unittest.SkipTest("numpy or torch is not installed")
if not shutil.which("gcc"):
    raise unittest.SkipTest("gcc is not installed")

import gguf
import kernels
import model
import quantize
import rounding
import shapes
import windows

LENGTH = kernels.QUERY_BLOCK + 22  # more than one block of queries, the last one partial
SHAPES = [
    shapes.Shape(50, 64, 2, 4, 96, kv_heads, architecture)
    for architecture in (shapes.LLAMA, shapes.QWEN3)
    for kv_heads in (1, 2)
]


def small_model(shape):
    """Weights all random, every part in use."""
    picker = torch.Generator().manual_seed(3)
    weights = model.initial_weights(shape, 1)
    for name, value in weights.items():
        weights[name] = value + 0.1 * torch.randn(value.shape, generator=picker)
    ids = torch.randint(0, shape.vocabulary, (2, LENGTH), generator=picker)
    targets = torch.randint(0, shape.vocabulary, (2, LENGTH), generator=picker)
    targets[0, :5] = windows.NO_TARGET
    return weights, ids, targets


def gradients(weights, ids, targets, steps):
    """(loss, {name: gradient})."""
    leaves = {name: value.clone().requires_grad_() for name, value in weights.items()}
    loss = model.loss(leaves, ids, targets, steps)
    loss.backward()
    return loss.item(), {name: leaf.grad for name, leaf in leaves.items()}


class ModelTest(unittest.TestCase):
    def test_kernels_compute_what_the_plain_steps_do(self):
        for shape in SHAPES:
            with self.subTest(shape.as_dict()):
                case = small_model(shape)
                loss, expected = gradients(*case, model.PlainSteps(shape, LENGTH))
                again, found = gradients(*case, kernels.KernelSteps(shape, LENGTH))
                self.assertAlmostEqual(again / loss, 1, delta=1e-5)
                for name, gradient in expected.items():
                    error = (found[name] - gradient).norm() / gradient.norm()
                    self.assertLess(float(error), 1e-4, name)

    def test_products_of_bfloat16_stay_within_its_rounding(self):
        for shape in SHAPES:
            with self.subTest(shape.as_dict()):
                case = small_model(shape)
                loss, expected = gradients(*case, model.PlainSteps(shape, LENGTH))
                steps = kernels.KernelSteps(shape, LENGTH, kernels.BFLOAT16)
                again, found = gradients(*case, steps)
                self.assertNotEqual(again, loss)  # it does round
                self.assertAlmostEqual(again / loss, 1, delta=2e-3)
                for name, gradient in expected.items():
                    error = (found[name] - gradient).norm() / gradient.norm()
                    self.assertLess(float(error), 0.03, name)

    def test_gradients_match_finite_differences(self):
        shape = SHAPES[-1]
        weights, ids, targets = small_model(shape)
        steps = kernels.KernelSteps(shape, LENGTH)
        derived = gradients(weights, ids, targets, steps)[1]
        picker = torch.Generator().manual_seed(4)
        with torch.no_grad():
            for name, weight in weights.items():
                direction = torch.randn(weight.shape, generator=picker)
                direction /= direction.norm()
                step = 0.01
                sides = []
                for side in (step, -step):
                    moved = {**weights, name: weight + side * direction}
                    sides.append(float(model.loss(moved, ids, targets, steps)))
                measured = (sides[0] - sides[1]) / (2 * step)
                expected = float((derived[name] * direction).sum())
                self.assertAlmostEqual(
                    measured, expected, delta=0.05 + 0.02 * abs(expected), msg=name
                )

    def test_half_precision_is_near(self):
        """Computes as a GPU trains: products in bfloat16, the rest in float32."""
        shape = SHAPES[-1]
        case = small_model(shape)
        steps = model.PlainSteps(shape, LENGTH)
        loss, expected = gradients(*case, steps)
        with torch.autocast("cpu", torch.bfloat16):
            near, found = gradients(*case, steps)
        self.assertAlmostEqual(near / loss, 1, delta=0.01)
        for name, gradient in expected.items():
            self.assertEqual(found[name].dtype, torch.float32)
            error = (found[name] - gradient).norm() / gradient.norm()
            self.assertLess(float(error), 0.1, name)

    @torch.no_grad()
    def test_later_tokens_do_not_change_earlier_states(self):
        shape = SHAPES[1]
        weights, ids, _ = small_model(shape)
        for steps in (kernels.KernelSteps(shape, LENGTH), model.PlainSteps(shape, LENGTH)):
            before = model.forward(weights, ids[:1], steps)
            changed = ids[:1].clone()
            changed[0, 130:] = 3
            after = model.forward(weights, changed, steps)
            torch.testing.assert_close(after[:130], before[:130], rtol=0, atol=1e-6)
            self.assertGreater(float((after[130:] - before[130:]).abs().max()), 1e-3)

    @torch.no_grad()
    def test_what_is_no_target_does_not_count(self):
        shape = SHAPES[0]
        weights, ids, targets = small_model(shape)
        steps = kernels.KernelSteps(shape, LENGTH)
        whole = float(model.loss(weights, ids, targets, steps))
        parts = 0.0
        for kept in (slice(0, 70), slice(70, LENGTH)):
            some = torch.full_like(targets, windows.NO_TARGET)
            some[:, kept] = targets[:, kept]
            parts += float(model.loss(weights, ids, some, steps))
        self.assertAlmostEqual(parts / whole, 1, delta=1e-5)


class QuantizeTest(unittest.TestCase):
    def setUp(self):
        self.values = np.random.default_rng(5).normal(0, 1, (7, 64)).astype(np.float32)
        self.values[0, :32] = 0
        self.values[1, :32] = np.abs(self.values[1, :32])

    def stored(self, kind):
        return gguf.Tensor("m", self.values.shape, kind, quantize.pack(self.values, kind))

    def test_error_is_at_most_half_a_step(self):
        # Q4_0 lacks one step: the value farthest from zero takes -8, as there is no 8.
        for kind, steps_to_largest, most in ((gguf.Q8_0, 127, 0.5), (gguf.Q4_0, 8, 1.0)):
            largest = np.abs(self.values.reshape(-1, 32)).max(axis=1)
            errors = np.abs(quantize.unpack(self.stored(kind)) - self.values)
            # The float16 scale adds up to 2^-11 of the largest value.
            limit = largest * (most / steps_to_largest + 2**-11) + 1e-7
            self.assertTrue((errors.reshape(-1, 32).max(axis=1) <= limit).all())

    def test_training_rounds_as_files_do(self):
        for name, kind in ((rounding.Q8_0, gguf.Q8_0), (rounding.Q4_0, gguf.Q4_0)):
            rounded = rounding.rounded(torch.from_numpy(self.values), name)
            np.testing.assert_array_equal(rounded.numpy(), quantize.unpack(self.stored(kind)))

    def test_float_formats_round_trip(self):
        values = np.array([[1.5, -2.25], [0, 1024]], np.float32)
        for kind in (gguf.F32, gguf.F16):
            stored = gguf.Tensor("m", values.shape, kind, quantize.pack(values, kind))
            np.testing.assert_array_equal(quantize.unpack(stored), values)


if __name__ == "__main__":
    unittest.main()
