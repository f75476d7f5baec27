"""Structural learning in the survey: the tag table, masks, every scorer, table, figure and case."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.decomposition import TruncatedSVD
from sklearn.metrics.pairwise import cosine_similarity

from condprob import method
from reproduction.studies.survey import checks, figures, genres, retrieval, tables, tagging
from reproduction.studies.survey.classifiers import train_classifier
from reproduction.studies.survey.plan import (
    ASO,
    GENRES,
    RANKED_AS,
    RETRIEVAL,
    SUPERVISED,
    TAGGING,
    list_exhibits,
    list_scores,
)
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
wrb""".replace("` ' ", "' ").split()
GIVEN = {
    "corpus": "brown",
    "every": 1,
    "unlabelled": 900,
    "test": 300,
    "ablated": 80,
    "draws": 2,
    "ranks": [1, 2],
    "least": 4,
    "problems": 8,
    "strength": 3.0,
    "passes": 2,
    "sdr": {"words": 5, "ridge": 1.0, "iterations": 20},
}
OF_GENRES = {
    "sizes": [8],
    "draws": 2,
    "ranks": [1],
    "least": 2,
    "piece": 20,
    "problems": 10,
    "strength": 3.0,
    "sdr": {"rank": 2, "ridge": 1.0, "iterations": 50},
}
OF_RETRIEVAL = {"least": 2, "ranks": [1, 2], "queries": [3, 0]}


def made_up_tokens():
    """Two kinds of words in turns, each kind with an ending of its own, in 20 documents."""
    rng = np.random.default_rng(9)
    labels = [
        f"{'ab'[n % 2]}{letter}{'ly' if kind else 'ness'}"
        for kind in (0, 1)
        for n, letter in enumerate("cdefghijkl")
    ]
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
    for tag, part in (
        ("NN-TL-HL", "NOUN"),
        ("fw-at+nn-tl", "DET"),
        ("ppss+bez", "PRON"),
        ("md*", "VERB"),
        ("*", "PRT"),
        ("*-hl", "PRT"),
        ("wdt+bez", "DET"),
        ("fw-*", "PRT"),
        (".-hl", "PUNCT"),
        ("--", "PUNCT"),
    ):
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
        blocks = [
            block[::-1] if kind in MASKED[position] else block
            for kind, block in zip(STRUCTURED, unlabelled.blocks, strict=False)
        ]
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
    with pytest.MonkeyPatch.context() as patch:
        # Two kinds of words are told apart by the first steps; the last ones are many.
        patch.setattr("reproduction.studies.survey.classifiers.ITERATIONS", 12)
        rows = {
            TAGGING: [
                row for size in (40, 80) for row in tagging.score_tagging(1, path, size, GIVEN)
            ],
            GENRES: [*genres.score_genres(1, path, OF_GENRES)],
            RETRIEVAL: [*retrieval.score_retrieval(1, path, OF_RETRIEVAL)],
        }
    return {name: pd.DataFrame([{"order": 2} | row for row in part]) for name, part in rows.items()}


def test_scores_tables_figures_and_cases(scores, tmp_path):
    part = scores[TAGGING]
    rates = part.groupby(["n", "method"])[["loss", "pairs"]].sum()
    assert (rates["loss"] < 0.1 * rates["pairs"]).drop(index=(80, "alone"), errors="ignore").all()
    assert set(part[part["n"] == 40]["method"]) == {SUPERVISED, ASO, "ridged"}
    assert (part[part["method"] == SUPERVISED]["rank"] == 0).all()
    given = GIVEN | {"sizes": [40, 80], "genres": OF_GENRES, "retrieval": OF_RETRIEVAL}
    shown = list_exhibits({TAGGING: given}, (), has_brown=False, has_tagged=True)
    files = list_scores({TAGGING: given}, shown)
    assert sum(map(len, files.values())) == 4
    first = shown.pop(RETRIEVAL)
    material = Material(scores[RETRIEVAL], None, first, {}, {}, {}, 1, "survey")
    table = tables.tabulate_retrieval(material)
    assert set(table["method"]) == set(RANKED_AS)
    figures.draw_retrieval(table, first, {}).savefig(tmp_path / "it.png")
    for name, entry in shown.items():
        material = Material(scores[name], None, entry, {}, {}, {}, 1, "survey")
        table = tables.tabulate_structural(material)
        assert (table["low"] <= table["accuracy"]).all()
        own = table.set_index(["n", "method"])
        n = own.index[0][0]
        gained = own.loc[(n, ASO), "accuracy"] - own.loc[(n, SUPERVISED), "accuracy"]
        assert own.loc[(n, ASO), "gain"] == pytest.approx(gained)
        figure = figures.draw_structural(table, entry, {})
        figure.savefig(tmp_path / "it.png")
    cases = pd.DataFrame(checks.check_structure(1, scores))
    assert set(pd.DataFrame(checks.check_retrieval(scores[RETRIEVAL]))["check"]) == {
        "p-retrieval",
        "s-retrieval",
        "l-retrieval",
        "l-product",
    }
    claimed = {
        "a-partial",
        "a-sdr",
        "s-features",
        "a-svd",
        "a-v",
        "a-u",
        "a-u-printed",
        "a-better",
        "a-genres",
        "a-ridged",
        "a-once",
        "a-negatives",
        "a-types",
        "a-counts",
    }
    assert set(cases["check"]) == claimed
    sure = cases[cases["check"].isin(["a-svd", "a-v", "a-u", "a-u-printed"])]
    assert sure.set_index("check")["holds"].to_dict() == {
        "a-svd": True,
        "a-v": True,
        "a-u": True,
        "a-u-printed": False,
    }


def test_errors_saved_are_those_of_each_document_and_draw():
    rows = [
        {"seed": seed, "block": block, "pairs": 10 * (block + 1), "method": name, "loss": loss}
        for seed in (0, 1)
        for block in (0, 1, 2)
        for name, loss in (("a", block), ("b", block + 2 + seed))
    ]
    value, low, high = tables.errors_saved(pd.DataFrame(rows), "a", "b")
    assert value == pytest.approx((6 + 9) / 2 / 60)
    assert low < value < high
    _, low, high = tables.errors_saved(pd.DataFrame(rows), "a", "a")
    assert low == high == 0


def test_what_is_relevant_among_the_most_similar_is_counted():
    similarity = np.array([[3.0, 1, 2, 2], [0, 0, 0, 0]])
    relevant = np.array([[1, 0, 1, 0], [0, 1, 1, 1]], dtype=bool)
    assert retrieval.precision(similarity, relevant, 2).tolist() == [1, 0.5]
    assert retrieval.precision(similarity, relevant, 3) == pytest.approx([2 / 3, 2 / 3])


def test_rankings_are_those_of_dense_formulas():
    """Of the reduced models and LLE, against NumPy, scikit-learn's SVD and brute force."""
    rng = np.random.default_rng(2)
    P = rng.dirichlet(np.full(3, 0.4), 30) @ rng.dirichlet(np.full(12, 0.4), 3)
    C = np.array([rng.multinomial(60, row) for row in P]).astype(float)
    D, Q = csr_array(C[:24]), csr_array(C[24:])
    root, asked = (np.sqrt(each / each.sum(axis=1, keepdims=True)) for each in (C[:24], C[24:]))
    found = {n: rank_by(D, Q, 3, 1)[0] for n, rank_by in retrieval.RANKINGS.items()}
    np.testing.assert_allclose(found["vectors"], asked @ root.T, atol=1e-12)
    reduced = TruncatedSVD(3, algorithm="arpack").fit(root)
    roots = np.sqrt(reduced.singular_values_)
    one, other = reduced.transform(asked) * roots, reduced.transform(root) * roots
    np.testing.assert_allclose(found["product"], one @ other.T, atol=1e-9)
    np.testing.assert_allclose(found["lsa"], cosine_similarity(one, other), atol=1e-9)
    plsa = method("plsa", rank=3, **retrieval.OPTIONS["plsa"])
    fit = plsa.fit(C[:24], 1)
    rows = plsa.fold_in(fit, C[24:]).dense(), fit.dense()
    np.testing.assert_allclose(found["plsa"], cosine_similarity(*rows), atol=1e-6)
    psi = method("sdr", rank=3, **retrieval.OPTIONS["sdr"]).fit(C[:24]).factors()[1].T
    means = [each / each.sum(axis=1, keepdims=True) @ psi for each in (C[24:], C[:24])]
    centred = [each - means[1].mean(axis=0) for each in means]
    np.testing.assert_allclose(found["sdr"], cosine_similarity(*centred), atol=1e-9)
    short = retrieval.shorten(Q, 5, rng).toarray()
    assert (short.sum(axis=1) == 5).all()
    assert (short <= C[24:]).all()


def test_partially_supervised_problems_are_those_of_the_other_view(tokens, unlabelled):
    """Brute force: ridge regressions on the dense features of one view, of labels of the other."""
    chosen = np.arange(0, 600, 7)
    U = unlabelled.fit_partially(chosen, tokens["tag"][:600][chosen], len(NAMES))
    rows = [rows for rows, _ in unlabelled.systems_of_views]
    assert set(rows[0]) & set(rows[1]) == set(unlabelled.types["constant"])
    first, used = U[:, 0], rows[1]  # a classifier of the first view labels, the second predicts
    assert first[used].any()
    assert not np.delete(first, used).any()
    view = unlabelled.view(tagging.VIEWS[0])
    nothing = [csr_array((view.shape[1], 0))]
    labels = tokens["tag"][:600][chosen], len(NAMES)
    found = train_classifier(view[chosen], *labels, nothing, SUPERVISED)
    best = np.sort(np.argsort(-found.scores(view), axis=1, kind="stable")[:, :2], axis=1)
    pairs, often = np.unique(best, axis=0, return_counts=True)
    y = (best == pairs[often >= unlabelled.least][0]).all(axis=1).astype(float)
    X = unlabelled.X[:, unlabelled.frequent[used]].toarray()
    ridge = np.full(used.size, unlabelled.strength / len(X))
    ridge[-1] = 0
    by_hand = np.linalg.solve(X.T @ X / len(X) + np.diag(ridge), X.T @ y / len(X))
    np.testing.assert_allclose(first[used], by_hand, atol=1e-8)


def test_counts_of_features_and_words_are_reduced_without_hidden_features(tokens, unlabelled):
    Phi = unlabelled.reduce_counts(2, 6, ridge=1.0, iterations=500)
    suffix = unlabelled.types["suffix"]
    column = np.flatnonzero(Phi[suffix].any(axis=0))
    assert not np.delete(Phi, suffix, axis=0)[:, column].any()
    X = unlabelled.X[:, unlabelled.frequent[suffix]].toarray()  # counted by hand
    C = np.hstack([X.T @ unlabelled.labels_for(side).toarray() for side in ("left", "right")])
    phi, _ = method("sdr", rank=2, weight=0.0, ridge=1.0, iterations=500).fit(C).factors()
    np.testing.assert_allclose(
        Phi[suffix][:, column] @ Phi[suffix][:, column].T, phi @ phi.T, atol=1e-6
    )
