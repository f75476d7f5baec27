"""Small products of dense matrices take one thread of BLAS, and large ones as many as there are."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from condprob import CountMatrix, products
from condprob.methods.direct import AddHalf


@dataclass(frozen=True)
class Watched(AddHalf):
    multiplies_matrices: ClassVar[bool] = True
    seen: ClassVar[list] = []

    def fit_counts(self, counts, run):
        threadpoolctl = pytest.importorskip("threadpoolctl")
        pools = threadpoolctl.threadpool_info()
        self.seen.append({pool["num_threads"] for pool in pools if pool["user_api"] == "blas"})
        return super().fit_counts(counts, run)


def test_a_fit_to_small_counts_has_one_thread_and_leaves_the_others_as_they_were(monkeypatch):
    threadpoolctl = pytest.importorskip("threadpoolctl")
    counts = CountMatrix.from_dense(np.eye(3, dtype=int))
    with threadpoolctl.threadpool_limits(2, "blas"):
        before = threadpoolctl.threadpool_info()
        Watched().fit(counts)
        monkeypatch.setattr(products, "CELLS_OF_SEVERAL_THREADS", 9)
        Watched().fit(counts)
        assert threadpoolctl.threadpool_info() == before
    assert Watched.seen == [{1}, {2}]


def test_without_threadpoolctl_a_fit_is_made(monkeypatch):
    monkeypatch.setattr(products, "_blas", lambda: None)
    with products.few_threads((3, 3)):
        pass
