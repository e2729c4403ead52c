# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of model.py on a processor, by the functions of kernels.c.

Each runs on the calling thread, so several threads may train side by side. What they do is defined
by model.PlainSteps.
"""

import ctypes
import functools
import hashlib
import os
import subprocess
import tempfile
import time

import torch

import model
from shapes import HEAD_DIM, NORM_EPSILON

QUERY_BLOCK = 128  # positions handled together; keys behind the block are skipped (causal)
LOGIT_ROWS = 512  # rows of logits at a time: they stay in the cache

# What a product's operands are rounded to; sums are float32. Names of --products.
FLOAT32, BFLOAT16 = "float32", "bfloat16"

# glibc's mallopt: memory that is given back between two tensors costs a page fault a page.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8


@functools.lru_cache(maxsize=None)
def load():
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


def fastest_products(seconds=0.1):
    """What multiplies quicker here, by trials of so many seconds of processor time each.

    Processors with AMX, and AMD's with AVX512_BF16, gain by BFLOAT16; Intel's with AVX512_BF16 alone lose.
    """
    rates = {}
    for name, kind in ((FLOAT32, torch.float32), (BFLOAT16, torch.bfloat16)):
        x, weight = torch.ones(1024, 320, dtype=kind), torch.ones(896, 320, dtype=kind)
        torch.nn.functional.linear(x, weight)
        count, begun = 0, time.thread_time()
        while time.thread_time() < begun + seconds:
            torch.nn.functional.linear(x, weight)
            count += 1
        rates[name] = count / (time.thread_time() - begun)
    return max(rates, key=rates.get)


def keep_memory():
    """Lets this process keep what tensors had; to be called before there are threads."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        libc.mallopt(M_ARENA_MAX, 1)
        libc.mallopt(M_MMAP_THRESHOLD, 32 << 20)
        libc.mallopt(M_TRIM_THRESHOLD, 1 << 30)


def call(name, *arguments):
    """A function of kernels.c with tensors, whole numbers, floats and None (a null pointer)."""
    converted = []
    for argument in arguments:
        if isinstance(argument, torch.Tensor):
            argument = ctypes.c_void_p(argument.data_ptr())
        elif isinstance(argument, float):
            argument = ctypes.c_float(argument)
        elif isinstance(argument, int):
            argument = ctypes.c_int64(argument)
        converted.append(argument)
    getattr(load(), name)(*converted)


class Product(torch.autograd.Function):
    """functional.linear with operands rounded to bfloat16."""

    @staticmethod
    def forward(context, x, weight):
        x, weight = x.bfloat16(), weight.bfloat16()
        context.save_for_backward(x, weight)
        return torch.mm(x, weight.t()).float()

    @staticmethod
    def backward(context, dy):
        x, weight = context.saved_tensors
        dy = dy.bfloat16()
        return torch.mm(dy, weight).float(), torch.mm(dy.t(), x).float()


class Norm(torch.autograd.Function):
    @staticmethod
    def forward(context, x, gain):
        x = x.contiguous()
        y, inverse = torch.empty_like(x), torch.empty(x.shape[0])
        call("rmsNorm", x, gain, NORM_EPSILON, y, inverse, *x.shape)
        context.save_for_backward(x, gain, inverse)
        return y

    @staticmethod
    def backward(context, dy):
        x, gain, inverse = context.saved_tensors
        dx, dgain = torch.empty_like(x), torch.zeros_like(gain)
        call("rmsNormBackward", dy.contiguous(), x, gain, inverse, dx, dgain, *x.shape)
        return dx, dgain


class SwiGlu(torch.autograd.Function):
    @staticmethod
    def forward(context, gate_up):
        rows, hidden = gate_up.shape[0], gate_up.shape[1] // 2
        out = torch.empty(rows, hidden)
        call("swiGlu", gate_up, out, rows, hidden)
        context.save_for_backward(gate_up)
        return out

    @staticmethod
    def backward(context, dout):
        (gate_up,) = context.saved_tensors
        gradient = torch.empty_like(gate_up)
        call("swiGluBackward", dout.contiguous(), gate_up, gradient, *dout.shape)
        return gradient


class Loss(torch.autograd.Function):
    """Forward computes the gradients, too: a block of logits is there only once."""

    @staticmethod
    def forward(context, states, embedding, targets, wanted):
        loss = torch.empty(len(states))
        dstates = torch.empty_like(states) if wanted else None
        dembedding = torch.zeros_like(embedding) if wanted else None
        logits = torch.empty(min(LOGIT_ROWS, len(states)), len(embedding))
        for first in range(0, len(states), LOGIT_ROWS):
            rows = slice(first, first + LOGIT_ROWS)
            z = logits[: len(states[rows])]
            torch.mm(states[rows], embedding.t(), out=z)
            call("crossEntropy", z, targets[rows], loss[rows], *z.shape)
            if wanted:
                torch.mm(z, embedding, out=dstates[rows])
                dembedding.addmm_(z.t(), states[rows])
        context.gradients = dstates, dembedding
        return loss.sum()

    @staticmethod
    def backward(context, dloss):
        dstates, dembedding = context.gradients
        return dstates.mul_(dloss), dembedding.mul_(dloss), None, None


class Bfloat16Loss(Loss):
    """With operands and logits rounded to bfloat16."""

    @staticmethod
    def forward(context, states, embedding, targets, wanted):
        loss, scratch = torch.empty(len(states)), torch.empty(len(embedding))
        dstates = torch.empty_like(states) if wanted else None
        dembedding = torch.zeros_like(embedding) if wanted else None
        states, embedding = states.bfloat16(), embedding.bfloat16()
        for first in range(0, len(states), LOGIT_ROWS):
            rows = slice(first, first + LOGIT_ROWS)
            z = torch.mm(states[rows], embedding.t())
            call("crossEntropyBfloat16", z, targets[rows], loss[rows], scratch, *z.shape)
            if wanted:
                dstates[rows] = torch.mm(z, embedding)
                dembedding += torch.mm(z.t(), states[rows])
        context.gradients = dstates, dembedding
        return loss.sum()


class Attention(torch.autograd.Function):
    """Key by key head. The query heads that share one stand in a row, position by position, so that
    a block of positions is one matrix. Scores are float32 whatever the products are of."""

    @staticmethod
    def forward(context, qkv, query_norm, key_norm, steps):
        mixed = torch.empty(len(qkv), steps.shape.heads * HEAD_DIM)
        context.steps = steps
        context.kept = []
        for group in range(steps.shape.kv_heads):
            query_at, key_at, value_at = steps.columns(group)
            query = Turned(qkv[:, query_at], query_norm, steps)
            key = Turned(qkv[:, key_at], key_norm, steps)
            value = steps.operand(qkv[:, value_at])
            out = torch.empty_like(query.heads)
            blocks = []
            for lines, keys, first in steps.blocks(len(qkv)):
                scores = torch.mm(query.heads[lines], key.heads[keys].t())
                sizes = (*scores.shape, steps.group_size, first)
                probability = steps.softmax(scores, sizes)
                out[lines] = torch.mm(probability, value[keys])
                blocks.append((lines, keys, sizes, probability))
            mixed[:, query_at] = out.view(len(qkv), -1)
            context.kept.append((query, key, value, blocks))
        return mixed

    @staticmethod
    def backward(context, dmixed):
        steps = context.steps
        dqkv = torch.zeros(len(dmixed), steps.shape.qkv)
        dnorms = [torch.zeros(HEAD_DIM), torch.zeros(HEAD_DIM)]
        for group, (query, key, value, blocks) in enumerate(context.kept):
            query_at, key_at, value_at = steps.columns(group)
            dout = steps.operand(dmixed[:, query_at].reshape(-1, HEAD_DIM))
            queries, keys_turned = steps.operand(query.heads), steps.operand(key.heads)
            dquery, dkey = torch.empty_like(query.heads), torch.zeros_like(key.heads)
            dvalue = dqkv[:, value_at]
            for lines, keys, sizes, probability in blocks:
                dvalue[keys] += torch.mm(probability.t(), dout[lines])
                dscores = torch.mm(dout[lines], value[keys].t())
                steps.softmax_backward(dscores, probability, sizes)
                dquery[lines] = torch.mm(dscores, keys_turned[keys])
                dkey[keys] += torch.mm(dscores.t(), queries[lines])
            query.backward(dquery, dqkv[:, query_at], dnorms[0])
            key.backward(dkey, dqkv[:, key_at], dnorms[1])
        if not steps.shape.head_norms:
            dnorms = [None, None]
        return (dqkv, *dnorms, None)


class Turned:
    """`heads` [M * n, HEAD_DIM]: the n heads of some columns of qkv, normalized with a gain and
    turned to their positions."""

    def __init__(self, columns, gain, steps):
        rows, width = columns.shape
        self.columns, self.gain, self.steps = columns, gain, steps
        self.sizes = (rows, width // HEAD_DIM, HEAD_DIM, steps.length)
        self.heads = torch.empty(rows * width // HEAD_DIM, HEAD_DIM)
        self.inverse = None if gain is None else torch.empty(len(self.heads))
        tables = (steps.cosine, steps.sine)
        call(
            "turnHeads", columns, columns.stride(0), gain, NORM_EPSILON, *tables, self.heads,
            self.inverse, *self.sizes,
        )  # fmt: skip

    def backward(self, dheads, dcolumns, dgain):
        """Writes the columns' gradient and adds that of the gain; overwrites `dheads`."""
        call(
            "turnHeadsBackward", dheads, self.columns, self.columns.stride(0), self.gain,
            self.steps.cosine, self.steps.sine, self.inverse, dcolumns, dgain, *self.sizes,
        )  # fmt: skip


class KernelSteps:
    """As model.PlainSteps on a processor, in float32 but for the operands of `products`."""

    def __init__(self, shape, length, products=FLOAT32):
        self.shape = shape
        self.products = products
        self.length = length
        self.group_size = shape.group_size
        self.cosine, self.sine = model.rope_tables(length)

    def operand(self, matrix):
        """As it goes into a product of attention."""
        return matrix.bfloat16() if self.products == BFLOAT16 else matrix

    def softmax(self, scores, sizes):
        """The probabilities, as an operand; overwrites the scores."""
        scale = HEAD_DIM**-0.5
        if self.products == BFLOAT16:
            probability = torch.empty_like(scores, dtype=torch.bfloat16)
            call("causalSoftmaxBfloat16", scores, probability, scale, *sizes)
            return probability
        call("causalSoftmax", scores, scale, *sizes)
        return scores

    def softmax_backward(self, dscores, probability, sizes):
        """The gradient of the probabilities becomes that of the scores."""
        suffix = "Bfloat16" if self.products == BFLOAT16 else ""
        call("causalSoftmaxBackward" + suffix, dscores, probability, HEAD_DIM**-0.5, *sizes)

    def linear(self, x, weight):
        if self.products == BFLOAT16:
            return Product.apply(x, weight)
        return torch.nn.functional.linear(x, weight)

    def norm(self, x, gain):
        return Norm.apply(x, gain)

    def swiglu(self, gate_up):
        return SwiGlu.apply(gate_up)

    def attention(self, qkv, query_norm, key_norm):
        return Attention.apply(qkv, query_norm, key_norm, self)

    def loss(self, states, embedding, targets):
        way = Bfloat16Loss if self.products == BFLOAT16 else Loss
        return way.apply(states, embedding, targets, torch.is_grad_enabled())

    def columns(self, group):
        """Where the queries, the key and the value of a group stand in a row of qkv; the queries
        stand there in the output, too."""
        of = lambda head, count: slice(head * HEAD_DIM, (head + count) * HEAD_DIM)
        heads, kv_heads = self.shape.heads, self.shape.kv_heads
        queries = of(group * self.group_size, self.group_size)
        return queries, of(heads + group, 1), of(heads + kv_heads + group, 1)

    def blocks(self, rows):
        """(rows of the group's queries, rows of the keys they see, position of the first one)."""
        for start in range(0, rows, self.length):
            for first in range(0, self.length, QUERY_BLOCK):
                end = min(first + QUERY_BLOCK, self.length)
                lines = slice((start + first) * self.group_size, (start + end) * self.group_size)
                yield lines, slice(start, start + end), first


def steps_for(shape, length, device, products=FLOAT32):
    """The fastest steps there are for windows of `length` tokens on a torch.device."""
    if torch.device(device).type == "cpu":
        return KernelSteps(shape, length, products)
    return model.PlainSteps(shape, length, device)
