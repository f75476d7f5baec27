"""What every fit answers, draws and lists, and what a new kind of matrix is given for nothing."""

import numpy as np
import pytest
from inputs import EDGES, METHODS, exactly, random_counts, small_options
from scipy.special import softmax

from condprob import ConditionalMatrix, CountMatrix, Sentences, cross_entropy, kl_risk, load, method
from condprob.files.arrays import load_with_labels
from condprob.model import draw_by_inversion

every_method = pytest.mark.parametrize("id", METHODS)
COUNTS = random_counts(4, k=15, n=200)


def fit(id, counts=COUNTS):
    return method(id, **small_options(METHODS[id])).fit(counts, seed=1)


class Softmax(ConditionalMatrix, kind="softmax of the tests"):
    """Scores in rows: the least that a kind of matrix has to say."""

    def __init__(self, scores):
        self.scores = scores

    @property
    def shape(self):
        return self.scores.shape

    def rows(self, contexts):
        return softmax(self.scores[contexts], axis=1)

    def at(self, contexts, outcomes):
        contexts, outcomes = np.broadcast_arrays(contexts, outcomes)
        return softmax(self.scores, axis=1)[contexts, outcomes]

    def arrays(self):
        return {"scores": self.scores}

    @classmethod
    def from_arrays(cls, arrays):
        return cls(arrays["scores"])


def test_another_kind_of_matrix_has_the_whole_contract(tmp_path):
    rng = np.random.default_rng(0)
    matrix = Softmax(rng.normal(size=(4, 6)))
    Q = softmax(matrix.scores, axis=1)
    np.testing.assert_allclose(matrix.dense(), Q)
    np.testing.assert_allclose(matrix.log_prob([0, 1], [2, 3]), np.log(Q[[0, 1], [2, 3]]))
    counts = rng.poisson(2, Q.shape)
    expected = -(counts * np.log(Q)).sum() / counts.sum()
    assert cross_entropy(counts, matrix) == pytest.approx(expected)
    pi, P = np.full(4, 1 / 4), rng.dirichlet(np.ones(6), size=4)
    assert kl_risk(pi, P, matrix) == pytest.approx((pi[:, None] * P * np.log(P / Q)).sum())
    A, B = rng.dirichlet(np.ones(2), size=4), rng.dirichlet(np.ones(6), size=2)
    assert kl_risk(pi, (A, B), matrix) == pytest.approx(kl_risk(pi, A @ B, matrix))
    matrix.save(tmp_path / "softmax.npz")
    np.testing.assert_array_equal(load(tmp_path / "softmax.npz").dense(), matrix.dense())


@every_method
def test_log_prob_is_the_logarithm_and_broadcasts(id):
    matrix = fit(id)
    with np.errstate(divide="ignore"):
        logs = np.log(matrix.dense())
    assert matrix.at(3, [1, 2, 3]).shape == (3,)
    assert matrix.log_prob(3, 4).shape == ()
    found = matrix.log_prob(np.arange(15)[:, None], np.arange(15))
    np.testing.assert_allclose(found, logs, rtol=1e-12)


@every_method
def test_samples_follow_the_rows(id):
    matrix = fit(id)
    contexts = np.repeat([3, 0, 7], 4000)
    drawn = matrix.sample(contexts, seed=5)
    np.testing.assert_array_equal(drawn, matrix.sample(contexts, seed=5))
    assert (drawn != matrix.sample(contexts, seed=6)).any()
    for context in (3, 0, 7):
        shares = np.bincount(drawn[contexts == context], minlength=15) / 4000
        # Five standard deviations of a share, which is at most 1 / (2 sqrt(4000)) each.
        np.testing.assert_allclose(shares, matrix.rows([context])[0], atol=5 / (2 * 4000**0.5))


def test_samples_do_not_depend_on_how_rows_are_cut(monkeypatch):
    contexts = np.random.default_rng(0).integers(0, 15, 300)
    whole = fit("kn").sample(contexts, seed=1)
    monkeypatch.setattr("condprob.model.CELLS_AT_ONCE", 40)  # two rows at a time
    np.testing.assert_array_equal(fit("kn").sample(contexts, seed=1), whole)


def test_scores_that_are_no_distribution_cannot_be_sampled():
    matrix = method("sb", normalised=False).fit(COUNTS)
    message = "cannot sample: the distribution of a context does not sum to one"
    with pytest.raises(ValueError, match=exactly(message)):
        matrix.sample([0])


@every_method
def test_top_is_the_largest_of_a_row(id):
    matrix = fit(id)
    row = matrix.rows([2])[0]
    outcomes, probabilities = matrix.top(2, 4)
    np.testing.assert_array_equal(probabilities, row[outcomes])
    assert (np.diff(probabilities) <= 0).all()
    assert row[outcomes].min() >= np.sort(row)[-4] - 1e-15
    assert matrix.top(2, 99)[0].size == 15
    assert matrix.top(2, 0)[0].size == 0


def test_top_of_long_rows_is_that_of_a_sort_with_ties_by_number():
    counts = CountMatrix.from_dense(np.random.default_rng(0).integers(0, 3, (4, 200)))
    matrix = method("ad").fit(counts)
    for left_out in (None, counts):  # without counts, all that are left are alike
        rows = matrix.dense() - (2 * (counts.dense() > 0) if left_out else 0)
        best, _ = matrix.top(range(4), 6, exclude=left_out)
        assert best.tolist() == np.argsort(-rows, axis=1, kind="stable")[:, :6].tolist()
    for pairs in (counts.sparse(), counts.dense()):
        assert matrix.top(range(4), 6, exclude=pairs)[0].tolist() == best.tolist()
    text = method("kn").fit_text(Sentences.from_lists([[0, 1, 2]], k=3), 2)
    with pytest.raises(ValueError, match="must be a list of outcomes"):
        text.top((0,), 2, exclude=np.eye(3, dtype=int))


@pytest.mark.parametrize("mmap", [False, True])
@every_method
def test_a_matrix_comes_back_from_a_file(id, mmap, tmp_path):
    matrix = fit(id)
    matrix.save(tmp_path / "matrix.npz", outcomes=np.array(list("abcdefghijklmno")))
    again = load(tmp_path / "matrix.npz", mmap=mmap)
    assert type(again) is type(matrix)
    np.testing.assert_array_equal(again.dense(), matrix.dense())
    np.testing.assert_array_equal(again.at([1, 2], [3, 4]), matrix.at([1, 2], [3, 4]))
    pi = np.full(15, 1 / 15)
    P = np.random.default_rng(0).dirichlet(np.ones(15), size=2)
    factors = np.full((15, 2), 0.5), P
    assert kl_risk(pi, factors, again) == kl_risk(pi, factors, matrix)
    assert load_with_labels(tmp_path / "matrix.npz")[1]["outcomes"] == list("abcdefghijklmno")
    for name, array in matrix.arrays().items():
        np.testing.assert_array_equal(again.arrays()[name], array)


def test_a_matrix_does_not_drag_its_counts_into_a_file(tmp_path):
    counts = random_counts(0, k=300, n=60_000, exponent=0)
    matrix = method("ad-lr", rank=2, iterations=1).fit(counts)
    matrix.save(tmp_path / "matrix.npz")
    # W, H, two numbers of history, two lists of what was seen, and headers.
    assert (tmp_path / "matrix.npz").stat().st_size < 8 * (2 * 300 * 2 + 2 + 2 * 300) + 4096


def test_a_draw_is_where_the_steps_of_its_row_pass_the_number():
    rows = np.array([[1 / 2, 1 / 4, 1 / 4], [0, 1, 0], [0, 0, 1]])
    which = np.array([0, 0, 0, 0, 0, 0, 1, 1, 2, 2])
    uniforms = np.array([0, 0.49, 0.5, 0.74, 0.75, 0.999, 0, 0.999, 0, 0.999])
    drawn = draw_by_inversion(rows, which, uniforms)
    assert drawn.tolist() == [0, 0, 1, 1, 2, 2, 1, 1, 2, 2]


def test_no_draw_falls_off_the_end_of_a_row_that_sums_to_a_rounding_less():
    rows = np.full((3, 7), 1 / 7) * (1 - 1e-12)
    drawn = draw_by_inversion(rows, np.arange(3), np.full(3, np.nextafter(1, 0)))
    assert drawn.tolist() == [6, 6, 6]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 9])
def test_the_likeliest_come_first_and_the_smaller_number_among_equals(n):
    # Add-1/2 of (0, 2, 0, 1) is (1, 5, 1, 3) / 10.
    outcomes, probabilities = method("add-half").fit([[0, 2, 0, 1]]).top(0, n)
    assert outcomes.tolist() == [1, 3, 0, 2][:n]
    np.testing.assert_allclose(probabilities, [0.5, 0.3, 0.1, 0.1][:n])


@pytest.mark.parametrize("id", ["sb", "ad-lr"])
def test_many_pairs_are_looked_up_in_parts(id, monkeypatch):
    counts = random_counts(4, k=15, n=60)
    matrix = method(id).fit(counts)
    contexts, outcomes = np.indices(counts.dense().shape).reshape(2, -1)
    # Of 225 pairs the last part is short.
    monkeypatch.setattr("condprob.matrix.PAIRS_AT_ONCE", 7)
    monkeypatch.setattr("condprob.products.FLOATS_AT_ONCE", 7)
    found = matrix.at(contexts, outcomes)
    np.testing.assert_allclose(found, matrix.dense().ravel(), rtol=1e-12)


@pytest.mark.parametrize("id", ["py-lr", "ad-lr", "add-half-lr", "lsa"])
def test_rounding_puts_no_probability_above_one(id):
    """Of one outcome each has all of a row, which is added up of parts."""
    matrix, everyone = method(id).fit([[20], [30], [0]]), np.arange(3)
    found = matrix.rows(everyone), matrix.dense(), matrix.block(everyone, np.array([0]))
    for probabilities in (*found, matrix.at(everyone, 0)):
        assert probabilities.max() <= 1
        np.testing.assert_allclose(probabilities, 1, rtol=1e-12)


@pytest.mark.parametrize("id", ["kn", "ad-lr"])
def test_no_labels_give_no_values(id):
    matrix = method(id).fit(EDGES["one pair"])
    assert matrix.at([], []).shape == (0,)
    assert matrix.rows([]).shape == (0, 5)
