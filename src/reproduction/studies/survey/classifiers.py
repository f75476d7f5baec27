"""Classifiers of the features and of what they share, one label against all others."""

from typing import NamedTuple

import numpy as np

from condprob.estimators.structure import extend, fit_predictors
from reproduction.studies.survey.parts.tagging import ALONE, RIDGED

RIDGES = (1e-3, 1e-4)  # of the weights of features, to choose from
OF_EMBEDDING = 1e-2  # ridge of the weights of Phi x, where they have one (ours)
HELD_OUT = 0.2  # of the labelled examples, to choose by
ITERATIONS = 60  # of L-BFGS; not measured
TOL = 1e-5  # of its derivatives; not measured


class Classifier(NamedTuple):
    """What `train_classifier` returns."""

    U: np.ndarray  # weights, shape (features, labels); the largest score wins
    ridge: float  # what was chosen
    rank: int


def scale_basis(X, rows, basis):
    """Return ``Phi'`` of some features over all, with what it tells scaled to mean square one.

    The weights of ``Phi x`` have no ridge, so that its scale is free: they are found sooner.
    """
    found = np.zeros((X.shape[1], basis.shape[1]))
    told = X[:, rows] @ basis
    found[rows] = basis / np.sqrt(np.mean(told**2, axis=0))
    return found


def train_classifier(X, labels, kinds, bases, name=""):
    """Train on ``[x; Phi x]``: ridge and rank are those with fewest errors on the last examples.

    One predictor tells each label from all others, with the modified Huber loss. The weights of the
    features have a ridge, those of ``Phi x`` and of a constant have none.

    Parameters
    ----------
    X : scipy.sparse.csr_array, shape (examples, features)
        The last feature is a constant.
    labels : numpy.ndarray of int
    kinds : int
        Labels that there are.
    bases : list of numpy.ndarray, each of shape (features, dimensions)
    name : str
        `ALONE` for an infinite ridge: on ``Phi x`` alone; `RIDGED` for one of its weights, too.
    """
    cut = round((1 - HELD_OUT) * labels.size)
    ridges = (np.inf,) if name == ALONE else RIDGES
    of_embedding = OF_EMBEDDING if name == RIDGED else 0.0
    Y = np.where(labels[:, None] == np.arange(kinds), 1.0, -1.0)
    fewest, chosen = np.inf, None
    for basis in bases:
        for ridge in ridges:
            U = _fit(X[:cut], Y[:cut], basis, ridge, of_embedding)
            wrong = ((X[cut:] @ U).argmax(axis=1) != labels[cut:]).sum()
            if wrong < fewest:
                fewest, chosen = wrong, (basis, ridge)
    basis, ridge = chosen
    return Classifier(_fit(X, Y, basis, ridge, of_embedding), ridge, basis.shape[1])


def _fit(X, Y, basis, ridge, of_embedding):
    there = np.unique(X.indices)  # all other features would have the weight zero
    ridges = np.repeat([ridge, of_embedding], [there.size, basis.shape[1]])
    ridges[there.size - 1] = 0.0  # the constant
    both = extend(X[:, there], basis[there])
    fitted = fit_predictors(both, Y, ridges, iterations=ITERATIONS, tol=TOL)
    U = basis @ fitted[there.size :]
    U[there] += fitted[: there.size]
    return U


def tell_errors(told, wrong, document):
    """Yield the rows of a fit: the errors in each document."""
    for block in np.unique(document):
        own = document == block
        yield {"corpus": "brown", "block": int(block), "pairs": int(own.sum()),
               "loss": int(wrong[own].sum())} | told  # fmt: skip
