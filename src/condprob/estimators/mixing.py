"""Convex mixtures of models, with the weights that are likeliest for data that tune them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from condprob.annotations import Conditions
from condprob.counts import Counts, as_counts
from condprob.labelled_model import LabelledModel
from condprob.matrices.mixture import MixtureMatrix
from condprob.matrices.sparse_plus_low_rank import SparsePart, SparsePlusLowRank
from condprob.model import ConditionalModel, Ended, worst_end
from condprob.sequences.model import SequenceModel
from condprob.sequences.sentences import Sentences

ITERATIONS = 10_000  # at most; not measured
# Nats per pair: how far the likelihood of the weights may be below its maximum. Not measured.
GAP = 1e-10


@dataclass(frozen=True, eq=False, repr=False)
class MixedModel(SequenceModel):
    """A weighted mean of models of histories; it has no file of its own, its parts have.

    Attributes
    ----------
    parts : tuple of SequenceModel
    weights : numpy.ndarray, shape (parts,)
    """

    parts: tuple[SequenceModel, ...]
    weights: np.ndarray = field(repr=False)

    @property
    def order(self) -> int:
        """The largest of the parts."""
        return max(part.order for part in self.parts)

    @property
    def outcomes(self) -> int:
        """Number of words."""
        return self.parts[0].outcomes

    @property
    def ended(self) -> Ended:
        """How the worst of the parts ended."""
        return worst_end(part.ended for part in self.parts)

    def rows(self, histories: Conditions) -> np.ndarray:
        """Return the distribution after each history."""
        found = [w * part.rows(histories) for w, part in zip(self.weights, self.parts, strict=True)]
        return np.sum(found, axis=0)

    def at(self, histories: Conditions, outcomes: ArrayLike) -> np.ndarray:
        """Return the probability of each outcome after its history."""
        found = [part.at(histories, outcomes) for part in self.parts]
        return self.weights @ np.array(found)

    def save(self, path: str | PathLike[str], **labels: ArrayLike) -> None:
        """Refuse: save the parts."""
        self.arrays()

    def arrays(self) -> dict[str, np.ndarray]:
        """Refuse: save the parts."""
        raise ValueError("a mixture of models of histories has no file: save its parts")

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "MixedModel":
        """Refuse: see `arrays`."""
        raise ValueError("a mixture of models of histories has no file")


L = TypeVar("L", bound=LabelledModel)


@overload
def mix(models: Sequence[L], tune: Any) -> L: ...
@overload
def mix(models: Sequence[ConditionalModel], tune: Sentences) -> MixedModel: ...
@overload
def mix(models: Sequence[ConditionalModel], tune: Counts) -> MixtureMatrix: ...
def mix(models: Sequence[Any], tune: Any) -> Any:
    """Return the convex mixture of models that is likeliest for data: no worse than any of them.

    Parameters
    ----------
    models : sequence of SparsePlusLowRank, of SequenceModel, of Estimate, or of LanguageModel
        All matrices of one shape, or all models of histories over the same words; in labels, all of
        the same labels, numbered alike.
    tune : CountMatrix or what makes one; or Sentences; or, in labels, what `score` takes
        Held-out pairs, or text, that none of the models was fitted to.

    Returns
    -------
    MixtureMatrix or MixedModel; Estimate or LanguageModel, which has that as its `model`
        Its ``weights`` sum to one. EM finds them, to within 1e-10 nats of the maximum.

    Raises
    ------
    ValueError
        If the models do not go together or with the data, or all give zero to something in it.
    """
    if isinstance(models, ConditionalModel | LabelledModel):
        raise ValueError("one model is given: a list of models is needed")
    if not models:
        raise ValueError("no model: at least one is needed")
    if any(isinstance(model, LabelledModel) for model in models):
        return _mix_labelled(models, tune)
    if isinstance(tune, Sentences):
        if not all(isinstance(m, SequenceModel) and m.outcomes == tune.k for m in models):
            raise ValueError(f"models of histories over {tune.k} words are needed for sentences")
        chances = np.array([np.exp(model.score(tune)) for model in models])
        return MixedModel(tuple(models), weigh(chances, np.ones(tune.n)))
    counts = as_counts(tune)
    if not all(isinstance(m, SparsePlusLowRank) and m.shape == counts.shape for m in models):
        raise ValueError(f"matrices of shape {counts.shape}, as fits return them, are needed")
    chances = np.array([model.at(counts.contexts, counts.outcomes) for model in models])
    return mix_matrices(models, weigh(chances, counts.values.astype(float)))


def _mix_labelled(models, tune):
    """Do what `mix` says with models in labels; the mixture is told of as the first is."""
    first = models[0]
    if len(set(map(type, models))) > 1 or any(m.labels != first.labels for m in models):
        told = "fit all with the same contexts=[...] and outcomes=[...], or the same text and known"
        raise ValueError(f"models of the same labels in the same order are needed: {told}")
    mixed = mix([each.model for each in models], first.in_numbers(tune))
    told = {"method": f"mix of {', '.join(m.about.method for m in models)}", "seed": None}
    about = replace(first.about, options={"parts": len(models)}, **told)
    return replace(first, model=mixed, about=about)


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
    """Return the likeliest weights of the parts, shape (parts,)."""
    if not times.size or not chances.any(axis=0).all():
        raise ValueError("there is nothing to tune on, or something that all models give zero")
    weights = np.full(len(chances), 1 / len(chances))
    for _ in range(ITERATIONS):
        gains = chances @ (times / (weights @ chances)) / times.sum()
        if gains.max() - 1 < GAP:  # no mixture is likelier by more than the largest gain less one
            break
        weights *= gains
    with np.errstate(divide="ignore"):
        alone, mixed = np.log(chances) @ times, np.log(weights @ chances) @ times
    if alone.max() > mixed:
        return np.eye(len(chances))[alone.argmax()]
    return weights / weights.sum()
