# SPDX-License-Identifier: GPL-3.0-or-later
"""A model's weights as the start of another: a larger one, or one with another vocabulary."""

import torch

import model
from shapes import HEAD_DIM

# A new token stands beside its spelling by old ones, which is as good an answer at first: shorter
# rows leave the old ones ahead.
NEW_ROW_LENGTH = 0.8


def embedding(old, old_vocabulary, new_vocabulary, fresh):
    """Rows for `new_vocabulary` from those of `old_vocabulary`. A token or special token that both
    have keeps its row. Another starts near the mean of the rows of what the old vocabulary makes of
    its bytes. Reserved ids keep their rows of `fresh`."""
    rows = fresh.clone()
    old_ids = {spelling: i for i, spelling in enumerate(old_vocabulary.token_bytes)}
    for new_id, spelling in enumerate(new_vocabulary.token_bytes):
        if spelling in old_ids:
            rows[new_id] = old[old_ids[spelling]]
        else:
            pieces = torch.tensor(old_vocabulary.encode(spelling))
            rows[new_id] = old[pieces].mean(dim=0) * NEW_ROW_LENGTH
    for name, new_id in new_vocabulary.special.items():
        if name in old_vocabulary.special:
            rows[new_id] = old[old_vocabulary.special[name]]
    return rows


def placement(old_layers, new_layers):
    """For each new layer the old one it is, or None for an added one; those are spread evenly."""
    places = [None] * new_layers
    for layer in range(old_layers):
        places[layer * new_layers // old_layers] = layer
    return places


def widened_rows(embedding, width):
    """The rows of an embedding with zeros up to `width`."""
    return torch.nn.functional.pad(embedding, (0, width - embedding.shape[1]))


def refusal(old, new):
    """Why a model of shape `old` cannot grow to `new`, or None. Vocabularies may differ."""
    if old.architecture != new.architecture:
        return "the architecture stays as it is"
    if new.width < old.width or new.hidden < old.hidden or new.layers < old.layers:
        return "width, hidden and layers only grow"
    if new.kv_heads < old.kv_heads or new.group_size < old.group_size:
        return "key/value heads and the query heads of each only grow"
    return None


def head_rows(heads):
    return torch.cat([torch.arange(head * HEAD_DIM, (head + 1) * HEAD_DIM) for head in heads])


def places(old, new):
    """{name of a layer's matrix: (rows, columns)}: where the old one stands in the new one."""
    width, hidden = torch.arange(old.width), torch.arange(old.hidden)
    queries = head_rows(
        group * new.group_size + head
        for group in range(old.kv_heads)
        for head in range(old.group_size)
    )
    keys = head_rows(range(new.heads, new.heads + old.kv_heads))
    values = keys + new.kv_heads * HEAD_DIM
    return {
        "qkv": (torch.cat([queries, keys, values]), width),
        "attention_out": (width, queries),
        "gate_up": (torch.cat([hidden, hidden + new.hidden]), width),
        "down": (width, hidden),
    }


def grown_gain(gain, width):
    """The gain of a norm whose added inputs are zero at first: these lower the root mean square of
    the whole. The added ones get the mean of the old ones."""
    scaled = gain * (len(gain) / width) ** 0.5
    return torch.cat([scaled, scaled.mean().expand(width - len(gain))])


def grow(old_shape, old_weights, shape, seed):
    """Weights of `shape`, whose function is that of the old ones. Added layers, heads and hidden
    units write nothing yet, and nothing writes to the added width, so that it stays zero; what reads
    them is random, so that all of it learns from the first step on. Raises ValueError where `shape`
    is less; the embedding of another vocabulary is not filled in here."""
    reason = refusal(old_shape, shape)
    if reason:
        raise ValueError(
            f"a model of {old_shape.as_dict()} cannot become one of {shape.as_dict()}: {reason}"
        )
    weights = model.initial_weights(shape, seed)
    weights["output_norm"] = grown_gain(old_weights["output_norm"], shape.width)
    if old_shape.vocabulary == shape.vocabulary:
        weights["embedding"] = widened_rows(old_weights["embedding"], shape.width)
    standing = places(old_shape, shape)
    for layer, source in enumerate(placement(old_shape.layers, shape.layers)):
        if source is None:
            continue
        for name in shape.of_layer():
            old = old_weights[f"{source}.{name}"]
            new = weights[f"{layer}.{name}"]
            if name in standing:
                rows, columns = standing[name]
                new[rows[:, None], columns] = old
            elif name in ("attention_norm", "ffn_norm"):
                new.copy_(grown_gain(old, shape.width))
            else:
                new.copy_(old)
    return weights
