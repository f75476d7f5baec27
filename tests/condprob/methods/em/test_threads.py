"""One fit on several threads; its progress, and how it is interrupted."""

import _thread
import threading
from itertools import product

import numpy as np
import pytest
from inputs import LOW_RANK_IDS, random_counts

from condprob import method

COUNTS = random_counts(3, k=40, n=600)
VARIANTS = [*product(LOW_RANK_IDS, [{}, {"update": "alternating"}])]


def fit(id, counts=COUNTS, **options):
    plain = {"rank": 4, "iterations": 5, "history": True}
    return method(id, **plain | options).fit(counts, seed=5)


def arrays(matrix):
    return matrix.W, matrix.H, matrix.history


@pytest.mark.parametrize(("id", "options"), VARIANTS)
def test_threads_change_the_order_of_sums_and_nothing_else(id, options):
    alone = arrays(fit(id, **options))
    for threads in (2, 3, 60):  # more than rows, too
        several, again = (arrays(fit(id, threads=threads, **options)) for _ in range(2))
        for array, expected in zip(several, alone, strict=True):
            np.testing.assert_allclose(array, expected, rtol=1e-9, atol=1e-13)
        for array, expected in zip(several, again, strict=True):
            np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("id", "options"), VARIANTS)
def test_an_objective_that_nobody_reads_changes_nothing(id, options, threads):
    quiet, told = (fit(id, threads=threads, history=h, **options) for h in (False, True))
    assert (quiet.history.size, told.history.size) == (2, 6)
    for found, expected in ((quiet.W, told.W), (quiet.H, told.H)):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(quiet.history, told.history[-2:])


@pytest.mark.parametrize("id", ["ad-lr", "kn"])  # a fit with checkpoints, and one without
def test_an_interrupt_that_numba_made_an_error_of_is_one_again(id, monkeypatch):
    def interrupted(*given):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as within:
            try:
                raise SystemError("_numba_unpickle(...)") from within
            except SystemError as error:
                raise SystemError("CPUDispatcher(...)") from error

    def broken(*given):
        raise SystemError("of another cause") from ValueError("none")

    estimator = method(id)
    monkeypatch.setattr(type(estimator), "fit_counts", interrupted)
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(COUNTS)
    monkeypatch.setattr(type(estimator), "fit_counts", broken)
    with pytest.raises(SystemError, match="of another cause"):
        estimator.fit(COUNTS)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_long_fit_can_be_interrupted(threads):
    endless = method("ad-lr", rank=4, iterations=10**7, threads=threads)
    fit("ad-lr", threads=threads)  # compiled
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        endless.fit(COUNTS, seed=5)
    timer.join()
