# SPDX-License-Identifier: GPL-3.0-or-later
"""Float arrays to and from the stored formats of GGUF tensors. Needs numpy."""

import numpy as np

import gguf

BLOCK = 32  # weights in a Q8_0 block
Q8_0_BLOCK = np.dtype([("scale", "<f2"), ("weights", "i1", (BLOCK,))])


def pack(values, kind):
    """The bytes of `values` in format `kind`."""
    values = np.ascontiguousarray(values, np.float32)
    if kind == gguf.F32:
        return values.astype("<f4").tobytes()
    if kind == gguf.F16:
        return values.astype("<f2").tobytes()
    # Q8_0: blocks of 32 along the rows: float16 scale = largest / 127, then 32 signed bytes.
    blocks = values.reshape(-1, BLOCK)
    scale = np.abs(blocks).max(axis=1, keepdims=True) / 127.0
    inverse = np.divide(1.0, scale, out=np.zeros_like(scale), where=scale > 0)
    packed = np.empty(len(blocks), Q8_0_BLOCK)
    packed["scale"] = scale[:, 0]
    packed["weights"] = np.round(blocks * inverse)
    return packed.tobytes()


def unpack(tensor):
    """What a stored tensor stands for, as float32."""
    if tensor.kind == gguf.Q8_0:
        packed = np.frombuffer(tensor.data, Q8_0_BLOCK)
        scale = packed["scale"].astype(np.float32)[:, None]
        return (packed["weights"].astype(np.float32) * scale).reshape(tensor.shape)
    stored = np.frombuffer(tensor.data, "<f4" if tensor.kind == gguf.F32 else "<f2")
    return stored.astype(np.float32).reshape(tensor.shape)
