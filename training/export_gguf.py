# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a checkpoint of train.py as a GGUF file that any engine for its architecture can read.

  python3 export_gguf.py --checkpoint RUN/checkpoint.npz --vocabulary VOCAB.json --output FILE.gguf
      [--type q8_0] [--copying FILE.json] [--reference FILE.json]
  python3 export_gguf.py --model OLD.gguf --copying FILE.json --output FILE.gguf

The second form changes nothing but what copying.py fitted.
--reference writes what an engine should compute from that very file: for a few prompts the ids, the
highest logits of the next token and a greedy continuation.
"""

import argparse
import json

import torch

import checkpoint
import gguf
import model
import quantize
import tokenizer
from shapes import CONTEXT_LENGTH, HEAD_DIM, LLAMA, NORM_EPSILON, QWEN3, ROPE_BASE, Shape

NAME = "waferpair-mini"
DESCRIPTION = "Small code completion model, trained on permissively licensed code"
FILE_TYPES = {"f32": 0, "f16": 1, "q4_0": 2, "q8_0": 7}  # general.file_type in llama.cpp's numbering
KIND_OF = {number: kind for kind, number in FILE_TYPES.items()}
TENSOR_TYPES = {"f32": gguf.F32, "f16": gguf.F16, "q4_0": gguf.Q4_0, "q8_0": gguf.Q8_0}
# Architectures whose files mean the pairs (i, i + HEAD_DIM / 2) of a head.
PAIRS_ARE_HALVES = (QWEN3,)
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
    architecture = shape.architecture
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
        ("general.architecture", text, architecture),
        ("general.type", text, "model"),
        ("general.name", text, NAME),
        ("general.description", text, DESCRIPTION),
        ("general.license", text, "GPL-3.0-or-later"),
        ("general.file_type", integer, FILE_TYPES[kind]),
        ("general.quantization_version", integer, 2),
        ("general.alignment", integer, gguf.ALIGNMENT),
        (f"{architecture}.vocab_size", integer, vocabulary.size),
        (f"{architecture}.context_length", integer, CONTEXT_LENGTH),
        (f"{architecture}.embedding_length", integer, shape.width),
        (f"{architecture}.block_count", integer, shape.layers),
        (f"{architecture}.feed_forward_length", integer, shape.hidden),
        (f"{architecture}.attention.head_count", integer, shape.heads),
        (f"{architecture}.attention.head_count_kv", integer, shape.kv_heads),
        (f"{architecture}.attention.layer_norm_rms_epsilon", gguf.FLOAT32, NORM_EPSILON),
        (f"{architecture}.attention.key_length", integer, HEAD_DIM),
        (f"{architecture}.attention.value_length", integer, HEAD_DIM),
        (f"{architecture}.rope.dimension_count", integer, HEAD_DIM),
        (f"{architecture}.rope.freq_base", gguf.FLOAT32, ROPE_BASE),
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


def reordered(rows, shape, back=False):
    """Rows of whole heads (or a head's gains) as the architecture's files order them, or `back`."""
    if shape.architecture not in PAIRS_ARE_HALVES:
        return rows
    pairs = (2, HEAD_DIM // 2) if back else (HEAD_DIM // 2, 2)
    heads = rows.reshape(-1, *pairs, *rows.shape[1:])
    return heads.transpose(1, 2).reshape(rows.shape)


def tensors(shape, weights, kind):
    """The tensor section: matrices in `kind`, but with Q4_0 the embedding in Q8_0; norms always
    float32; no output.weight (tied)."""
    matrix = TENSOR_TYPES[kind]
    query_rows, kv_rows = shape.heads * HEAD_DIM, shape.kv_heads * HEAD_DIM
    embedding = gguf.Q8_0 if matrix == gguf.Q4_0 else matrix
    listed = [("token_embd.weight", weights["embedding"], embedding)]
    for layer in range(shape.layers):
        part = lambda name: weights[f"{layer}.{name}"]
        query, key, value = part("qkv").split([query_rows, kv_rows, kv_rows])
        gate, up = part("gate_up").split(shape.hidden)
        block = f"blk.{layer}."
        listed += [
            (block + "attn_norm.weight", part("attention_norm"), gguf.F32),
            (block + "attn_q.weight", reordered(query, shape), matrix),
            (block + "attn_k.weight", reordered(key, shape), matrix),
            (block + "attn_v.weight", value, matrix),
            (block + "attn_output.weight", part("attention_out"), matrix),
            (block + "ffn_norm.weight", part("ffn_norm"), gguf.F32),
            (block + "ffn_gate.weight", gate, matrix),
            (block + "ffn_up.weight", up, matrix),
            (block + "ffn_down.weight", part("down"), matrix),
        ]
        if shape.head_norms:
            for name in ("query", "key"):
                gains = reordered(part(name + "_norm"), shape)
                listed.append((f"{block}attn_{name[0]}_norm.weight", gains, gguf.F32))
    listed.append(("output_norm.weight", weights["output_norm"], gguf.F32))
    packed = [(name, value.numpy(), kind) for name, value, kind in listed]
    return [gguf.Tensor(n, v.shape, kind, quantize.pack(v, kind)) for n, v, kind in packed]


def load_model(path):
    """(shape, weights, vocabulary) of a file this module wrote, dequantized."""
    file = gguf.Reader(path)
    architecture = file.metadata["general.architecture"]
    if architecture not in (LLAMA, QWEN3):
        raise ValueError(f"{path}: {architecture} is no architecture that is trained here")
    fact = lambda name: file.metadata[f"{architecture}.{name}"]
    stored = {n: torch.from_numpy(quantize.unpack(t)) for n, t in file.tensors.items()}
    shape = Shape(
        architecture=architecture,
        vocabulary=fact("vocab_size"),
        width=fact("embedding_length"),
        layers=fact("block_count"),
        heads=fact("attention.head_count"),
        kv_heads=fact("attention.head_count_kv"),
        hidden=fact("feed_forward_length"),
    )
    weights = {
        "embedding": stored["token_embd.weight"],
        "output_norm": stored["output_norm.weight"],
    }
    for layer in range(shape.layers):
        part = lambda name: stored[f"blk.{layer}.{name}.weight"]
        turned = lambda name: reordered(part(name), shape, back=True)
        weights[f"{layer}.attention_norm"] = part("attn_norm")
        weights[f"{layer}.qkv"] = torch.cat([turned("attn_q"), turned("attn_k"), part("attn_v")])
        if shape.head_norms:
            weights[f"{layer}.query_norm"] = turned("attn_q_norm")
            weights[f"{layer}.key_norm"] = turned("attn_k_norm")
        weights[f"{layer}.attention_out"] = part("attn_output")
        weights[f"{layer}.ffn_norm"] = part("ffn_norm")
        weights[f"{layer}.gate_up"] = torch.cat([part("ffn_gate"), part("ffn_up")])
        weights[f"{layer}.down"] = part("ffn_down")
    return shape, weights, tokenizer.Vocabulary.of_model(file.metadata)


@torch.no_grad()
def next_logits(shape, weights, ids):
    """The logits behind the last of `ids`, computed afresh over the whole prompt."""
    steps = model.PlainSteps(shape, len(ids))
    return model.forward(weights, torch.tensor([ids]), steps)[-1] @ weights["embedding"].t()


def reference(path):
    """What an engine should compute from the file at `path`."""
    shape, weights, vocabulary = load_model(path)
    prompts = [(text, vocabulary.encode(text.encode("utf-8"))) for text in REFERENCE_PROMPTS]
    fim = [vocabulary.suf, *vocabulary.encode(b"\n    return total\n"), vocabulary.pre]
    fim += vocabulary.encode(b"def mean(values):\n    total = ")
    prompts.append(("", fim))
    cases = []
    for text, ids in prompts:
        top = next_logits(shape, weights, ids).topk(REFERENCE_TOP)
        continuation = []
        for _ in range(REFERENCE_STEPS):
            continuation.append(int(next_logits(shape, weights, ids + continuation).argmax()))
        case = {"text": text, "ids": ids}
        pairs = zip(top.indices.tolist(), top.values.tolist())
        case["top"] = [[token, round(logit, 5)] for token, logit in pairs]
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
        found = checkpoint.load(options.checkpoint)
        vocabulary = tokenizer.Vocabulary.load(options.vocabulary)
        shape, kind, seen = found.shape, options.type, found.progress["tokens"]
        if shape.vocabulary != vocabulary.size:
            parser.error(f"{options.vocabulary} is not the vocabulary of {options.checkpoint}")
        stored = tensors(shape, found.weights, kind)
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
