"""The examples of README.md and of pages in docs run as they stand."""

import doctest
import gc
import gzip
import re
import shlex
import subprocess
from itertools import pairwise
from pathlib import Path
from shutil import which

import duckdb
import numpy as np
import pandas as pd
import pytest

import condprob
from condprob import (
    CountMatrix,
    Text,
    Vocabulary,
    cli,
    cross_entropy,
    fit_text,
    load,
    method,
)

TOP = Path(__file__).parents[2]


EXAMPLES = {"tables": 15, "text": 8, "counts": 15, "evaluation": 8, "peers": 4}


@pytest.mark.parametrize(("page", "least"), EXAMPLES.items())
def test_pages_print_their_results(page, least, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    path = TOP / "docs" / f"{page}.md"
    found = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert found.attempted > least
    assert found.failed == 0


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_first_example_of_a_page_runs(page, capsys):
    (example,) = re.findall(r"```python\n(.*?)```", (TOP / page).read_text("utf-8"), re.DOTALL)
    names = {}
    exec(example, names)
    estimate = names["estimate"]
    # Ann had tea alone, and Kneser-Ney gives her what milk gets from the users who had it.
    assert 0 < estimate.prob("ann", "milk") < estimate.prob("ann", "tea")
    assert "tea" in capsys.readouterr().out


def test_every_call_in_the_table_of_the_readme_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = 8 * ["the cat sat", "the dog sat", "the cat ran", "a dog sat"]
    Path("text.txt").write_text("\n".join(lines), encoding="utf-8")
    Path("test.txt").write_text("the dog ran\n", encoding="utf-8")
    pairs = [("ann" if n % 20 == 0 else f"u{n % 20}", n // 20) for n in range(400)]
    df = pd.DataFrame(pairs, columns=["user", "film"])
    df["item"], df["stars"] = ["tea" if n % 3 else "milk" for n in range(400)], 100 * [3, 4, 5, 1]
    rows = re.findall(r"^\| (?!task).* \| (`.*`) \|$", (TOP / "README.md").read_text("utf-8"), re.M)
    names = {"condprob": condprob, "df": df, "lines": lines, "test_lines": ["the dog ran"]}
    for call in re.findall(r"`([^`]+)`", " ".join(rows)):
        if call.startswith("condprob "):
            assert cli.main(shlex.split(call)[1:]) == 0, call
        else:
            exec(call, names)


def test_every_command_of_the_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = "\n".join(60 * ["the old cat sat", "the dog sat", "the old dog ran", "a dog sat"])
    clicks = [f"p{n % 7},p{(n + n // 7) % 5}" for n in range(200)]
    tables = {
        "train.txt": text,
        "test.txt": 20 * "the old dog sat\na cat ran\n",
        "counts.txt": "<s> a\t2\na </s>\t1\na b\t1\nb </s>\t1\n",
        "clicks.csv": "\n".join(["page,next", *clicks]),
        "more-clicks.csv": "\n".join(["page,next", *clicks[::3]]),
        "u.data": "\n".join(f"{n % 9}\t{n % 5}\t{n % 4 + 1}\t8" for n in range(99)),
        "sites.csv": "site,oak,ash,elm\nA,3,,1\nB,0,2,2\nC,1,1,4\n",
    }
    for name, content in tables.items():
        Path(name).write_text(content, encoding="utf-8")
    Path("train.txt.gz").write_bytes(gzip.compress(text.encode()))
    other = [
        "fit",
        "clicks.csv",
        "--columns",
        "page,next",
        "--method",
        "kn",
        "-o",
        "other.safetensors",
    ]
    assert cli.main([*other, "-o", "other.safetensors"]) == 0
    page = (TOP / "docs" / "command-line.md").read_text("utf-8")
    commands = re.findall(r"^condprob .*$", page, re.MULTILINE)
    assert {command.split()[1] for command in commands} == {*cli.group.commands} - {"compile"}
    for command in commands:
        assert cli.main(shlex.split(command)[1:]) == 0, capsys.readouterr().err


PAGE = Path(__file__).parents[2] / "docs" / "large-data.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
DUCKDB, LABELS, DASK, FIT, ARPA, CLUSTER, CALL = BLOCKS
PRELUDE = """
from pathlib import Path
from condprob import CountMatrix, add_shards
"""
TEXTS = ["a rose is a rose is a rose", "is a rose red", "rose"]


def known(*blocks):
    """What the page's blocks define."""
    names = {}
    for block in blocks:
        exec(block, names)
    return names


def same(found, expected):
    fields = ("indptr", "outcomes", "values")
    return all(np.array_equal(getattr(found, f), getattr(expected, f)) for f in fields)


def write_parquet(columns, path):
    with duckdb.connect() as database:
        database.register("pairs", {name: np.array(each) for name, each in columns.items()})
        database.execute(f"COPY pairs TO '{path}' (FORMAT parquet)")


def test_files_are_counted_with_duckdb(tmp_path):
    pairs = np.random.default_rng(0).integers(0, 30, size=(2, 3, 500), dtype=np.int32)
    for part in range(3):
        columns = {"context": pairs[0, part], "outcome": pairs[1, part]}
        write_parquet(columns, tmp_path / f"{part}.parquet")
    found = known(DUCKDB)["count_files"](tmp_path, (30, 40))
    assert same(found, CountMatrix.from_pairs(*pairs.reshape(2, -1), shape=(30, 40)))
    assert isinstance(found.values, np.memmap)


def test_a_missing_value_is_refused(tmp_path):
    with duckdb.connect() as database:
        database.execute(f"COPY (SELECT NULL::INT context, 1 outcome) TO '{tmp_path}/x.parquet'")
    with pytest.raises(ValueError, match="masked array"):
        known(DUCKDB)["count_files"](tmp_path, (3, 3))


def test_labels_are_numbered_with_duckdb(tmp_path):
    pairs = [pair for text in TEXTS for pair in pairwise(text.split())]
    contexts, outcomes = map(list, zip(*pairs, strict=True))
    write_parquet({"context": contexts, "outcome": outcomes}, tmp_path / "words")
    (tmp_path / "numbered").mkdir()
    names = known(DUCKDB, LABELS)
    labels = names["number_labels"]([tmp_path / "words"], tmp_path / "numbered" / "all.parquet")
    assert list(labels) == ["a", "is", "red", "rose"]
    found = names["count_files"](tmp_path / "numbered", (4, 4))
    assert same(found, CountMatrix.from_labels(contexts, outcomes, Vocabulary(labels)))


def test_texts_are_counted_with_dask(tmp_path):
    texts = [tmp_path / f"{number}.txt" for number in range(len(TEXTS))]
    for path, text in zip(texts, TEXTS, strict=True):
        path.write_text(text, encoding="utf-8")
    vocabulary, found = known(PRELUDE, DASK)["count_texts"](texts, tmp_path / "counts.safetensors")
    assert list(vocabulary) == ["a", "is", "red", "rose"]
    contexts, outcomes = zip(*(p for text in TEXTS for p in pairwise(text.split())), strict=True)
    assert same(found, CountMatrix.from_labels(contexts, outcomes, vocabulary))


def test_a_fit_of_counts_on_disk_goes_on(tmp_path):
    fit_counts, checkpoint = known(PRELUDE, FIT)["fit_counts"], tmp_path / "fit.safetensors"
    pairs = np.random.default_rng(0).integers(0, 30, size=(2, 500))
    counts = CountMatrix.from_pairs(*pairs, 30)
    counts.save(tmp_path / "counts.safetensors")
    fit_counts(tmp_path / "counts.safetensors", checkpoint, rank=3, iterations=4)
    found = fit_counts(tmp_path / "counts.safetensors", checkpoint, rank=3, iterations=9)
    expected = method("ad-lr", rank=3, iterations=9, threads=2).fit(counts, seed=0)
    np.testing.assert_array_equal(found.H, expected.H)
    np.testing.assert_array_equal(found.history, expected.history)


@pytest.mark.skipif(not which("lmplz"), reason="KenLM's lmplz is not on the PATH")
def test_a_text_is_counted_with_lmplz(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    drawn = np.minimum(np.random.default_rng(0).zipf(1.3, (3000, 8)), 400).astype(str)
    lines = [" ".join(line) for line in drawn]
    Path("train.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
    (command,) = re.findall(r"^lmplz .*$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    command = command.replace("4G", "100M")
    subprocess.run(command.split(), check=True, capture_output=True)
    assert known(ARPA)["language"].order == 5
    whole = command.replace("-o 5", "-o 3").replace("--prune 0 0 1 ", "")
    subprocess.run(whole.split(), check=True, capture_output=True)
    language = known(ARPA)["language"]
    how = {"discount": "modified", "continuation": "uniform", "text": Text(unknown=1)}
    expected = fit_text(lines, 3, **how).score(lines[:50]).nats
    assert language.score(lines[:50]).nats == pytest.approx(expected, abs=1e-5)
    assert load("model.safetensors").score(lines[:50]).nats == language.score(lines[:50]).nats


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # Dask leaves sockets to Python
@pytest.mark.filterwarnings("ignore:Creating scratch")  # of Dask, on a busy machine
def test_a_folder_is_fitted_on_a_cluster(tmp_path):
    dask = pytest.importorskip("dask.distributed", reason="it is not installed")
    pairs = np.random.default_rng(0).integers(0, 9, size=(4, 2, 300)).astype(str)
    (tmp_path / "clicks").mkdir()
    for number, (contexts, outcomes) in enumerate(pairs):
        columns = {"context": contexts.tolist(), "outcome": outcomes.tolist()}
        write_parquet(columns, tmp_path / "clicks" / f"{number}.parquet")
    names = known(CLUSTER)
    (address,) = re.findall(r'"(tcp:.*?)"', CALL)
    vocabulary = Vocabulary(sorted({*pairs.ravel()}))
    flat = pairs.transpose(1, 0, 2).reshape(2, -1)
    whole = CountMatrix.from_labels(*flat.tolist(), vocabulary)
    (tmp_path / "test").mkdir()
    for number in range(2):
        whole.save(tmp_path / "test" / f"{number}.safetensors")
    how = {"dashboard_address": ":0", "worker_dashboard_address": ":0", "silence_logs": 50}
    few = {"rank": 2, "iterations": 20}
    # Its workers are threads: processes, some of them killed, are those of `test_distributed`.
    with dask.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, **how) as cluster:
        call = CALL.replace(address, cluster.scheduler_address)
        call = call.replace("rank=50", "rank=2, iterations=20")
        names |= {"Client": dask.Client, "Path": Path}
        call = call.replace("ann", "0").replace("bob", "8").replace("/shared", str(tmp_path))
        exec(call, names)
        found = load(tmp_path / "clicks.safetensors")
    gc.collect()
    expected = method("ad-lr", **few).fit(whole)
    assert list(names["contexts"]) == list(names["outcomes"]) == list(vocabulary)
    np.testing.assert_allclose(found.dense(), expected.dense(), rtol=1e-9)
    np.testing.assert_array_equal(names["best"], expected.top([0, 8], 10)[0])
    assert names["held_out"] == pytest.approx(cross_entropy(whole, expected))
