"""Interpolated Kneser-Ney of any order, against its formula and the bigrams of the library."""

import subprocess
import tracemalloc
from collections import defaultdict
from pathlib import Path
from shutil import which

import numpy as np
import pytest

from condprob import Sentences, method
from condprob.text.arpa import read_arpa
from condprob.text.ngrams import fit_kneser_ney

RNG = np.random.default_rng(5)
SHARES = [0.4, 0.2, 0.15, 0.1, 0.1, 0.05]
LISTS = [RNG.choice(6, length, p=SHARES).tolist() for length in (30, 1, 0, 17, 25)]
TEXT = Sentences.from_lists(LISTS, k=8)  # words 6 and 7 never occur
HISTORIES = [(), (7,), (0,), (0, 1), (1, 0, 0), (0, 0, 0, 0, 1), (7, 0)]


def slow(order, discount, history, k=8):
    """The distribution after a history, straight from the formula; -1 is the start."""
    padded = [[-1, *sentence] for sentence in LISTS]
    whole = defaultdict(int)
    for sentence in padded:
        for i in range(1, len(sentence)):
            for n in range(1, min(order, i + 1) + 1):
                whole[tuple(sentence[i + 1 - n : i + 1])] += 1

    def adjusted(ngram):
        if len(ngram) == order or ngram[0] == -1:
            return whole[ngram]
        return len({longer[0] for longer in list(whole) if longer[1:] == ngram})

    def distribution(context):
        lower = np.full(k, 1 / k) if not context else distribution(context[1:])
        counts = np.array(
            [adjusted((*context, y)) if (*context, y) in whole else 0 for y in range(k)]
        )
        if not counts.any():
            return lower
        taken = discount * (counts > 0)
        return (counts - taken + taken.sum() * lower) / counts.sum()

    return distribution(tuple([-1, *history])[max(len(history) + 2 - order, 0) :])


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_it_is_its_formula(order):
    model = fit_kneser_ney(TEXT, order, discount=0.6)
    for history in HISTORIES:
        (row,) = model.rows([history])
        np.testing.assert_allclose(row, slow(order, 0.6, history), rtol=1e-12)
        assert row.sum() == pytest.approx(1, abs=1e-12)


def test_an_order_of_no_word_is_refused():
    with pytest.raises(ValueError, match="order = 0: must be an integer >= 1"):
        fit_kneser_ney(TEXT, 0)


def test_a_fit_takes_few_bytes_for_each_ngram():
    """An n-gram has three integers of 4 bytes and 8 of its probability, a context four and 8.

    These are 44 bytes where each n-gram is a context, too. The words of the text, and the places
    that are sorted, take less than the 16 bytes that are left.
    """
    text = Sentences.from_words(RNG.integers(300, size=50_000), k=300)
    fit_kneser_ney(TEXT, 5)  # compiles
    tracemalloc.start()
    model = fit_kneser_ney(text, 5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert model.word.size > 3 * text.n
    assert peak < 60 * model.word.size


def test_modified_kneser_ney_is_what_kenlm_estimated():
    """Words drawn at random, and what lmplz of kenlm 0.3.0 made of them at order 3."""
    folder = Path(__file__).parent / "kenlm"
    text = (folder / "drawn.txt").read_text(encoding="utf-8").splitlines()
    compare_with_kenlm([line.split() for line in text], folder / "order-3.arpa", 3)


@pytest.mark.skipif(not which("lmplz"), reason="KenLM's lmplz is not on the PATH")
def test_modified_kneser_ney_is_what_kenlm_estimates(tmp_path):
    """The same of other words, at other orders."""
    drawn = np.minimum(np.random.default_rng(0).zipf(1.3, (3000, 8)), 400)
    lines = [[f"w{word}" for word in line] for line in drawn]
    given = "".join(" ".join(line) + "\n" for line in lines)
    (tmp_path / "text").write_text(given, encoding="utf-8")
    for order in (2, 3, 4):
        arpa = tmp_path / f"{order}.arpa"
        how = ["-o", str(order), "--text", tmp_path / "text", "--arpa", arpa, "-T", tmp_path]
        subprocess.run(["lmplz", "-S", "100M", *how], check=True, capture_output=True)
        compare_with_kenlm(lines, arpa, order)


def compare_with_kenlm(lines, arpa, order):
    """Compare n-grams that were seen, others, and a word that is not known."""
    theirs, words, _ = read_arpa(arpa)
    number = {word: place for place, word in enumerate(words)}
    text = [[number[word] for word in [*line, "</s>"]] for line in lines]
    text = Sentences.from_lists(text, len(words))
    ours = method("kn", discount="modified", continuation="uniform").fit_text(text, order)
    asked = np.random.default_rng(1).permuted(lines[:100], axis=1).tolist()
    asked = [[number[word] for word in [*line, "<unk>"]] for line in asked + lines[100:200]]
    asked = Sentences.from_lists(asked, len(words))
    np.testing.assert_allclose(ours.score(asked), theirs.score(asked), atol=1e-5, rtol=0)
