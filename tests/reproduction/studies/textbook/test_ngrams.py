"""N-grams on sentences that are made up: their scores, what they remember, tables and figures."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_up_corpora import archive, put
from own_config import own_config

from condprob import Sentences, method
from reproduction.corpora.blocks import save_block
from reproduction.exhibits.panels import draw_exhibit
from reproduction.scores.orders import score_orders
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.textbook import clusters, ngrams, plan, ratings, sentences, texts
from reproduction.studies.textbook.figures import DRAW
from reproduction.studies.textbook.lowdim import place_file, place_plays_file
from reproduction.studies.textbook.tables import TABULATE
from reproduction.study import Material

TOP = Path(__file__).parents[4]
SMALL = {"orders": [1, 2, 4], "drawn": 30}
NEITHER_IS_MISSING = (plan.TEXTS, plan.PLAYS)
TEXT = {"corpus": "brown", "shown": False}
SHOWN = {"corpus": "shakespeare", "shown": True}
COMPLETION = {
    "frequent": 4,
    "held_out": 0.3,
    "ranks": [1],
    "passes": 3,
    "trials": 2,
    "ridge": 0.0,
    "rate": 0.02,
}
KN = {"kn-text": {"method": "kn", "continuation": "uniform"}}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Words 1 to 4 in sentences; 0 stands for what is unknown."""
    folder, rng = tmp_path_factory.mktemp("textbook"), np.random.default_rng(4)
    parts = [Sentences.from_lists([rng.integers(0, 5, 6) for _ in range(n)], 5) for n in (40, 10)]
    save_block(folder / "words.npz", parts)
    np.savez(
        folder / "style.npz",
        labels=np.array(list("?abcd")),
        rows=rng.random((9, 50)),
        names=np.array(["A", "B", "web"] * 2 + ["kjv"] * 3),
    )
    np.savez(
        folder / "plays.npz",
        rows=rng.random((5, 50)),
        names=np.array(["hamlet", "hamlet", "macbeth", "dream", "merchant"]),
    )
    return {name: folder / f"{name}.npz" for name in ("words", "style", "plays")}, parts


@pytest.fixture(scope="module")
def small_tables():
    """Tables of ratings with few rows and columns."""
    with pytest.MonkeyPatch.context() as patch:
        for size, value in {"USERS": 60, "ITEMS": 40, "IMAGES_DRAWN": 80}.items():
            patch.setattr(ratings, size, value)
        yield


@pytest.fixture(scope="module")
def scores(files, small_tables):
    words, style, plays = files[0].values()
    mle = {"mle": {"method": "mle"}}
    jobs = {
        "ngrams": score_orders(1, words, KN, SMALL["orders"]),
        "memory": ngrams.remember_file(1, words, style, mle, SMALL | SHOWN),
        "completion": ngrams.complete_file(1, words, COMPLETION),
        "compared": sentences.compare_file(1, words, KN, SMALL | TEXT | {"compared": 5}),
        "next": sentences.next_file(1, words, style, SMALL | SHOWN),
        "elbow": clusters.elbow_file(1, {"clusters": 4, "starts": 1, "trials": 2}),
        "seeding": clusters.seeding_file(1, {"starts": 2}),
        "classified": clusters.classify_file(1, {"clusters": [10], "trials": 2}),
        "ratings": ratings.rate_file(
            1, {"known": 0.3, "held_out": 0.1, "rank": 2, "passes": 2, "trials": 2}
        ),
        "style": [*place_file(style), *place_plays_file(style, plays, SHOWN["corpus"])],
        "uses": sentences.use_file(words, style, KN, SMALL | TEXT),
        "films": ratings.map_films_file(1),
    }
    return {name: pd.DataFrame([{"order": 2} | row for row in rows]) for name, rows in jobs.items()}


def test_ends_of_sentences_are_scored_and_unknown_words_are_not(files, scores):
    _, (train, test) = files
    rows = scores["ngrams"]
    assert (rows.groupby("order")["pairs"].sum() == (test.words > 0).sum() + len(test)).all()
    model = method("kn", continuation="uniform").fit_text(train.with_stops(), 2)
    losses = -model.score(test.with_stops())
    expected = losses[test.with_stops().words > 0].sum()
    assert rows[rows["order"] == 2]["loss"].sum() == pytest.approx(expected)


def test_what_is_remembered_is_counted_by_hand(files, scores):
    _, (train, _) = files
    ended = train.with_stops()
    lists = [tuple(s) for s in np.split(ended.words, ended.starts[1:-1])]
    after = {}
    for sentence in lists:
        for i in range(len(sentence)):
            history = ("start", *sentence[:i])[-3:]
            if len(history) == 3:
                after.setdefault(history, set()).add(sentence[i])
    single = np.mean([len(words) == 1 for words in after.values()])
    found = scores["memory"].set_index("order")
    assert found["single"][4] == pytest.approx(single)
    assert found["found"][4] == 1  # four words at once: each was seen together
    assert found["found"][1] < found["found"][2] < 1
    assert set(found["text"][2].replace(" ", "").replace("/", "")) <= set("?abcd")
    counted = {}
    for gram in (s[i : i + 2] for s in lists for i in range(len(s) - 1)):
        counted[gram] = counted.get(gram, 0) + 1
    assert found["once"][2] == np.mean([times == 1 for times in counted.values()])
    seed = spawn_seed(1, "generated", 4)
    drawn = ngrams.draw_sentences(method("mle").fit_text(ended, 4), 30, seed)
    said = [tuple(s) for s in np.split(drawn.words, drawn.starts[1:-1]) if len(s) > 5]
    assert found["copied"][4] == np.mean([s in lists for s in said])
    grams = [s[i : i + 4] for s in lists for i in range(len(s) - 3)]
    assert len(np.unique(ngrams.key_grams(ended))) == len(set(grams))


def test_sentences_are_compared_one_by_one(files):
    _, (train, test) = files
    model = method("kn", continuation="uniform").fit_text(train.with_stops(), 3)
    lists = ngrams.list_sentences(test)
    by_one = [model.score(Sentences.from_lists([words], 5).with_stops()).sum() for words in lists]
    np.testing.assert_allclose(sentences.score_each(model, lists, 5), by_one)
    rng = np.random.default_rng(0)
    words = np.array([1, 2, 2, 4])
    assert sorted(sentences.shuffle(words, rng)) == [1, 2, 2, 4]
    assert (sentences.shuffle(words, rng) != words).any()
    counts = np.array([50, 9, 8, 7, 1])
    for _ in range(20):
        other = sentences.replace(words, counts, rng)
        assert (other != words).sum() == 1
        assert other.min() > 0


def test_bars_of_next_words_are_counted_by_hand(tmp_path):
    speeches = [
        "Go and go seek the king.",
        "He went to seek the king, and to seek the door.",
        "The king is here! Go seek the king",
        "We seek the old king.",
    ]
    text = "".join(f"<SPEECH><SPEAKER>A</SPEAKER><LINE>{each}</LINE></SPEECH>" for each in speeches)
    raw = archive({"a.xml": f"<PLAY>{text}</PLAY>".encode()}, "shakespeare")
    put(tmp_path, "corpora/shakespeare.zip", raw)
    entry = {"source": "nltk", "package": "shakespeare", "files": ["a.xml"]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLTK_DATA", str(tmp_path))
        found = texts.find_plays("plays", entry, 5)
    given = {"words": tmp_path / "words.npz", "style": tmp_path / "style.npz"}
    texts.save_texts(given["words"], given["style"], found)
    settings = {"drawn": 30, "corpus": "plays", "shown": True}
    rows = pd.DataFrame(sentences.next_file(1, *given.values(), settings))
    lines = [s for speech in speeches for s in texts.cut_sentences(speech)]
    assert lines[0] == ["Go", "and", "go", "seek", "the", "king", "."]
    assert lines[3] == ["Go", "seek", "the", "king"]  # after "!", and without a mark
    bars = rows[rows["word"].notna()].set_index(["history", "order", "word"])["probability"]
    assert set(bars.index.get_level_values("history")) == {"go seek the", "seek the king"}
    for (history, order, word), share in bars.items():
        end = history.split()[4 - order :]
        after = [
            (*line, "(end)")[i + order - 1]
            for line in lines
            for i in range(len(line) - order + 2)
            if line[i : i + order - 1] == end
        ]
        assert share == pytest.approx(after.count(word) / len(after))
    assert bars["go seek the", 4, "king"] == 1
    assert rows["low"].notna().sum() == 3
    assert found[2] == {"a": found[2]["a"]}  # style of blocks of five words of the play
    assert len(found[2]["a"]) == sum(len(speech.split()) for speech in speeches) // 5


def test_sentences_of_the_uses_are_scored_word_by_word(files):
    given, (train, _) = files
    labels = ["?", "how", "can", "I", "you"]
    np.savez(given["style"].with_name("uses.npz"), labels=np.array(labels), rows=[], names=[])
    style = given["style"].with_name("uses.npz")
    rows = sentences.use_file(given["words"], style, KN, SMALL | TEXT)
    rows = pd.DataFrame(rows).set_index("sentence")
    model = method("kn", continuation="uniform").fit_text(train.with_stops(), 3)
    words = Sentences.from_lists([[1, 2, 3, 0, 4]], 5).with_stops()
    expected = model.score(words).sum() - np.log(1e6)  # "help" is unknown
    assert rows["nats"]["how can I help you"] == pytest.approx(expected)
    assert rows["unknown"]["how can I help you"] == 1
    completed = rows[rows["use"] == "completion"]
    assert len(completed) == 3
    assert not completed.index.str.contains("?", regex=False).any()


def test_a_text_that_was_drawn_is_cut_at_a_word():
    drawn = Sentences.from_lists([[1, 2, 3], [4], [1, 3]], 5)
    text = ngrams.write_text(drawn, ["?", "so", ",", "we", ""])
    assert text == "so, we / so"


def test_log_counts_are_of_frequent_words_alone(files):
    entries = ngrams.list_log_counts(Sentences.from_lists([[1, 2, 1, 2, 3, 0, 1], [2, 1]], 4), 2)
    # Frequent are 1 and 2: "1 2" came twice, "2 1" twice.
    assert sorted(zip(*entries, strict=True)) == [(0, 1, np.log(2)), (1, 0, np.log(2))]


def test_every_exhibit_has_a_table_and_a_figure(scores):
    config = own_config()
    section = config["studies"]["textbook"]
    for name, entry in plan.list_exhibits(section, NEITHER_IS_MISSING).items():
        rows = scores.get("memory" if name == "generated" else name)
        given = Material(rows, rows, entry, {}, {}, {}, 3, "textbook")
        table = TABULATE[entry["kind"]](given)
        assert len(table) > 0
        methods = {m: config["methods"][m] for m in entry["methods"]}
        assert draw_exhibit(DRAW[entry["kind"]], table, entry, methods).axes


def test_without_a_text_what_needs_none_is_left():
    section = own_config()["studies"]["textbook"]
    without = ["players", "digits", "elbow", "seeding", "classified", "rank", "images", "ratings"]
    assert [*plan.list_exhibits(section, ())] == [*without, "films"]
    assert {*plan.list_exhibits(section, [plan.PLAYS])} == {
        *(*without, "films"),
        *("memory", "generated", "next"),
    }
    assert {*plan.list_exhibits(section, NEITHER_IS_MISSING)} - {
        *plan.list_exhibits(section, [plan.TEXTS])
    } == {"generated"}
    folder = "results/textbook/scores"
    assert plan.list_scores(section, [plan.PLAYS])["next"] == [f"{folder}/next-plays.csv"]
    both = plan.list_scores(section, NEITHER_IS_MISSING)
    assert both["style"] == [f"{folder}/style.csv", f"{folder}/style-plays.csv"]
    assert {name for name in plan.JUDGED if name not in both} == set()
