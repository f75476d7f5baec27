"""Starting factors."""

import numpy as np
import pytest
from inputs import EDGES, cell_counts, exactly, in_case, random_counts

from condprob import CountMatrix
from condprob.methods.em.clusters import embed_contexts
from condprob.methods.em.starts import starting_factors

# Contexts 0 and 1 are followed by outcomes 0 and 1, contexts 2 and 3 by 2; context 4 is unseen.
GROUPS = cell_counts(5, {(0, 0): 2, (0, 1): 2, (1, 0): 1, (1, 1): 1, (2, 2): 3, (3, 2): 1})


@pytest.mark.parametrize("initial", ["random", "clusters"])
@pytest.mark.parametrize("rank", [1, 3, 50])
def test_starts_are_positive_distributions(initial, rank):
    for edge, counts in EDGES.items():
        with in_case(edge):
            W, H = starting_factors(initial, counts, rank, seed=1)
            for factor, shape in ((W, (counts.k, rank)), (H, (rank, counts.k))):
                assert factor.shape == shape
                assert (factor > 0).all()  # EM cannot leave a zero
                np.testing.assert_allclose(factor.sum(axis=1), 1)


@pytest.mark.parametrize("initial", ["random", "clusters"])
def test_starts_depend_on_the_seed_alone(initial):
    counts = random_counts(1, k=150, n=2000, exponent=0.5)  # more contexts than dimensions: an SVD
    W, H = starting_factors(initial, counts, 6, seed=1)
    for seed in (1, np.random.SeedSequence(1), np.random.default_rng(1)):
        again = starting_factors(initial, counts, 6, seed)
        np.testing.assert_array_equal(again[0], W)
        np.testing.assert_array_equal(again[1], H)
    assert (starting_factors(initial, counts, 6, seed=2)[0] != W).any()


def test_a_random_start_is_uniform_before_normalisation():
    # Of two independent uniforms u, v the share u/(u+v) is below x <= 1/2 with probability
    # P(u < v x/(1-x)) = x/(1-x)/2. Kolmogorov: 2000 draws are off by 1.95/sqrt(2000) = 0.044 or
    # more once in a thousand.
    W, _ = starting_factors("random", random_counts(1, k=2000, n=10), 2, seed=3)
    share = np.sort(W.min(axis=1))  # of the smaller: below x with probability x/(1-x)
    empirical = np.arange(1, 2001) / 2000
    assert np.abs(empirical - share / (1 - share)).max() < 0.044


def test_clusters_of_two_plain_groups():
    # W: half uniform (1/4 each), half the own cluster. H with alpha = 1/2: pooled counts
    # (3, 3, 0, 0, 0), so (3 - 1/2)/6 twice and 1/2 2/6/3 = 1/18; and (0, 0, 4, 0, 0), so
    # (4 - 1/2)/4 and 1/2 1/4/4 = 1/32.
    W, H = starting_factors("clusters", GROUPS, 2, seed=0, discount=0.5)
    order = np.argsort(-H[:, 0])
    np.testing.assert_allclose(
        H[order],
        [[5 / 12, 5 / 12, 1 / 18, 1 / 18, 1 / 18], [1 / 32, 1 / 32, 7 / 8, 1 / 32, 1 / 32]],
    )
    first, second = [3 / 4, 1 / 4], [1 / 4, 3 / 4]
    np.testing.assert_allclose(W[:, order], [first, first, second, second, [1 / 2, 1 / 2]])


def test_clusters_weigh_contexts_by_their_counts():
    # Rows of sqrt(C_ij/C_i): (1, 0, 0), (.6^.5, .4^.5, 0), (0, .5^.5, .5^.5). The second is nearer
    # to the first, 2 - 2 .6^.5 = 0.45 against 2 - 2 .2^.5 = 1.11 in squared distance. Joining two
    # costs w w'/(w + w') times that: 225 for the first two, weighing 1000 each; 2.2 for the last
    # two, the last weighing 2.
    cells = {(0, 0): 1000, (1, 0): 600, (1, 1): 400, (2, 1): 1, (2, 2): 1}
    W, _ = starting_factors("clusters", cell_counts(3, cells), 2, seed=0)
    own = W.argmax(axis=1)
    assert own[0] != own[1] == own[2]
    # Weights 10, 10, 1000: 2.3 for the first two, 10.9 for the last two.
    cells = {(0, 0): 10, (1, 0): 6, (1, 1): 4, (2, 1): 500, (2, 2): 500}
    W, _ = starting_factors("clusters", cell_counts(3, cells), 2, seed=0)
    own = W.argmax(axis=1)
    assert own[0] == own[1] != own[2]


def test_many_contexts_are_embedded_in_fewer_dimensions_at_the_same_distances():
    # 120 rows of three kinds have rank 3: a truncated SVD loses nothing.
    kinds = np.random.default_rng(1).integers(0, 5, size=(3, 120))
    C = kinds[np.arange(120) % 3] * (1 + np.arange(120) // 3)[:, None]
    points, _ = embed_contexts(CountMatrix.from_dense(C))
    roots = np.sqrt(C / C.sum(axis=1, keepdims=True))
    assert points.shape[1] == 100 < roots.shape[1]
    np.testing.assert_allclose(points @ points.T, roots @ roots.T, atol=1e-10)


def test_a_start_that_does_not_exist_is_one_clear_line():
    message = "initial = 'cluster': must be random, clusters or a pair (W, H)"
    with pytest.raises(ValueError, match=exactly(message)):
        starting_factors("cluster", EDGES["one pair"], 2, seed=0)
