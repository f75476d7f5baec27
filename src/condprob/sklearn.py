"""An estimator with the habits of scikit-learn, which has to be installed.

Samples are contexts, features are outcomes, and what is in a cell is a count.
"""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data

from condprob.counts import CountMatrix
from condprob.estimators.catalogue import method as make


class ConditionalSmoother(TransformerMixin, BaseEstimator):
    """Counts in, conditional probabilities out; rows that were not fitted are folded in.

    Parameters
    ----------
    method : str
        One that folds contexts in: those of low rank, such as ``"ad-lr"``, and ``"kn"``.
    options : dict or None
        Of the method, such as ``{"rank": 20}``.
    random_state : int, numpy.random.RandomState or None

    Attributes
    ----------
    matrix_ : condprob.ConditionalMatrix
        The fit.
    n_features_in_ : int
        Number of outcomes.
    """

    def __init__(
        self, method: str = "ad-lr", options: dict[str, Any] | None = None, random_state: Any = 0
    ) -> None:
        self.method = method
        self.options = options
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Fit counts, shape (contexts, outcomes), dense or sparse; ``y`` is passed over."""
        counts = self._counts(X, reset=True)
        seed = int(check_random_state(self.random_state).randint(2**31))
        self.estimator_ = make(self.method, **(self.options or {}))
        self.matrix_ = self.estimator_.fit(counts, seed)
        return self

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Return the distribution of each row of counts, at the bases of the fit."""
        check_is_fitted(self)
        return self.estimator_.fold_in(self.matrix_, self._counts(X, reset=False)).dense()

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Return minus the cross-entropy of half of each row, folded in by the other, nats.

        Halves are drawn at random, always the same, of counts rounded to whole ones.
        """
        check_is_fitted(self)
        counts = self._counts(X, reset=False)
        whole = np.rint(counts.values).astype(np.int64)
        half = np.random.default_rng(0).binomial(whole, 0.5)
        known, other = (
            CountMatrix.from_pairs(counts.contexts, counts.outcomes, counts.shape, weights=part)
            for part in (half, whole - half)
        )
        matrix = self.estimator_.fold_in(self.matrix_, known)
        losses = -other.values * matrix.log_prob(other.contexts, other.outcomes)
        return float(-losses.sum() / max(other.n, 1))

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
