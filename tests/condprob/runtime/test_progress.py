"""Chunks cover the iterations that are left, and the bar counts them."""

import re

import numpy as np
import pytest

from condprob import method
from condprob.cli import main
from condprob.runtime.progress import chunks, telling_after


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
    # A pass of more than a second, as one that compiles, has several lines.
    assert [*dict.fromkeys(told)] == [(str(n), str(passes)) for n in range(1, passes + 1)]
    method("py-lr", largest_rank=0, background="uniform", discount=0.5, strength=1.0).fit(
        counts, progress=True
    )
    assert "pass 1 of 8: 1/1 bases" in capsys.readouterr().err  # nothing is held out


def test_nothing_is_told_of_what_is_soon_over(monkeypatch, capsys):
    # now, for the end of patience; the begin; the ends of chunks
    times = iter([0.0, 0.0, 1.0, 2.5, 3.5, 3.7])
    monkeypatch.setattr("condprob.runtime.progress.monotonic", lambda: next(times))
    with telling_after(3):
        list(chunks(4, 1, True))
    told = [line.partition(",")[0] for line in capsys.readouterr().err.splitlines()]
    assert told == ["3/4 iterations", "4/4 iterations"]
    times = iter([0.0, 0.0, 1.0])
    with telling_after(3):
        list(chunks(1, 1, True))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("is_terminal", "given", "seconds", "is_told"),
    [
        (True, [], 0, True),
        (True, [], 3600, False),
        (True, ["--no-progress"], 0, False),
        (True, ["--progress"], 3600, True),
        (False, [], 0, False),
        (False, ["--progress"], 3600, True),
    ],
)
def test_a_command_tells_by_itself_at_a_terminal(
    tmp_path, monkeypatch, capsys, is_terminal, given, seconds, is_told
):
    monkeypatch.setattr("condprob.commands.PATIENCE", seconds)
    monkeypatch.setattr("condprob.commands.is_at_terminal", lambda: is_terminal)
    (tmp_path / "train").write_text("a b a b a c", encoding="utf-8")
    how = ["--method", "ad-lr", "--set", "rank=1", "--set", "iterations=2"]
    files = [str(tmp_path / "train"), "-o", str(tmp_path / "model.npz")]
    assert main(["fit", *files, *how, *given]) == 0
    assert ("2/2 iterations" in capsys.readouterr().err) == is_told
