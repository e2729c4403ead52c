# SPDX-License-Identifier: GPL-3.0-or-later
"""The sizes of a model, and what its weights are called. Standard library only.

Matrices are [out, in]; `d` is the width, `V` the vocabulary. Rotary positions turn the pairs
(2i, 2i + 1) of a head in every architecture here: export_gguf.py reorders the rows where a file's
architecture means other pairs.
"""

HEAD_DIM = 64
ROPE_BASE = 10000.0
NORM_EPSILON = 1e-5
CONTEXT_LENGTH = 1024  # tokens of the longest windows in training

# What GGUF calls architectures: "qwen3" is "llama" with normalized heads of query and key.
LLAMA, QWEN3 = "llama", "qwen3"

# `mini` runs everywhere; the others are C10, G26 and G40 with SwiGLU of as many weights.
SIZES = {
    "mini": {"architecture": LLAMA, "width": 192, "layers": 4, "heads": 3, "hidden": 512},
    "c10": {"architecture": QWEN3, "width": 320, "layers": 7, "heads": 5, "hidden": 896},
    "g26": {"architecture": QWEN3, "width": 512, "layers": 8, "heads": 8, "kv_heads": 2, "hidden": 1344},
    "g40": {"architecture": QWEN3, "width": 576, "layers": 10, "heads": 9, "kv_heads": 3, "hidden": 1536},
}  # fmt: skip


class Shape:
    def __init__(self, vocabulary, width, layers, heads, hidden, kv_heads=1, architecture=LLAMA):
        self.architecture = architecture
        self.vocabulary = vocabulary
        self.width = width
        self.layers = layers
        self.heads = heads
        self.kv_heads = kv_heads
        self.hidden = hidden

    @property
    def head_norms(self):
        return self.architecture == QWEN3

    @property
    def group_size(self):
        """Query heads that share a key/value head."""
        return self.heads // self.kv_heads

    @property
    def qkv(self):
        """Rows of the fused query, key, value matrix."""
        return (self.heads + 2 * self.kv_heads) * HEAD_DIM

    def of_layer(self):
        """{name: dimensions} of one layer's weights, in a fixed order."""
        head_norms = {"query_norm": (HEAD_DIM,), "key_norm": (HEAD_DIM,)}
        return {
            "attention_norm": (self.width,),
            "qkv": (self.qkv, self.width),
            **(head_norms if self.head_norms else {}),
            "attention_out": (self.width, self.heads * HEAD_DIM),
            "ffn_norm": (self.width,),
            "gate_up": (2 * self.hidden, self.width),
            "down": (self.width, self.hidden),
        }

    def parameters(self):
        """{name: dimensions} of all weights, in a fixed order."""
        shapes = {"embedding": (self.vocabulary, self.width)}
        for layer in range(self.layers):
            for name, dimensions in self.of_layer().items():
                shapes[f"{layer}.{name}"] = dimensions
        shapes["output_norm"] = (self.width,)
        return shapes

    def as_dict(self):
        return dict(vars(self))
