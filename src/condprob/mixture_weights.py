"""Mixtures of models, with the weights that are likeliest for held-out data."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from condprob.checks import UNIT, in_brief
from condprob.counts import Counts, as_counts
from condprob.labelled_model import LabelledModel
from condprob.mixtures import MixedModel, MixtureMatrix
from condprob.model import ConditionalModel, worst_end
from condprob.sequences import SequenceModel
from condprob.sequences.sentences import Sentences
from condprob.sparse_plus_low_rank import SparsePart, SparsePlusLowRank
from condprob.vocabulary import Vocabulary

# At most. 400 mixtures of random parts, some equal and some useless, took 12 or fewer.
STEPS = 100
# Nats per pair: how far the likelihood of the weights may be below its maximum. Not measured.
GAP = 1e-10
# A step aims at this share of the gap, and goes this share of the way to a weight of zero. Not
# measured.
AIM, INSIDE = 0.1, 0.99


L = TypeVar("L", bound=LabelledModel)


@overload
def mix(models: Sequence[L], tune: Any = None, *, weights: ArrayLike | None = None) -> L: ...
@overload
def mix(models: Sequence[ConditionalModel], tune: Sentences) -> MixedModel: ...
@overload
def mix(models: Sequence[ConditionalModel], tune: Counts) -> MixtureMatrix: ...
@overload
def mix(
    models: Sequence[ConditionalModel], *, weights: ArrayLike
) -> MixedModel | MixtureMatrix: ...
def mix(models: Sequence[Any], tune: Any = None, *, weights: ArrayLike | None = None) -> Any:
    """Return the mixture of models that is likeliest for data: no worse than any of them.

    Parameters
    ----------
    models : sequence of SparsePlusLowRank, of SequenceModel, of Estimate, or of LanguageModel
        All matrices of one shape, or all models of histories over the same words; in labels, all of
        the same labels, numbered alike.
    tune : CountMatrix, scipy sparse matrix or 2-D array; or Sentences; or data of `score`
        Held-out pairs, or text, that none of the models was fitted to.
    weights : array_like, shape (models,), optional
        In place of ``tune``; they sum to one. A use: weights learned with fits to less data, for
        fits to all data.

    Returns
    -------
    MixtureMatrix or MixedModel; Estimate or LanguageModel, which has that as its `model`
        Its ``weights`` sum to one. The likelihood is within 1e-10 nats per pair of its maximum:
        see `weigh`.

    Raises
    ------
    ValueError
        If the models do not go together or with the data, all give zero to something in it, or
        there is neither ``tune`` nor ``weights``, or both.
    """
    if isinstance(models, ConditionalModel | LabelledModel):
        raise ValueError("one model is given: a list of models is needed")
    models = list(models)
    if not models:
        raise ValueError("no model: at least one is needed")
    if (tune is None) == (weights is None):
        raise ValueError("held-out data, tune, or weights are needed, and not both")
    if any(isinstance(model, LabelledModel) for model in models):
        return _mix_labelled(models, tune, weights)
    if weights is not None:
        return _mix_by(models, _check_shares(weights, len(models)))
    if isinstance(tune, Sentences):
        if not all(isinstance(m, SequenceModel) and m.outcomes == tune.k for m in models):
            raise ValueError(f"models of histories over {tune.k} words are needed for sentences")
        chances = np.array([np.exp(model.score(tune)) for model in models])
        return MixedModel(tuple(models), weigh(chances, np.ones(tune.n)))
    counts = as_counts(tune)
    if not all(isinstance(m, SparsePlusLowRank) and m.shape == counts.shape for m in models):
        types = ", ".join(dict.fromkeys(type(model).__name__ for model in models))
        wanted = f"matrices of shape {counts.shape} that are sparse plus low rank are needed"
        raise ValueError(f"{wanted}, and these are of type {types}")
    chances = np.array([model.at(counts.contexts, counts.outcomes) for model in models])
    return mix_matrices(models, weigh(chances, counts.values.astype(float)))


def _mix_by(models, weights):
    """Return the mixture with weights that are known."""
    if all(isinstance(m, SequenceModel) and m.outcomes == models[0].outcomes for m in models):
        return MixedModel(tuple(models), weights)
    if all(isinstance(m, SparsePlusLowRank) and m.shape == models[0].shape for m in models):
        return mix_matrices(models, weights)
    raise ValueError("matrices of one shape, or models of histories of the same words, are needed")


def _check_shares(weights: ArrayLike, models: int) -> np.ndarray:
    """Return the weights of a mixture, which sum to one, or raise ValueError."""
    found = np.asarray(weights, dtype=float)
    wanted = f"{models} numbers >= 0 that sum to one are needed"
    if found.shape != (models,) or not (found >= 0).all() or abs(found.sum() - 1) > UNIT:
        raise ValueError(f"weights = {in_brief(found.tolist())}: {wanted}")
    return found / found.sum()


def _mix_labelled(models, tune, weights):
    """Mix models in labels; the mixture describes itself as the first model does."""
    first = models[0]
    _check_labels(models)
    numbers = None if tune is None else first.in_numbers(tune)
    mixed = mix([each.model for each in models], numbers, weights=weights)
    names = ", ".join(model.about.method for model in models)
    about = replace(
        first.about, method=f"mix of {names}", options={"parts": len(models)}, seed=None
    )
    return replace(first, model=mixed, about=about)


def _check_labels(models):
    """Raise ValueError, with the first difference, unless all models have the same labels."""
    first, wanted = models[0], "models of the same labels in the same order are needed"
    kinds = dict.fromkeys(type(model).__name__ for model in models)
    if len(kinds) > 1:
        raise ValueError(f"{wanted}, and not {' and '.join(kinds)}")
    for place, other in enumerate(models):
        for one, another in zip(first.labels, other.labels, strict=True):
            if one == another:
                continue
            if not isinstance(one, Vocabulary):
                raise ValueError(f"{wanted}: model {place} cuts texts by {another}, not {one}")
            only = next((v for v in [*one, *another] if v not in one or v not in another), None)
            wrong = "the order is another" if only is None else f"{in_brief(only)} is not in both"
            how = "fit all with the same contexts=[...] and outcomes=[...], or with the same known"
            raise ValueError(f"{wanted}: of model {place} {wrong}; {how}, all words of both")


def mix_matrices(models: Sequence[SparsePlusLowRank], weights: np.ndarray) -> MixtureMatrix:
    """Return the mean of matrices of any patterns, which is sparse plus low rank again."""
    pairs = list(zip(weights, models, strict=True))
    left = np.hstack([weight * model.left for weight, model in pairs])
    right = np.vstack([model.right for model in models])
    total = csr_array(models[0].shape)
    for weight, model in pairs:
        if model.sparse is not None:
            indptr, outcomes, values = model.sparse
            total = total + csr_array((weight * values, outcomes, indptr), shape=model.shape)
    total.sort_indices()
    sparse = SparsePart(total.indptr.astype(np.int64), total.indices.astype(np.int64), total.data)
    ended = worst_end(model.ended for model in models)
    return MixtureMatrix(left, right, sparse, None, weights, ended)


def weigh(chances: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Return the likeliest weights of the parts, shape (parts,).

    They minimise ``-mean log(w P) + sum w`` over ``w >= 0``; at the minimum their sum is one, for
    there ``w`` times the slope is zero. By primal-dual steps (Wright 1997, "Primal-Dual
    Interior-Point Methods"), until the gap tells that no mixture is likelier by more than `GAP`.

    Parameters
    ----------
    chances : numpy.ndarray, shape (parts, pairs)
        Probability of each pair by each part.
    times : numpy.ndarray, shape (pairs,)
        How often each pair was seen.

    Raises
    ------
    ValueError
        If there are no pairs, or all parts give zero to one of them.
    """
    if not times.size or not chances.any(axis=0).all():
        raise ValueError("there is nothing to tune on, or something that all models give zero")
    chances = chances / chances.max(axis=0)  # the weights stay as they are, no pair vanishes
    parts, shares = len(chances), times / times.sum()
    weights, slack = np.full(parts, 1 / parts), np.ones(parts)
    for _ in range(STEPS):
        relative = chances / (weights @ chances)
        gains = relative @ shares
        # No mixture is likelier by more than the largest gain, of weights that sum to one, less 1.
        if gains.max() * weights.sum() - 1 < GAP:
            break
        bend = (relative * shares) @ relative.T + np.diag(slack / weights)
        aim = AIM * (weights @ slack) / parts / weights
        step = np.linalg.solve(bend, aim + gains - 1)
        of_slack = aim - slack - slack / weights * step
        farthest = -min((step / weights).min(), (of_slack / slack).min())
        length = INSIDE / max(farthest, INSIDE)
        weights, slack = weights + length * step, slack + length * of_slack
    weights /= weights.sum()
    with np.errstate(divide="ignore"):
        alone, mixed = np.log(chances) @ times, np.log(weights @ chances) @ times
    if alone.max() > mixed:
        return np.eye(parts)[alone.argmax()]
    return weights
