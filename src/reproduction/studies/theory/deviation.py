"""Theorem 8: the largest relative deviation over quantised classes small enough to enumerate."""

from itertools import product

import numpy as np
from scipy.special import rel_entr

from condprob.synthetic import draw_model
from reproduction.scores.seeds import spawn_seed
from reproduction.verdicts.cases import make_case

LARGEST_CLASS = 2_000_000  # matrices that are enumerated, at most


def score_deviation(root, given):
    """Yield the supremum of Theorem 8, ``(R - R_n) / sqrt(R)`` over a class, for each sample.

    The class has every product of quantised factors with entries above ``epsilon``. READING: R_n is
    taken as Eq. (2) is printed, with the true P; with C_ij / C_i it is no mean of the pairs.
    """
    for rank in given["rank"]:
        k, levels = given["k"], given["levels"]
        rng = np.random.default_rng(spawn_seed(root, "theory", "deviation", rank))
        model = draw_model(k, rank, seed=rng)
        P = 0.5 / k + 0.5 * model.P
        epsilon = 1 / levels**2
        members = enumerate_class(k, rank, levels, epsilon)
        logs = np.log(P / members)  # (members, k, k)
        risks = (model.pi[:, None] * rel_entr(P, members)).sum(axis=(1, 2))
        kept = risks > 1e-12  # READING: of a member that is P itself the ratio is 0 / 0
        for n, trial in product(given["n"], range(given["draws"])):
            shares = rng.multinomial(n, (model.pi[:, None] * P).ravel()) / n
            empirical = logs.reshape(len(logs), -1) @ shares
            worst = ((risks - empirical)[kept] / np.sqrt(risks[kept])).max()
            yield {
                "k": k,
                "rank": rank,
                "n": n,
                "trial": trial,
                "levels": levels,
                "deviation": worst,
                "delta": P.min(),
                "epsilon": epsilon,
            }


def enumerate_class(k, rank, levels, epsilon):
    """Return each product of factors of multiples of ``1/levels`` with entries above ``epsilon``.

    Returns
    -------
    numpy.ndarray, shape (members, k, k)
    """
    of_A, of_B = (np.array(list(_compositions(levels, size))) / levels for size in (rank, k))
    if len(of_A) ** k * len(of_B) ** rank > LARGEST_CLASS:
        raise ValueError(f"k = {k}, rank = {rank}, levels = {levels}: too many to enumerate")
    A = of_A[np.array(list(product(range(len(of_A)), repeat=k)))]
    B = of_B[np.array(list(product(range(len(of_B)), repeat=rank)))]
    members = np.unique(np.einsum("aim,bmj->abij", A, B).reshape(-1, k * k).round(12), axis=0)
    return members[(members > epsilon).all(axis=1)].reshape(-1, k, k)


def _compositions(total, parts):
    """Yield every way to write a number as a sum of so many whole ones, zero among them."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


def tail_bound(rows, tau):
    """Return the bound of Theorem 8 on the probability that the supremum exceeds ``tau``.

    READING: the printed exponent is damaged; ``n tau^2`` stands over
    ``20 log(1/epsilon) + 2 tau sqrt(10 log(1/epsilon) / delta)``, as a variance and a scale that
    are relative to the risk and to its root have to.
    """
    one = rows.iloc[0]
    log = np.log(1 / one["epsilon"])
    spread = 20 * log + 2 * tau * np.sqrt(10 * log / one["delta"])
    size = 2 * one["k"] * one["rank"] * np.log(one["levels"] + 1)
    return np.exp(np.minimum(0.0, size - one["n"] * tau**2 / spread))


def check_deviation(scores):
    """Hold the share of samples beyond each observed deviation against the bound."""
    for (k, rank, n), rows in scores.groupby(["k", "rank", "n"], sort=True):
        seen = np.sort(rows["deviation"])
        shares = 1 - np.arange(seen.size) / seen.size
        excess = (shares - tail_bound(rows, np.maximum(seen, 0.0))).max()
        case = "largest excess of a fraction of samples over the bound"
        yield make_case("theorem-8", case, excess, 0, k, rank, n)
