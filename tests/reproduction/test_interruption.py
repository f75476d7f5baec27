"""A run clears away what a killed one left, and only that."""

import json
from base64 import urlsafe_b64encode

import pytest

from reproduction.interruption import take_over

LONG = "/".join(["results", "a" * 120, "b" * 120, "c.csv"])


def mark(state, path, job=None):
    """Mark an output as being written, as Snakemake does (a name has at most 255 letters)."""
    name = urlsafe_b64encode(str(path).encode()).decode()
    pieces = [name[i : i + 254] for i in range(0, len(name), 254)]
    place = state.joinpath("incomplete", *[f"@{piece}" for piece in pieces[:-1]], pieces[-1])
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({"external_jobid": job}))
    return place


@pytest.fixture
def killed(tmp_path):
    """What a killed run left: a lock."""
    state = tmp_path / ".snakemake"
    (state / "locks").mkdir(parents=True)
    (state / "locks" / "0.output.lock").touch()
    return state


@pytest.mark.parametrize("name", ["half.csv", "é half.csv", LONG])
def test_lock_and_half_a_file_are_cleared_away(killed, tmp_path, name):
    half, whole = tmp_path / name, tmp_path / "whole.csv"
    half.parent.mkdir(parents=True, exist_ok=True)
    half.touch()
    whole.touch()
    place = mark(killed, half)
    with take_over(killed):
        assert not (killed / "locks").exists()
        assert not half.exists()
        assert not place.exists()
        assert whole.exists()


def test_nothing_is_touched_while_a_run_is_alive(killed, tmp_path):
    with take_over(killed):
        half, lock = tmp_path / "half.csv", killed / "locks" / "0.output.lock"
        half.touch()
        mark(killed, half)
        lock.parent.mkdir()
        lock.touch()
        assert take_over(killed) is None
        assert half.exists()
        assert lock.exists()
    with take_over(killed):  # it has ended
        assert not half.exists()


def test_jobs_of_a_cluster_are_left_to_snakemake(killed, tmp_path):
    half = tmp_path / "half.csv"
    half.touch()
    place = mark(killed, half, job="4711")
    with take_over(killed):
        assert half.exists()
        assert place.exists()


def test_mark_that_was_being_written_counts(killed, tmp_path):
    half = tmp_path / "half.csv"
    half.touch()
    mark(killed, half).write_text("{")
    with take_over(killed):
        assert not half.exists()


def test_first_run_has_nothing_to_clear(tmp_path):
    with take_over(tmp_path / ".snakemake") as alive:
        assert alive is not None
