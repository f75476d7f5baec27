"""The naive low-rank methods: one iteration by hand, and labels that counts cannot distinguish."""

import numpy as np
import pytest
import reference
from inputs import cell_counts, random_start

from condprob import method

# W H = 1/2 everywhere. Soft counts of l in i are sum_j S_ij H_lj, of j in l H_lj sum_i S_ij, where
# S are the smoothed counts; the rows of both factors are these over their sum.
START = ([[1 / 2, 1 / 2], [1 / 2, 1 / 2]], [[3 / 4, 1 / 4], [1 / 4, 3 / 4]])
COUNTS = [[3, 1], [0, 2]]


@pytest.mark.parametrize(
    ("id", "options", "W", "H"),
    [
        # S = (7/2, 3/2), (1/2, 5/2). 7/2 3/4 + 3/2 1/4 = 3, 2; 1, 2. Columns 4 and 4: 3, 1.
        ("naive-add-half-lr", {}, [[3 / 5, 2 / 5], [1 / 3, 2 / 3]], START[1]),
        # Row 0 has nobody to give to: (3/4, 1/4). Row 1: (2 - 1/2)/2 and 1/2 1/2. Each times 6:
        # S = (9/2, 3/2), (3/2, 9/2). 9/2 3/4 + 3/2 1/4 = 15/4, 9/4. Columns 6 and 6.
        ("naive-ad-lr", {"discount": 0.5}, [[5 / 8, 3 / 8], [3 / 8, 5 / 8]], START[1]),
        # Each times C_i: S = (3, 1), (1/2, 3/2). Columns 7/2 and 5/2: 3/4 7/2 = 21/8, 1/4 5/2 =
        # 5/8; 7/8, 15/8.
        (
            "naive-ad-lr",
            {"discount": 0.5, "weighting": "counts"},
            [[5 / 8, 3 / 8], [3 / 8, 5 / 8]],
            [[21 / 26, 5 / 26], [7 / 22, 15 / 22]],
        ),
    ],
)
def test_one_iteration_by_hand(id, options, W, H):
    matrix = method(id, rank=2, iterations=1, initial=START, **options).fit(np.array(COUNTS))
    np.testing.assert_allclose(matrix.W, W)
    np.testing.assert_allclose(matrix.H, H)


@pytest.mark.parametrize("id", ["naive-add-half-lr", "naive-ad-lr"])
def test_labels_never_seen_start_from_their_mean_and_stay_alike(id):
    counts = cell_counts(5, {(3, 1): 4, (3, 2): 1, (0, 1): 1})
    W, H = random_start(2, 5, 3)
    given = method(id, rank=3, iterations=0, initial=(W, H)).fit(counts)
    np.testing.assert_allclose(given.W[[1, 2, 4]], np.tile(W[[1, 2, 4]].mean(axis=0), (3, 1)))
    unseen = H[:, [0, 3, 4]].mean(axis=1)
    np.testing.assert_allclose(given.H[:, [0, 3, 4]], np.tile(unseen[:, None], 3))
    np.testing.assert_allclose(given.W[[0, 3]], W[[0, 3]])
    fitted = method(id, rank=3, iterations=5, initial=(W, H)).fit(counts).dense()
    np.testing.assert_array_equal(fitted[[1, 4]], fitted[[2, 2]])
    np.testing.assert_array_equal(fitted[:, [0, 4]], fitted[:, [3, 3]])


def test_of_rank_one_the_mean_of_smoothed_rows_by_their_weight():
    # `equal`: each row of AD weighs the same; `counts`: as C_i, so that unseen contexts have none.
    counts = cell_counts(3, {(0, 0): 4, (0, 1): 1, (1, 2): 2})
    rows = reference.ad(counts.dense(), 0.75)
    for weighting, weights in (("equal", [1, 1, 1]), ("counts", [5, 2, 0])):
        matrix = method("naive-ad-lr", rank=1, iterations=3, weighting=weighting).fit(counts)
        expected = np.average(rows, axis=0, weights=weights)
        np.testing.assert_allclose(matrix.dense(), np.tile(expected, (3, 1)), rtol=1e-9)
