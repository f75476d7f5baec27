"""The command line on texts: the order is one option, whatever the method."""

import json

import pytest

from condprob import METHODS, Sentences, Vocabulary, cross_entropy, load, method
from condprob.cli import main

WORDS = ("a rose is a rose is a rose " * 20 + "is a nose a rose ").split()


def run(capsys, *arguments):
    assert main([*map(str, arguments)]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("id", METHODS)
def test_every_method_fits_and_scores_a_text_of_an_order(id, tmp_path, capsys):
    text, model = tmp_path / "text.txt", tmp_path / "model.npz"
    text.write_text(" ".join(WORDS), encoding="utf-8")
    few = {"rank": 2, "iterations": 3, "largest_rank": 2, "penalty": 0.5, "samples": 3}
    options = {name: value for name, value in few.items() if name in METHODS[id].options}
    given = [part for pair in options.items() for part in ("--set", "{}={}".format(*pair))]
    given += ["--method", id, "--order", 3, "--json"]
    assert run(capsys, "fit", text, "-o", model, *given)["words"] == len(WORDS)
    told = run(capsys, "score", "--model", model, text, "--json")
    sentences, _ = Sentences.from_labels(WORDS, Vocabulary(WORDS))
    fitted = method(id, **options).fit_text(sentences, 3)
    assert told["nats"] == pytest.approx(cross_entropy(sentences, fitted), abs=1e-12)
    assert run(capsys, "score", text, text, *given)["nats"] == pytest.approx(told["nats"])
    assert load(model).order == 3


def test_order_two_is_the_pairs_of_neighbours_and_the_default(tmp_path, capsys):
    text = tmp_path / "text.txt"
    text.write_text(" ".join(WORDS), encoding="utf-8")
    given = ["score", text, text, "--method", "kn", "--json"]
    assert run(capsys, *given, "--order", 2) == run(capsys, *given)
    assert run(capsys, *given)["pairs"] == len(WORDS) - 1
