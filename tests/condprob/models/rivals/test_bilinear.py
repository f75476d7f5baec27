"""The base of log-bilinear rows is the bigram itself, row by row."""

import numpy as np
import pytest
from inputs import random_counts

from condprob import method
from condprob.models.rivals import rows
from condprob.models.rivals.rows import BilinearRows


def test_the_base_has_the_rows_of_the_bigram_one_for_contexts_seen_alike(monkeypatch):
    counts = random_counts(3, 25, 60)
    base = BilinearRows(2, 3.0, 50).fit_base(counts, np.random.default_rng(0))
    bigram = method("sdr-conditional", rank=2, ridge=3.0, weight=0.0, iterations=50).fit(counts)
    np.testing.assert_allclose(base.W @ base.H, bigram.dense(), rtol=1e-12)
    C = counts.dense()
    assert len(base.H) == len(np.unique(C, axis=0)) < 25
    np.testing.assert_allclose(base.H.sum(axis=1), 1)
    assert (np.diff(base.history) <= 0).all()

    def refuse(what, size):
        raise ValueError(f"{what}: {size:g} bytes")

    monkeypatch.setattr(rows, "check_memory", refuse)
    with pytest.raises(ValueError, match=r"\Alog-bilinear rows of \d\d kinds of contexts: \d+ b"):
        method("bilinear-rows", rank=2).fit(counts)
