# SPDX-License-Identifier: GPL-3.0-or-later
"""What a weight becomes in a quantized file, in PyTorch: for training that is aware of it."""

import torch

BLOCK = 32
Q8_0, Q4_0 = "q8_0", "q4_0"


def rounded(matrix, kind):
    """The values that quantize.pack in `kind` would store, as float32."""
    blocks = matrix.reshape(-1, BLOCK)
    if kind == Q8_0:
        scale = blocks.abs().amax(dim=1, keepdim=True) / 127
        steps = torch.round(blocks * inverse(scale))
    else:
        farthest = blocks.abs().argmax(dim=1, keepdim=True)
        scale = blocks.gather(1, farthest) / -8
        steps = (torch.floor(blocks * inverse(scale) + 8.5)).clamp(0, 15) - 8
    return (steps * scale.half().float()).reshape(matrix.shape)


def inverse(scale):
    return torch.where(scale == 0, torch.zeros_like(scale), 1 / scale)


def as_stored(weights, kind):
    """All weights as export_gguf.py --type `kind` stores them."""
    stored = {}
    for name, value in weights.items():
        if value.ndim == 2:
            value = rounded(value, Q8_0 if name == "embedding" else kind)
        stored[name] = value
    return stored
