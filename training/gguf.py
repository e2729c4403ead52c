# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing GGUF version 3, and reading back what this package wrote. Standard library only.

Layout: magic, version, tensor count, metadata count, the metadata, the tensor table, padding to
`ALIGNMENT`, then the tensor data, each tensor padded to `ALIGNMENT`. Little-endian throughout. GGUF
lists a tensor's dimensions fastest first; shapes here are slowest first, as in numpy.
"""

import math
import struct

MAGIC = b"GGUF"
VERSION = 3
ALIGNMENT = 32

# Value types of the metadata.
UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
SCALARS = {UINT32: "<I", INT32: "<i", FLOAT32: "<f", BOOL: "<?"}

# Tensor types, and how many bytes how many weights take.
F32, F16, Q4_0, Q8_0 = 0, 1, 2, 8
BYTES_PER_BLOCK = {F32: (4, 1), F16: (2, 1), Q4_0: (18, 32), Q8_0: (34, 32)}


class Tensor:
    """A tensor as it is stored: `data` holds the elements of `shape` in the format `kind`."""

    def __init__(self, name, shape, kind, data):
        self.name = name
        self.shape = tuple(shape)
        self.kind = kind
        self.data = data
        if len(data) != byte_size(self.shape, kind):
            raise ValueError(f"{name}: {len(data)} bytes do not fit shape {shape}")


def byte_size(shape, kind):
    """The bytes of a tensor; raises ValueError for a type that is not supported here."""
    if kind not in BYTES_PER_BLOCK:
        raise ValueError(f"tensor type {kind} is not supported here")
    size, weights = BYTES_PER_BLOCK[kind]
    if shape and shape[-1] % weights:
        raise ValueError(f"rows of {shape[-1]} do not divide into blocks of {weights}")
    return math.prod(shape) // weights * size


def padding(size):
    """How many bytes follow `size` to reach the next multiple of ALIGNMENT."""
    return -size % ALIGNMENT


def encode_string(text):
    data = text.encode("utf-8")
    return struct.pack("<Q", len(data)) + data


def encode_value(kind, value):
    """`value` of type `kind`; an array's kind is (ARRAY, kind of its elements)."""
    if isinstance(kind, tuple):
        element = kind[1]
        items = b"".join(encode_value(element, item) for item in value)
        return struct.pack("<IQ", element, len(value)) + items
    if kind == STRING:
        return encode_string(value)
    return struct.pack(SCALARS[kind], value)


def write(path, metadata, tensors):
    """Writes a file; `metadata` is a list of (key, kind, value), `tensors` one of Tensor."""
    head = [MAGIC, struct.pack("<IQQ", VERSION, len(tensors), len(metadata))]
    for key, kind, value in metadata:
        head.append(encode_string(key))
        head.append(struct.pack("<I", ARRAY if isinstance(kind, tuple) else kind))
        head.append(encode_value(kind, value))
    offset = 0
    for tensor in tensors:
        dimensions = tensor.shape[::-1]
        head.append(encode_string(tensor.name))
        head.append(struct.pack(f"<I{len(dimensions)}Q", len(dimensions), *dimensions))
        head.append(struct.pack("<IQ", tensor.kind, offset))
        offset += len(tensor.data) + padding(len(tensor.data))
    header = b"".join(head)
    with open(path, "wb") as file:
        file.write(header + bytes(padding(len(header))))
        for tensor in tensors:
            file.write(tensor.data + bytes(padding(len(tensor.data))))


class Reader:
    """`metadata` {key: value} and `tensors` {name: Tensor}; ValueError for a broken file."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self._data = file.read()
        self._at = 0
        if self._take(4) != MAGIC:
            raise ValueError(f"{path}: not a GGUF file")
        version, tensor_count, metadata_count = struct.unpack("<IQQ", self._take(20))
        if version != VERSION:
            raise ValueError(f"{path}: GGUF version {version}, expected {VERSION}")
        self.metadata = {}
        for _ in range(metadata_count):
            key = self._string()
            self.metadata[key] = self._value(self._number("<I"))
        table = []
        for _ in range(tensor_count):
            name = self._string()
            dimensions = [self._number("<Q") for _ in range(self._number("<I"))]
            table.append((name, dimensions[::-1], self._number("<I"), self._number("<Q")))
        start = self._at + padding(self._at)
        self.tensors = {}
        for name, shape, kind, offset in table:
            self._at = start + offset
            self.tensors[name] = Tensor(name, shape, kind, self._take(byte_size(shape, kind)))

    def _take(self, size):
        if self._at + size > len(self._data):
            raise ValueError("the file ends early")
        self._at += size
        return self._data[self._at - size : self._at]

    def _number(self, layout):
        return struct.unpack(layout, self._take(struct.calcsize(layout)))[0]

    def _string(self):
        return self._take(self._number("<Q")).decode("utf-8")

    def _value(self, kind):
        if kind == ARRAY:
            element = self._number("<I")
            return [self._value(element) for _ in range(self._number("<Q"))]
        if kind == STRING:
            return self._string()
        if kind not in SCALARS:
            raise ValueError(f"metadata type {kind} is not supported here")
        return self._number(SCALARS[kind])
