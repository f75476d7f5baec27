"""Texts in characters, scores of sentences and words, and books with wrapped lines."""

import textwrap
import warnings

import numpy as np
import pytest

from condprob import LanguageModel, Text, compare, fit_text, load
from condprob.tokenizers import width_of_wrapping

LINES = ["the cat sat on the mat", "the dog sat", "a cat ran", "a dog ran on", "the cat sat"]
CHARACTERS = Text("characters")


def test_characters_are_words_and_a_space_is_a_mark(tmp_path):
    made = fit_text(LINES, 4, text=CHARACTERS)
    assert set(made.words) == {*"".join(LINES).replace(" ", "▁"), "</s>"}
    marked = fit_text([list(line.replace(" ", "▁")) for line in LINES], 4)
    assert made.row("the c") == marked.row(list("the▁c")) == made.row(list("the▁c"))
    assert made.row("the ") == marked.row(list("the▁"))
    assert made.row("<s> th") == made.row("th")
    assert made.prob("the", " ") == made.prob("the", "▁")
    assert made.score(["a  cat\tsat "]) == made.score(["a cat sat"])
    made.save(tmp_path / "letters.arpa")
    read = load(tmp_path / "letters.arpa")
    assert read.text == made.text
    assert read.row("the c") == pytest.approx(made.row("the c"))


def test_letters_with_spaces_have_an_arpa_file(tmp_path):
    """Lists of letters: fields of the file have no spaces, and so a mark stands for one."""
    listed = [list(line) for line in LINES]
    made = fit_text(listed, 3)
    made.save(tmp_path / "letters.arpa")
    assert "\t▁" in (tmp_path / "letters.arpa").read_text(encoding="utf-8")
    read = load(tmp_path / "letters.arpa")
    assert list(read.words) == list(made.words)
    assert read.score(listed).nats == pytest.approx(made.score(listed).nats, abs=1e-6)
    both = fit_text([*listed, ["▁"]], 3)
    with pytest.raises(ValueError, match="must be a word without spaces"):
        both.save(tmp_path / "both.arpa")


MODELS = {
    "left out": lambda: fit_text(LINES),
    "a class": lambda: fit_text(LINES, text=Text(min_count=2)),
    "histories": lambda: fit_text(LINES, 2, method="add-half"),
    "one sequence": lambda: fit_text(LINES, 3, text=Text(lines=False)),
    "neighbours": lambda: fit_text(LINES, 2, method="kn", text=Text(lines=False)),
}


@pytest.mark.filterwarnings("ignore:.* of the words are unknown")
@pytest.mark.parametrize("kind", MODELS)
def test_scores_of_sentences_and_words_are_those_of_the_text(kind):
    model, test = MODELS[kind](), ["the dog sat on", "", "a bird ran new", "cat"]
    found, score = model.scores(test), model.score(test)
    assert len(found) == (len(test) if model.text.lines else 1)
    values = np.concatenate([each.log_probs for each in found])
    unknown = np.concatenate([each.unknown for each in found])
    assert unknown.sum() == (2 if kind != "a class" else score.unknown)
    known = values[~unknown & ~np.isnan(values)]
    empties = model.text.lines  # the end of the empty line, which `score` leaves out
    assert known.size == score.n + empties
    total = known.sum() - (found[1].log_prob if empties else 0.0)
    assert -total / score.n == pytest.approx(score.nats)
    without = model.score(test, end=False)
    bare = np.concatenate([each.log_probs for each in model.scores(test, end=False)])
    bare_unknown = np.concatenate([each.unknown for each in model.scores(test, end=False)])
    kept = bare[~bare_unknown & ~np.isnan(bare)]
    assert (-kept.mean(), kept.size) == (pytest.approx(without.nats), without.n)
    for each in found:
        if model.text.lines and not each.unknown.any():
            chain = [model.prob(each.words[:n], word) for n, word in enumerate(each.words)]
            assert each.log_prob == pytest.approx(np.log(chain).sum())


def test_an_unknown_word_without_a_class_has_no_probability():
    (found,) = fit_text(LINES).scores(["the bird sat"])
    assert found.words == ["the", "bird", "sat", "</s>"]
    assert found.unknown.tolist() == [False, True, False, False]
    assert found.log_prob == -np.inf
    assert found.perplexity == np.inf
    (found,) = fit_text(LINES, text=Text(min_count=2)).scores(["the bird sat"])
    assert np.isfinite(found.log_prob)
    assert isinstance(found, tuple)


def words_at_random(n, seed=0):
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list("abcde"), rng.integers(2, 9))) for _ in range(n)]


BOOK = " ".join(words_at_random(3000))
SENTENCES = [
    " ".join(words_at_random(int(n), seed)) + " ."
    for seed, n in enumerate(np.random.default_rng(1).integers(3, 30, 200))
]


@pytest.mark.parametrize("width", [60, 72, 80])
@pytest.mark.parametrize("give", ["string", "lines", "path"])
def test_a_wrapped_book_is_warned_of_once_with_what_mends_it(tmp_path, width, give):
    lines = textwrap.wrap(BOOK, width)
    path = tmp_path / "book"
    path.write_text("\n".join(lines), encoding="utf-8")
    source = {"string": "\n".join(lines), "lines": iter(lines), "path": path}[give]
    with pytest.warns(UserWarning, match="look wrapped") as given:
        fit_text(source)
    assert [str(one.message).partition(",")[0] for one in given] == [
        f"the lines look wrapped at {width} columns"
    ]
    assert "Text(lines=False)" in str(given[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = fit_text(path, text=Text(lines=False))
        model.score(path)
        fit_text([line.split() for line in lines])  # sentences that are cut already
    with pytest.warns(UserWarning, match="the lines look wrapped"):
        compare("\n".join(lines), methods=["kn", "mle"])


@pytest.mark.parametrize(
    "lines",
    [
        SENTENCES,
        [sentence.removesuffix(" .") for sentence in SENTENCES],
        BOOK.split(),
        [" ".join(BOOK.split()[i : i + 8]) for i in range(0, 3000, 8)],
        textwrap.wrap(BOOK, 72)[:15],
        textwrap.wrap(BOOK, 400),
        [f"{line[:30]} ." for line in SENTENCES],
        [],
    ],
)
def test_lines_that_are_sentences_are_not_taken_for_wrapped_ones(lines):
    assert width_of_wrapping(lines) is None


def test_a_script_without_spaces_is_told_of_characters():
    with pytest.warns(UserWarning, match=r"every sentence has a single word.*Text\('characters'\)"):
        fit_text(["我爱北京天安门", "我爱上海"])
    assert len(fit_text(["我爱北京天安门", "我爱上海"], text=CHARACTERS).words) == 10


def test_a_text_is_a_column_of_any_library_and_no_list_of_paragraphs():
    pyarrow = pytest.importorskip("pyarrow")
    assert fit_text(pyarrow.array(LINES)).row("the") == fit_text(LINES).row("the")
    with pytest.raises(
        ValueError, match=r"the word \['the'.* is of type list: words must be texts"
    ):
        fit_text([[["the", "cat"], ["sat"]]])
    assert isinstance(fit_text(LINES), LanguageModel)
