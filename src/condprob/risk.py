"""How good an estimate is: KL risk against a known truth, cross-entropy on held-out pairs."""

import numpy as np

from condprob.matrices.sparse_low_rank import add_up_classes

ROWS_AT_ONCE = 256  # bounds the memory of `kl_risk` for a dense P


def cross_entropy(test_counts, matrix):
    """Return ``(1/n') sum_ij C'_ij log(1/Q_ij)``, nats per pair (Section 6's test measure).

    Parameters
    ----------
    test_counts : CountMatrix
        ``n'`` held-out pairs.
    matrix : ConditionalMatrix
        The estimate; infinite where it gives zero to a pair that occurs.
    """
    if test_counts.k != matrix.k:
        raise ValueError(f"test counts with k = {test_counts.k}: k = {matrix.k} is needed")
    if test_counts.n == 0:
        raise ValueError("cross-entropy on no pairs: at least one test pair is needed")
    losses = pair_losses(test_counts.contexts, test_counts.outcomes, matrix)
    return float(test_counts.values @ losses / test_counts.n)


def perplexity(test_counts, matrix):
    """Return ``exp(cross_entropy)``: as many equally likely outcomes would be as hard."""
    return float(np.exp(cross_entropy(test_counts, matrix)))


def pair_losses(contexts, outcomes, matrix):
    """Return ``log(1/Q)`` of each pair, nats, shape (n,)."""
    with np.errstate(divide="ignore"):
        return -np.log(matrix.at(contexts, outcomes))


def kl_risk(pi, P, matrix, conditional_entropy=None):
    """Return ``R(Q) = sum_ij pi_i P_ij log(P_ij / Q_ij)``, nats (Eq. 1).

    Parameters
    ----------
    pi : array_like, shape (k,)
        Distribution of the contexts.
    P : array_like, shape (k, k), or a pair of its factors (A, B)
        True conditional probabilities. From factors, contexts and outcomes that ``matrix`` does
        not distinguish are added up first: the cost is that of the seen ones, not ``k^2``.
    matrix : ConditionalMatrix
    conditional_entropy : float, optional
        `conditional_entropy` of the model, with factors only; it costs ``k^2`` if not given.
    """
    pi = np.asarray(pi, dtype=float)
    if pi.shape != (matrix.k,):
        raise ValueError(f"pi of shape {pi.shape}: {(matrix.k,)} is needed")
    if isinstance(P, tuple):
        A, B = P
        if conditional_entropy is None:
            conditional_entropy = entropy_of_model(pi, A, B)
        return float(_expected_loss(pi, A, B, matrix) - conditional_entropy)
    from scipy.special import rel_entr

    P = np.asarray(P, dtype=float)
    if P.shape != matrix.shape:
        raise ValueError(f"P of shape {P.shape}: {matrix.shape} is needed")
    risk = 0.0
    for start in range(0, len(pi), ROWS_AT_ONCE):
        rows = np.arange(start, min(start + ROWS_AT_ONCE, len(pi)))
        weights = pi[rows, None]  # inside: a context that never occurs adds nothing, not 0 * inf
        risk += float(rel_entr(weights * P[rows], weights * matrix.rows(rows)).sum())
    return risk


def entropy_of_model(pi, A, B):
    """Return the conditional entropy ``-sum_ij pi_i P_ij log P_ij`` of ``P = A B``, nats."""
    from scipy.special import entr

    total = 0.0
    for start in range(0, len(pi), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        total += float(pi[rows] @ entr(A[rows] @ B).sum(axis=1))
    return total


def _expected_loss(pi, A, B, matrix):
    """Return ``sum_ij pi_i P_ij log(1/Q_ij)`` over classes of contexts and of outcomes."""
    from scipy.special import xlogy

    (contexts, context_class), (outcomes, outcome_class) = matrix.classes()
    weights = add_up_classes(pi[:, None] * A, context_class)
    masses = add_up_classes(B.T, outcome_class)
    with np.errstate(divide="ignore"):
        return -float(xlogy(weights @ masses.T, matrix.block(contexts, outcomes)).sum())
