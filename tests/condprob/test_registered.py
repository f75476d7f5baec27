"""A method of one's own: it is registered, and is then known wherever the library's own are."""

from dataclasses import dataclass

import numpy as np
import pytest
from inputs import exactly

from condprob import METHODS, Estimator, Method, fit, fit_text, load, method, register
from condprob.options import Positive
from condprob.sparse_plus_low_rank import SparsePlusLowRank


@dataclass(frozen=True)
class Unigram(Estimator):
    """The same distribution after every context: that of all outcomes, each with a constant more.

    Attributes
    ----------
    constant : float
        Added to every count.
    """

    constant: Positive = 1.0

    def fit_counts(self, counts, run):
        added = counts.column_sums + self.constant
        return SparsePlusLowRank(np.ones((counts.shape[0], 1)), (added / added.sum())[None])


RECORD = Method("unigram-of-mine", f"{__name__}:Unigram", "Unigram")


@pytest.fixture
def registered(monkeypatch):
    monkeypatch.delitem(METHODS, RECORD.id, raising=False)
    register(RECORD)
    yield
    del METHODS[RECORD.id]


@pytest.mark.usefixtures("registered")
def test_a_registered_method_is_made_and_fitted_by_its_id():
    Q = method(RECORD.id, constant=0.5).fit([[3, 0], [0, 1]]).dense()
    np.testing.assert_allclose(Q, np.tile([3.5 / 5, 1.5 / 5], (2, 1)))
    pairs = [("a", "x"), ("a", "y"), ("b", "x")]
    assert fit(pairs, method=RECORD.id).prob("b", "y") == pytest.approx(2 / 5)
    assert METHODS[RECORD.id].options["constant"].default == 1.0


@pytest.mark.parametrize("order", [2, 3])  # of a matrix, and of a mixture of models
def test_files_are_read_beside_a_method_of_a_wrong_place(order, monkeypatch, tmp_path):
    model = fit_text([["a", "b", "a"], ["b", "c"]], method="add-half", order=order)
    model.save(tmp_path / "m.npz")
    monkeypatch.setitem(METHODS, "lost", Method("lost", "no_such_module:Lost", "Lost"))
    assert load(tmp_path / "m.npz").about.method == "add-half"


@pytest.mark.usefixtures("registered")
def test_an_id_is_one_method():
    register(RECORD)  # the same again
    with pytest.raises(ValueError, match=exactly(f"method {RECORD.id!r} exists: {RECORD.where}")):
        register(Method(RECORD.id, "somewhere:Else", "Unigram"))
    kneser_ney = "condprob.methods.kneser_ney:KneserNey"
    with pytest.raises(ValueError, match=exactly(f"method 'kn' exists: {kneser_ney}")):
        register(Method("kn", "somewhere:Else", "KN"))
