# SPDX-License-Identifier: GPL-3.0-or-later
"""Muon for the matrices, Adam for embedding and gains."""

import torch

MUON_RATE = 0.015
EMBEDDING_RATE = 0.006
GAIN_RATE = 0.003
WEIGHT_DECAY = 0.1
MOMENTUM = 0.95
ADAM_BETAS = (0.9, 0.95)
WARM_UP_STEPS = 30


def orthogonalise(matrix, products):
    """Newton-Schulz iteration towards the nearest matrix with all singular values near 1."""
    x = (matrix / (matrix.norm() + 1e-7)).to(products)
    transposed = x.shape[0] > x.shape[1]
    if transposed:
        x = x.t()
    for _ in range(5):
        square = torch.mm(x, x.t())
        step = torch.addmm(square, square, square, beta=-4.7750, alpha=2.0315)
        x = torch.addmm(x, step, x, beta=3.4445)
    return (x.t() if transposed else x).to(matrix.dtype)


def is_muon(name, weight):
    return name != "embedding" and weight.ndim == 2


def empty_state(weights):
    """What a checkpoint keeps of an optimizer that has done nothing yet."""
    state = {}
    for name, value in weights.items():
        state[name + "/momentum"] = torch.zeros_like(value)
        if not is_muon(name, value):
            state[name + "/square"] = torch.zeros_like(value)
    return state


class Optimizer:
    """`state` is as empty_state() makes it; weights and state are changed in place. `products`:
    what those of the iteration round their operands to."""

    def __init__(self, weights, state, products):
        self.weights = weights
        self.state = state
        self.products = products

    @torch.no_grad()
    def update(self, name, gradient, step, rate):
        """One step for one tensor; `rate` is the schedule's factor, `step` counts from 1."""
        rate *= min(1.0, step / WARM_UP_STEPS)
        weight = self.weights[name]
        momentum = self.state[name + "/momentum"]
        if is_muon(name, weight):
            momentum.mul_(MOMENTUM).add_(gradient)
            change = orthogonalise(gradient + MOMENTUM * momentum, self.products)
            # Tall matrices get longer steps, so that outputs change by the same amount.
            stretch = max(1.0, weight.shape[0] / weight.shape[1]) ** 0.5
            weight.mul_(1 - WEIGHT_DECAY * MUON_RATE * rate)
            weight.sub_(change, alpha=MUON_RATE * rate * stretch)
            return
        square = self.state[name + "/square"]
        momentum.lerp_(gradient, 1 - ADAM_BETAS[0])
        square.lerp_(gradient.square(), 1 - ADAM_BETAS[1])
        deviation = (square / (1 - ADAM_BETAS[1] ** step)).sqrt_().add_(1e-8)
        change = momentum / (1 - ADAM_BETAS[0] ** step) / deviation
        if name == "embedding":
            # Adam moves the many rare rows as fast as the few frequent ones, and all of them away
            # from the mean state. What all rows share changes no probability, but as input it would
            # drown what tells tokens apart, so it is taken out.
            change -= change.mean(dim=0)
        weight.sub_(change, alpha=rate * (EMBEDDING_RATE if name == "embedding" else GAIN_RATE))
