# SPDX-License-Identifier: GPL-3.0-or-later
"""A model's weights as the start of another: with more layers, or with another vocabulary."""

import torch

import model

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


def grow(old_shape, old_weights, shape, seed):
    """Weights of `shape`, whose function is that of the old ones: added layers add nothing yet.
    Raises ValueError if more differs than the number of layers and the vocabulary; the embedding of
    another vocabulary is not filled in here."""
    same = lambda s: {k: v for k, v in s.as_dict().items() if k not in ("layers", "vocabulary")}
    if same(old_shape) != same(shape) or shape.layers < old_shape.layers:
        raise ValueError(
            f"a model of {old_shape.as_dict()} cannot become one of {shape.as_dict()}: only layers "
            "can be added and the vocabulary changed"
        )
    weights = model.initial_weights(shape, seed)
    names = {"output_norm": "output_norm"}
    if old_shape.vocabulary == shape.vocabulary:
        names["embedding"] = "embedding"
    for layer, source in enumerate(placement(old_shape.layers, shape.layers)):
        if source is not None:
            for name in shape.of_layer():
                names[f"{layer}.{name}"] = f"{source}.{name}"
    for new, old in names.items():
        weights[new] = old_weights[old].clone()
    return weights
