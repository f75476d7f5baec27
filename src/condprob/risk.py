"""How good an estimate is against a known truth: its KL risk."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr, rel_entr, xlogy

from condprob.checks import ROW_SUM_TOLERANCE, check_number
from condprob.matrix import ConditionalMatrix
from condprob.model import ConditionalModel
from condprob.sparse_plus_low_rank import add_up_classes

ROWS_AT_ONCE = 256  # bounds the memory of `kl_risk` for a dense P; not measured


def kl_risk(
    pi: ArrayLike,
    P: ArrayLike | tuple[ArrayLike, ArrayLike],
    matrix: ConditionalMatrix,
    conditional_entropy: float | None = None,
) -> float:
    """KL risk of an estimate against the true model, in nats.

    The risk is the expected Kullback-Leibler divergence of the estimated rows from the true rows,
    with contexts weighted by their probability. It is what the paper bounds, and it requires that
    the true model be known; for data, use `cross_entropy`.

    Parameters
    ----------
    pi : array_like, shape (contexts,)
        Distribution of the contexts.
    P : array_like, shape (contexts, outcomes), or a pair of its factors (A, B)
        True conditional probabilities. With factors, the time depends only on the observed
        contexts and outcomes, because equal rows and columns of ``matrix`` are merged first.
    matrix : ConditionalMatrix
        The estimate.
    conditional_entropy : float, optional
        The result of `entropy_of_model`, if you have it; otherwise it is computed from all entries.
        Only with factors.

    Returns
    -------
    float
        The risk; zero only if the estimate is exact.

    Raises
    ------
    ValueError
        If a shape is wrong, or if ``pi`` or a row is not a distribution.

    Notes
    -----
    ``R(Q) = sum_ij pi_i P_ij log(P_ij / Q_ij)``, Eq. (1) of the paper.

    Examples
    --------
    >>> from condprob import draw_model, kl_risk, method, sample_counts
    >>> truth = draw_model(k=60, rank=3, seed=0)
    >>> estimate = method("add-half").fit(sample_counts(truth, n=2000, seed=1))
    >>> 0 < kl_risk(truth.pi, truth.P, estimate) < 1
    True
    """
    check_estimate(matrix)
    if isinstance(P, tuple):
        if len(P) != 2:
            raise ValueError(f"P has {len(P)} factors: pass a pair (A, B)")
        return KnownModel(pi, *P, conditional_entropy, matrix.shape).risk(matrix)
    pi = _check_distributions("pi", pi, matrix.shape[:1])
    P = _check_distributions("P", P, matrix.shape)
    risk = 0.0
    for start in range(0, len(pi), ROWS_AT_ONCE):
        rows = np.arange(start, min(start + ROWS_AT_ONCE, len(pi)))
        # Weights inside: a context that never occurs adds nothing, and not zero times infinity.
        weights = pi[rows, None]
        risk += float(rel_entr(weights * P[rows], weights * matrix.rows(rows)).sum())
    return risk


class KnownModel:
    """A model whose factors are checked once, for the KL risks of many estimates.

    Parameters
    ----------
    pi, A, B, conditional_entropy
        See `kl_risk`.
    shape : tuple of int, optional
        Of the estimates, contexts and outcomes; by default as the factors have it.
    """

    def __init__(
        self,
        pi: ArrayLike,
        A: ArrayLike,
        B: ArrayLike,
        conditional_entropy: float | None = None,
        shape: tuple[int, int] | None = None,
    ) -> None:
        rank = len(B) if np.ndim(B) == 2 else 0
        self.shape = shape or (len(np.atleast_1d(A)), np.shape(B)[-1] if rank else 0)
        self._pi = _check_distributions("pi", pi, self.shape[:1])
        self._A = _check_distributions("A", A, (self.shape[0], rank))
        self._B = _check_distributions("B", B, (rank, self.shape[1]))
        if conditional_entropy is not None:
            self.entropy = check_number("conditional_entropy", conditional_entropy)
        else:
            self.entropy = entropy_of_model(self._pi, self._A, self._B)
        # By classes of contexts and outcomes, which most estimates share: the mass of each pair.
        self._shares: dict[tuple[bytes, bytes], np.ndarray] = {}

    def risk(self, matrix: ConditionalMatrix) -> float:
        """Return the KL risk of an estimate, nats: see `kl_risk`."""
        check_estimate(matrix)
        if matrix.shape != self.shape:
            raise ValueError(f"an estimate of shape {matrix.shape}: must be {self.shape}")
        (contexts, context_class), (outcomes, outcome_class) = matrix.classes()
        places = context_class.tobytes(), outcome_class.tobytes()
        if places not in self._shares:
            weights = add_up_classes(self._pi[:, None] * self._A, context_class)
            self._shares[places] = weights @ add_up_classes(self._B.T, outcome_class).T
        shares = self._shares[places]
        with np.errstate(divide="ignore"):
            loss = -float(xlogy(shares, matrix.block(contexts, outcomes)).sum())
        return float(loss - self.entropy)


def entropy_of_model(pi: np.ndarray, A: np.ndarray, B: np.ndarray) -> float:
    """Return the conditional entropy ``-sum_ij pi_i P_ij log P_ij`` of ``P = A B``, nats."""
    total, room = 0.0, np.empty((min(ROWS_AT_ONCE, len(pi)), B.shape[1]))
    for start in range(0, len(pi), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        P = np.matmul(A[rows], B, out=room[: len(pi[rows])])
        total += float(pi[rows] @ entr(P, out=P).sum(axis=1))
    return total


def check_estimate(matrix: object, kind: type = ConditionalMatrix) -> None:
    """Raise ValueError unless ``matrix`` is an estimate of this kind."""
    if isinstance(getattr(matrix, "model", None), ConditionalModel):
        name = type(matrix).__name__
        raise ValueError(f"{name} speaks in labels: use its `score`, or its `model` in numbers")
    if not isinstance(matrix, kind):
        types = f"{type(matrix).__name__}: expected a {kind.__name__}"
        raise ValueError(f"the estimate is of type {types}, which a fit returns")


def _check_distributions(name: str, rows: ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    """Return an array of distributions along its last axis, or raise ValueError."""
    if np.ma.isMaskedArray(rows):
        raise ValueError(f"{name} is a masked array: say what the masked values are")
    try:
        rows = np.asarray(rows)
        rows = rows.astype(float, casting="safe" if rows.dtype.kind == "c" else "unsafe")
    except (TypeError, ValueError):
        raise ValueError(f"{name}: must be an array of numbers") from None
    if rows.shape != shape:
        raise ValueError(f"{name} of shape {rows.shape}: must be {shape}")
    # A comparison with NaN is false, so that NaN does not pass either check.
    if not (rows >= 0).all() or not (abs(rows.sum(axis=-1) - 1) <= ROW_SUM_TOLERANCE).all():
        wanted = "rows of numbers" if len(shape) > 1 else "numbers"
        raise ValueError(f"{name}: must be {wanted} >= 0 that sum to one")
    return rows
