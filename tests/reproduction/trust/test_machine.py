"""The provenance says what computed the results, and nothing else of the machine."""

import json
import subprocess

import pytest

from reproduction.trust.machine import collect_provenance, run_times

RECEIPT = {"tale": {"content_sha256": "a" * 64, "words": 9}}


HEAD = ["s", "h:m:s", "max_rss", "max_vms", "max_uss", "max_pss", "io_in", "io_out"]
HEAD += ["mean_load", "cpu_time"]


def test_run_times_add_up_the_jobs_of_a_rule(tmp_path):
    for name, (seconds, memory, processor) in {
        "fit/a/1": ("1.5000", "100.25", "1.2"),
        "fit/b": ("2.2500", "225.50", "2.0"),
        "sum/b": ("4.0000", "400.00", "3.5"),
        "brief/c": ("0.1000", "NA", "NA"),
    }.items():
        path = tmp_path / f"{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        cells = dict.fromkeys(HEAD, "-")
        cells |= {"s": seconds, "max_rss": memory, "cpu_time": processor}
        path.write_text("\t".join(cells) + "\n" + "\t".join(cells.values()) + "\n")
    (tmp_path / "empty.tsv").write_text("")
    found = run_times(tmp_path)
    assert list(found) == ["sum", "fit", "brief"]
    assert found["fit"] == {
        "jobs": 2,
        "clock": 3.75,
        "longest": 2.25,
        "processor": 3.2,
        "memory": 225.5,
    }
    assert found["brief"] == {
        "jobs": 1,
        "clock": 0.1,
        "longest": 0.1,
        "processor": 0.0,
        "memory": 0.0,
    }
    twice = run_times(tmp_path, tmp_path)  # of two folders, added up
    assert twice["fit"]["jobs"] == 4
    assert run_times(tmp_path / "nowhere") == {}


def test_provenance_says_what_computed_the_results(tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    found = collect_provenance(7, {"ad": {"method": "ad"}}, RECEIPT, [tmp_path], tmp_path)
    assert found["seed"] == 7
    assert found["corpora"] == RECEIPT
    assert found["threads"]["OMP_NUM_THREADS"] == "3"
    assert found["versions"]["numpy"].startswith("2.")
    assert found["machine"]["processor"]
    assert found["machine"]["simd"]
    assert {pool["library"] for pool in found["blas"]} <= {"openblas", "mkl", "blis", "accelerate"}
    assert found["git"] is None
    text = json.dumps(found)
    assert str(tmp_path) not in text
    assert "site-packages" not in text


def test_provenance_names_the_processor_that_numba_compiled_for(tmp_path, monkeypatch):
    """A run for another processor is how unsteady rows are measured."""
    monkeypatch.setenv("NUMBA_CPU_NAME", "x86-64-v2")
    found = collect_provenance(7, {}, {}, [tmp_path], tmp_path)
    assert found["machine"]["compiled_for"] == "x86-64-v2"


def test_provenance_tells_the_commit_and_a_dirty_tree(tmp_path):
    def git(*command):
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        run = ["git", "-C", str(tmp_path), *who, *command]
        return subprocess.run(run, check=True, capture_output=True, text=True).stdout.strip()

    def commit_of(folder=tmp_path):
        return collect_provenance(7, {}, {}, [tmp_path], folder)["git"]

    try:
        git("init", "--quiet")
    except FileNotFoundError:
        pytest.skip("git is not installed")
    assert commit_of() is None  # no commit yet
    (tmp_path / "a.txt").write_text("abc")
    git("add", ".")
    git("commit", "--quiet", "--message", "first")
    assert commit_of() == {"commit": git("rev-parse", "HEAD"), "dirty": False}
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "b.txt").write_text("abc")
    assert commit_of()["dirty"] is True
    assert commit_of(tmp_path / "inner") is None  # unpacked inside somebody else's checkout
