# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a checkpoint of train.py as a GGUF file that any llama engine can read.

  python3 export_gguf.py --checkpoint RUN/checkpoint.npz --vocabulary VOCAB.json --output FILE.gguf
      [--type q8_0] [--copying FILE.json] [--reference FILE.json]
  python3 export_gguf.py --model OLD.gguf --copying FILE.json --output FILE.gguf

The second form changes nothing but what copying.py fitted.
--reference writes what an engine should compute from that very file: for a few prompts the ids, the
highest logits of the next token and a greedy continuation. Needs numpy and gcc.
"""

import argparse
import json

import numpy as np

import gguf
import model
import quantize
import tokenizer
import train

NAME = "waferpair-mini"
DESCRIPTION = "Small code completion model, trained on permissively licensed code"
CONTEXT_LENGTH = train.LONG_LENGTH
NORM_EPSILON = 1e-5  # EPSILON in kernels.c
FILE_TYPES = {"f32": 0, "f16": 1, "q8_0": 7}  # general.file_type, llama.cpp's numbering
KIND_OF = {number: kind for kind, number in FILE_TYPES.items()}
TENSOR_TYPES = {"f32": gguf.F32, "f16": gguf.F16, "q8_0": gguf.Q8_0}
TOKEN_NORMAL, TOKEN_CONTROL = 1, 3

FIM_ORDER = "spm"
FIM_LAYOUT = "{file}{name}{suf}{suffix}{pre}{prefix}"

COPY_KEY = "waferpair.copying.scorer"

REFERENCE_PROMPTS = [
    "def add(a, b):\n    return a",
    "#include <stdio.h>\n\nint main(int argc, char** argv) {\n  printf(\"%d",
    "fn main() {\n    let mut values = Vec::new();\n    for i in 0..10 {\n        values.",
]
REFERENCE_TOP = 20
REFERENCE_STEPS = 20


def metadata(shape, vocabulary, kind, tokens_seen, copy_weights):
    """The key-value section, as gguf.write takes it. `copy_weights` may be empty."""
    alphabet = tokenizer.byte_alphabet()
    spell = lambda data: "".join(alphabet[byte] for byte in data)
    tokens = [spell(data) for data in vocabulary.token_bytes] + vocabulary.special_tokens()
    merges = []
    for left, right in vocabulary.merges:
        pair = (vocabulary.token_bytes[left], vocabulary.token_bytes[right])
        merges.append(" ".join(map(spell, pair)))
    types = [TOKEN_NORMAL] * vocabulary.first_special
    types += [TOKEN_CONTROL] * tokenizer.SPECIAL_COUNT
    integer, text = gguf.UINT32, gguf.STRING
    facts = [
        ("general.architecture", text, "llama"),
        ("general.type", text, "model"),
        ("general.name", text, NAME),
        ("general.description", text, DESCRIPTION),
        ("general.license", text, "GPL-3.0-or-later"),
        ("general.file_type", integer, FILE_TYPES[kind]),
        ("general.quantization_version", integer, 2),
        ("general.alignment", integer, gguf.ALIGNMENT),
        ("llama.vocab_size", integer, vocabulary.size),
        ("llama.context_length", integer, CONTEXT_LENGTH),
        ("llama.embedding_length", integer, shape.width),
        ("llama.block_count", integer, shape.layers),
        ("llama.feed_forward_length", integer, shape.hidden),
        ("llama.attention.head_count", integer, shape.heads),
        ("llama.attention.head_count_kv", integer, shape.kv_heads),
        ("llama.attention.layer_norm_rms_epsilon", gguf.FLOAT32, NORM_EPSILON),
        ("llama.rope.dimension_count", integer, model.HEAD_DIM),
        ("llama.rope.freq_base", gguf.FLOAT32, model.ROPE_BASE),
        ("tokenizer.ggml.model", text, "gpt2"),
        ("tokenizer.ggml.pre", text, "waferpair"),
        ("tokenizer.ggml.tokens", (gguf.ARRAY, text), tokens),
        ("tokenizer.ggml.token_type", (gguf.ARRAY, gguf.INT32), types),
        ("tokenizer.ggml.merges", (gguf.ARRAY, text), merges),
        ("tokenizer.ggml.bos_token_id", integer, vocabulary.eot),
        ("tokenizer.ggml.eos_token_id", integer, vocabulary.eot),
        ("tokenizer.ggml.eot_token_id", integer, vocabulary.eot),
        ("tokenizer.ggml.fim_pre_token_id", integer, vocabulary.pre),
        ("tokenizer.ggml.fim_suf_token_id", integer, vocabulary.suf),
        ("tokenizer.ggml.fim_mid_token_id", integer, vocabulary.mid),
        ("tokenizer.ggml.fim_sep_token_id", integer, vocabulary.file),
        ("tokenizer.ggml.add_bos_token", gguf.BOOL, False),
        ("tokenizer.ggml.add_eos_token", gguf.BOOL, False),
        ("waferpair.fim.order", text, FIM_ORDER),
        ("waferpair.fim.layout", text, FIM_LAYOUT),
        ("waferpair.fim.file_token_id", integer, vocabulary.file),
        ("waferpair.training.tokens", integer, tokens_seen),
    ]
    if copy_weights:
        facts.append((COPY_KEY, (gguf.ARRAY, gguf.FLOAT32), copy_weights))
    return facts


def tensors(shape, weights, kind):
    """The tensor section: matrices in `kind`, norms always float32; no output.weight (tied)."""
    matrix = TENSOR_TYPES[kind]
    query_rows, kv_rows = shape.heads * model.HEAD_DIM, shape.kv_heads * model.HEAD_DIM
    listed = [("token_embd.weight", weights["embedding"], matrix)]
    for layer in range(shape.layers):
        qkv = weights[f"{layer}.qkv"]
        gate_up = weights[f"{layer}.gate_up"]
        block = f"blk.{layer}."
        listed += [
            (block + "attn_norm.weight", weights[f"{layer}.attention_norm"], gguf.F32),
            (block + "attn_q.weight", qkv[:query_rows], matrix),
            (block + "attn_k.weight", qkv[query_rows : query_rows + kv_rows], matrix),
            (block + "attn_v.weight", qkv[query_rows + kv_rows :], matrix),
            (block + "attn_output.weight", weights[f"{layer}.attention_out"], matrix),
            (block + "ffn_norm.weight", weights[f"{layer}.ffn_norm"], gguf.F32),
            (block + "ffn_gate.weight", gate_up[: shape.hidden], matrix),
            (block + "ffn_up.weight", gate_up[shape.hidden :], matrix),
            (block + "ffn_down.weight", weights[f"{layer}.down"], matrix),
        ]
    listed.append(("output_norm.weight", weights["output_norm"], gguf.F32))
    return [gguf.Tensor(n, v.shape, kind, quantize.pack(v, kind)) for n, v, kind in listed]


def load_model(path):
    """(shape, weights, vocabulary) of a file this module wrote, dequantized."""
    file = gguf.Reader(path)
    facts = file.metadata
    stored = {name: quantize.unpack(tensor) for name, tensor in file.tensors.items()}
    shape = model.Shape(
        vocabulary=facts["llama.vocab_size"],
        width=facts["llama.embedding_length"],
        layers=facts["llama.block_count"],
        heads=facts["llama.attention.head_count"],
        kv_heads=facts["llama.attention.head_count_kv"],
        hidden=facts["llama.feed_forward_length"],
    )
    weights = {
        "embedding": stored["token_embd.weight"],
        "output_norm": stored["output_norm.weight"],
    }
    for layer in range(shape.layers):
        part = lambda name: stored[f"blk.{layer}.{name}.weight"]
        weights[f"{layer}.attention_norm"] = part("attn_norm")
        weights[f"{layer}.qkv"] = np.concatenate([part("attn_q"), part("attn_k"), part("attn_v")])
        weights[f"{layer}.attention_out"] = part("attn_output")
        weights[f"{layer}.ffn_norm"] = part("ffn_norm")
        weights[f"{layer}.gate_up"] = np.concatenate([part("ffn_gate"), part("ffn_up")])
        weights[f"{layer}.down"] = part("ffn_down")
    return shape, weights, tokenizer.Vocabulary.of_model(facts)


def next_logits(shape, weights, ids):
    """The logits behind the last of `ids`, computed afresh over the whole prompt."""
    worker = model.Worker(shape, weights, 1, len(ids))
    worker.forward(np.array([ids]))
    return worker.normed[-1] @ weights["embedding"].T


def reference(path):
    """What an engine should compute from the file at `path`."""
    shape, weights, vocabulary = load_model(path)
    prompts = [(text, vocabulary.encode(text.encode("utf-8"))) for text in REFERENCE_PROMPTS]
    fim = [vocabulary.suf, *vocabulary.encode(b"\n    return total\n"), vocabulary.pre]
    fim += vocabulary.encode(b"def mean(values):\n    total = ")
    prompts.append(("", fim))
    cases = []
    for text, ids in prompts:
        logits = next_logits(shape, weights, ids)
        top = np.argsort(-logits)[:REFERENCE_TOP]
        continuation = []
        for _ in range(REFERENCE_STEPS):
            continuation.append(int(np.argmax(next_logits(shape, weights, ids + continuation))))
        case = {"text": text, "ids": ids}
        case["top"] = [[int(token), round(float(logits[token]), 5)] for token in top]
        case["greedy"] = continuation
        case["greedy_text"] = vocabulary.decode(continuation).decode("utf-8", "replace")
        cases.append(case)
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint")
    parser.add_argument("--vocabulary")
    parser.add_argument("--model", help="a file this program wrote, instead of these two")
    parser.add_argument("--output", required=True)
    parser.add_argument("--type", choices=sorted(TENSOR_TYPES), default="q8_0")
    parser.add_argument("--copying", help="what copying.py wrote")
    parser.add_argument("--reference", help="write the expected logits to this file")
    options = parser.parse_args()
    copying = []
    if options.copying:
        with open(options.copying, encoding="utf-8") as file:
            copying = json.load(file)
    if options.model:
        shape, _, vocabulary = load_model(options.model)
        old = gguf.Reader(options.model)
        kind = KIND_OF[old.metadata["general.file_type"]]
        seen = old.metadata["waferpair.training.tokens"]
        stored = list(old.tensors.values())
    elif options.checkpoint and options.vocabulary:
        shape, weights, _, progress = train.load(options.checkpoint)
        vocabulary = tokenizer.Vocabulary.load(options.vocabulary)
        kind, seen = options.type, progress["tokens"]
        stored = tensors(shape, weights, kind)
    else:
        parser.error("name --checkpoint and --vocabulary, or --model")
    gguf.write(options.output, metadata(shape, vocabulary, kind, seen, copying), stored)
    print(f"{options.output}: {seen} tokens of training")
    if options.reference:
        lines = ",\n".join("  " + json.dumps(case) for case in reference(options.output))
        with open(options.reference, "w", encoding="utf-8") as file:
            file.write('{\n "cases": [\n%s\n ]\n}\n' % lines)


if __name__ == "__main__":
    main()
