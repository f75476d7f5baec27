"""Mixtures of models, with the maximum-likelihood weights on held-out data."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from condprob.checks import ROW_SUM_TOLERANCE, Conditions, in_brief
from condprob.counts import CountMatrix, Counts
from condprob.evaluation import in_numbers
from condprob.files.stored import stored, stored_parts
from condprob.labelled_model import PARTS_OF_MIXTURE, LabelledModel
from condprob.model import ENDS, ConditionalModel, Ended, worst_end
from condprob.sparse_plus_low_rank import SparsePart, SparsePlusLowRank
from condprob.text import SequenceModel
from condprob.text.sentences import Sentences
from condprob.vocabulary import Vocabulary
from condprob.weights import mixture_weights

L = TypeVar("L", bound=LabelledModel)


@dataclass(frozen=True, eq=False, repr=False)
class MixtureMatrix(SparsePlusLowRank, kind="mixture"):
    """Weighted mean of matrices that were fitted to the same counts; a result of `mix`.

    Attributes
    ----------
    weights : numpy.ndarray, shape (components,)
        Weights of the components; they sum to one.
    ended : {"direct", "settled", "limit"}
        The worst way in which a component's fit ended: closed form, converged, or iteration limit.

    Examples
    --------
    >>> from condprob import method, mix
    >>> counts = [[4, 1, 0], [0, 2, 2]]
    >>> parts = [method("add-half").fit(counts), method("kn").fit(counts)]
    >>> mix(parts, weights=[0.5, 0.5]).shape
    (2, 3)
    """

    weights: np.ndarray = stored("f", "components", default=None, low=0, high=1 + ROW_SUM_TOLERANCE)
    ended: Ended = stored("U", default="limit", choices=ENDS)


@dataclass(frozen=True, eq=False, repr=False)
class MixedModel(SequenceModel, kind="mixed histories"):
    """``p = sum of weight_k p_k``, of models over the same words; their orders may differ.

    Attributes
    ----------
    weights : numpy.ndarray, shape (parts,)
        They sum to one.
    parts : tuple of SequenceModel
    """

    weights: np.ndarray = stored("f", "components", low=0, high=1 + ROW_SUM_TOLERANCE)
    parts: tuple[SequenceModel, ...] = stored_parts(SequenceModel, "part")

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
        """The worst end of the parts."""
        return worst_end(part.ended for part in self.parts)

    def rows(self, histories: Conditions) -> np.ndarray:
        """Return the distribution after each history."""
        found = [w * part.rows(histories) for w, part in zip(self.weights, self.parts, strict=True)]
        return np.sum(found, axis=0)

    def at(self, histories: Conditions, outcomes: ArrayLike) -> np.ndarray:
        """Return the probability of each outcome after its history."""
        found = [part.at(histories, outcomes) for part in self.parts]
        return self.weights @ np.array(found)

    @classmethod
    def restored(cls, values: dict[str, Any]) -> Self:
        found = super().restored(values)
        if not found.parts or len(found.parts) != found.weights.size:
            raise ValueError("a mixture must have a weight for each of its parts")
        return found


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
    """Combine fitted models into a weighted mixture.

    The weights maximise the likelihood of ``tune``; on that data the mixture is at least as good as
    its best component. Use data to which no component was fitted: otherwise the one that memorised
    its training data gets all the weight.

    Parameters
    ----------
    models : sequence of SparsePlusLowRank, of SequenceModel, of Estimate, or of LanguageModel
        Models to combine. Matrices must have the same shape, and sequence models the same words.
        Labelled models must have the same labels in the same order: pass the same ``contexts=`` and
        ``outcomes=`` to `fit`, or ``known=`` to `fit_text`.
    tune : CountMatrix, scipy sparse matrix or 2-D array; or Sentences; or data of `score`
        Held-out data on which to learn the weights. Give either ``tune`` or ``weights``.
    weights : array_like, shape (models,), optional
        Fixed weights that sum to one, for example learned on fits to less data.

    Returns
    -------
    MixtureMatrix, MixedModel, Estimate or LanguageModel
        The mixture, of the kind of its components. The ``weights`` of its model sum to one, and the
        likelihood is within 1e-12 nats per pair of its maximum.

    Raises
    ------
    ValueError
        If the models do not match each other or the data, if all give probability zero to something
        in the data, or if neither or both of ``tune`` and ``weights`` are given.

    Examples
    --------
    >>> from condprob import method, mix
    >>> counts = [[4, 1, 0], [0, 2, 2]]
    >>> parts = [method("add-half").fit(counts), method("kn").fit(counts)]
    >>> mix(parts, weights=[0.25, 0.75]).weights.tolist()
    [0.25, 0.75]
    """
    if isinstance(models, ConditionalModel | LabelledModel):
        raise ValueError("models: must be a list of models, such as mix([one, other], ...)")
    models = list(models)
    if not models:
        raise ValueError("models: the list is empty; pass at least one model")
    if (tune is None) == (weights is None):
        raise ValueError("pass either held-out data, tune=..., or weights=...")
    if any(isinstance(model, LabelledModel) for model in models):
        return _mix_labelled(models, tune, weights)
    first = models[0]
    are_texts = all(isinstance(m, SequenceModel) and m.outcomes == first.outcomes for m in models)
    if not are_texts and not all(
        isinstance(m, SparsePlusLowRank) and m.shape == first.shape for m in models
    ):
        wanted = "sparse plus low rank, of the same shape, or text models of the same words"
        types = ", ".join(dict.fromkeys(map(in_brief, models)))
        raise ValueError(f"models: must be matrices that are {wanted} (got {types})")
    if weights is not None:
        shares = _check_shares(weights, len(models))
    else:
        shares = _learn(models, in_numbers(tune, first)[1])
    return MixedModel(shares, tuple(models)) if are_texts else mix_matrices(models, shares)


def _learn(models: Sequence[Any], tune: CountMatrix | Sentences) -> np.ndarray:
    """Return the maximum-likelihood weights, or raise ValueError with what the data lack."""
    if isinstance(tune, Sentences):
        chances = np.array([np.exp(model.score(tune)) for model in models])
        times = np.ones(tune.n)
    else:
        chances = np.array([model.at(tune.contexts, tune.outcomes) for model in models])
        times = tune.values.astype(float)
    if not times.size:
        raise ValueError("tune: the data contain no pairs or words that the models know")
    if not chances.any(axis=0).all():
        raise ValueError("tune: all models give probability zero to a pair; add a smoothed model")
    return mixture_weights(chances, times)


def _check_shares(weights: ArrayLike, models: int) -> np.ndarray:
    """Return the weights of a mixture, which sum to one, or raise ValueError."""
    found = np.asarray(weights, dtype=float)
    wanted = f"must be {models} numbers >= 0 that sum to one"
    if (
        found.shape != (models,)
        or not (found >= 0).all()
        or abs(found.sum() - 1) > ROW_SUM_TOLERANCE
    ):
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
        first.about, method=f"mix of {names}", options={PARTS_OF_MIXTURE: len(models)}, seed=None
    )
    return replace(first, model=mixed, about=about)


def _check_labels(models):
    """Raise ValueError, with the first difference, unless all models have the same labels."""
    first, wanted = models[0], "models: must have the same labels in the same order"
    kinds = dict.fromkeys(type(model).__name__ for model in models)
    if len(kinds) > 1:
        raise ValueError(f"{wanted} (got {' and '.join(kinds)})")
    for place, other in enumerate(models):
        for one, another in zip(first.labels, other.labels, strict=True):
            if one == another:
                continue
            if not isinstance(one, Vocabulary):
                raise ValueError(f"{wanted}; models[{place}] reads texts by {another}, not {one}")
            only = next((v for v in [*one, *another] if v not in one or v not in another), None)
            wrong = f"models[0] and models[{place}] have them in different orders"
            if only is not None:
                wrong = f"only one of models[0] and models[{place}] has {in_brief(only)}"
            is_table = all(isinstance(each, Vocabulary) for each in first.labels)
            how = "contexts=[...] and outcomes=[...]" if is_table else "words, known=[...]"
            raise ValueError(f"{wanted}; {wrong}. Fit all with the same {how}")


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
