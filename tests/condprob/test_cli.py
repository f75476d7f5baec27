"""The command line: from data to a model, a score, a sample; or to one line of error."""

import csv
import io
import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import condprob
from condprob import METHODS, CountMatrix, cross_entropy, method
from condprob.checks import read_number
from condprob.cli import group, main
from condprob.files.arrays import write_arrays
from condprob.files.tables import read_columns, read_pairs

TRAIN, TEST = "a b a b a c\na b", "a c a b"
PAIRS = "ann\ttea\t2\nbob\ttea\nbob\tmilk\t0.5\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in (("train", TRAIN), ("test", TEST), ("short", "one"), ("pairs", PAIRS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys, *arguments):
    """Run a command that succeeds; return what it printed."""
    assert main([str(argument) for argument in arguments]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    return output.out


def fails(capsys, *arguments):
    """Run a command that fails; return the one line that it prints."""
    assert main([str(argument) for argument in arguments]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert re.fullmatch(r"condprob: error: [^\n]+\n", output.err)
    return output.err


PLAIN = ["--no-lines", "--order", "2"]  # pairs of neighbours, as in the paper


def scored(capsys, train, test, *how):
    """Fit a file with the words of another, and return what `score` prints of the other as JSON."""
    run(capsys, "fit", train, "-o", "scored.npz", "--vocabulary", test, *how)
    return json.loads(run(capsys, "score", "scored.npz", test, "--json"))


def test_add_half_by_hand(folder, capsys):
    # Of 3 types: a is followed by b 3 times and by c once, b by a twice, c by a once. Of the test
    # pairs, ac has probability 1.5/5.5, ca 1.5/2.5, ab 3.5/5.5: -log of their product is 2.2621.
    run(capsys, "fit", "train", "-o", "m.npz", "--method", "add-half", *PLAIN)
    assert run(capsys, "score", "m.npz", "test").splitlines() == [
        "0.7540 nats per word (no interval: fewer than 5 blocks or 50 pairs or words), "
        "perplexity 2.1256, n = 3"
    ]
    assert json.loads(run(capsys, "score", "m.npz", "test", "--json"))["bits"] == pytest.approx(
        2.2621 / 3 / np.log(2), abs=1e-4
    )


def test_lines_are_sentences_and_the_default_is_kneser_ney_with_three_discounts(folder, capsys):
    run(capsys, "fit", "train", "-o", "m.npz")
    found = condprob.load("m.npz")
    assert (found.order, found.text.lines, found.about.method) == (3, True, "kn-modified")
    assert found.about.options == {}
    assert found.row("a") == condprob.fit_text(TRAIN).row("a")
    run(capsys, "fit", "pairs", "--pairs", "-o", "m.npz", "--method", "kn")
    assert condprob.load("m.npz").about.options == {}


def test_the_bare_command_is_help(folder, capsys):
    assert run(capsys).startswith("Usage: condprob [OPTIONS]")


@pytest.mark.parametrize(
    ("given", "estimator", "seed"),
    [
        (["--method", "py-lr"], method("py-lr"), 0),
        (["--method", "kn"], method("kn"), 0),
        (
            ["--method", "ad-lr", "--set", "rank=2", "--set", "discount=0.5", "--seed", "3"],
            method("ad-lr", rank=2, discount=0.5),
            3,
        ),
    ],
)
def test_options_reach_the_method_and_swallow_no_file(folder, capsys, given, estimator, seed):
    train = CountMatrix.from_pairs([0, 1, 0, 1, 0, 2, 0], [1, 0, 1, 0, 2, 0, 1], 3)
    test = CountMatrix.from_pairs([0, 2, 0], [2, 0, 1], 3)
    expected = cross_entropy(test, estimator.fit(train, seed=seed))
    assert scored(capsys, "train", "test", *given, *PLAIN)["nats"] == pytest.approx(expected)


def test_a_fit_goes_on_from_its_checkpoint(folder, capsys):
    fit = ("fit", "train", *PLAIN, "--method", "ad-lr", "--set", "rank=2", "-o")
    run(capsys, *fit, "whole.npz", "--set", "iterations=9")
    for iterations in (4, 9):
        further = ("--set", f"iterations={iterations}", "--checkpoint", "fit.npz")
        run(capsys, *fit, "resumed.npz", *further)
    one, other = (condprob.load(name).model for name in ("whole.npz", "resumed.npz"))
    np.testing.assert_array_equal(one.H, other.H)
    assert "another start" in fails(capsys, *fit, "x.npz", "--checkpoint", "fit.npz", "--seed", "1")
    output = fails(
        capsys, "fit", "train", "--method", "kn", "-o", "x.npz", "--checkpoint", "kn.npz"
    )
    assert "checkpoint: KneserNey keeps none; low-rank and log-linear methods and nplm do" in output
    assert not {"x.npz", "kn.npz"} & {path.name for path in folder.iterdir()}


@pytest.mark.filterwarnings("default")
def test_what_helps_with_unknown_words_fits_the_model(folder, capsys):
    (folder / "other").write_text("a b new b a new new")
    for how, is_told in (([], True), (["--min-count", "2"], False)):
        run(capsys, "fit", "train", "-o", "model.npz", "--method", "kn", *PLAIN, *how)
        assert main(["score", "model.npz", "other"]) == 0
        printed = capsys.readouterr()
        assert ("67% of the words are unknown" in printed.err) == is_told
        assert ("--min-count 2" in printed.err) == is_told
        assert " unknown: " in printed.out


def test_pairs_with_weights_from_standard_input(folder, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PAIRS.encode())))
    output = run(capsys, "fit", "--pairs", "-", "-o", "model.npz", "--method", "add-half", "--json")
    assert json.loads(output) == {
        "model": "model.npz",
        "method": "add-half",
        "pairs": 3.5,
        "contexts": 2,
        "outcomes": 2,
    }
    # (2 + 1/2) / (2 + 1) after ann; (1 + 1/2) / (1.5 + 1) after bob.
    found = json.loads(run(capsys, "top", "model.npz", "ann", "bob", "--json"))
    assert found["ann"]["tea"] == pytest.approx(5 / 6)
    assert found["bob"]["tea"] == pytest.approx(3 / 5)
    output = run(capsys, "top", "model.npz", "bob", "-n", "1")
    assert output == "bob\ttea\t0.6\n"
    output = run(capsys, "top", "model.npz", "bob", "-n", "1", "--exclude", "tea")
    assert output == "bob\tmilk\t0.4\n"
    (folder / "other").write_text("bob\ttea\nzoe\ttea\t2\nzoe\tmilk\n")
    output = run(capsys, "score", "model.npz", "other")
    assert "n = 4, 3 of them in contexts never seen" in output


def test_labels_of_pairs_keep_every_character_but_tab_and_line_feed(folder):
    odd = ["a\u2028b", *"\x85\x0b\x0c\u2029 \u00a0\x01", "\x1c\x1d\x1e", "a\rb", ""]
    lines = [f"{context}\t{outcome}" for context, outcome in zip(odd, odd[::-1], strict=True)]
    text = "\n".join([*lines[:4], "", "  ", f"{lines[4]}\r", *lines[5:]])
    (folder / "odd").write_bytes(text.encode())
    pairs = read_pairs("odd")
    assert (pairs.contexts, pairs.outcomes, pairs.weights) == (odd, odd[::-1], None)


@pytest.mark.parametrize("weight", [2**53 - 1, -(2**53)])
def test_whole_numbers_in_words_are_themselves(folder, weight):
    assert read_number(f" {weight}") == weight
    assert isinstance(read_number("5"), float)  # as options are
    if weight > 0:
        (folder / "large").write_text(f"a\tb\t{weight}\nb\tb\t1\n", encoding="utf-8")
        weights = read_pairs("large").weights
        counts = CountMatrix.from_pairs([0, 1], [0, 0], 2, weights=weights)
        assert counts.values.tolist() == [weight, 1]


TABLE = [
    '"a, b, c, d, e",page,next,times',
    '1,"/blog?x=1,2",/home,3',
    "2,/home,/cart,0.5",
    "",
    "3,/home,/cart,5",
    '4,/cart,"/say ""hi""",1',
]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_pairs_are_columns_of_a_table(folder, capsys, mark):
    given = mark if mark == "|" else None
    rows = list(csv.reader(TABLE))
    with open("table", "w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file, delimiter=mark).writerows(rows)
    pairs = read_columns("table", ["page", "next", "times"], separator=given)
    output = [row for row in rows[1:] if row]
    contexts, outcomes, times = ([row[place] for row in output] for place in (1, 2, 3))
    assert pairs == (contexts, outcomes, [*map(float, times)])
    assert read_columns("table", ["next", "page"], separator=given).weights is None
    columns = ["--columns", "page,next", *(["--separator", mark] if given else [])]
    run(capsys, "fit", "table", *columns, "--method", "kn", "-o", "table.npz")
    lines = [f"{row[1]}\t{row[2]}" for row in output]
    (folder / "pairs").write_text("\n".join(lines), encoding="utf-8")
    run(capsys, "fit", "pairs", "--pairs", "--method", "kn", "-o", "pairs.npz")
    assert Path("table.npz").read_bytes() == Path("pairs.npz").read_bytes()
    first = run(capsys, "score", "table.npz", "table", *columns)
    assert first == run(capsys, "score", "table.npz", "pairs")


def test_models_are_compared_on_the_same_data(folder, capsys):
    rng = np.random.default_rng(0)
    words = [" ".join(f"{n}" for n in rng.integers(0, 4, 12)) for _ in range(40)]
    (folder / "text").write_text("\n".join(words), encoding="utf-8")
    pairs = [f"{a}\t{(a + 1) % 5}" for a in rng.integers(0, 30, 300)]
    (folder / "pairs").write_text("\n".join(pairs), encoding="utf-8")
    ids = ("kn", "add-half", "laplace")
    for name, options in (("text", []), ("pairs", ["--pairs"])):
        for id in ids:
            run(capsys, "fit", name, "--method", id, *options, "-o", f"{name}-{id}.npz")
        paths = [f"{name}-{id}.npz" for id in ids]
        given = [line.split("\t") for line in pairs] if name == "pairs" else words
        expected = condprob.compare(given, {path: condprob.load(path) for path in paths})
        found = json.loads(run(capsys, "compare", *paths, name, "--json"))
        wanted = [record | {"seconds": None} for record in expected.records()]
        assert found == wanted
        assert run(capsys, "compare", *paths, name) == f"{expected!r}\n"
    # What is alike but for the rounding of a file is equally good.
    run(capsys, "fit", "text", "--method", "kn", "-o", "text.arpa")
    assert "equally good" in run(capsys, "compare", "text-kn.npz", "text.arpa", "text")
    run(capsys, "fit", "text", "--method", "kn", "--no-lines", "-o", "cut.npz")
    mistakes = {
        ("pairs-kn.npz", "text-kn.npz", "text"): "models of pairs and of texts",
        ("cut.npz", "text-kn.npz", "text"): "cut texts in different ways",
        ("text-kn.npz", "text.arpa", "text", "--columns", "a,b"): "the model is a language model",
        ("text-kn.npz", "text"): "give MODEL MODEL... TEST, or DATA with --method",
        ("text-kn.npz", "text.arpa", "text", "--order", "3"): "--order applies to --method",
    }
    for arguments, told in mistakes.items():
        assert told in fails(capsys, "compare", *arguments)


def test_many_methods_on_two_files_are_compared(folder, capsys):
    rng = np.random.default_rng(1)
    for name, seed in (("train", 60), ("test", 30)):
        lines = [" ".join(f"w{n % 9}" for n in rng.integers(0, 4, 8) ** 2) for _ in range(seed)]
        (folder / name).write_text("\n".join(lines), encoding="utf-8")
    given = ["kn", "kn,discount=modified,form=backoff", "add-half"]
    how = [part for id in given for part in ("--method", id)]
    found = json.loads(run(capsys, "compare", "train", "test", *how, "--json"))
    assert {record["method"] for record in found} == set(given)
    for record in found:
        id, *settings = record["method"].split(",")
        options = [part for setting in settings for part in ("--set", setting)]
        alone = scored(capsys, "train", "test", "--method", id, *options)
        assert record["nats"] == pytest.approx(alone["nats"])
        assert record["seconds"] > 0
    for arguments, told in (
        (["train", "test", "--method", "kn"], "two different methods or more"),
        (["train", "test", "--method", "kn,form", "--method", "ad"], "write NAME=VALUE"),
    ):
        assert told in fails(capsys, "compare", *arguments)


TABLES = {
    "u.data": ("1\t2\t3\t9\n2\t1\t3\t9\n1\t1\t1\t9\n", ["1,2,3"]),
    "ratings.dat": ("1::2::3::9\n2::1::3::9\n1::1::1::9\n", ["1,2,3", "--separator", "::"]),
    "excel.csv": ("sep=;\nuser;item;n\n1;2;3\n2;1;3\n1;1;1\n", ["user,item,n"]),
    "bar.csv": ("sep=|\r\nuser|item|n\r\n1|2|3\r\n2|1|3\r\n1|1|1\r\n", ["user,item,n"]),
    "otu.tsv": ("# Made\n\n#user\titem\tn\n1\t2\t3\n2\t1\t3\n1\t1\t1\n", ["#user,item,n"]),
    "said.csv": ("# Made\n# by\nuser,item,n\n1,2,3\n2,1,3\n1,1,1\n", ["user,item,n"]),
    "tabs.csv": (
        "user\titem\tn\n1\t2\t3\n2\t1\t3\n1\t1\t1\n",
        ["user,item,n", "--separator", r"\t"],
    ),
    "lines.jsonl": (
        '{"user": "1", "item": "2", "n": 3}\n\n{"item": "1", "n": 3, "user": "2"}\n'
        '{"user": "1", "item": "1", "n": 1, "more": null}\n',
        ["user,item,n"],
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_read_as_they_come(folder, name):
    text, (columns, *more) = TABLES[name]
    (folder / name).write_text(text, encoding="utf-8", newline="")
    pairs = read_columns(name, columns.split(","), separator=more[1] if more else None)
    assert pairs == (["1", "2", "1"], ["2", "1", "1"], [3, 3, 1])


LINES = [
    "the cat sat",
    "the dog sat",
    "a",
    "the cat ran on",
    "the cat sat",
    "a dog",
    "on a on a on",
]


@pytest.mark.parametrize("order", [2, 3, 4])
def test_a_text_and_its_counts_of_ngrams_have_the_same_fit(folder, capsys, order):
    counts = {}
    for line in LINES:
        words = ["<s>", *line.split(), "</s>"]
        for length in range(1, order + 1):
            for start in range(len(words) - length + 1):
                ngram = tuple(words[start : start + length])
                counts[ngram] = counts.get(ngram, 0) + 1
    text = "".join(f"{' '.join(ngram)}\t{n}\n" for ngram, n in counts.items())
    (folder / "counts").write_text(text, encoding="utf-8")
    run(capsys, "fit", "counts", "--ngrams", "-o", "counts.npz")
    expected = condprob.fit_text(LINES, order)
    run(capsys, "fit", "counts", "--ngrams", "-o", "counts.arpa")
    arpa = condprob.load("counts.arpa")
    assert arpa.score(LINES).nats == pytest.approx(expected.score(LINES).nats, abs=1e-6)
    for found in (condprob.load("counts.npz"), condprob.fit_text(counts, order)):
        assert found.order == order
        assert found.score(LINES).nats == pytest.approx(expected.score(LINES).nats, abs=1e-12)
        for history in ("", "the", "the cat", "on a on"):
            row, wanted = found.row(history), expected.row(history)
            assert row == pytest.approx(wanted, abs=1e-12)
    del counts[next(ngram for ngram in counts if len(ngram) == order and "cat" in ngram)]
    with pytest.warns(UserWarning, match=r"these are not all n-grams of some sentences"):
        condprob.fit_text(counts, order)


def test_pairs_of_words_without_marks_are_fitted_at_order_two():
    counts = {("the", "cat"): 3, ("the", "dog"): 2, ("a", "cat"): 1, ("the",): 5}
    found = condprob.fit_text(counts, 2, method="add-half")
    assert found.prob("the", "cat") == (3 + 0.5) / (5 + 4 / 2)
    import pandas as pd

    rows = [(*pair, n) for pair, n in counts.items() if len(pair) == 2]
    frame = pd.DataFrame(rows, columns=["before", "word", "n"])
    for data in (frame, frame.set_index(["before", "word"])["n"], frame.to_dict("list")):
        assert condprob.fit_text(data, 2, method="add-half").row("the") == found.row("the")
    with pytest.raises(ValueError, match="no <s>: without it, only pairs"):
        condprob.fit_text(counts)
    with pytest.raises(ValueError, match="has the count 1"):
        condprob.fit_text({("a", "b"): 1.5}, 2)


def test_help_imports_nothing_that_takes_long(tmp_path):
    code = "import sys; from condprob.__main__ import main; main(); print(*sys.modules, sep='\\n')"
    for arguments in (["--help"], ["fit", "--help"], ["compare", "--help"], ["--version"]):
        ran = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
        )
        loaded = {name.partition(".")[0] for name in ran.stdout.splitlines()}
        assert "condprob" in loaded
        assert loaded.isdisjoint({"numpy", "scipy", "numba", "pandas"})


def test_help_is_in_words(capsys):
    for command in group.commands:
        assert main([command, "--help"]) == 0
        shown = capsys.readouterr().out
        assert "`" not in shown
        assert shown.count("Usage: condprob") == 1


def test_several_files_are_read_as_one(folder, capsys):
    lines = ["the cat sat", "a dog ran", "the dog sat on a cat"]
    for number, line in enumerate(lines):
        (folder / f"part{number}").write_text(line, encoding="utf-8")
    (folder / "whole").write_text("\n".join(lines), encoding="utf-8")
    parts = ["part0", "part1", "part2"]
    for how in ([], ["--no-lines"], ["--tokenizer", "characters"]):
        run(capsys, "fit", *parts, *how, "--method", "kn", "-o", "parts.npz")
        run(capsys, "fit", "whole", *how, "--method", "kn", "-o", "whole.npz")
        assert Path("parts.npz").read_bytes() == Path("whole.npz").read_bytes()
        score = run(capsys, "score", "whole.npz", "whole")
        assert run(capsys, "score", "whole.npz", *parts) == score
    rows = ["ann\ttea\t2", "bob\ttea", "bob\tmilk\t0.5"]
    for number, row in enumerate(rows):
        (folder / f"part{number}").write_text(row, encoding="utf-8")
    (folder / "whole").write_text("\n".join(rows), encoding="utf-8")
    for files, name in ((parts, "parts.npz"), (["whole"], "whole.npz")):
        run(capsys, "fit", *files, "--pairs", "--method", "add-half", "-o", name)
    assert Path("parts.npz").read_bytes() == Path("whole.npz").read_bytes()
    counts = ["<s> a\t2\na </s>\t1\n", "a b\t1\nb </s>\t1\n"]
    for number, part in enumerate(counts):
        (folder / f"part{number}").write_text(part, encoding="utf-8")
    run(capsys, "fit", "part0", "part1", "--ngrams", "-o", "m.npz", "--method", "kn")
    assert condprob.load("m.npz").about.n == 5


def test_a_cross_table_is_read(folder, capsys):
    (folder / "wide.csv").write_text("site,oak,ash,elm\nA,3,,1\nB,0,2,2\n", encoding="utf-8")
    (folder / "long.csv").write_text(
        "site,tree,n\nA,oak,3\nA,elm,1\nB,ash,2\nB,elm,2\nB,oak,0\n", encoding="utf-8"
    )
    fit = ("--method", "add-half", "-o")
    run(capsys, "fit", "wide.csv", "--crosstab", *fit, "wide.npz")
    run(capsys, "fit", "long.csv", "--columns", "site,tree,n", *fit, "long.npz")
    wide, long = (condprob.load(name) for name in ("wide.npz", "long.npz"))
    assert wide.row("A") == long.row("A")
    assert wide.about.n == 8
    assert run(capsys, "score", "wide.npz", "wide.csv", "--crosstab") == run(
        capsys, "score", "wide.npz", "long.csv", "--columns", "site,tree,n"
    )
    (folder / "sums.csv").write_text("s,a,b,All\nA,3,1,4\nB,0,2,2\nAll,3,3,6\n", encoding="utf-8")
    assert "contains its own sums" in fails(capsys, "fit", "sums.csv", "--crosstab", "-o", "m.npz")


def test_what_a_user_lacks_is_recommended(folder, capsys):
    rows = "user,item\nann,tea\nann,milk\nbob,tea\nbob,gin\ncy,gin\n"
    (folder / "clicks.csv").write_text(rows, encoding="utf-8")
    columns = ["--columns", "user,item"]
    run(capsys, "fit", "clicks.csv", *columns, "--method", "kn", "-o", "m.npz")
    pairs = [tuple(row.split(",")) for row in rows.split()[1:]]
    expected = condprob.load("m.npz").recommend(pairs, 1)
    found = json.loads(
        run(capsys, "recommend", "m.npz", "clicks.csv", *columns, "-n", "1", "--json")
    )
    assert found == {user: dict(row) for user, row in expected.items()}
    lines = run(
        capsys, "recommend", "m.npz", "clicks.csv", *columns, "--context", "ann"
    ).splitlines()
    assert [line.split("\t")[:2] for line in lines] == [["ann", "gin"]]


def test_texts_are_generated(folder, capsys):
    (folder / "lines").write_text("the cat sat\nthe dog ran\na cat ran\n" * 9, encoding="utf-8")
    run(capsys, "fit", "lines", "-o", "m.npz")
    first = run(capsys, "generate", "m.npz", "-n", "40", "--seed", "1")
    assert first == run(capsys, "generate", "m.npz", "-n", "40", "--seed", "1")
    words = condprob.load("m.npz").generate(40, seed=1)
    assert first.split() == [word for word in words if word != "</s>"]
    assert first.count("\n") >= words.count("</s>")
    assert json.loads(run(capsys, "generate", "m.npz", "the", "-n", "5", "--json"))
    run(capsys, "fit", "lines", "--tokenizer", "characters", "--order", "5", "-o", "letters.npz")
    letters = run(capsys, "generate", "letters.npz", "-n", "60")
    assert {*letters} <= {*"the cat sat\nthe dog ran\na cat ran\n"}
    assert {*letters.split()} & {"the", "cat", "ran"}
    assert "nats per character" in run(capsys, "score", "letters.npz", "lines")


def test_each_sentence_and_word_is_scored(folder, capsys):
    (folder / "lines").write_text("the cat sat\nthe dog ran\na cat ran\n", encoding="utf-8")
    (folder / "new").write_text("the cat ran\n\na dog\n", encoding="utf-8")
    run(capsys, "fit", "lines", "-o", "m.npz")
    model = condprob.load("m.npz")
    expected = model.scores(["the cat ran", "", "a dog"])
    rows = [
        line.split("\t")
        for line in run(capsys, "score", "m.npz", "new", "--each", "sentence").splitlines()
    ]
    assert [row[3] for row in rows] == ["the cat ran", "", "a dog"]
    assert [float(row[0]) for row in rows] == pytest.approx(
        [each.log_prob for each in expected], abs=1e-6
    )
    words = json.loads(run(capsys, "score", "m.npz", "new", "--each", "word", "--json"))
    assert [each["word"] for each in words] == [w for each in expected for w in each.words]
    bare = run(capsys, "score", "m.npz", "new", "--each", "word", "--no-end").splitlines()
    assert [line.split("\t")[2] for line in bare] == ["the", "cat", "ran", "a", "dog"]
    found = json.loads(run(capsys, "score", "m.npz", "new", "--no-end", "--json"))
    assert found["nats"] == pytest.approx(model.score(["the cat ran", "a dog"], end=False).nats)


def test_one_file_is_compared_by_holding_out_a_fifth(folder, capsys):
    rng = np.random.default_rng(3)
    lines = [" ".join(f"w{n % 9}" for n in rng.integers(0, 6, 8) ** 2) for _ in range(80)]
    (folder / "text").write_text("\n".join(lines), encoding="utf-8")
    pairs = [(f"u{a}", f"i{(a + b) % 7}") for a, b in rng.integers(0, 6, (400, 2))]
    (folder / "pairs").write_text("\n".join(map("\t".join, pairs)), encoding="utf-8")
    how = ["--method", "kn", "--method", "add-half", "--seed", "4", "--json"]
    for name, form, data in (("text", [], lines), ("pairs", ["--pairs"], pairs)):
        found = json.loads(run(capsys, "compare", name, *form, *how))
        expected = condprob.compare(data, methods=["kn", "add-half"], seed=4).records()
        for one, other in zip(found, expected, strict=True):
            assert one | {"seconds": 0} == pytest.approx(other | {"seconds": 0})


def test_score_and_compare_say_why_they_differ_on_unknown_words(folder, capsys):
    (folder / "one").write_text("the cat sat\nthe dog ran\n" * 30, encoding="utf-8")
    (folder / "two").write_text("the cat sat\nthe new bird ran\n" * 30, encoding="utf-8")
    how = ["--method", "kn", "--method", "add-half"]
    both = run(capsys, "compare", "one", "two", *how)
    assert "know all words of both texts; score would leave out 60 words of the test" in both
    assert "leave" not in run(capsys, "compare", "one", "one", *how)
    found = run(capsys, "compare", "one", "two", "--min-count", "2", *how)
    assert "60 words of the test are unknown and left out, as in score" in found
    run(capsys, "fit", "one", "--min-count", "2", "-o", "m.npz")
    assert main(["score", "m.npz", "two"]) == 0
    assert "condprob compare DATA TEST scores these words, too" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("grams.txt", "the cat\t3\nthe dog\t2\na b\t1\n", "--ngrams"),
        ("tabs.txt", "a\tb\nc\td\ne\tf\n", "looks like a table"),
        ("clicks.csv", "ann,tea now\nbob,milk\n", "looks like a table"),
        ("zh.txt", "我爱北京天安门\n我爱上海\n", "--tokenizer characters"),
        ("book.txt", textwrap.fill("word " * 2 + "longer words and more " * 99, 72), "--no-lines"),
        ("prose.txt", "a\tb\nc d\ne f\n", None),
        ("short.txt", "a\tb\nc\td\n", None),
    ],
)
@pytest.mark.filterwarnings("default")
def test_a_text_that_is_likely_none_is_told_in_options_of_the_command(
    folder, capsys, name, text, told
):
    (folder / name).write_text(text, encoding="utf-8")
    assert main(["fit", name, "-o", "m.npz"]) == 0
    printed = capsys.readouterr().err
    assert (told in printed and printed.count("\n") == 1) if told else printed == ""


def test_a_number_has_one_spelling(folder, capsys):
    condprob.fit([(10, "x"), (7, "y"), (10, "y")], method="kn").save("numbers.npz")
    (folder / "spelled").write_text("1_0\tx\n007\ty\n10\tx\n", encoding="utf-8")
    found = json.loads(run(capsys, "score", "numbers.npz", "spelled", "--json"))
    assert (found["pairs"], found["unseen"]) == (3, 2)
    (folder / "zero").write_text("10\tx\t0\n", encoding="utf-8")
    assert main(["score", "numbers.npz", "zero"]) == 2
    assert "no pair has an outcome that the model knows" in capsys.readouterr().err


def test_samples_are_of_the_vocabulary_and_of_the_seed(folder, capsys):
    run(capsys, "fit", "train", "-o", "model.npz", *PLAIN)
    first = run(capsys, "sample", "model.npz", "a", "b", "-n", "5", "--seed", "1")
    assert first == run(capsys, "sample", "model.npz", "a", "b", "-n", "5", "--seed", "1")
    lines = [line.split("\t") for line in first.splitlines()]
    assert [context for context, _ in lines] == ["a"] * 5 + ["b"] * 5
    assert {outcome for _, outcome in lines} <= set("abc")
    drawn = run(capsys, "sample", "model.npz", "a", "-n", "50", "--exclude", "a").split()[1::2]
    assert set(drawn) == set("bc")


def test_functions_are_compiled_into_a_folder(capsys):
    told = run(capsys, "compile", "kn")
    assert Path(told.partition("1 method are compiled, and kept in ")[2].strip()).is_dir()
    assert "method km does not exist" in fails(capsys, "compile", "kn", "km").replace("'", "")


def test_methods_are_listed_with_a_line_each_and_one_with_its_options(folder, capsys):
    lines, _, about = run(capsys, "methods").partition("\n\n")
    assert "texts, too" in about
    lines = lines.splitlines()
    assert [line.split()[0] for line in lines] == list(METHODS)
    for id, words in (
        ("kn", "Kneser-Ney: absolute discounting"),
        ("jm", "Jelinek-Mercer"),
        ("plsa", "Probabilistic latent semantic analysis"),
    ):
        (line,) = (line for line in lines if line.startswith(f"{id} "))
        assert words in line
    assert not any("`" in line for line in lines)
    (of_kn,) = (line for line in lines if line.startswith("kn "))
    assert of_kn.endswith("(for pairs and texts)")
    assert run(capsys, "methods", "kn").startswith("kn  Kneser-Ney")
    output = run(capsys, "methods", "ad")
    assert "    unseen = unigram: one of unigram, uniform\n" in output
    output = run(capsys, "methods", "lr")
    assert "    initial = random: one of random, clusters\n" in output  # arrays are Python's alone
    output = fails(capsys, "fit", "train", "-o", "m.npz", "--method", "lr", "--set", "initial=5")
    assert output.endswith("must be one of random, clusters\n")
    told = fails(capsys, "methods", "xyz")
    assert told.count(",") == 4  # five names


@pytest.mark.parametrize("module", ["condprob"])
def test_version(module):
    command = [sys.executable, "-m", module, "--version"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output == f"condprob {condprob.__version__}\n"


def test_an_option_that_may_be_none_is_none(folder, capsys):
    how = ("--method", "ad-lr", "--set", "rank=2", "--set", "initial=random", "--set", "tol=None")
    run(capsys, "fit", "train", "-o", "m.npz", *how)
    assert condprob.load("m.npz").about.options == {"rank": 2}


def test_labels_that_are_numbers_are_asked_for_in_digits(folder, capsys):
    pairs = {"user": [1, 1, 2], "item": [10, 11, 11]}
    condprob.fit(pairs, "user", "item", method="add-half").save("numbers.npz")
    assert run(capsys, "top", "numbers.npz", "1", "--exclude", "10") == "1\t11\t0.5\n"
    assert run(capsys, "sample", "numbers.npz", "2", "-n", "1").startswith("2\t1")
    (folder / "new").write_text("1\t10\n2\t11\n")
    output = json.loads(run(capsys, "score", "numbers.npz", "new", "--json"))
    # (1 + 1/2) / (2 + 1), and (1 + 1/2) / (1 + 1)
    assert output["nats"] == pytest.approx(-(np.log(1 / 2) + np.log(3 / 4)) / 2)
    assert (output["unseen"], output["unknown"]) == (0, 0)


@pytest.mark.filterwarnings("default")
def test_what_python_warns_of_the_command_tells_too(folder, capsys):
    (folder / "few").write_text("ann\ttea\nbob\ttea\n\tmilk\n")
    how = ("--method", "ad-lr", "--set", "rank=9", "--set", "initial=random")
    assert main(["fit", "--pairs", "few", "-o", "m.npz", *how]) == 0
    output = capsys.readouterr().err.splitlines()
    empty = "1 pair with an empty label, read as a label like any other"
    assert output[0] == f"condprob: warning: {empty}"
    assert "rank=9: no matrix of 3 by 2 has a rank above 2" in output[1]
    assert main(["fit", "train", "-o", "m.npz", *PLAIN, *how]) == 0
    assert "warning: rank=9: no matrix of 3 by 3 has a rank above 3" in capsys.readouterr().err


@pytest.mark.filterwarnings("default")
def test_marks_of_lines_are_their_ends_and_too_few_blocks_are_told_once(folder, capsys):
    (folder / "marked").write_text("<s> a b </s>\n<s> b a </s>\n")
    assert main(["fit", "--method", "kn", "marked", "-o", "m.npz"]) == 0
    assert capsys.readouterr().err == ""  # they stand for the ends that a line has in any case
    run(capsys, "fit", "train", "-o", "one.npz", "--method", "add-half", *PLAIN)
    run(capsys, "fit", "train", "-o", "other.npz", "--method", "kn", *PLAIN)
    assert main(["compare", "one.npz", "other.npz", "test"]) == 0
    output = capsys.readouterr().err
    problem = "no interval: fewer than 5 blocks or 50 pairs or words (these data have 3 blocks"
    assert output.startswith(f"condprob: warning: {problem} and 3 words); ")
    assert output.count("\n") == 1


def test_a_reader_that_leaves_is_told_nothing():
    command = f"{sys.executable} -m condprob methods | head -1"
    ran = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, env=os.environ, check=False
    )
    assert ran.stderr == ""


def test_json_has_no_number_that_json_has_not(folder, capsys):
    (folder / "never").write_text("b b")  # a pair without counts, which has probability zero
    run(capsys, "fit", "train", "-o", "m.npz", "--method", "mle", *PLAIN)
    output = run(capsys, "score", "m.npz", "never", "--json")
    found = json.loads(output, parse_constant=pytest.fail)  # Infinity, NaN
    assert found["nats"] is None
    assert found["perplexity"] is None


def test_labels_that_the_output_cannot_encode_are_spelled_out(folder):
    (folder / "greek").write_text("tea\t猫\ntea\t猫\n", encoding="utf-8")
    assert main(["fit", "greek", "--pairs", "--method", "kn", "-o", "m.npz"]) == 0
    output = subprocess.run(
        [sys.executable, "-m", "condprob", "top", "m.npz", "tea", "-n", "1"],
        env=os.environ | {"PYTHONIOENCODING": "cp1252"},
        check=True,
        capture_output=True,
    )
    assert output.stdout.startswith(b"tea\t\\u732b\t")
    assert output.stderr == b""


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_json_is_json_whatever_the_output_can_encode(folder, monkeypatch, encoding):
    (folder / "odd").write_text("é\t猫\né\tmilk\n", encoding="utf-8")
    assert main(["fit", "odd", "--pairs", "--method", "kn", "-o", "m.npz"]) == 0
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
    assert main(["top", "m.npz", "é", "--json"]) == 0
    output = raw.getvalue().decode(encoding)
    assert json.loads(output)["é"].keys() == {"猫", "milk"}


def test_what_controls_a_terminal_is_spelled_out(folder, capsys):
    (folder / "odd").write_bytes("a\x1b[31m\tb\rc\u202e\na\x1b[31m\td\x9be\n".encode())
    run(capsys, "fit", "odd", "--pairs", "--method", "kn", "-o", "m.npz")
    output = run(capsys, "top", "m.npz", "a\x1b[31m")
    first, second = output.splitlines()
    assert first.startswith("a\\x1b[31m\tb\\rc\\u202e\t0.")
    assert second.startswith("a\\x1b[31m\td\\x9be\t0.")
    output = run(capsys, "sample", "m.npz", "a\x1b[31m", "-n", "1")
    assert output.startswith("a\\x1b[31m\t")
    write_arrays("kind", {"condprob": np.array(["\x1b[31m", "4"])})
    assert "\x1b" not in fails(capsys, "top", "kind", "a")
    assert "\x1b" not in fails(capsys, "top", "\x1b[31m", "a")
