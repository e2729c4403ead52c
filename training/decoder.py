# SPDX-License-Identifier: GPL-3.0-or-later
"""Greedy generation with a key-value cache, for evaluation. One sequence, one thread."""

import numpy as np

import model

NORM_EPSILON = 1e-5


def rms_norm(x, gain):
    return x * gain / np.sqrt(np.mean(x * x) + NORM_EPSILON)


class Decoder:
    """Holds one sequence's keys and values; `prefill` starts a new sequence."""

    def __init__(self, shape, weights, context):
        self.shape = shape
        self.weights = weights
        self.keys = np.empty((shape.layers, shape.kv_heads, context, model.HEAD_DIM), np.float32)
        self.values = np.empty_like(self.keys)
        self.cosine, self.sine = model.rope_tables(context)
        self.length = 0
        self.workers = {}

    def prefill(self, ids):
        """Processes a prompt; returns the logits behind its last token."""
        # A worker's buffers depend on the length, so prompts are padded at the end to a few sizes:
        # attention is causal, what follows cannot change what is before.
        padded = -(-len(ids) // 128) * 128
        if padded not in self.workers:
            self.workers[padded] = model.Worker(self.shape, self.weights, 1, padded)
        worker = self.workers[padded]
        worker.forward(np.array([list(ids) + [0] * (padded - len(ids))]))
        heads, kv_heads = self.shape.heads, self.shape.kv_heads
        for layer, qkv in enumerate(worker.qkvs):
            by_head = qkv[: len(ids)].reshape(len(ids), -1, model.HEAD_DIM).transpose(1, 0, 2)
            self.keys[layer, :, : len(ids)] = by_head[heads : heads + kv_heads]
            self.values[layer, :, : len(ids)] = by_head[heads + kv_heads :]
        self.length = len(ids)
        return self.weights["embedding"] @ worker.normed[len(ids) - 1]

    def step(self, token):
        """Appends one token; returns the logits behind it."""
        shape, weights = self.shape, self.weights
        at = self.length
        self.length += 1
        x = weights["embedding"][token]
        for layer in range(shape.layers):
            normed = rms_norm(x, weights[f"{layer}.attention_norm"])
            qkv = (weights[f"{layer}.qkv"] @ normed).reshape(-1, model.HEAD_DIM)
            rotated = self._rotate(qkv[: shape.heads + shape.kv_heads], at)
            self.keys[layer, :, at] = rotated[shape.heads :]
            self.values[layer, :, at] = qkv[shape.heads + shape.kv_heads :]
            query = rotated[: shape.heads].reshape(shape.kv_heads, -1, model.HEAD_DIM)
            keys = self.keys[layer, :, : self.length]
            scores = query @ keys.transpose(0, 2, 1) * model.HEAD_DIM**-0.5
            scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
            scores /= scores.sum(axis=-1, keepdims=True)
            mixed = (scores @ self.values[layer, :, : self.length]).reshape(-1)
            x = x + weights[f"{layer}.attention_out"] @ mixed
            normed = rms_norm(x, weights[f"{layer}.ffn_norm"])
            gate, up = np.split(weights[f"{layer}.gate_up"] @ normed, 2)
            x = x + weights[f"{layer}.down"] @ (gate / (1 + np.exp(-gate)) * up)
        return weights["embedding"] @ rms_norm(x, weights["output_norm"])

    def _rotate(self, heads, position):
        cosine, sine = self.cosine[position], self.sine[position]
        even, odd = heads[:, 0::2], heads[:, 1::2]
        rotated = np.empty_like(heads)
        rotated[:, 0::2] = even * cosine - odd * sine
        rotated[:, 1::2] = even * sine + odd * cosine
        return rotated
