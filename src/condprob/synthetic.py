"""Synthetic models of Section 7: a distribution of contexts and a low-rank matrix."""

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from condprob.checks import (
    Seed,
    check_choice,
    check_integer,
    check_memory,
    check_number,
    check_seed,
    in_brief,
)
from condprob.checks.frozen import Frozen, read_only
from condprob.counts import CountMatrix
from condprob.model import draw_from_steps, steps_of

ROW_LAWS = ("uniform", "power-law")
LEAST_CONCENTRATION = 0.01  # below it a class of a context is nearly always its only one


@dataclass(frozen=True, eq=False, repr=False)
class Model(Frozen):
    """Low-rank model of pairs: context, latent class, outcome.

    A context ``X`` is sampled from ``pi``, a class ``Z`` from ``A[X]``, and an outcome ``Y`` from
    ``B[Z]``.

    Attributes
    ----------
    pi : numpy.ndarray, shape (contexts,)
        Distribution of the contexts.
    A : numpy.ndarray, shape (contexts, m)
        Distribution of the class given the context; rows sum to one.
    B : numpy.ndarray, shape (m, outcomes)
        Distribution of the outcome given the class; rows sum to one.

    Examples
    --------
    >>> from condprob import draw_model
    >>> model = draw_model(k=60, rank=3, seed=0)
    >>> model.P.shape
    (60, 60)
    """

    pi: np.ndarray = field(repr=False)
    A: np.ndarray = field(repr=False)
    B: np.ndarray = field(repr=False)

    def __repr__(self) -> str:
        return f"<Model: {self.shape[0]:,} x {self.shape[1]:,}, rank {self.rank}>"

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of contexts and of outcomes."""
        return (self.pi.size, self.B.shape[1])

    @property
    def k(self) -> int:
        """Number of contexts, which the paper's models have as many of as of outcomes."""
        return self.pi.size

    @property
    def rank(self) -> int:
        """Number of latent classes, ``m``."""
        return self.B.shape[0]

    @property
    def P(self) -> np.ndarray:
        """The conditional probabilities ``A B``, (contexts, outcomes), computed at each access."""
        return self.A @ self.B

    @cached_property
    def steps(self) -> tuple[np.ndarray, np.ndarray]:
        """The `model.steps_of` both factors, which samples of any size draw by."""
        return read_only(steps_of(self.A)), read_only(steps_of(self.B))


def draw_model(
    k: int,
    rank: int,
    rows: str = "uniform",
    exponent: float | None = None,
    seed: Seed = 0,
    *,
    outcomes: int | None = None,
    concentration: float = 1.0,
) -> Model:
    """Sample a low-rank model of pairs at random, as in the paper's experiments.

    The distribution of contexts is uniform on the simplex, and so are, by default, the rows of
    ``A``.

    Parameters
    ----------
    k : int
        Number of contexts.
    rank : int
        Number of latent classes, ``m`` in the paper.
    rows : {"uniform", "power-law"}
        Rows of ``B``: uniform on the simplex, or the power law ``r^-exponent / sum`` over the ranks
        ``r = 1, 2, ...`` of the outcomes, in a random order for each row.
    exponent : float, optional
        Exponent of the power law. READING: the paper does not print it.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
        Seed or generator for all random choices. The same seed gives the same result.
    outcomes : int, optional
        Number of outcomes; by default ``k``, as in the paper.
    concentration : float
        Parameter of the symmetric Dirichlet distribution of the rows of ``A``. One is the uniform
        distribution, as in the paper; below one, a context uses only a few of the classes.

    Returns
    -------
    Model
        The model ``(pi, A, B)``; ``P = A B`` is its matrix of conditional probabilities.

    Raises
    ------
    ValueError
        If a size is below one or takes more memory than there is, ``rows`` is unknown, ``exponent``
        does not belong to it, is not finite or too steep, or ``concentration`` is below 0.01.

    Examples
    --------
    >>> from condprob import draw_model
    >>> model = draw_model(k=60, rank=3, seed=0)
    >>> model.A.shape, model.B.shape
    ((60, 3), (3, 60))
    """
    k, rank = check_integer("k", k, 1), check_integer("rank", rank, 1)
    outcomes = k if outcomes is None else check_integer("outcomes", outcomes, 1)
    check_memory(f"a model with k = {k:,} and rank = {rank:,}", 8.0 * rank * (k + outcomes))
    check_choice("rows", rows, ROW_LAWS)
    if (rows == "power-law") != (exponent is not None):
        if exponent is None:
            raise ValueError("rows='power-law' requires an exponent, such as exponent=2")
        given = f"exponent = {in_brief(exponent)} is only used with rows='power-law'"
        raise ValueError(f"{given} (got rows={rows!r}); remove it or change rows")
    law = None
    if exponent is not None:
        exponent = check_number("exponent", exponent)
        with np.errstate(over="ignore"):
            law = np.arange(1, outcomes + 1, dtype=float) ** -exponent
        if not np.isfinite(law.sum()):
            raise ValueError(f"exponent = {exponent:g}: too steep for {outcomes} outcomes")
    concentration = check_number("concentration", concentration)
    if concentration < LEAST_CONCENTRATION:
        wanted = f"must be {LEAST_CONCENTRATION:g} or more"
        raise ValueError(f"concentration = {concentration:g}: {wanted}")
    seed = check_seed(seed)
    rng = np.random.default_rng(seed)
    pi = rng.dirichlet(np.ones(k))
    A = rng.dirichlet(np.full(rank, concentration), size=k)
    if rows == "uniform":
        return Model(pi, A, rng.dirichlet(np.ones(outcomes), size=rank))
    return Model(pi, A, rng.permuted(np.tile(law / law.sum(), (rank, 1)), axis=1))


def sample_counts(model: Model, n: int, seed: Seed = 0) -> CountMatrix:
    """Sample pairs from a model and count them.

    Parameters
    ----------
    model : Model
        The model to sample from; see `draw_model`.
    n : int
        Number of pairs.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
        Seed or generator for all random choices. The same seed gives the same result.

    Returns
    -------
    CountMatrix
        Counts of the pairs, which sum to ``n``.

    Notes
    -----
    Pairs are sampled through their latent class, so that the time grows with ``n``. If the matrix
    has fewer entries than there are pairs, the counts of all entries are sampled at once.

    Examples
    --------
    >>> from condprob import draw_model, sample_counts
    >>> counts = sample_counts(draw_model(k=60, rank=3, seed=0), n=2000, seed=1)
    >>> counts.shape, counts.n
    ((60, 60), 2000)
    """
    n = check_integer("n", n, 1)
    if math.prod(model.shape) > n:
        check_memory(f"a sample of n = {n:,} pairs", 24.0 * n)
    seed = check_seed(seed)
    rng = np.random.default_rng(seed)
    if math.prod(model.shape) <= n:
        counts = rng.multinomial(n, (model.pi[:, None] * model.P).ravel())
        return CountMatrix.from_dense(counts.reshape(model.shape))
    # The pairs are counted, so their order is free: contexts come sorted.
    rows, columns = model.shape
    contexts = np.repeat(np.arange(rows), rng.multinomial(n, model.pi))
    of_A, of_B = model.steps
    classes = draw_from_steps(of_A, contexts, rng.random(contexts.size))
    outcomes = draw_from_steps(of_B, classes, rng.random(classes.size))
    # One sort takes less than the sparse arrays of `from_pairs`; studies draw thousands of samples.
    cells, counts = np.unique(contexts * columns + outcomes, return_counts=True)
    indptr = np.searchsorted(cells, np.arange(rows + 1) * columns)
    return CountMatrix(model.shape, indptr, cells % columns, counts)
