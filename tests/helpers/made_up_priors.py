"""Draws from the priors of `condprob.uncertainty`, written from their formulas."""

import numpy as np

from condprob.uncertainty.priors import EVENNESS, SCALES, SHAPE


def draw_shapes(m, outcomes, rng, size):
    """Draw ``H`` from its prior, shape (size, m, outcomes)."""
    values = draw_law(m, outcomes, rng, size)[0]
    return values / values.sum(axis=2, keepdims=True)


def draw_law(m, outcomes, rng, size):
    """Draw values, labels, levels, laws and evennesses, the first axis that of the draws."""
    evenness = np.exp(rng.uniform(*EVENNESS, size))
    law = rng.dirichlet(np.full(SCALES.size, 1 / SCALES.size), size=size)
    shape = (size, outcomes)
    inverse = rng.gamma(np.broadcast_to(evenness[:, None], shape)) / evenness[:, None]
    levels = 1 / np.maximum(inverse, 1e-300)
    labels = (rng.random((size, m, outcomes, 1)) > law.cumsum(axis=1)[:, None, None]).sum(axis=3)
    labels = np.minimum(labels, SCALES.size - 1)
    values = rng.gamma(SHAPE, size=labels.shape) * SCALES[labels] * levels[:, None]
    return np.maximum(values, 1e-300), labels, levels, law, evenness
