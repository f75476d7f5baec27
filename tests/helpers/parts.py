"""What holds of the parts of every estimate, beside the dense array."""

import numpy as np


def check_parts(matrix, Q):
    """Compare what `at`, `rows`, `block` and `classes` answer with the dense array."""
    rng, k = np.random.default_rng(7), len(Q)
    contexts, outcomes = rng.integers(k, size=(2, 200))
    same = {"rtol": 1e-12, "atol": 1e-16}
    np.testing.assert_allclose(matrix.at(contexts, outcomes), Q[contexts, outcomes], **same)
    np.testing.assert_allclose(matrix.rows(contexts), Q[contexts], **same)
    contexts, outcomes = rng.permutation(k)[:7], rng.permutation(k)[:5]
    block = matrix.block(contexts, outcomes)
    np.testing.assert_allclose(block, Q[np.ix_(contexts, outcomes)], **same)
    check_that_labels_of_a_class_cannot_be_told_apart(matrix, Q)


def check_that_labels_of_a_class_cannot_be_told_apart(matrix, Q):
    """Check that each row, and each column, is that of the first label of its class."""
    (contexts, context_class), (outcomes, outcome_class) = matrix.classes()
    np.testing.assert_allclose(Q[contexts[context_class]], Q, rtol=1e-12)
    np.testing.assert_allclose(Q[:, outcomes[outcome_class]], Q, rtol=1e-12)
    np.testing.assert_array_equal(context_class[contexts], np.arange(contexts.size))
    np.testing.assert_array_equal(outcome_class[outcomes], np.arange(outcomes.size))
