# SPDX-License-Identifier: GPL-3.0-or-later
"""The numpy model: gradients, quantized formats. Skipped without numpy or gcc."""

import shutil
import unittest

import support  # noqa: F401

try:
    import numpy as np
except ImportError:
    np = None

if np is not None and shutil.which("gcc"):
    import gguf
    import model
    import quantize
else:
    raise unittest.SkipTest("numpy or gcc is not installed")


def small_model():
    """A model with every part, weights all random."""
    shape = model.Shape(vocabulary=50, width=64, layers=2, heads=2, kv_heads=1, hidden=96)
    weights = model.initial_weights(shape, 1)
    picker = np.random.default_rng(0)
    for value in weights.values():
        value += picker.normal(0, 0.1, value.shape).astype(np.float32)
    return shape, weights, picker


class ModelTest(unittest.TestCase):
    def test_gradients_match_finite_differences(self):
        shape, weights, picker = small_model()
        length = model.QUERY_BLOCK + 22  # more than one block of queries, the last one partial
        worker = model.Worker(shape, weights, 2, length)
        ids = picker.integers(0, shape.vocabulary, (2, length))
        targets = picker.integers(0, shape.vocabulary, (2, length))
        targets[0, :5] = -1
        total = lambda: float(worker.losses(ids, targets).astype(np.float64).sum())
        total()
        worker.backward()
        for name, weight in weights.items():
            direction = picker.normal(0, 1, weight.shape).astype(np.float32)
            direction /= np.linalg.norm(direction)
            kept = weight.copy()
            step = 0.01
            weight[...] = kept + step * direction
            above = total()
            weight[...] = kept - step * direction
            below = total()
            weight[...] = kept
            measured = (above - below) / (2 * step)
            derived = float((worker.gradients[name] * direction).sum())
            self.assertAlmostEqual(measured, derived, delta=0.02 + 0.02 * abs(derived), msg=name)

    def test_later_tokens_do_not_change_earlier_states(self):
        shape, weights, picker = small_model()
        worker = model.Worker(shape, weights, 1, 200)
        ids = picker.integers(0, shape.vocabulary, (1, 200))
        worker.forward(ids)
        before = worker.normed.copy()
        ids[0, 150:] = 3
        worker.forward(ids)
        np.testing.assert_array_equal(worker.normed[:150], before[:150])
        self.assertGreater(np.abs(worker.normed[150:] - before[150:]).max(), 1e-3)


class QuantizeTest(unittest.TestCase):
    def test_q8_0_error_is_at_most_half_a_step(self):
        values = np.random.default_rng(5).normal(0, 1, (7, 64)).astype(np.float32)
        values[0, :32] = 0
        stored = gguf.Tensor("m", values.shape, gguf.Q8_0, quantize.pack(values, gguf.Q8_0))
        steps = np.abs(values.reshape(-1, 32)).max(axis=1) / 127
        errors = np.abs(quantize.unpack(stored) - values).reshape(-1, 32).max(axis=1)
        # The float16 scale adds up to 2^-11 of the largest value.
        self.assertTrue((errors <= steps * (0.5 + 127 * 2**-11) + 1e-7).all())

    def test_float_formats_round_trip(self):
        values = np.array([[1.5, -2.25], [0, 1024]], np.float32)
        for kind in (gguf.F32, gguf.F16):
            stored = gguf.Tensor("m", values.shape, kind, quantize.pack(values, kind))
            np.testing.assert_array_equal(quantize.unpack(stored), values)


if __name__ == "__main__":
    unittest.main()
