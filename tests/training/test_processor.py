# SPDX-License-Identifier: GPL-3.0-or-later
"""What OpenBLAS is told of processors."""

import unittest

import support  # noqa: F401  (finds training/)

import processor


class Processor(unittest.TestCase):
    def test_cores_by_flags(self):
        wide = {"avx512f", "avx512bw", "avx512vl", "avx2", "fma"}
        self.assertEqual(processor.core_for(wide), "SkylakeX")
        self.assertEqual(processor.core_for(wide - {"avx512bw"}), "Haswell")
        self.assertIsNone(processor.core_for({"sse4_2", "avx"}))

    def test_what_is_set_stays(self):
        environment = {"OPENBLAS_NUM_THREADS": "3", "OPENBLAS_CORETYPE": "Zen"}
        processor.settle(environment)
        self.assertEqual(
            environment, {"OPENBLAS_NUM_THREADS": "3", "OPENBLAS_CORETYPE": "Zen", "OMP_NUM_THREADS": "1"}
        )


if __name__ == "__main__":
    unittest.main()
