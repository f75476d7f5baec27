"""Classifiers of the features and of their shared space, one label against all others."""

from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from condprob.methods.survey.structure import fit_predictors
from reproduction.studies.survey.features import compress, put_beside
from reproduction.studies.survey.plan import ASO, FEATURES, PHI, SUPERVISED

RIDGES = (1e-3, 1e-4)  # of the weights of features, to choose from
OF_EMBEDDING = (1e-2, 1e-3)  # of the weights of Phi x, where they have one (ours)
ITERATIONS = 60  # of L-BFGS; not measured
TOL = 1e-5  # of its derivatives; not measured


class Classifier(NamedTuple):
    """A trained classifier: see `train_classifier`."""

    w: np.ndarray  # weights of the features but for the constant, shape (features - 1, labels)
    v: np.ndarray  # of the constant and of Phi x, shape (1 + dimensions, labels)
    basis: csr_array  # Phi'
    ridge: float  # the chosen one
    converged: bool  # whether its last fit has

    def predict(self, X):
        """Return the labels with the largest scores."""
        return self.scores(X).argmax(axis=1)

    def scores(self, X):
        """Return the score of each label, shape (examples, labels)."""
        return X[:, :-1] @ self.w + embed(X, self.basis) @ self.v


def scale_basis(X, rows, basis):
    """Return ``Phi'`` of some features over all, sparse; its products have a mean square of one.

    The weights of ``Phi x`` have no ridge, so that its scale is free: they are found sooner. A
    dimension that is zero for all examples is left out.
    """
    sizes = np.sqrt(np.mean((X[:, rows] @ basis) ** 2, axis=0))
    basis = basis[:, sizes > 0] / sizes[sizes > 0]
    part = csr_array(basis).tocoo()
    return csr_array((part.data, (rows[part.row], part.col)), (X.shape[1], basis.shape[1]))


def embed(X, basis):
    """Return the constant and ``Phi x``, dense."""
    return np.column_stack([np.ones(X.shape[0]), (X @ basis).toarray()])


def train_classifier(X, labels, kinds, bases, name):
    """Train on ``[x; Phi x]``: ridge and rank have the fewest errors on halves that are left out.

    One predictor separates each label from all others, with the modified Huber loss. The weights of
    the features have a ridge, the constant has none; nor have those of ``Phi x``, as it is printed.

    Parameters
    ----------
    X : scipy.sparse.csr_array, shape (examples, features)
        The last feature is a constant.
    labels : numpy.ndarray of int
    kinds : int
        Labels that there are.
    bases : list of scipy.sparse.csr_array, each of shape (features, dimensions)
    name : str
        `PHI` and `FEATURES` for an infinite ridge: only on ``Phi x``. All but `ASO` have a ridge
        on its weights as well.
    """
    first = np.arange(labels.size) < labels.size // 2
    ridges = (np.inf,) if name in (PHI, FEATURES) else RIDGES
    further = (0.0,) if name in (SUPERVISED, ASO) else OF_EMBEDDING
    Y = np.where(labels[:, None] == np.arange(kinds), 1.0, -1.0)
    halves = []
    for here in (first, ~first):
        Z, B = compress(X[here, :-1])
        halves.append((Z, Y[here], here, X[~here, :-1] @ B, labels[~here]))
    fewest, chosen = np.inf, None
    for basis in bases:
        embedded = embed(X, basis)
        for setting in product(ridges, further):
            wrong = 0
            for Z, own, here, others, truth in halves:
                (u, v), _ = _fit(Z, embedded[here], own, *setting)
                wrong += ((others @ u + embedded[~here] @ v).argmax(axis=1) != truth).sum()
            if wrong < fewest:
                fewest, chosen = wrong, (basis, *setting)
    basis, *setting = chosen
    Z, B = compress(X[:, :-1])
    (u, v), converged = _fit(Z, embed(X, basis), Y, *setting)
    return Classifier(B @ u, v, basis, setting[0], converged)


def _fit(Z, embedded, Y, ridge, of_embedding):
    ridges = np.repeat([ridge, 0.0, of_embedding], [Z.shape[1], 1, embedded.shape[1] - 1])
    U, converged = fit_predictors(
        put_beside(Z, embedded), Y, ridges, iterations=ITERATIONS, tol=TOL
    )
    return np.split(U, [Z.shape[1]]), converged


def errors_by_document(row, found, wrong, document):
    """Yield the rows of a classifier: its errors in each document."""
    row |= {"rank": found.basis.shape[1], "chosen_penalty": found.ridge}
    row |= {"converged": found.converged}
    for block in np.unique(document):
        own = document == block
        yield {
            "corpus": "brown",
            "block": int(block),
            "pairs": int(own.sum()),
            "loss": int(wrong[own].sum()),
        } | row
