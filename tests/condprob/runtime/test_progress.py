"""Chunks cover the iterations that are left, and the bar counts them."""

import pytest

from condprob.runtime.progress import chunks


@pytest.mark.parametrize("progress", [False, True])
def test_chunks_cover_what_is_not_done(progress, capsys):
    assert list(chunks(10, 4, progress, done=1)) == [(1, 5), (5, 9), (9, 10)]
    assert list(chunks(3, 5, progress)) == [(0, 3)]
    assert list(chunks(3, 5, progress, done=3)) == []
    assert ("10/10" in capsys.readouterr().err) == progress
