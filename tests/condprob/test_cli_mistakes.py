"""Nonsense on the command line and in its files: exit status 2, one line, and no file changed."""

import io
import pickle
import re

import numpy as np
import pytest

from condprob import (
    CountMatrix,
    Text,
    Vocabulary,
    checks,
    fit_text,
    method,
)
from condprob.cli import main

TRAIN = "a b a b a c\na b"


class Trap:
    """Unpickled, it would make a file."""

    def __reduce__(self):
        return open, ("trapped", "w")


def npz(**arrays):
    """Return the bytes of a file of arrays."""
    raw = io.BytesIO()
    np.savez(raw, **arrays)
    return raw.getvalue()


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """Return the bytes of a model in numbers."""
    path = tmp_path_factory.mktemp("made") / "bare.npz"
    method("kn").fit(np.eye(2)).save(path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Return the bytes of a model with three words."""
    path = tmp_path_factory.mktemp("made") / "model.npz"
    fit_text("a b a c", 2, text=Text(lines=False), method="add-half").save(path)
    return path.read_bytes()


@pytest.fixture
def folder(tmp_path, monkeypatch, model, bare):
    for name, text in (("train", TRAIN), ("pairs", "a\tb\n"), ("foreign", "x y z")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "bare.npz").write_bytes(bare)
    (tmp_path / "model.npz").write_bytes(model)
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(folder, capsys, *arguments):
    """Return the line with which a command is refused; nothing in the folder may change."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    try:
        status = main([str(argument) for argument in arguments])
    except SystemExit as left:  # of argparse
        status = left.code
    printed = capsys.readouterr()
    assert (status, printed.out) == (2, "")
    assert re.fullmatch(r"condprob: error: [^\n]+\n", printed.err)
    assert len(printed.err) < 1000
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    return printed.err


def option(id, *settings):  # of a method
    given = [part for setting in settings for part in ("--set", setting)]
    return ["fit", "train", "-o", "model.npz", "--method", id, *given]


FIT, SCORE = ["fit", "train", "-o", "model.npz"], ["score", "model.npz"]
COMPARE = ["compare", "train", "train", "--method", "kn", "--method", "ad"]
COMMANDS = [  # and what the line names: the argument or file, what is wrong, the way out
    (["guess"], ["'guess'", "condprob --help"]),
    (["fit"], ["'DATA...'", "condprob fit --help"]),
    (["fit", "train"], ["'--output'", "condprob fit --help"]),
    ([*FIT, "--sed", "1"], ["--sed"]),
    ([*FIT, "--rank", "5"], ["--rank", "--set NAME=VALUE"]),
    ([*FIT, "--seed", "abc"], ["--seed", "'abc'"]),
    ([*FIT, "--seed", "-1"], ["--seed", "-1"]),
    ([*FIT, "--order", "0"], ["--order", "0"]),
    ([*FIT, "--vocabulary", "absent"], ["absent: No such file"]),
    ([*FIT, "absent"], ["absent: No such file"]),
    ([*FIT, "--tokenizer", "a\nb"], ["tokenizer = 'a\\nb'", "whitespace, "]),
    ([*FIT, "--encoding", "punycode"], ["unknown encoding: 'punycode'"]),
    ([*FIT, "--encoding", "utf-32"], ["train: byte 0 (0x61) is not utf-32"]),
    ([*FIT, "--pairs"], ["train:1: 1 field", "CONTEXT<tab>OUTCOME", "--columns"]),
    ([*FIT, "--crosstab"], ["train: outcome 'a'"]),
    ([*FIT, "--crosstab", "--columns", "1,2"], ["--columns and --crosstab"]),
    ([*FIT, "--min-count", "1000000"], ["the largest count is 4"]),
    ([*FIT, "--no-lines", "--min-count", "1000000"], ["the largest count is 4"]),
    (["fit", "train", "-o", "absent/model.npz"], ["absent/model.npz: No such file or directory"]),
    (["fit", "train", "-o", "other"], ["other: Is a directory"]),
    (["fit", "train", "-o", "-"], ["--output -", "to a file"]),
    ([*FIT, "--checkpoint", "./model.npz"], ["model.npz: is the checkpoint"]),
    (["fit", "train", "-o", ""], ["No such file or directory"]),
    (["fit", "train", "-o", 300 * "a"], ["File name too long"]),
    (["fit", "other", "-o", "model.npz"], ["other: Is a directory"]),
    (["fit", "train", "-o", "no.arpa", "--no-lines"], ["no.arpa", "kn"]),
    (
        ["fit", "absent", "-o", "no.arpa", "--method", "ad", "--order", "2"],
        ["no.arpa", "--order 3"],
    ),
    (["fit", "absent", "-o", "no.arpa", "--method", "kn", "--pairs"], ["no.arpa", "sentences"]),
    ([*FIT, "--pairs", "--no-lines"], ["--no-lines", "--pairs"]),
    ([*FIT, "--columns", "a,b", "--min-count", "2"], ["--min-count", "--columns"]),
    ([*FIT, "--pairs", "--order", "3"], ["--order", "--pairs"]),
    ([*FIT, "--ngrams", "--pairs"], ["--pairs and --ngrams"]),
    ([*FIT, "--ngrams", "--no-lines"], ["--no-lines", "--ngrams"]),
    ([*FIT, "--ngrams"], ["train:1: 'a b a b a c'", "WORDS<tab>COUNT"]),
    (["score"], ["'MODEL'", "condprob score --help"]),
    (["score", "train"], ["'TEST...'"]),
    (["score", "train", "train"], ["train: ", "A MODEL is a file that condprob fit wrote"]),
    ([*SCORE, "train", "third"], ["third: No such file"]),
    ([*SCORE, "train", "--columns", "a,b"], ["is a language model", "no pairs"]),
    ([*SCORE, "train", "--separator", "|"], ["--separator", "--columns"]),
    ([*SCORE, "foreign"], ["contains no word that the model knows"]),
    (["top", "model.npz"], ["'CONTEXT...'"]),
    (["top", "model.npz", "a", "-n", "0"], ["-n", "0"]),
    (["top", "model.npz", "z"], ["'z' is not in the vocabulary"]),
    (["top", "absent", "z"], ["absent: No such file"]),
    (["top", "other", "z"], ["other: Is a directory"]),
    (["top", "train", "z"], ["train: ", "A MODEL"]),
    (["top", "bare.npz", "a"], ["bare.npz: ", "condprob fit"]),
    (["recommend", "model.npz", "pairs"], ["model.npz is a language model", "condprob top"]),
    (["generate", "model.npz", "z"], ["'z' is not in the vocabulary"]),
    (["sample", "model.npz", "--seed", "-1"], ["--seed", "-1"]),
    (["compare", "model.npz", "bare.npz", "train"], ["bare.npz: "]),
    (["compare", "model.npz"], ["MODEL MODEL... TEST", "--method"]),
    (["compare", "train", "--method", "kn"], ["two different methods"]),
    ([*COMPARE, "train"], ["DATA TEST"]),
    ([*COMPARE, "--pairs", "--no-lines"], ["--no-lines", "--pairs"]),
    ([*COMPARE, "--method", "kneser"], ["method 'kneser' does not exist"]),
    # ------------------------------------------------------------------- methods and their options
    (option("kneser"), ["method 'kneser' does not exist"]),
    (option("py-lr", "sweeps"), ["'sweeps'", "NAME=VALUE"]),
    (option("py-lr", "a\nb=1"), ["py-lr has no option 'a\\nb'"]),
    (option("py-lr", "order=3"), ["py-lr has no option 'order'"]),
    (option("py-lr", "sweeps=1", "sweeps=2"), ["'sweeps=2'", "once for each name"]),
    (option("add-half", "constant=abc"), ["constant = 'abc'"]),
    (option("kn", "form=\0"), ["form = '\\x00'", "interpolated, backoff"]),
]


@pytest.mark.parametrize(("arguments", "named"), COMMANDS)
def test_command_is_refused_in_one_line(folder, capsys, arguments, named):
    told = refused(folder, capsys, *arguments)
    assert [each for each in named if each not in told] == []
    assert not any(sign in told for sign in ("Errno", "`", "Traceback"))


DATA = [
    ("", "data: contains no pairs"),
    ("\n", "data: contains no pairs"),
    ("a\tb\t1e300\n", "weights have the value 1e+300: floats"),
    ("a\tb\t0.5\nb\ta\t1e-300\n", "must be zero, or at least 1e-100"),
    ("a\tb\tmany\n", "data:1: weight 'many': must be a number >= 0"),
    ("a\tb\tnan\n", "data:1: weight 'nan': must be a number >= 0"),
    ("a\tb\t-1\n", "data:1: weight '-1': must be a number >= 0"),
    # Python's own float would read these two.
    ("a\tb\t1_000\n", "data:1: weight '1_000': must be a number >= 0"),
    ("a\tb\t\u0663\n", "data:1: weight '\u0663': must be a number >= 0"),
    (f"a\tb\t{5000 * '9'}\n", "data:1: weight '999"),
    ("a\tb\t9223372036854775807\n", "weights have the value 9.223372036854776e+18: floats"),
    (b"a\tb\n\xff\ta\n", "data: byte 4 (0xff) is not utf-8"),
    ("a\tb\n\na\tb\t1\t2\n", "data:3: 4 fields, but a pair is CONTEXT<tab>OUTCOME"),
    ("a\rb\n", "data:1: 1 field, but a pair is CONTEXT<tab>OUTCOME"),
    ("the\t23135\nof\t13151\nand\t12997\n", "each line is a word, or an n-gram, and its count"),
]
COLUMNS = [
    ("a,b\n1,2", "a", "columns 'a': write CONTEXT,OUTCOME or CONTEXT,OUTCOME,WEIGHT"),
    ("a,b\n1,2", "a,a", "columns 'a,a': write CONTEXT,OUTCOME"),
    ("a,b\n1,2", "a,c", "data: column 'c' not found; the table has 'a', 'b'"),
    ("a,b,a\n1,2,3", "a,b", "data: column 'a' occurs 2 times; the table has 'a', 'b', 'a'"),
    ("a,b\n1,2\n3", "a,b", "data:3: 1 field, but 2 named columns"),
    ('a,b\n1,2\n3,"4', "a,b", "data:3: a quotation mark opens here and is never closed"),
    ("a,b,c\n1,2,-3", "a,b,c", "data:2: weight '-3': must be a number >= 0"),
    ("", "a,b", "data: column 'a' not found; the table has none"),
    ("# said\n", "a,b", "data: column 'a' not found; the table has none"),
    ("1,2\n3", "1,2", "data:2: 1 field, but 2 columns"),
    ("1,2\n3,4", "1,3", "data:1: no column 3: 2 columns"),
    ("a,b\n3,4", "1,2,2", "columns '1,2,2': write CONTEXT,OUTCOME or"),
    ("user,n\nann,x", "0,1", "data: column '0' not found; the table has 'user', 'n'"),
    ("u,i,n\n1,2,3", "1,2,3", "data:1: weight 'n': must be a number >= 0"),
    ('{"a": 1}', "a,b", "data:1: no field 'b': there are 'a'"),
    ('{"a": 1, "b": [2]}', "a,b", "data:1: b = [2]: not a label"),
    ('{"a": 1, "b": null}', "a,b", "data:1: b = None: not a label"),
    ('{"a": 1, "b": 2, "n": -1}', "a,b,n", "data:1: weight -1: must be a number >= 0"),
    ('{"a": 1, "b": 2}\n[1, 2]', "a,b", "data:2: [1, 2]: not a JSON object"),
    ('{"a": 1, "b": 2}\n{', "a,b", "data:2: not JSON"),
]
TEXTS = [
    (b"", "the text has no words"),
    (b"a b \xff c", "data: byte 4 (0xff) is not utf-8: name the file's encoding, such as latin-1"),
    (b"PK\3\4\0\xff", "data: not a text: it contains NUL characters"),
]
CASES = [(content, ["--pairs"], message) for content, message in DATA]
CASES += [(content, ["--columns", names], message) for content, names, message in COLUMNS]
CASES += [(content, ["--no-lines"], message) for content, message in TEXTS]
CASES += [
    (
        "a,b\n1,2",
        ["--columns", "a,b", "--separator", mark],
        f"separator {mark!r}: must be characters",
    )
    for mark in ('"', "\n", "")
]
CASES += [
    (
        "a,b\n1,2",
        ["--columns", "a,b", "--separator", "|"],
        "data: column 'a' not found; the table has 'a,b'",
    ),
    ("a\tb", ["--pairs", "--separator", "|"], "--separator applies to a table: add --columns"),
]
CASES += [("\n", [], "the text has no words")]


@pytest.mark.parametrize(("content", "how", "message"), CASES)
def test_data_are_refused_in_one_line(folder, capsys, content, how, message):
    (folder / "data").write_bytes(content if isinstance(content, bytes) else content.encode())
    arguments = ["fit", "data", *how, "--method", "kn", "-o", "model.npz"]
    assert message in refused(folder, capsys, *arguments)


MODELS = {
    "nothing": b"",
    "no archive": b"PK\3\4",
    "a pickle": pickle.dumps(Trap()),
    "an array with pickles": npz(a=np.array([Trap(), 2], dtype=object)),
    "foreign arrays": npz(a=np.eye(2)),
}


@pytest.mark.parametrize("raw", MODELS.values(), ids=MODELS)
def test_a_file_that_is_no_model_is_refused_and_runs_nothing(folder, capsys, raw):
    (folder / "model.npz").write_bytes(raw)
    for arguments in (["top", "model.npz", "a"], ["score", "model.npz", "train"]):
        assert "model.npz: " in refused(folder, capsys, *arguments)
    assert not (folder / "trapped").exists()


def test_the_file_is_named_for_whose_content_there_is_no_room(folder, capsys, monkeypatch):
    monkeypatch.setattr(checks, "memory_of_machine", lambda: 1e7)
    fit = ["fit", "--method", "kn", "-o", "model.npz"]
    (folder / "large").write_bytes(b"a b\n" * 1_000_000)
    assert "large: its content takes 0.0 GB of memory" in refused(folder, capsys, *fit, "large")

    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(Text, "cut", fail)
    assert refused(folder, capsys, *fit, "train").endswith("error: MemoryError\n")


def test_vocabularies_that_are_none_are_refused():
    for vocabulary in ((Vocabulary("a"),), (Vocabulary("a"), 1), None):
        with pytest.raises(ValueError, match=r"^pass a Vocabulary, or one of contexts and one of"):
            CountMatrix.from_labels(["a"], ["a"], vocabulary)
    with pytest.raises(ValueError, match=r"^5: expected a list of labels"):
        Vocabulary(5)
