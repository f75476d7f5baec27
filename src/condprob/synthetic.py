"""Synthetic models of Section 7: a distribution of contexts and a low-rank matrix."""

from dataclasses import dataclass, field

import numpy as np

from condprob.counts import CountMatrix, check_integer

ROW_LAWS = ("uniform", "power-law")


@dataclass(frozen=True, eq=False)
class Model:
    """Pairs drawn as ``X ~ pi``, latent class ``Z ~ A[X]``, ``Y ~ B[Z]``.

    Attributes
    ----------
    pi : numpy.ndarray, shape (k,)
    A : numpy.ndarray, shape (k, m)
    B : numpy.ndarray, shape (m, k)
        Row-stochastic.
    """

    pi: np.ndarray = field(repr=False)
    A: np.ndarray = field(repr=False)
    B: np.ndarray = field(repr=False)

    @property
    def k(self):
        """Number of contexts, and of outcomes."""
        return self.pi.size

    @property
    def rank(self):
        """Number of latent classes, ``m``."""
        return self.B.shape[0]

    @property
    def P(self):
        """The ``k x k`` conditional probabilities ``A B``, built anew each time."""
        return self.A @ self.B


def draw_model(k, rank, rows="uniform", exponent=None, seed=0):
    """Draw a model of rank ``rank`` over ``k`` contexts and outcomes.

    ``pi`` and the rows of ``A`` are uniform on the simplex.

    Parameters
    ----------
    k, rank : int
    rows : "uniform" or "power-law"
        Rows of ``B``: uniform on the simplex, or the law ``r^-exponent / sum`` over the ranks
        ``r = 1..k`` in a random order of the outcomes, drawn anew for each row.
    exponent : float, optional
        Of the power law. READING: the paper does not print it.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator

    Raises
    ------
    ValueError
        If ``k`` or ``rank`` is below 1, ``rows`` is unknown, or ``exponent`` does not belong to it.
    """
    k, rank = check_integer("k", k, 1), check_integer("rank", rank, 1)
    if rows not in ROW_LAWS:
        raise ValueError(f"rows = {rows!r}: one of {', '.join(ROW_LAWS)} is needed")
    if (rows == "power-law") != (exponent is not None):
        raise ValueError(f"exponent = {exponent!r} with rows = {rows!r}: for power-law rows alone")
    rng = np.random.default_rng(seed)
    pi = rng.dirichlet(np.ones(k))
    A = rng.dirichlet(np.ones(rank), size=k)
    if rows == "uniform":
        return Model(pi, A, rng.dirichlet(np.ones(k), size=rank))
    law = np.arange(1, k + 1, dtype=float) ** -exponent
    return Model(pi, A, rng.permuted(np.tile(law / law.sum(), (rank, 1)), axis=1))


def sample_counts(model, n, seed=0):
    """Draw ``n`` pairs from a `Model` and count them.

    Pairs are drawn through their latent class, so that the cost is that of ``n``, not ``k^2``;
    where ``k^2`` is the smaller, the counts of all cells are drawn at once.
    """
    n = check_integer("n", n, 1)
    rng = np.random.default_rng(seed)
    if model.k**2 <= n:
        cells = rng.multinomial(n, (model.pi[:, None] * model.P).ravel())
        return CountMatrix.from_dense(cells.reshape(model.k, model.k))
    contexts = np.repeat(np.arange(model.k), rng.multinomial(n, model.pi))  # their order is free
    classes = _draw(model.A, contexts, rng)
    outcomes = _draw(model.B, classes, rng)
    return CountMatrix.from_pairs(contexts, outcomes, model.k)


def _draw(rows, which, rng):
    """Draw a label from ``rows[which[s]]`` for each ``s``, by inversion of all rows at once."""
    steps = np.cumsum(rows, axis=1)
    steps /= steps[:, -1:]  # the last step is exactly one: no draw falls off the end
    steps += np.arange(len(rows))[:, None]
    found = np.searchsorted(steps.ravel(), which + rng.random(which.size), side="right")
    return np.minimum(found - which * rows.shape[1], rows.shape[1] - 1)
