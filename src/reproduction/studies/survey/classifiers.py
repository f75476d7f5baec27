"""Classifiers of the features and of what they share, one label against all others."""

from itertools import product
from typing import NamedTuple

import numpy as np

from condprob.estimators.structure import extend, fit_predictors
from reproduction.studies.survey.parts.tagging import ALONE, ASO, SUPERVISED

RIDGES = (1e-3, 1e-4)  # of the weights of features, to choose from
OF_EMBEDDING = (1e-2, 1e-3)  # of the weights of Phi x, where they have one (ours)
ITERATIONS = 60  # of L-BFGS; not measured
TOL = 1e-5  # of its derivatives; not measured


class Classifier(NamedTuple):
    """What `train_classifier` returns."""

    U: np.ndarray  # weights, shape (features, labels); the largest score wins
    ridge: float  # what was chosen
    rank: int
    converged: bool  # whether its last fit has


def scale_basis(X, rows, basis):
    """Return ``Phi'`` of some features over all, with what it tells scaled to mean square one.

    The weights of ``Phi x`` have no ridge, so that its scale is free: they are found sooner.
    """
    found = np.zeros((X.shape[1], basis.shape[1]))
    told = X[:, rows] @ basis
    found[rows] = basis / np.sqrt(np.mean(told**2, axis=0))
    return found


def train_classifier(X, labels, kinds, bases, name):
    """Train on ``[x; Phi x]``: ridge and rank have the fewest errors on halves that are left out.

    One predictor tells each label from all others, with the modified Huber loss. The weights of the
    features have a ridge, the constant has none; nor have those of ``Phi x``, as it is printed.

    Parameters
    ----------
    X : scipy.sparse.csr_array, shape (examples, features)
        The last feature is a constant.
    labels : numpy.ndarray of int
    kinds : int
        Labels that there are.
    bases : list of numpy.ndarray, each of shape (features, dimensions)
    name : str
        `ALONE` for an infinite ridge: on ``Phi x`` alone. All but `ASO` have a ridge on its
        weights, too.
    """
    halves = np.arange(labels.size) < labels.size // 2
    ridges = (np.inf,) if name == ALONE else RIDGES
    further = (0.0,) if name in (SUPERVISED, ASO) else OF_EMBEDDING
    Y = np.where(labels[:, None] == np.arange(kinds), 1.0, -1.0)
    fewest, chosen = np.inf, None
    for setting in product(bases, ridges, further):
        wrong = 0
        for here in (halves, ~halves):
            U, _ = _fit(X[here], Y[here], *setting)
            wrong += ((X[~here] @ U).argmax(axis=1) != labels[~here]).sum()
        if wrong < fewest:
            fewest, chosen = wrong, setting
    U, converged = _fit(X, Y, *chosen)
    return Classifier(U, chosen[1], chosen[0].shape[1], converged)


def _fit(X, Y, basis, ridge, of_embedding):
    there = np.unique(X.indices)  # all other features would have the weight zero
    ridges = np.repeat([ridge, of_embedding], [there.size, basis.shape[1]])
    ridges[there.size - 1] = 0.0  # the constant
    both = extend(X[:, there], basis[there])
    fitted, converged = fit_predictors(both, Y, ridges, iterations=ITERATIONS, tol=TOL)
    U = basis @ fitted[there.size :]
    U[there] += fitted[: there.size]
    return U, converged


def tell_errors(told, found, wrong, document):
    """Yield the rows of a classifier: its errors in each document."""
    told |= {"rank": found.rank, "chosen_penalty": found.ridge, "converged": found.converged}
    for block in np.unique(document):
        own = document == block
        yield {"corpus": "brown", "block": int(block), "pairs": int(own.sum()),
               "loss": int(wrong[own].sum())} | told  # fmt: skip
