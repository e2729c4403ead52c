# SPDX-License-Identifier: GPL-3.0-or-later
"""What OpenBLAS is told of processors."""

import unittest

import support  # noqa: F401  (finds training/)

import processor


class Processor(unittest.TestCase):
    def test_a_processor_is_not_taken_for_less_than_it_is(self):
        wide = {"avx512f", "avx512bw", "avx512vl", "avx2", "fma"}
        better = processor.better_core
        for chosen in ("Prescott", "Haswell", "Zen"):
            self.assertEqual(better(chosen, wide), "SkylakeX")
        self.assertEqual(better("Prescott", wide - {"avx512bw"}), "Haswell")
        for chosen in ("Haswell", "Zen"):
            self.assertIsNone(better(chosen, wide - {"avx512bw"}))
        for chosen in ("SkylakeX", "Cooperlake", "Sapphirerapids"):
            self.assertIsNone(better(chosen, wide))
        self.assertIsNone(better("Prescott", {"sse4_2", "avx"}))

    def test_what_is_set_stays(self):
        environment = {"OPENBLAS_NUM_THREADS": "3", "OPENBLAS_CORETYPE": "Zen"}
        processor.settle(environment)
        self.assertEqual(
            environment, {"OPENBLAS_NUM_THREADS": "3", "OPENBLAS_CORETYPE": "Zen", "OMP_NUM_THREADS": "1"}
        )


if __name__ == "__main__":
    unittest.main()
