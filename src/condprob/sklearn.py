"""An estimator with the habits of scikit-learn, which has to be installed.

Samples are contexts, features are outcomes, and a cell holds a count.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

try:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data
except ImportError:
    raise ImportError("condprob.sklearn needs scikit-learn: pip install scikit-learn") from None

from condprob.catalogue import DEFAULT_METHOD, METHODS, check_folding
from condprob.catalogue import method as make
from condprob.counts import CountMatrix
from condprob.evaluation import cross_entropy
from condprob.options import warn_of_rank
from condprob.splits import halve

OPTION = "options__"  # begins the name of an option of the method, as of a part of a pipeline


class ConditionalSmoother(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Counts in, conditional probabilities and latent classes out.

    `predict_proba` returns the smoothed rows, and `transform` their weights on the latent classes,
    as `sklearn.decomposition.NMF` and `LatentDirichletAllocation` do. Rows that were not fitted are
    folded in.

    Parameters
    ----------
    method : str
        A method that folds contexts in, such as ``"py-lr"``, ``"ad-lr"``, ``"kn"`` or
        ``"add-half"``. ``fit`` refuses any other, and names these. Only methods with an option
        ``rank`` have `transform`.
    options : dict or None
        Options of the method, such as ``{"rank": 20}``; in a search their names begin with
        ``options__``, as in ``options__rank``.
    random_state : int, numpy.random.RandomState or None

    Attributes
    ----------
    matrix_ : condprob.ConditionalMatrix
        The fit.
    components_ : numpy.ndarray, shape (rank, outcomes)
        The second factor of a method with an option ``rank``: in most of them, the distribution of
        each latent class.
    n_features_in_ : int
        Number of outcomes.
    """

    def __init__(
        self,
        method: str = DEFAULT_METHOD,
        options: dict[str, Any] | None = None,
        random_state: Any = 0,
    ) -> None:
        self.method = method
        self.options = options
        self.random_state = random_state

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name, among them ``options__NAME``, an option of the method."""
        options = {name: params.pop(name) for name in [*params] if name.startswith(OPTION)}
        super().set_params(**params)
        if options:
            named = {name.removeprefix(OPTION): value for name, value in options.items()}
            self.options = {**(self.options or {}), **named}
        return self

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Fit counts, shape (contexts, outcomes), dense or sparse; ``y`` is passed over."""
        counts = self._counts(X, reset=True)
        seed = int(check_random_state(self.random_state).randint(2**31))
        if not isinstance(self.options, Mapping | None):
            wanted = f"must be a dictionary of options of {self.method}, or None"
            raise ValueError(f"options = {self.options!r}: {wanted}")
        estimator = make(self.method, **(self.options or {}))
        check_folding(self.method, "choose one of")
        warn_of_rank(estimator, *counts.shape)
        self.estimator_ = estimator
        self.matrix_ = self.estimator_.fit(counts, seed)
        self.estimator_.fold_in(self.matrix_, counts.sparse()[:1])  # some options do not, or say so
        if self.matrix_.rank is not None:
            self.components_ = self.matrix_.factors()[1]
        return self

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Return the first factor of each row of counts, shape (rows, rank).

        In most methods it is the distribution of the latent classes, given the row.
        """
        check_is_fitted(self)
        return self.estimator_.fold_in(self.matrix_, self._counts(X, reset=False)).factors()[0]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the distribution of outcomes of each row of counts, shape (rows, outcomes)."""
        check_is_fitted(self)
        return self.estimator_.fold_in(self.matrix_, self._counts(X, reset=False)).dense()

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Return minus the cross-entropy of half of each row, folded in by the other, nats.

        The halves are chosen at random with a fixed seed. Each count falls into one of them; the
        fraction of a weight falls into one of them as a piece.

        Raises
        ------
        ValueError
            If no count falls to the half that is scored.
        """
        check_is_fitted(self)
        counts = self._counts(X, reset=False)
        other, known = halve(counts, 0)
        if not other.n:
            raise ValueError(f"{counts.n:g} counts: none is left to be scored")
        matrix = self.estimator_.fold_in(self.matrix_, known)
        return -cross_entropy(other, matrix)

    @property
    def _n_features_out(self) -> int:
        """The number of columns of `transform`, which names them."""
        return len(self.components_)

    def _counts(self, X, reset):
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=reset)
        check_non_negative(X, type(self).__name__)
        return CountMatrix.from_dense(X)

    def __sklearn_tags__(self) -> Any:
        """Tell that counts may be sparse and are not negative."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags


def _has_factors(smoother: ConditionalSmoother) -> bool:
    """Whether the method of a smoother has factors, before it is fitted."""
    return smoother.method in METHODS and "rank" in METHODS[smoother.method].options


# Not decorators: scikit-learn would wrap them for `set_output`, and hide that there is a condition.
for _name in ("transform", "fit_transform", "get_feature_names_out"):
    _always = getattr(ConditionalSmoother, _name)
    setattr(ConditionalSmoother, _name, available_if(_has_factors)(_always))
