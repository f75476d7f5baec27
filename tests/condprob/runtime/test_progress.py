"""Chunks cover the iterations that are left, and the bar counts them."""

import re

import numpy as np
import pytest

from condprob import method
from condprob.cli import main
from condprob.runtime.progress import Goal, Parts, chunks, telling_after
from condprob.sequences.sentences import Sentences


def set_clock(monkeypatch, times):
    """Let the clock of progress tell these seconds, one after the other."""
    clock = iter(times)
    monkeypatch.setattr("condprob.runtime.progress.monotonic", lambda: next(clock))


@pytest.mark.parametrize("progress", [False, True])
def test_chunks_cover_what_is_not_done(progress, capsys):
    assert list(chunks(10, 4, progress, done=1)) == [(1, 5), (5, 9), (9, 10)]
    assert list(chunks(3, 5, progress)) == [(0, 3)]
    assert list(chunks(3, 5, progress, done=3)) == []
    told = capsys.readouterr().err
    assert ("10/10 iterations, 0 s, at most 0 s left" in told) == progress
    assert bool(told) == progress


def test_what_is_left_is_estimated_from_what_was_spent(monkeypatch, capsys):
    set_clock(monkeypatch, [0.0, 2.0, 2.5, 6.0])  # the begin, and the end of each chunk
    list(chunks(12, 4, True, unit="fit"))
    lines = [line.strip() for line in capsys.readouterr().err.splitlines()]
    assert lines == ["4/12 fits, 2 s, at most 4 s left", "12/12 fits, 6 s, at most 0 s left"]


def test_a_fit_of_several_passes_says_which_of_how_many(capsys):
    few = np.random.default_rng(0).poisson(1.0, size=(20, 15))
    method("py-lr", largest_rank=2, iterations=2).fit(few, progress=True)
    told = re.findall(r"pass (\d+) of at most (\d+): \d+/\d+ bases", capsys.readouterr().err)
    assert [int(n) for n, _ in dict.fromkeys(told)] == [*range(1, len(dict.fromkeys(told)) + 1)]
    assert {int(most) for _, most in told} == {6 * 6 + 2 * 8}  # deals and starts of a short text
    counts = 10 * few
    method("py-lr", largest_rank=2, iterations=2).fit(counts, progress=True)
    told = re.findall(r"pass (\d+) of (\d+): \d+/\d+ bases", capsys.readouterr().err)
    passes = int(told[0][1])
    # A pass of more than a second, as one that compiles, has several lines.
    assert [*dict.fromkeys(told)] == [(str(n), str(passes)) for n in range(1, passes + 1)]
    method("py-lr", largest_rank=0, background="uniform", discount=0.5, strength=1.0).fit(
        counts, progress=True
    )
    assert "pass 1 of 16: 1/1 bases" in capsys.readouterr().err  # nothing is held out


def test_what_is_left_to_a_goal_is_estimated_from_how_it_falls(monkeypatch, capsys):
    set_clock(monkeypatch, [0.0, 2.0, 4.0, 6.0, 8.0])  # the begin, and the end of each chunk
    gaps = iter([16.0, 15.0, 4.0, 2.0])
    for _, stop in chunks(50_000, 10, True, goal=Goal("gap", 1.0, lambda: next(gaps))):
        if stop == 50:
            break  # it is small enough: no chunk of 50,000 iterations is awaited
    # 16 to 15 tells nothing. 15 to 4, from 4 s to 6 s, and at this rate to 1 in 2.1 s; 15 to 2
    # from 4 s to 8 s, and to 1 in 1.4 s.
    assert [line.strip() for line in capsys.readouterr().err.splitlines()] == [
        "10 iterations, gap 16 (to 1), 2 s",
        "20 iterations, gap 15 (to 1), 4 s",
        "30 iterations, gap 4 (to 1), 6 s, about 2 s left",
        "40 iterations, gap 2 (to 1), 8 s, about 1 s left",
    ]


def test_what_is_left_of_several_parts_is_that_of_all(monkeypatch, capsys):
    # Of three fits, each of 4 s: their begin; the begin of the first, of its iterations, the ends
    # of both chunks, and its own end.
    set_clock(monkeypatch, [0.0, 0.0, 0.0, 2.0, 4.0, 4.0, 4.0])
    told = Parts("fit", 3, True)
    with told.next():
        list(chunks(2, 1, True))
    lines = [line.strip() for line in capsys.readouterr().err.splitlines()]
    assert lines == [
        "fit 1 of 3: 1/2 iterations, 2 s, at most 10 s left",
        "fit 1 of 3: 2/2 iterations, 4 s, at most 8 s left",
        "fit 1 of 3: done, 4 s, at most 8 s left",
    ]


def test_nobody_knows_what_is_left_of_a_search(monkeypatch, capsys):
    set_clock(monkeypatch, [0.0, 0.0, 0.0, 2.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0, 9.0])
    told = Parts("fit", 6, True, may_end=True)
    for is_last in (False, True):
        with told.next(is_last):
            list(chunks(2, 1, True))
    lines = [line.strip() for line in capsys.readouterr().err.splitlines()]
    assert lines == [
        "fit 1 of at most 6: 1/2 iterations, 2 s, at most 2 s left of it",
        "fit 1 of at most 6: 2/2 iterations, 4 s",
        "fit 1 of at most 6: done, 4 s",
        "last fit: 1/2 iterations, 2 s, at most 2 s left",
        "last fit: 2/2 iterations, 4 s, at most 0 s left",
        "last fit: done, 4 s, at most 0 s left",
    ]


# Those that were silent, or told nothing of a search: each says which part it is at.
TOLD = {
    "ll-treeinf": "penalty 2 of at most 21: ",
    "lsa": "fit 2 of 2: ",
    "nplm": "epoch 2 of at most 30: ",
    "aso": "fit 2 of at most 4: ",
    "sdr": "fit 2 of at most 6: ",
    "mf-sgd": "fit 2 of 2: 30/30 rounds",
    "class-exchange": "1/20 rounds",
    "class-kmeans": "side 2 of 2: ",
    "kn-ad-lr": "fit 2 of 2: 3/3 iterations",
    "ad-lr-mean": "fit 5 of 5: 3/3 iterations",
    "plre": "100/100 iterations",
    "kn-ad-lr-bins": "stage 1 of 2: trial 2 of 2: fold 2 of 2: start 1 of 2: 3/3 iterations",
    "gibbs-rows": "/63 sweeps",
    "bilinear-rows": " 1 iterations, change ",
    "class-rows": "1/20 rounds",
    "aggregate-rows": "30/30 iterations",
}
OPTIONS = {
    "kn-ad-lr": {"iterations": 3},
    "class-exchange": {"rank": 3},
    "ad-lr-mean": {"iterations": 3},
    "kn-ad-lr-bins": {"iterations": 3, "rank": 2, "starts": 2},
    "gibbs-rows": {"samples": 1},
}


@pytest.mark.parametrize("id", TOLD)
def test_a_fit_tells_which_part_it_is_at(id, monkeypatch, capsys):
    monkeypatch.setattr("condprob.runtime.progress.EVERY", 0.0)
    counts = np.random.default_rng(0).poisson(1.0, size=(20, 15))
    method(id, **OPTIONS.get(id, {})).fit(counts, progress=True)
    assert TOLD[id] in capsys.readouterr().err


def test_growing_a_bigram_tells_which_fit_it_is_at(monkeypatch, capsys):
    monkeypatch.setattr("condprob.runtime.progress.EVERY", 0.0)
    sentences = Sentences.from_lists([[0, 1, 0, 2, 1, 0]] * 20, 3)
    fast = {"largest_rank": 2, "iterations": 2}
    method("py-lr", **fast).fit_text(sentences, 3, progress=True)
    told = capsys.readouterr().err
    assert "fit 1 of 2: pass 1 of " in told
    assert "6/6 trials" in told
    assert "fit 2 of 2: pass 1 of " in told


def test_nothing_is_told_of_what_is_soon_over(monkeypatch, capsys):
    # now, for the end of patience; the begin; the ends of chunks
    set_clock(monkeypatch, [0.0, 0.0, 1.0, 2.5, 3.5, 3.7])
    with telling_after(3):
        list(chunks(4, 1, True))
    told = [line.partition(",")[0] for line in capsys.readouterr().err.splitlines()]
    assert told == ["3/4 iterations", "4/4 iterations"]
    set_clock(monkeypatch, [0.0, 0.0, 1.0])
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
