# SPDX-License-Identifier: GPL-3.0-or-later
"""The GGUF writer and reader agree with each other and with the format's rules."""

import os
import struct
import tempfile
import unittest

import support  # noqa: F401
import gguf

METADATA = [
    ("general.architecture", gguf.STRING, "llama"),
    ("llama.block_count", gguf.UINT32, 4),
    ("offset", gguf.INT32, -7),
    ("llama.rope.freq_base", gguf.FLOAT32, 10000.0),
    ("tokenizer.ggml.add_bos_token", gguf.BOOL, False),
    ("tokenizer.ggml.tokens", (gguf.ARRAY, gguf.STRING), ["a", "\u0120b", ""]),
    ("tokenizer.ggml.token_type", (gguf.ARRAY, gguf.INT32), [1, 1, 3]),
]


class GgufTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "model.gguf")
        self.tensors = [
            gguf.Tensor("norm", (3,), gguf.F32, struct.pack("<3f", 1, 2, 3)),
            gguf.Tensor("matrix", (2, 32), gguf.Q8_0, bytes(range(68))),
            gguf.Tensor("half", (2, 2), gguf.F16, bytes(range(8))),
        ]
        gguf.write(self.path, METADATA, self.tensors)

    def test_round_trip_keeps_metadata_and_tensors(self):
        read = gguf.Reader(self.path)
        self.assertEqual(read.metadata, {key: value for key, _, value in METADATA})
        self.assertEqual(list(read.tensors), [tensor.name for tensor in self.tensors])
        for tensor in self.tensors:
            found = read.tensors[tensor.name]
            self.assertEqual((found.shape, found.kind), (tensor.shape, tensor.kind))
            self.assertEqual(found.data, tensor.data)

    def test_header_and_alignment_are_those_of_the_format(self):
        with open(self.path, "rb") as file:
            data = file.read()
        self.assertEqual(data[:4], b"GGUF")
        self.assertEqual(struct.unpack("<IQQ", data[4:24]), (3, 3, len(METADATA)))
        self.assertEqual(len(data) % gguf.ALIGNMENT, 0)
        # The first tensor begins on the first aligned byte behind the header; the data section is
        # three tensors of 12, 68 and 8 bytes, padded to 32, 96 and 32.
        self.assertEqual(data[-160:-148], self.tensors[0].data)
        self.assertEqual(data[-128:-60], self.tensors[1].data)

    def test_dimensions_are_written_fastest_first(self):
        with open(self.path, "rb") as file:
            data = file.read()
        name = gguf.encode_string("matrix")
        at = data.index(name) + len(name)
        self.assertEqual(struct.unpack("<IQQ", data[at : at + 20]), (2, 32, 2))

    def test_truncated_file_is_refused(self):
        with open(self.path, "rb") as file:
            data = file.read()
        for size in (0, 3, 10, 40, 200, len(data) - 40):
            with open(self.path, "wb") as file:
                file.write(data[:size])
            with self.assertRaises(ValueError):
                gguf.Reader(self.path)

    def test_data_must_fit_the_shape(self):
        with self.assertRaises(ValueError):
            gguf.Tensor("short", (2, 32), gguf.Q8_0, bytes(67))
        with self.assertRaises(ValueError):
            gguf.Tensor("odd rows", (2, 16), gguf.Q8_0, bytes(34))


if __name__ == "__main__":
    unittest.main()
