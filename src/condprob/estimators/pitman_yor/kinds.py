"""The kind of low-rank base, by held-out pairs."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from condprob.estimators.pitman_yor.bases import Background, Fitting, LowRankBase, fit_components
from condprob.estimators.pitman_yor.held_out import HeldOut, ask, first_folds
from condprob.estimators.pitman_yor.settings import TELLING, Candidates, learn, prior_of
from condprob.estimators.splits import Split

# The kinds that are tried, and nats that each is given for every held-out pair that the others
# lack. Pairs drawn at random from a text are more like the others than the pairs of the next text
# are, and flatter the kinds that learn the pairs themselves. (docs/beyond.md, "The kinds of base",
# says why; the numbers were not measured.)
HANDICAPS = {"types": 0.01, "tokens": 0.0, "ad-lr": -0.01}
RANKS_APART = 2  # every second rank is enough to compare the kinds by; not measured
ITERATIONS_APART = 4  # and a quarter of the iterations; not measured


def choose_kind(
    folds: Sequence[Split],
    ranks: Sequence[int],
    backgrounds: Sequence[Background],
    how: Fitting,
    candidates: Candidates,
    rng: np.random.Generator,
    progress: bool,
) -> str:
    """Return the kind of base under which held-out pairs are likeliest, each with its handicap.

    Parameters
    ----------
    folds : sequence of Split
        At least one; the first are used that have enough held-out pairs.
    ranks : sequence of int
    backgrounds : sequence of Background
        What else is in the base.
    how : Fitting
        Of a fit that is made to be used.
    candidates : Candidates
        The rows, too, are as they would be.
    rng : numpy.random.Generator
    progress : bool
        See `bases.fit_components`.
    """
    likelihoods = {}
    how = replace(how, iterations=max(how.iterations // ITERATIONS_APART, 1))
    folds = first_folds(folds, [fold.held_out.n for fold in folds], TELLING)
    for kind, handicap in HANDICAPS.items():
        of_kind = [LowRankBase(kind, rank) for rank in ranks[::RANKS_APART]]
        components = [*of_kind, *backgrounds]
        parts = [
            ask(fold, fit_components(components, fold.rest, how, rng, progress)) for fold in folds
        ]
        found = learn(parts, candidates, prior_of(components))
        likelihoods[kind] = mean_likelihood(parts, found.likelihood, handicap)
    return max(likelihoods, key=likelihoods.get)


def mean_likelihood(parts: Sequence[HeldOut], likelihood: float, handicap: float) -> float:
    """Return the likelihood of a held-out pair, nats, with a handicap for each that is new."""
    pairs = sum(part.counts.sum() for part in parts)
    new = sum(part.counts[part.is_new].sum() for part in parts)
    return (likelihood + handicap * new) / pairs
