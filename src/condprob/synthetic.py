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
    """Pairs drawn as ``X ~ pi``, latent class ``Z ~ A[X]``, ``Y ~ B[Z]``.

    Attributes
    ----------
    pi : numpy.ndarray, shape (contexts,)
    A : numpy.ndarray, shape (contexts, m)
    B : numpy.ndarray, shape (m, outcomes)
        Row-stochastic.
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
        """The conditional probabilities ``A B``, (contexts, outcomes), built anew each time."""
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
    """Draw a model of rank ``rank`` over ``k`` contexts.

    ``pi`` is uniform on the simplex, and by default the rows of ``A`` are, too.

    Parameters
    ----------
    k, rank : int
    rows : "uniform" or "power-law"
        Rows of ``B``: uniform on the simplex, or the law ``r^-exponent / sum`` over the ranks
        ``r = 1, 2, ...`` in a random order of the outcomes, drawn anew for each row.
    exponent : float, optional
        Of the power law. READING: the paper does not print it.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    outcomes : int, optional
        Number of outcomes; ``k`` by default, as in the paper.
    concentration : float
        Of the symmetric Dirichlet distribution of the rows of ``A``: 1 is the uniform one, as in
        the paper; below it a context has a few of the classes.

    Raises
    ------
    ValueError
        If a size is below 1 or takes more memory than there is, ``rows`` is unknown, or
        ``exponent`` does not belong to it, is not finite or too steep, or ``concentration`` is
        below 0.01.
    """
    k, rank = check_integer("k", k, 1), check_integer("rank", rank, 1)
    outcomes = k if outcomes is None else check_integer("outcomes", outcomes, 1)
    check_memory(f"a model with k = {k:,} and rank = {rank:,}", 8.0 * rank * (k + outcomes))
    check_choice("rows", rows, ROW_LAWS)
    if (rows == "power-law") != (exponent is not None):
        if exponent is None:
            raise ValueError("exponent = None with rows = 'power-law': power-law rows need one")
        given = f"exponent = {in_brief(exponent)} with rows = {rows!r}"
        raise ValueError(f"{given}: for power-law rows alone")
    law = None
    if exponent is not None:
        exponent = check_number("exponent", exponent)
        with np.errstate(over="ignore"):
            law = np.arange(1, outcomes + 1, dtype=float) ** -exponent
        if not np.isfinite(law.sum()):
            raise ValueError(f"exponent = {exponent:g}: too steep for {outcomes} outcomes")
    concentration = check_number("concentration", concentration)
    if concentration < LEAST_CONCENTRATION:
        wanted = f"{LEAST_CONCENTRATION:g} or more is needed"
        raise ValueError(f"concentration = {concentration:g}: {wanted}")
    seed = check_seed(seed)
    rng = np.random.default_rng(seed)
    pi = rng.dirichlet(np.ones(k))
    A = rng.dirichlet(np.full(rank, concentration), size=k)
    if rows == "uniform":
        return Model(pi, A, rng.dirichlet(np.ones(outcomes), size=rank))
    return Model(pi, A, rng.permuted(np.tile(law / law.sum(), (rank, 1)), axis=1))


def sample_counts(model: Model, n: int, seed: Seed = 0) -> CountMatrix:
    """Draw ``n`` pairs from a `Model` and count them.

    Pairs are drawn through their latent class, so that the cost is that of ``n``; where there are
    fewer entries than pairs, the counts of all entries are drawn at once.
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
