"""The kind of base is the one that the held-out pairs speak for."""

import numpy as np
import pytest
from inputs import random_counts

from condprob import CountMatrix, draw_model, sample_counts
from condprob.estimators.pitman_yor import kinds
from condprob.estimators.pitman_yor.bases import Background, Fitting
from condprob.estimators.pitman_yor.held_out import HeldOut, deal_out
from condprob.estimators.pitman_yor.kinds import HANDICAPS, choose_kind, mean_likelihood
from condprob.estimators.pitman_yor.settings import list_candidates

RANK, K = 3, 60


def draw_tokens(seed):
    """Pairs of a model of low rank: how often one is seen is what there is to learn."""
    return sample_counts(draw_model(K, RANK, seed=seed), 3000, seed=seed)


def draw_types(seed):
    """Distinct pairs of such a model, each repeated by chance: that says nothing of its classes."""
    pairs = sample_counts(draw_model(K, RANK, seed=seed), 900, seed=seed)
    often = np.random.default_rng(seed).geometric(0.15, pairs.nnz)
    return CountMatrix.from_pairs(pairs.contexts, pairs.outcomes, K, weights=often)


def choose(counts, seed):
    rng = np.random.default_rng(seed)
    how = Fitting("random", 80, 1e-6, "leave-one-out", 1)
    candidates = list_candidates("learned", "learned", counts.is_whole)
    backgrounds = [Background("uniform")]
    return choose_kind(
        deal_out(counts, rng), (RANK,), backgrounds, how, candidates, rng, progress=False
    )


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_kind_is_that_of_which_the_pairs_were_drawn(seed, order, monkeypatch):
    # Nobody has a handicap, in whatever order they are tried: the likelihoods alone decide.
    monkeypatch.setattr(kinds, "HANDICAPS", dict.fromkeys(list(HANDICAPS)[::order], 0.0))
    assert choose(draw_tokens(seed), seed) == "tokens"
    assert choose(draw_types(seed), seed) == "types"


def test_a_handicap_that_outweighs_the_likelihood_decides(monkeypatch):
    # By tokens is ahead here by some hundredths of a nat a pair; a third of the pairs are new.
    counts = draw_tokens(0)
    for handicap, expected in ((0.003, "tokens"), (1.0, "ad-lr")):
        handicaps = {"types": 0.0, "tokens": 0.0, "ad-lr": handicap}
        monkeypatch.setattr(kinds, "HANDICAPS", handicaps)
        assert choose(counts, 0) == expected


def test_a_handicap_is_for_each_held_out_pair_that_the_others_lack():
    # Of pairs held out 2, 1 and 4 times the others lack the last two: -7 / 7 + 0.1 * 5 / 7.
    rest = CountMatrix.from_dense([[3, 0], [0, 0]])
    contexts, outcomes, counts = np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([2.0, 1, 4])
    part = HeldOut(rest, contexts, outcomes, counts, np.ones((3, 1)))
    assert mean_likelihood([part], -7.0, 0.1) == pytest.approx(-1 + 0.5 / 7)
    assert mean_likelihood([part, part], -14.0, -0.1) == pytest.approx(-1 - 0.5 / 7)


def test_enough_folds_are_asked_and_no_more(monkeypatch):
    asked = []
    ask = kinds.ask
    monkeypatch.setattr(kinds, "ask", lambda fold, fits: asked.append(fold) or ask(fold, fits))
    choose(random_counts(1, K, 300), 0)  # six folds of 50 pairs are too few to be enough
    assert len(asked) == 3 * 6
    asked.clear()
    choose(random_counts(1, K, 9000), 0)  # one of 1,500 is enough
    assert len(asked) == 3
