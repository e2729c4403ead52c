# SPDX-License-Identifier: GPL-3.0-or-later
"""The transformer in PyTorch, as llama and qwen3 are in GGUF files.

Pre-norm RMSNorm with gain, rotary positions, grouped-query attention, with qwen3 normalized heads,
SwiGLU, output head tied to the token embedding, no biases. Weights are a dict of tensors with the
names and dimensions of shapes.Shape. `PlainSteps` is the definition of every step, and what a GPU
runs; on a processor kernels.KernelSteps computes the same in a third less time.

M = rows (sequences x length).
"""

import torch
import torch.nn.functional as functional

from shapes import HEAD_DIM, NORM_EPSILON, ROPE_BASE
from windows import NO_TARGET


def initial_weights(shape, seed):
    """Blocks start as the identity: matrices that write to the residual stream are zero."""
    random = torch.Generator().manual_seed(seed)
    weights = {}
    for name, dimensions in shape.parameters().items():
        if name == "output_norm":
            value = torch.full(dimensions, 0.08)
        elif name.endswith("norm"):
            value = torch.ones(dimensions)
        elif name == "embedding":
            value = torch.randn(dimensions, generator=random) * 0.3
        elif name.endswith((".attention_out", ".down")):
            value = torch.zeros(dimensions)
        else:
            value = torch.randn(dimensions, generator=random) * dimensions[1] ** -0.5
        weights[name] = value
    return weights


def rope_tables(length, device="cpu"):
    """cos and sin of position times frequency, each [length, HEAD_DIM / 2]."""
    exponents = torch.arange(0, HEAD_DIM, 2, dtype=torch.float64) / HEAD_DIM
    angles = torch.arange(length, dtype=torch.float64)[:, None] * ROPE_BASE**-exponents
    return angles.cos().float().to(device), angles.sin().float().to(device)


class PlainSteps:
    """The steps of a layer, for windows of `length` tokens."""

    def __init__(self, shape, length, device="cpu"):
        self.shape = shape
        self.length = length
        self.cosine, self.sine = rope_tables(length, device)

    def linear(self, x, weight):
        """x [M, in], weight [out, in] -> [M, out]."""
        return functional.linear(x, weight)

    def norm(self, x, gain):
        x = x.float()
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + NORM_EPSILON) * gain

    def swiglu(self, gate_up):
        gate, up = gate_up.chunk(2, dim=-1)
        return functional.silu(gate) * up

    def attention(self, qkv, query_norm, key_norm):
        """[M, (heads + 2 kv heads) * HEAD_DIM] -> [M, heads * HEAD_DIM]; norms may be None."""
        shape = self.shape
        heads = qkv.view(-1, self.length, shape.qkv // HEAD_DIM, HEAD_DIM).transpose(1, 2)
        query, key, value = heads.split([shape.heads, shape.kv_heads, shape.kv_heads], dim=1)
        if shape.head_norms:
            query, key = self.norm(query, query_norm), self.norm(key, key_norm)
        groups = shape.heads // shape.kv_heads
        query = self._turn(query).to(value.dtype)
        key = self._turn(key).to(value.dtype).repeat_interleave(groups, dim=1)
        value = value.repeat_interleave(groups, dim=1)
        if hasattr(functional, "scaled_dot_product_attention"):
            mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        else:
            later = torch.ones(self.length, self.length, dtype=torch.bool).triu(1)
            scores = query @ key.transpose(2, 3) * HEAD_DIM**-0.5
            mixed = scores.masked_fill(later, float("-inf")).softmax(-1) @ value
        return mixed.transpose(1, 2).reshape(-1, shape.heads * HEAD_DIM)

    def _turn(self, heads):
        even, odd = heads[..., 0::2], heads[..., 1::2]
        turned = (even * self.cosine - odd * self.sine, even * self.sine + odd * self.cosine)
        return torch.stack(turned, dim=-1).flatten(-2)

    def loss(self, states, embedding, targets):
        """The sum of the nats of the rows whose target is not NO_TARGET."""
        logits = functional.linear(states, embedding).float()
        return functional.cross_entropy(logits, targets, ignore_index=NO_TARGET, reduction="sum")


def forward(weights, ids, steps):
    """ids [sequences, length] -> normalized final states [M, d]."""
    x = functional.embedding(ids.reshape(-1), weights["embedding"])
    for layer in range(steps.shape.layers):
        part = lambda name: weights.get(f"{layer}.{name}")
        qkv = steps.linear(steps.norm(x, part("attention_norm")), part("qkv"))
        mixed = steps.attention(qkv, part("query_norm"), part("key_norm"))
        x = x + steps.linear(mixed, part("attention_out"))
        gate_up = steps.linear(steps.norm(x, part("ffn_norm")), part("gate_up"))
        x = x + steps.linear(steps.swiglu(gate_up), part("down"))
    return steps.norm(x, weights["output_norm"])


def loss(weights, ids, targets, steps):
    """The sum of the nats of the targets; both are [sequences, length]."""
    states = forward(weights, ids, steps)
    return steps.loss(states, weights["embedding"], targets.reshape(-1))
