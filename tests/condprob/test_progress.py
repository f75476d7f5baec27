"""Chunks cover the iterations that are left, and the bar counts them."""

import sys
from inspect import isfunction, signature
from time import monotonic

import numpy as np
import pytest

import condprob
from condprob import METHODS, method
from condprob.cli import main
from condprob.progress import Goal, Later, Parts, chunks, shown
from condprob.text.sentences import Sentences


@pytest.mark.parametrize("progress", [False, True])
def test_chunks_cover_the_iterations_that_are_left(progress, capsys):
    assert list(chunks(10, 4, progress, done=1)) == [(1, 5), (5, 9), (9, 10)]
    assert list(chunks(3, 5, progress)) == [(0, 3)]
    assert list(chunks(3, 5, progress, done=3)) == []
    shown = capsys.readouterr().err
    assert ("10/10 iterations [" in shown) == progress
    assert bool(shown) == progress


def test_the_bar_of_a_fit_that_has_settled_ends_where_it_did(capsys):
    counts = np.random.default_rng(0).poisson(1.0, size=(20, 15))
    fit = method("add-half-lr", rank=2, iterations=10**6, tol=1e-3).fit(counts, progress=True)
    done = fit.history.size - 1
    assert 2 < done < 1000
    assert f"{done}/1000000 iterations" in capsys.readouterr().err


def test_the_time_of_the_compilation_is_not_in_the_estimate(monkeypatch, capsys):
    """The first call of ten takes 100 s, the others 1 s: after two, eight are left, 8 s."""
    now = [0.0]
    monkeypatch.setattr("condprob.progress.SECONDS_BETWEEN_STATES", 0.0)
    monkeypatch.setattr("tqdm.std.time", lambda: now[0])
    with shown(10) as show:
        for done, now[0] in ((1, 100.0), (2, 101.0)):
            show(done)
    last = capsys.readouterr().err.split("\r")[-1]
    assert "2/10 iterations [00:01<00:08" in last


def test_a_bar_has_the_number_that_ends_the_fit(monkeypatch, capsys):
    monkeypatch.setattr("condprob.progress.SECONDS_BETWEEN_STATES", 0.0)
    gaps = iter([16.0, 4.0, 0.5])
    for _, stop in chunks(50_000, 10, True, goal=Goal("gap", 1.0, lambda: next(gaps))):
        if stop == 30:
            break
    assert "20/50000 iterations" in (shown := capsys.readouterr().err)
    assert "gap 4 (to 1)]" in shown


def test_a_search_says_which_fit_it_is_at_and_when_one_is_done(monkeypatch, capsys):
    monkeypatch.setattr("condprob.progress.SECONDS_BETWEEN_STATES", 0.0)
    fits = Parts("fit", 6, True)
    for _ in range(2):
        with fits.next():
            list(chunks(2, 1, True))
    shown = capsys.readouterr().err
    places = [
        shown.index(state)
        for state in (
            "fit 1 of 6: 1/2 iterations",
            "fit 1 of 6: done in 0 s",
            "fit 2 of 6: 2/2 iterations",
        )
    ]
    assert places == sorted(places)


# Methods whose fits have parts: each bar says which part it is at.
SHOWN = {
    "py-lr": "fit 2 of 7: 4/4 sweeps",  # two priors on three parts, and the whole
    "ll-treeinf": "penalty 2 of 21: ",
    "lsa": "fit 2 of 2: ",
    "nplm": "epoch 2 of 30: ",
    "aso": "fit 2 of 4: ",
    "sdr": "fit 2 of 6: ",
    "mf-sgd": "fit 2 of 2: 30/30 rounds",
    "class-exchange": "1/20 rounds",
    "class-kmeans": "side 2 of 2: ",
}
OPTIONS = {
    "py-lr": {"largest_rank": 3, "chains": 1, "sweeps": 4},
    "class-exchange": {"rank": 3},
}


@pytest.mark.parametrize("id", SHOWN)
def test_a_fit_tells_which_part_it_is_at(id, monkeypatch, capsys):
    monkeypatch.setattr("condprob.progress.SECONDS_BETWEEN_STATES", 0.0)
    counts = np.random.default_rng(0).poisson(1.0, size=(20, 15))
    method(id, **OPTIONS.get(id, {})).fit(counts, progress=True)
    assert SHOWN[id] in capsys.readouterr().err


def test_a_mixed_bigram_tells_which_fit_it_is_at(monkeypatch, capsys):
    monkeypatch.setattr("condprob.progress.SECONDS_BETWEEN_STATES", 0.0)
    sentences = Sentences.from_lists([[0, 1, 0, 2, 1, 0]] * 20, 3)
    fast = {"largest_rank": 2, "chains": 1, "sweeps": 4}
    method("py-lr", **fast).fit_text(sentences, 3, progress=True)
    shown = capsys.readouterr().err
    assert "fit 1 of 2: 4/4 sweeps" in shown
    assert "fit 2 of 2: fit 5 of 5: 4/4 sweeps" in shown


def test_a_fit_that_is_soon_over_shows_nothing(monkeypatch, capsys):
    monkeypatch.setattr("condprob.progress.SECONDS_BETWEEN_STATES", 0.0)
    later = Later(monotonic() + 3600)
    list(chunks(4, 1, later))
    with Parts("fit", 2, later).next():
        pass
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("is_terminal", "is_notebook", "seconds", "is_told"),
    [
        (True, False, 0, True),
        (False, True, 0, True),
        (True, False, 3600, False),
        (False, False, 0, False),
    ],
)
def test_a_fit_that_lasts_shows_its_progress_where_somebody_sees_it(
    monkeypatch, capsys, is_terminal, is_notebook, seconds, is_told
):
    monkeypatch.setattr("condprob.progress.SECONDS_OF_PATIENCE", seconds)
    monkeypatch.setattr("condprob.progress.is_at_terminal", lambda: is_terminal)
    if is_notebook:
        monkeypatch.setitem(sys.modules, "ipykernel", sys)
    condprob.fit([("a", "x"), ("b", "y")], method="ad-lr", rank=1, iterations=2)
    method("ad-lr", rank=1, iterations=3).fit(np.eye(3, dtype=int))
    shown = capsys.readouterr().err
    assert ("2/2 iterations" in shown, "3/3 iterations" in shown) == (is_told, is_told)
    method("ad-lr", rank=1, iterations=2).fit(np.eye(3, dtype=int), progress=False)
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
    monkeypatch.setattr("condprob.progress.SECONDS_OF_PATIENCE", seconds)
    monkeypatch.setattr("condprob.progress.is_at_terminal", lambda: is_terminal)
    (tmp_path / "train").write_text("a b a b a c", encoding="utf-8")
    how = ["--no-lines", "--order", "2"]
    how += ["--method", "ad-lr", "--set", "rank=1", "--set", "iterations=2"]
    files = [str(tmp_path / "train"), "-o", str(tmp_path / "model.npz")]
    assert main(["fit", *files, *how, *given]) == 0
    assert ("2/2 iterations" in capsys.readouterr().err) == is_told


def test_every_fit_decides_by_itself_whether_it_shows_its_progress():
    doors = [getattr(condprob, name) for name in condprob.__all__]
    doors += [record.estimator.fit for record in METHODS.values()]
    doors += [record.estimator.fit_text for record in METHODS.values()]
    given = [signature(door).parameters for door in doors if isfunction(door)]
    defaults = [each["progress"].default for each in given if "progress" in each]
    assert len(defaults) > len(METHODS)
    assert set(defaults) == {None}
