"""Mixtures of matrices: weighted means, also of parts without entries or without classes."""

import numpy as np
import pytest
from inputs import random_counts

from condprob import load, method
from condprob.mixtures import MixtureMatrix

COUNTS = random_counts(4, k=15, n=60)
KN, AD = (method(id).fit(COUNTS) for id in ("kn", "ad"))
LOW_RANK, START = (method("lr", rank=3, iterations=t).fit(COUNTS, seed=1) for t in (4, 0))


@pytest.mark.parametrize("parts", [(KN, AD), (KN, LOW_RANK), (LOW_RANK, KN), (LOW_RANK, LOW_RANK)])
def test_it_is_the_weighted_mean_and_comes_back_from_a_file(parts, tmp_path):
    mixed = MixtureMatrix.of(COUNTS, parts, (0.3, 0.7))
    expected = 0.3 * parts[0].dense() + 0.7 * parts[1].dense()
    np.testing.assert_allclose(mixed.dense(), expected, rtol=1e-13)
    np.testing.assert_allclose(mixed.row_sums(), 1)
    assert (mixed.sparse is None) == all(part.sparse is None for part in parts)
    mixed.save(tmp_path / "mixed.npz")
    again = load(tmp_path / "mixed.npz")
    assert isinstance(again, MixtureMatrix)
    np.testing.assert_array_equal(again.weights, [0.3, 0.7])
    np.testing.assert_array_equal(again.dense(), mixed.dense())


def test_a_part_that_tells_all_labels_apart_leaves_no_classes():
    assert MixtureMatrix.of(COUNTS, (KN, AD), (0.5, 0.5)).seen is not None
    mixed = MixtureMatrix.of(COUNTS, (KN, START), (0.5, 0.5))
    (contexts, _), (outcomes, _) = mixed.classes()
    assert contexts.tolist() == outcomes.tolist() == [*range(15)]
