"""Chunks cover the iterations that are left, and the bar counts them."""

import re

import numpy as np
import pytest

from condprob import method
from condprob.runtime.progress import chunks


@pytest.mark.parametrize("progress", [False, True])
def test_chunks_cover_what_is_not_done(progress, capsys):
    assert list(chunks(10, 4, progress, done=1)) == [(1, 5), (5, 9), (9, 10)]
    assert list(chunks(3, 5, progress)) == [(0, 3)]
    assert list(chunks(3, 5, progress, done=3)) == []
    told = capsys.readouterr().err
    assert ("10/10 iterations, 0 s, at most 0 s left" in told) == progress
    assert bool(told) == progress


def test_what_is_left_is_estimated_from_what_was_spent(monkeypatch, capsys):
    times = iter([0.0, 2.0, 2.5, 6.0])  # the begin, and the end of each chunk
    monkeypatch.setattr("condprob.runtime.progress.monotonic", lambda: next(times))
    list(chunks(12, 4, True, unit="fit"))
    lines = [line.strip() for line in capsys.readouterr().err.splitlines()]
    assert lines == ["4/12 fits, 2 s, at most 4 s left", "12/12 fits, 6 s, at most 0 s left"]


def test_a_fit_of_several_passes_says_which_of_how_many(capsys):
    counts = np.random.default_rng(0).poisson(1.0, size=(20, 15))
    method("py-lr", largest_rank=2, iterations=2).fit(counts, progress=True)
    told = re.findall(r"pass (\d+) of (\d+): \d+/\d+ bases", capsys.readouterr().err)
    passes = int(told[0][1])
    assert told == [(str(n), str(passes)) for n in range(1, passes + 1)]
    method("py-lr", largest_rank=0, background="uniform", discount=0.5, strength=1.0).fit(
        counts, progress=True
    )
    assert "pass 1 of 8: 1/1 bases" in capsys.readouterr().err  # nothing is held out
