"""The command line: from two text files to a cross-entropy, or to one line of error."""

import re

import pytest

from condprob import CountMatrix, cross_entropy, method
from condprob.__main__ import main

TRAIN, TEST = "a b a b a c\na b", "a c a b"


@pytest.fixture
def texts(tmp_path):
    for name, text in (("train", TRAIN), ("test", TEST), ("short", "one")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [str(tmp_path / name) for name in ("train", "test")]


def test_add_half_by_hand(texts, capsys):
    # Of 3 types: a is followed by b 3 times and by c once, b by a twice, c by a once. Of the test
    # pairs, ac has probability 1.5/5.5, ca 1.5/2.5, ab 3.5/5.5: -log of their product is 2.2621.
    main(["score", *texts, "--method", "add-half"])
    assert capsys.readouterr().out == (
        "0.754031 nats per word, perplexity 2.126, 3 pairs, 3 types\n"
    )


def test_options_reach_the_method(texts, capsys):
    main(["score", *texts, "--method", "ad-lr", "--set", "rank=2", "discount=0.5", "--seed", "3"])
    train = CountMatrix.from_pairs([0, 1, 0, 1, 0, 2, 0], [1, 0, 1, 0, 2, 0, 1], 3)
    test = CountMatrix.from_pairs([0, 2, 0], [2, 0, 1], 3)
    matrix = method("ad-lr", rank=2, discount=0.5).fit(train, seed=3)
    assert capsys.readouterr().out.startswith(f"{cross_entropy(test, matrix):.6f} nats")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "kneser"], "method 'kneser' does not exist"),
        (["--set", "discount=2"], "discount = 2: must be a number between 0 and 1"),
        (["--set", "discount"], "option 'discount': NAME=VALUE is needed"),
        (["--set", "discont=0.5"], "kn has no option 'discont'; did you mean 'discount'?"),
        (["--tokenizer", "spaces"], "tokenizer 'spaces': one of whitespace, "),
        (["--encoding", "utf-9"], "unknown encoding: utf-9"),
    ],
)
def test_a_mistake_is_one_line(texts, capsys, arguments, message):
    with pytest.raises(SystemExit, match="2"):
        main(["score", *texts, *arguments])
    assert re.fullmatch(
        rf"condprob: error: [^\n]*{re.escape(message)}[^\n]*\n", capsys.readouterr().err
    )


@pytest.mark.parametrize(("name", "message"), [("short", "1 words"), ("absent", "No such file")])
def test_a_text_that_cannot_be_used_is_named(texts, tmp_path, capsys, name, message):
    with pytest.raises(SystemExit):
        main(["score", texts[0], str(tmp_path / name)])
    error = capsys.readouterr().err
    assert name in error
    assert message in error
    assert error.count("\n") == 1
