"""Mixtures of models in numbers: their rows, their files, and what does not go together."""

import numpy as np
import pytest

from condprob import Sentences, load, method, mix

TEXT = Sentences.from_lists([[0, 1, 2, 0, 1], [2, 2, 1], [3, 0]], k=4)
MODELS = [
    method("kn").fit_text(TEXT, 3),
    method("jm", weight=0.4).fit_text(TEXT, 2),
    method("interpolated").fit_text(TEXT, 3),
]
MATRICES = [method(id).fit([[2, 1, 0], [0, 1, 3]]) for id in ("add-half", "kn")]
HISTORIES = [(0, 1), (3,), ()]


@pytest.mark.parametrize("weights", [[1.0], [0.25, 0.75], [0.5, 0.2, 0.3]])
def test_a_mixture_of_histories_is_the_sum_of_its_parts_also_from_its_file(weights, tmp_path):
    parts = MODELS[: len(weights)]
    mixture = mix(parts, weights=weights)
    expected = sum(
        weight * part.rows(HISTORIES) for weight, part in zip(weights, parts, strict=True)
    )
    np.testing.assert_allclose(mixture.rows(HISTORIES), expected, rtol=1e-14)
    mixture.save(tmp_path / "mixture.npz")
    read = load(tmp_path / "mixture.npz")
    np.testing.assert_allclose(read.rows(HISTORIES), expected, rtol=1e-14)
    np.testing.assert_allclose(read.at(HISTORIES, [2, 1, 0]), expected[[0, 1, 2], [2, 1, 0]])


def test_a_mixture_of_matrices_is_their_sum():
    expected = 0.25 * MATRICES[0].dense() + 0.75 * MATRICES[1].dense()
    np.testing.assert_allclose(mix(MATRICES, weights=[0.25, 0.75]).dense(), expected, rtol=1e-14)


@pytest.mark.parametrize("weights", [[0.5, 0.6], [1.5, -0.5], [1.0], [[0.5, 0.5]], [np.nan, 1]])
def test_weights_of_a_mixture_are_shares(weights):
    with pytest.raises(ValueError, match="2 numbers >= 0 that sum to one"):
        mix(MATRICES, weights=weights)


OTHER = method("add-half").fit([[1, 2], [3, 4]])
WORDS = method("kn").fit_text(Sentences.from_lists([[0, 1]], k=2), 2)


@pytest.mark.parametrize("models", [[MATRICES[0], OTHER], [MODELS[0], WORDS], [MODELS[0], OTHER]])
def test_models_of_other_outcomes_are_not_mixed(models):
    with pytest.raises(ValueError, match="of the same shape, or text models of the same words"):
        mix(models, weights=[0.5, 0.5])
    tune = TEXT if models[0] is MODELS[0] else [[1, 0, 0], [0, 1, 0]]
    with pytest.raises(ValueError, match=r"must be|require"):
        mix(models, tune)
