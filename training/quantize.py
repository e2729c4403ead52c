# SPDX-License-Identifier: GPL-3.0-or-later
"""Float arrays to and from the stored formats of GGUF tensors. Needs numpy."""

import numpy as np

import gguf

BLOCK = 32  # weights in a block
Q4_0_BLOCK = np.dtype([("scale", "<f2"), ("weights", "u1", (BLOCK // 2,))])
Q8_0_BLOCK = np.dtype([("scale", "<f2"), ("weights", "i1", (BLOCK,))])


def pack(values, kind):
    """The bytes of `values` in format `kind`."""
    values = np.ascontiguousarray(values, np.float32)
    if kind == gguf.F32:
        return values.astype("<f4").tobytes()
    if kind == gguf.F16:
        return values.astype("<f2").tobytes()
    blocks = values.reshape(-1, BLOCK)
    if kind == gguf.Q4_0:
        return pack_q4_0(blocks)
    # Q8_0: blocks of 32 along the rows: float16 scale = largest / 127, then 32 signed bytes.
    scale = np.abs(blocks).max(axis=1, keepdims=True) / 127.0
    packed = np.empty(len(blocks), Q8_0_BLOCK)
    packed["scale"] = scale[:, 0]
    packed["weights"] = np.round(blocks * inverse(scale))
    return packed.tobytes()


def pack_q4_0(blocks):
    """A float16 scale, which takes the value that is farthest from zero to -8, then 16 bytes: the
    low half of a byte is one of the first 16 weights plus 8, the high half one of the others."""
    farthest = np.abs(blocks).argmax(axis=1)[:, None]
    scale = np.take_along_axis(blocks, farthest, axis=1) / -8
    steps = np.clip(np.floor(blocks * inverse(scale) + np.float32(8.5)), 0, 15).astype(np.uint8)
    packed = np.empty(len(blocks), Q4_0_BLOCK)
    packed["scale"] = scale[:, 0]
    packed["weights"] = steps[:, : BLOCK // 2] | steps[:, BLOCK // 2 :] << 4
    return packed.tobytes()


def inverse(scale):
    return np.divide(1.0, scale, out=np.zeros_like(scale), where=scale != 0)


def unpack(tensor):
    """What a stored tensor stands for, as float32."""
    if tensor.kind == gguf.Q8_0:
        packed = np.frombuffer(tensor.data, Q8_0_BLOCK)
        scale = packed["scale"].astype(np.float32)[:, None]
        return (packed["weights"].astype(np.float32) * scale).reshape(tensor.shape)
    if tensor.kind == gguf.Q4_0:
        packed = np.frombuffer(tensor.data, Q4_0_BLOCK)
        steps = np.concatenate([packed["weights"] & 15, packed["weights"] >> 4], axis=1)
        scale = packed["scale"].astype(np.float32)[:, None]
        return ((steps.astype(np.float32) - 8) * scale).reshape(tensor.shape)
    stored = np.frombuffer(tensor.data, "<f4" if tensor.kind == gguf.F32 else "<f2")
    return stored.astype(np.float32).reshape(tensor.shape)
