"""Chunks cover the iterations that are left, and the bar counts them."""

import pytest

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
