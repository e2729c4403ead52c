# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkpoints: what train.py goes on from, in one numpy file without pickled objects.

  python3 checkpoint.py IN.npz OUT.npz [--weights f32|bf16|q8_0] [--without-optimizer]

makes one smaller, to be carried or kept: training goes on from it all the same, and finds its
momentum again within some fifty steps.

`shape` and `progress` are JSON; weight/NAME and state/NAME/... are arrays: float32 as they are,
uint16 with the bits of bfloat16, uint8 with the blocks of GGUF's Q8_0.
"""

import argparse
import collections
import json
import os

import numpy as np
import torch

import gguf
import quantize
from shapes import Shape

F32, BF16, Q8_0 = "f32", "bf16", "q8_0"

# weights and state: {name: float32 tensor}. progress: a dict of what was done so far.
Checkpoint = collections.namedtuple("Checkpoint", "shape weights state progress")


def encode(tensor, kind):
    tensor = tensor.detach().float().cpu().contiguous()
    if kind == Q8_0 and tensor.ndim == 2:
        return np.frombuffer(quantize.pack(tensor.numpy(), gguf.Q8_0), np.uint8)
    if kind == BF16:
        return tensor.bfloat16().view(torch.int16).numpy().view(np.uint16)
    return tensor.numpy()


def decode(array, dimensions):
    if array.dtype == np.uint8:
        stored = gguf.Tensor("", dimensions, gguf.Q8_0, array.tobytes())
        array = quantize.unpack(stored)
    if array.dtype == np.uint16:
        bits = torch.from_numpy(array.view(np.int16))
        return bits.view(torch.bfloat16).float().reshape(dimensions)
    return torch.from_numpy(np.array(array, np.float32)).reshape(dimensions)


def save(path, checkpoint, weights=F32):
    """Writes it in one piece: a broken-off write leaves the old file. Momentum is bfloat16."""
    arrays = {"weight/" + name: encode(v, weights) for name, v in checkpoint.weights.items()}
    for name, value in checkpoint.state.items():
        arrays["state/" + name] = encode(value, BF16)
    facts = {"shape": checkpoint.shape.as_dict(), "progress": checkpoint.progress}
    partial = path + ".partial"
    with open(partial, "wb") as file:
        np.savez(file, **{key: json.dumps(value) for key, value in facts.items()}, **arrays)
        file.flush()
        os.fsync(file.fileno())
    os.replace(partial, path)


def load(path):
    with np.load(path) as file:
        shape = Shape(**json.loads(str(file["shape"])))
        dimensions = shape.parameters()
        weights, state = {}, {}
        for key in file.files:
            kind, _, name = key.partition("/")
            if kind == "weight":
                weights[name] = decode(file[key], dimensions[name])
            elif kind == "state":
                state[name] = decode(file[key], dimensions[name.rpartition("/")[0]])
        if set(weights) != set(dimensions):
            raise ValueError(f"{path} lacks weights of its own shape")
        return Checkpoint(shape, weights, state, json.loads(str(file["progress"])))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--weights", choices=(F32, BF16, Q8_0), default=BF16)
    parser.add_argument("--without-optimizer", action="store_true")
    options = parser.parse_args()
    found = load(options.input)
    if options.without_optimizer:
        found = found._replace(state={})
    save(options.output, found, options.weights)
    print(f"{options.output}: {os.path.getsize(options.output):,} bytes")


if __name__ == "__main__":
    main()
