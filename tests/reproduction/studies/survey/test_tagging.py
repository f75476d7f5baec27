"""Structural learning in the survey: the tag table, masks, every scorer, table, figure and case."""

import numpy as np
import pandas as pd
import pytest

from reproduction.scores.columns import complete_row
from reproduction.studies.survey import checks, figures, genres, tables, tagging
from reproduction.studies.survey.plan import ASO, GENRES, SUPERVISED, TAGGING, plan_tagging
from reproduction.studies.survey.tagging import (
    MASKED,
    POSITIONS,
    STRUCTURED,
    Unlabelled,
    describe_tokens,
    describe_words,
)
from reproduction.studies.survey.texts import NAMES, find_tagged, part_of, take_tokens
from reproduction.study import Material

# All tags of Brown, as its manual lists them, without what is appended.
TAGS = """. ( ) * -- , : ` ' `` '' abl abn abx ap ap$ at be bed bed* bedz bedz* beg bem bem* ben ber
ber* bez bez* cc cd cd$ cs do do* dod dod* doz doz* dt dt$ dti dts dtx ex hv hv* hvd hvd* hvg hvn
hvz hvz* in jj jj$ jjr jjs jjt md md* nil nn nn$ nns nns$ np np$ nps nps$ nr nr$ nrs od pn pn$ pp$
pp$$ ppl ppls ppo pps ppss ql qlp rb rb$ rbr rbt rn rp to uh vb vbd vbg vbn vbz wdt wp$ wpo wps wql
wrb""".replace("` ' ", "' ").split()  # fmt: skip
GIVEN = {"corpus": "brown", "every": 1, "unlabelled": 900, "test": 300, "ablated": 80, "draws": 2,
         "ranks": [1, 2], "least": 4, "problems": 8, "strength": 3.0, "passes": 2}  # fmt: skip
OF_GENRES = {"sizes": [8], "draws": 2, "ranks": [1], "least": 2, "piece": 20, "problems": 10,
             "strength": 3.0}  # fmt: skip


def made_up_tokens():
    """Two kinds of words in turns, each kind with an ending of its own, in 20 documents."""
    rng = np.random.default_rng(9)
    labels = [f"{'ab'[n % 2]}{letter}{'ly' if kind else 'ness'}"
              for kind in (0, 1) for n, letter in enumerate("cdefghijkl")]  # fmt: skip
    labels = np.array([*labels, "Ten-4"])
    kinds = np.tile(np.arange(60) % 2, 20)
    word = kinds * 10 + rng.integers(0, 10, kinds.size)
    word[::37] = 20
    told = {"word": word, "tag": np.where(word == 20, 7, kinds), "labels": labels}
    told |= {"sentence": np.arange(word.size) // 6, "document": np.arange(word.size) // 60}
    return told | {"genre": np.array(list("ABABB") * 4)}


@pytest.fixture(scope="module")
def tokens():
    return made_up_tokens()


@pytest.fixture(scope="module")
def unlabelled(tokens):
    described = describe_tokens(tokens, describe_words(tokens["labels"]), np.arange(600))
    return Unlabelled(*described, 4, 6, 3.0)


def test_the_table_has_every_tag_and_its_words_a_part():
    assert {part_of(tag) for tag in TAGS} == set(NAMES)
    for tag, part in (("NN-TL-HL", "NOUN"), ("fw-at+nn-tl", "DET"), ("ppss+bez", "PRON"),
                      ("md*", "VERB"), ("*", "PRT"), ("*-hl", "PRT"), ("wdt+bez", "DET"),
                      ("fw-*", "PRT"), (".-hl", "PUNCT"), ("--", "PUNCT")):  # fmt: skip
        assert part_of(tag) == part
    with pytest.raises(KeyError):
        part_of("zz")


def test_tokens_of_a_file_with_tags(monkeypatch):
    text = b"The/at cat/nn ran/vbd ./.\n\nIt's/pps+bez a/at 1/2/cd\n"
    source = type("Source", (), {"contents": [text, text]})
    where = "reproduction.studies.survey.texts.read_source"
    monkeypatch.setattr(where, lambda *_, **__: source)
    found = find_tagged({"brown": {}}, {"every": 1})
    assert found["labels"][found["word"][:7]].tolist() == [
        "The",
        "cat",
        "ran",
        ".",
        "It's",
        "a",
        "1/2",
    ]
    assert [NAMES[tag] for tag in found["tag"][4:7]] == ["PRON", "DET", "NUM"]
    assert found["sentence"].tolist() == [0] * 4 + [1] * 3 + [2] * 4 + [3] * 3
    assert found["genre"].tolist() == ["A", "A"]
    assert take_tokens(found, np.array([0, 1]), 4).tolist() == [0, 1, 2, 3, 7, 8, 9, 10]


def test_what_is_derived_from_a_predicted_word_is_hidden(tokens, unlabelled):
    U, size = unlabelled.fit(), 6
    for number, position in enumerate(POSITIONS):
        own = U[:, number * size : (number + 1) * size]
        for kind in STRUCTURED:
            rows = unlabelled.types[kind]
            assert own[rows].any() == (kind not in MASKED[position] and rows.size > 0)
        assert own[unlabelled.types["constant"]].all()
        # Other features of the hidden word change no predictor of it.
        blocks = [block[::-1] if kind in MASKED[position] else block
                  for kind, block in zip(STRUCTURED, unlabelled.blocks, strict=False)]  # fmt: skip
        other = Unlabelled([*blocks, unlabelled.blocks[-1]], unlabelled.words, 4, 6, 3.0).fit()
        np.testing.assert_allclose(other[:, number * size : (number + 1) * size], own, atol=1e-9)
    # The words of a token are its neighbours; a sentence has edges.
    small = describe_words(tokens["labels"])["word"].indices
    words = unlabelled.words
    assert words["left"][0] == words["right"][5] == small[-1]
    assert words["middle"][0] == words["left"][1] == small[20]
    assert words["right"][0] == words["middle"][1]


@pytest.fixture(scope="module")
def scores(tokens, tmp_path_factory):
    path = tmp_path_factory.mktemp("tagged") / "tagged.npz"
    np.savez(path, **tokens)
    inputs = {"tagged": path}
    with pytest.MonkeyPatch.context() as patch:
        # Two kinds of words are told apart by the first steps; the last ones are many.
        patch.setattr("reproduction.studies.survey.classifiers.ITERATIONS", 12)
        rows = {
            TAGGING: [row for size in (40, 80)
                      for row in tagging.score_tagging(1, inputs, {}, GIVEN | {"size": size})],
            GENRES: [*genres.score_genres(1, inputs, {}, OF_GENRES)],
        }  # fmt: skip
    return {name: pd.DataFrame(map(complete_row, part)) for name, part in rows.items()}


def test_scores_tables_figures_and_cases(scores, tmp_path):
    part = scores[TAGGING]
    rates = part.groupby(["n", "method"])[["loss", "pairs"]].sum()
    assert (rates["loss"] < 0.1 * rates["pairs"]).drop(index=(80, "alone"), errors="ignore").all()
    assert set(part[part["n"] == 40]["method"]) == {SUPERVISED, ASO, "ridged"}
    assert (part[part["method"] == SUPERVISED]["rank"] == 0).all()
    given = GIVEN | {"sizes": [40, 80], "genres": OF_GENRES}
    jobs, exhibits = plan_tagging(given, {}, "default")
    assert len(jobs) == 3
    for exhibit in exhibits:
        material = Material(scores[exhibit.name], None, exhibit.entry, {}, {}, {}, 1, "survey")
        table = tables.tabulate_structural(material)
        assert (table["low"] <= table["accuracy"]).all()
        own = table.set_index(["n", "method"])
        n = own.index[0][0]
        gained = own.loc[(n, ASO), "accuracy"] - own.loc[(n, SUPERVISED), "accuracy"]
        assert own.loc[(n, ASO), "gain"] == pytest.approx(gained)
        figure = figures.draw_structural(table, exhibit.entry, {})
        figure.savefig(tmp_path / "it.png")
    cases = pd.DataFrame(checks.check_structure(1, scores))
    claimed = {"a-svd", "a-v", "a-u", "a-u-printed", "a-better", "a-genres", "a-ridged", "a-once",
               "a-negatives", "a-types", "a-counts"}  # fmt: skip
    assert set(cases["check"]) == claimed
    sure = cases[cases["check"].isin(["a-svd", "a-v", "a-u", "a-u-printed"])]
    assert sure.set_index("check")["holds"].to_dict() == {
        "a-svd": True, "a-v": True, "a-u": True, "a-u-printed": False}  # fmt: skip


def test_errors_saved_are_those_of_each_document_and_draw():
    rows = [{"seed": seed, "block": block, "pairs": 10 * (block + 1), "method": name, "loss": loss}
            for seed in (0, 1) for block in (0, 1, 2)
            for name, loss in (("a", block), ("b", block + 2 + seed))]  # fmt: skip
    value, low, high = tables.errors_saved(pd.DataFrame(rows), "a", "b")
    assert value == pytest.approx((6 + 9) / 2 / 60)
    assert low < value < high
    _, low, high = tables.errors_saved(pd.DataFrame(rows), "a", "a")
    assert low == high == 0


def test_a_text_that_could_not_be_had_has_no_scores(tmp_path):
    with open(tmp_path / "none.npz", "wb") as file:
        np.savez(file)
    inputs = {"tagged": tmp_path / "none.npz"}
    assert not [*tagging.score_tagging(1, inputs, {}, {})]
    assert not [*genres.score_genres(1, inputs, {}, {})]
    empty = Material(pd.DataFrame(), None, {}, {}, {}, {}, 1, "survey")
    table = tables.tabulate_structural(empty)
    assert not len(table)
    figures.draw_structural(table, {"kind": TAGGING}, {})
    assert len([*checks.check_structure(1, {TAGGING: pd.DataFrame()})]) == 4
