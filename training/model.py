# SPDX-License-Identifier: GPL-3.0-or-later
"""waferpair-mini in numpy: a llama transformer, forward and backward, in float32.

Architecture (GGUF `general.architecture = llama`): pre-norm RMSNorm with gain, rotary positions
over interleaved pairs (2i, 2i + 1) of each head (GGUF's "NORM" layout, so weights are exported as
they are), grouped-query attention, SwiGLU, output head tied to the token embedding, no biases.

Shapes: M = rows (sequences x length), d = width, V = vocabulary. Matrices are [out, in], applied as
x @ W.T.
"""

import ctypes
import hashlib
import os
import subprocess
import tempfile

import numpy as np

HEAD_DIM = 64
ROPE_BASE = 10000.0
QUERY_BLOCK = 128  # queries handled together; keys behind the block are skipped (causal)


class Shape:
    """The sizes of a model."""

    def __init__(self, vocabulary=4096, width=192, layers=4, heads=3, kv_heads=1, hidden=512):
        self.vocabulary = vocabulary
        self.width = width
        self.layers = layers
        self.heads = heads
        self.kv_heads = kv_heads
        self.hidden = hidden

    @property
    def qkv(self):
        """Rows of the fused query, key, value matrix."""
        return (self.heads + 2 * self.kv_heads) * HEAD_DIM

    def parameters(self):
        """{name: shape}, in a fixed order."""
        shapes = {"embedding": (self.vocabulary, self.width)}
        for layer in range(self.layers):
            shapes[f"{layer}.attention_norm"] = (self.width,)
            shapes[f"{layer}.qkv"] = (self.qkv, self.width)
            shapes[f"{layer}.attention_out"] = (self.width, self.heads * HEAD_DIM)
            shapes[f"{layer}.ffn_norm"] = (self.width,)
            shapes[f"{layer}.gate_up"] = (2 * self.hidden, self.width)
            shapes[f"{layer}.down"] = (self.width, self.hidden)
        shapes["output_norm"] = (self.width,)
        return shapes

    def as_dict(self):
        return dict(vars(self))


def initial_weights(shape, seed):
    """Blocks start as the identity: matrices that write to the residual stream are zero."""
    random = np.random.default_rng(seed)
    weights = {}
    for name, dimensions in shape.parameters().items():
        if name == "output_norm":
            value = np.full(dimensions, 0.08)
        elif name.endswith("norm"):
            value = np.ones(dimensions)
        elif name == "embedding":
            value = random.normal(0, 0.3, dimensions)
        elif name.endswith((".attention_out", ".down")):
            value = np.zeros(dimensions)
        else:
            value = random.normal(0, dimensions[1] ** -0.5, dimensions)
        weights[name] = value.astype(np.float32)
    return weights


def load_kernels():
    """Compiles kernels.c for this processor, once per version of the file, and loads it."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels.c")
    flags = ["-O3", "-march=native", "-ffast-math", "-shared", "-fPIC"]
    with open(source, "rb") as file:
        version = hashlib.sha256(file.read() + " ".join(flags).encode()).hexdigest()[:16]
    library = os.path.join(tempfile.gettempdir(), f"waferpair-kernels-{os.getuid()}-{version}.so")
    if not os.path.exists(library):
        partial = f"{library}.{os.getpid()}"
        subprocess.run(["gcc", *flags, source, "-o", partial, "-lm"], check=True)
        os.replace(partial, library)
    return ctypes.CDLL(library)


def pointer(array):
    assert array.flags.c_contiguous or array.ndim == 1 or array.strides[-1] == array.itemsize
    return ctypes.c_void_p(array.ctypes.data)


def rope_tables(length):
    """cos and sin of position times frequency, each [length, HEAD_DIM / 2]."""
    frequencies = ROPE_BASE ** (-np.arange(0, HEAD_DIM, 2) / HEAD_DIM)
    angles = np.arange(length)[:, None] * frequencies[None, :]
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


class Worker:
    """Forward and backward for a micro-batch of `sequences` x `length` tokens, in own buffers.

    Several workers may share `weights` and run in different threads: numpy and the kernels release
    the interpreter lock. Gradients add up in `gradients` until `clear` is called.
    """

    def __init__(self, shape, weights, sequences, length):
        self.shape = shape
        self.weights = weights
        self.sequences = sequences
        self.length = length
        self.kernels = load_kernels()
        self.cosine, self.sine = rope_tables(length)
        self.gradients = {name: np.zeros(s, np.float32) for name, s in shape.parameters().items()}
        rows = sequences * length
        empty = lambda *dimensions: np.empty(dimensions, np.float32)
        width, attention, hidden = shape.width, shape.heads * HEAD_DIM, shape.hidden
        # Kept from forward to backward, per layer.
        self.inputs = [empty(rows, width) for _ in range(shape.layers + 1)]
        self.middles = [empty(rows, width) for _ in range(shape.layers)]
        self.inverses = [empty(2, rows) for _ in range(shape.layers)]
        self.qkvs = [empty(rows, shape.qkv) for _ in range(shape.layers)]
        self.mixed = [empty(rows, attention) for _ in range(shape.layers)]
        self.gate_ups = [empty(rows, 2 * hidden) for _ in range(shape.layers)]
        self.blocks = [self._probability_blocks() for _ in range(shape.layers)]
        # Scratch.
        self.normed = empty(rows, width)
        self.activation = empty(rows, hidden)
        self.wide = empty(rows, width)
        self.dwide = empty(rows, width)
        self.dx = empty(rows, width)
        self.dqkv = empty(rows, shape.qkv)
        self.dmixed = empty(rows, attention)
        self.dhidden = empty(rows, hidden)
        self.logits = empty(rows, shape.vocabulary)
        self.loss = empty(rows)
        self.final_inverse = empty(rows)
        matrices = {name: g for name, g in self.gradients.items() if g.ndim == 2}
        self.products = {name: np.empty_like(g) for name, g in matrices.items()}

    def _probability_blocks(self):
        """[sequence][head] -> list of (first query, probabilities [block, keys])."""
        firsts = range(0, self.length, QUERY_BLOCK)
        ends = [min(first + QUERY_BLOCK, self.length) for first in firsts]
        make = lambda: [(f, np.empty((e - f, e), np.float32)) for f, e in zip(firsts, ends)]
        return [[make() for _ in range(self.shape.heads)] for _ in range(self.sequences)]

    def clear(self):
        for gradient in self.gradients.values():
            gradient.fill(0)

    # --- forward ---------------------------------------------------------------------------------

    def forward(self, ids):
        """ids [sequences, length] -> normalised final state [M, d] in `self.normed`."""
        weights, shape = self.weights, self.shape
        self.ids = np.ascontiguousarray(ids.reshape(-1), np.int64)
        np.take(weights["embedding"], self.ids, axis=0, out=self.inputs[0])
        for layer in range(shape.layers):
            x, middle = self.inputs[layer], self.middles[layer]
            inverse = self.inverses[layer]
            self._norm(x, weights[f"{layer}.attention_norm"], self.normed, inverse[0])
            np.matmul(self.normed, weights[f"{layer}.qkv"].T, out=self.qkvs[layer])
            self._rotate(self.qkvs[layer], 1.0)
            self._attend(layer)
            np.matmul(self.mixed[layer], weights[f"{layer}.attention_out"].T, out=middle)
            middle += x
            self._norm(middle, weights[f"{layer}.ffn_norm"], self.normed, inverse[1])
            np.matmul(self.normed, weights[f"{layer}.gate_up"].T, out=self.gate_ups[layer])
            self._swiglu(layer)
            np.matmul(self.activation, weights[f"{layer}.down"].T, out=self.inputs[layer + 1])
            self.inputs[layer + 1] += middle
        self._norm(self.inputs[-1], weights["output_norm"], self.normed, self.final_inverse)

    def losses(self, ids, targets, scale=1.0):
        """Nats per position [M] (a buffer); the logits become their gradient times `scale`."""
        self.forward(ids)
        np.matmul(self.normed, self.weights["embedding"].T, out=self.logits)
        self.targets = np.ascontiguousarray(targets.reshape(-1), np.int64)
        self.kernels.crossEntropy(
            pointer(self.logits), pointer(self.targets), pointer(self.loss), ctypes.c_float(scale),
            ctypes.c_int64(self.logits.shape[0]), ctypes.c_int64(self.shape.vocabulary),
        )  # fmt: skip
        return self.loss

    def _norm(self, x, gain, y, inverse):
        self.kernels.rmsNorm(
            pointer(x), pointer(gain), pointer(y), pointer(inverse),
            ctypes.c_int64(x.shape[0]), ctypes.c_int64(x.shape[1]),
        )  # fmt: skip

    def _rotate(self, qkv, direction):
        self.kernels.rotate(
            pointer(qkv), ctypes.c_int64(qkv.shape[1]), pointer(self.cosine), pointer(self.sine),
            ctypes.c_int64(qkv.shape[0]), ctypes.c_int64(self.shape.heads + self.shape.kv_heads),
            ctypes.c_int64(HEAD_DIM), ctypes.c_int64(self.length), ctypes.c_float(direction),
        )  # fmt: skip

    def _swiglu(self, layer):
        self.kernels.swiGlu(
            pointer(self.gate_ups[layer]), pointer(self.activation),
            ctypes.c_int64(self.activation.shape[0]), ctypes.c_int64(self.shape.hidden),
        )  # fmt: skip

    def _head(self, array, sequence, head):
        """A [length, HEAD_DIM] view; `head` counts queries, then keys, then values."""
        rows = slice(sequence * self.length, (sequence + 1) * self.length)
        return array[rows, head * HEAD_DIM : (head + 1) * HEAD_DIM]

    def _heads(self):
        """Yields (sequence, query head, index of its key head, index of its value head)."""
        shape = self.shape
        for sequence in range(self.sequences):
            for head in range(shape.heads):
                group = head * shape.kv_heads // shape.heads
                yield sequence, head, shape.heads + group, shape.heads + shape.kv_heads + group

    def _attend(self, layer):
        qkv = self.qkvs[layer]
        for sequence, head, key_head, value_head in self._heads():
            query = self._head(qkv, sequence, head)
            key = self._head(qkv, sequence, key_head)
            value = self._head(qkv, sequence, value_head)
            out = self._head(self.mixed[layer], sequence, head)
            for first, probability in self.blocks[layer][sequence][head]:
                rows, keys = probability.shape
                np.matmul(query[first : first + rows], key[:keys].T, out=probability)
                self.kernels.causalSoftmax(
                    pointer(probability), ctypes.c_float(HEAD_DIM**-0.5),
                    ctypes.c_int64(rows), ctypes.c_int64(keys), ctypes.c_int64(first),
                )  # fmt: skip
                np.matmul(probability, value[:keys], out=out[first : first + rows])

    # --- backward --------------------------------------------------------------------------------

    def backward(self):
        """Adds the gradients of the last `losses`, which left the logits' gradient in `logits`."""
        weights, gradients, shape = self.weights, self.gradients, self.shape
        self._add_product("embedding", self.logits, self.normed)
        np.matmul(self.logits, weights["embedding"], out=self.dwide)
        dx = self.dx
        dx.fill(0)
        self._norm_backward(self.inputs[-1], "output_norm", self.final_inverse)
        for layer in reversed(range(shape.layers)):
            middle, inverse = self.middles[layer], self.inverses[layer]
            # Feed-forward: recompute its cheap inputs instead of keeping them.
            self._swiglu(layer)
            self._add_product(f"{layer}.down", dx, self.activation)
            np.matmul(dx, weights[f"{layer}.down"], out=self.dhidden)
            self.kernels.swiGluBackward(
                pointer(self.dhidden), pointer(self.gate_ups[layer]),
                ctypes.c_int64(middle.shape[0]), ctypes.c_int64(shape.hidden),
            )  # fmt: skip
            self._norm(middle, weights[f"{layer}.ffn_norm"], self.normed, inverse[1])
            self._add_product(f"{layer}.gate_up", self.gate_ups[layer], self.normed)
            np.matmul(self.gate_ups[layer], weights[f"{layer}.gate_up"], out=self.dwide)
            self._norm_backward(middle, f"{layer}.ffn_norm", inverse[1])
            # Attention.
            self._add_product(f"{layer}.attention_out", dx, self.mixed[layer])
            np.matmul(dx, weights[f"{layer}.attention_out"], out=self.dmixed)
            self._attend_backward(layer)
            self._rotate(self.dqkv, -1.0)
            x = self.inputs[layer]
            self._norm(x, weights[f"{layer}.attention_norm"], self.normed, inverse[0])
            self._add_product(f"{layer}.qkv", self.dqkv, self.normed)
            np.matmul(self.dqkv, weights[f"{layer}.qkv"], out=self.dwide)
            self._norm_backward(x, f"{layer}.attention_norm", inverse[0])
        self.kernels.scatterAdd(
            pointer(self.ids), pointer(dx), pointer(gradients["embedding"]),
            ctypes.c_int64(dx.shape[0]), ctypes.c_int64(shape.width),
        )  # fmt: skip

    def _add_product(self, name, left, right):
        """gradients[name] += left.T @ right."""
        np.matmul(left.T, right, out=self.products[name])
        self.gradients[name] += self.products[name]

    def _norm_backward(self, x, name, inverse):
        """Adds the gradient of a norm, whose output gradient is in `self.dwide`, to `self.dx`."""
        self.kernels.rmsNormBackward(
            pointer(self.dwide), pointer(x), pointer(self.weights[name]), pointer(inverse),
            pointer(self.dx), pointer(self.gradients[name]),
            ctypes.c_int64(x.shape[0]), ctypes.c_int64(x.shape[1]),
        )  # fmt: skip

    def _attend_backward(self, layer):
        qkv, dqkv = self.qkvs[layer], self.dqkv
        dqkv.fill(0)
        for sequence, head, key_head, value_head in self._heads():
            query = self._head(qkv, sequence, head)
            key = self._head(qkv, sequence, key_head)
            value = self._head(qkv, sequence, value_head)
            dquery = self._head(dqkv, sequence, head)
            dkey = self._head(dqkv, sequence, key_head)
            dvalue = self._head(dqkv, sequence, value_head)
            dout = self._head(self.dmixed, sequence, head)
            for first, probability in self.blocks[layer][sequence][head]:
                rows, keys = probability.shape
                here = slice(first, first + rows)
                dvalue[:keys] += probability.T @ dout[here]
                dscores = dout[here] @ value[:keys].T
                self.kernels.causalSoftmaxBackward(
                    pointer(dscores), pointer(probability), ctypes.c_float(HEAD_DIM**-0.5),
                    ctypes.c_int64(rows), ctypes.c_int64(keys), ctypes.c_int64(first),
                )  # fmt: skip
                np.matmul(dscores, key[:keys], out=dquery[here])
                dkey[:keys] += dscores.T @ query[here]
