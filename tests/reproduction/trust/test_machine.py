"""The provenance says what computed the results, and nothing else of the machine."""

import json
import subprocess

import pytest

from reproduction.trust.machine import collect_provenance, run_times

RECEIPT = {"tale": {"content_sha256": "a" * 64, "words": 9}}


def test_run_times_add_up_the_jobs_of_a_rule(tmp_path):
    spent = {"start": 0.1, "imports": 0.2, "work": 1.0}
    for name, clock in {"fit/a/1": 1.5, "fit/b": 2.25, "sum": 4}.items():
        log = tmp_path / "logs" / f"{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("words\n" + json.dumps(spent | {"clock": clock, "memory": 100 * clock}))
    (tmp_path / "logs" / "failed.log").write_text("Traceback\n")
    (tmp_path / "logs" / "empty.log").write_text("")
    found = run_times(tmp_path)
    fit = {"jobs": 2, "start": 0.2, "imports": 0.4, "work": 2, "longest": 2.25, "memory": 225}
    assert found == {"fit": fit, "sum": {"jobs": 1, **spent, "longest": 4, "memory": 400}}
    assert list(found) == ["fit", "sum"]
    assert run_times(tmp_path / "nowhere") == {}


def test_provenance_says_what_computed_the_results(tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    found = collect_provenance(7, {"ad": {"method": "ad"}}, RECEIPT, tmp_path, tmp_path)
    assert found["seed"] == 7
    assert found["corpora"] == RECEIPT
    assert found["threads"]["OMP_NUM_THREADS"] == "3"
    assert found["versions"]["numpy"].startswith("2.")
    assert found["machine"]["processor"]
    assert found["machine"]["simd"]
    assert {pool["library"] for pool in found["blas"]} <= {"openblas", "mkl", "blis", "accelerate"}
    assert found["git"] is None
    told = json.dumps(found)
    assert str(tmp_path) not in told
    assert "site-packages" not in told


def test_provenance_tells_the_commit_and_a_dirty_tree(tmp_path):
    def git(*command):
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        run = ["git", "-C", str(tmp_path), *who, *command]
        return subprocess.run(run, check=True, capture_output=True, text=True).stdout.strip()

    def told(folder=tmp_path):
        return collect_provenance(7, {}, {}, tmp_path, folder)["git"]

    try:
        git("init", "--quiet")
    except FileNotFoundError:
        pytest.skip("git is not installed")
    assert told() is None  # no commit yet
    (tmp_path / "a.txt").write_text("abc")
    git("add", ".")
    git("commit", "--quiet", "--message", "first")
    assert told() == {"commit": git("rev-parse", "HEAD"), "dirty": False}
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "b.txt").write_text("abc")
    assert told()["dirty"] is True
    assert told(tmp_path / "inner") is None  # unpacked inside somebody else's checkout
