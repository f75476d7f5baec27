"""The multiverse: readings of a text, the grid, its tables and figures."""

from copy import deepcopy
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from made_up_corpora import DRACOR, PLAY, put
from project import Project

from condprob import CountMatrix, method
from condprob.risk import pair_losses
from reproduction.config.files import ConfigError, check_config, read_sources
from reproduction.corpora.corpus import load_corpus, number_words
from reproduction.exhibits.looks import save_figure
from reproduction.jobs import write_rows
from reproduction.studies.near_optimal.printed import TABLE_1
from reproduction.studies.readings.axes import AXES as READING_AXES
from reproduction.studies.readings.axes import (
    CHOICES,
    CLAIMS,
    LR_AXES,
    MEANINGS,
    METHOD_AXES,
    ORDER,
    TEXT_AXES,
)
from reproduction.studies.readings.claims import (
    claim_readings,
    flip_share,
    tabulate_claims,
    tabulate_effects,
    tabulate_levels,
)
from reproduction.studies.readings.grid import (
    SCORE_COLUMNS,
    low_rank_choices,
    score_readings,
    start_frequent,
    start_near_uniform,
)
from reproduction.studies.readings.plots import draw_curves, draw_effects
from reproduction.studies.readings.tables import (
    build_universes,
    find_nearest,
    read_scores,
    read_universes,
)
from reproduction.studies.readings.texts import (
    TOKENIZER_READINGS,
    choose_words,
    read_sentences,
    split_pairs,
    split_sizes,
)
from reproduction.trust.manifest import read_manifest

AXES = {
    "split": ["halves"],
    "vocabulary": ["text", "train"],
    "discount": [0.75, "estimated"],
    "continuation": ["discounted", "floor"],
    "unseen": ["lower-order", "unigram", "plain"],
    "backoff": ["normalised", "published"],
    "initial": ["clusters", "random", "near-uniform", "frequent"],
    "update": ["simultaneous", "alternating"],
    "rank": [3, 2],
    "constant": [0.5, 0.25],
    "lr_discount": [0.75],
}
GRID = {"axes": AXES, "others": 3, "iterations": 3, "seeds": 2}
TEXT = ("made-up", "letters", "halves")


def made_up_words(words=400):
    rng = np.random.default_rng(5)
    law = 1 / np.arange(1, 41)
    return [f"w{i}" for i in rng.choice(40, size=words, p=law / law.sum())]


@cache
def score(root=7, text=TEXT, **axes):
    grid = GRID | {"axes": AXES | {axis: list(values) for axis, values in axes.items()}}
    words = made_up_words()
    sentences = np.arange(len(words)) // 8
    return list(score_readings(root, text, words, sentences, (200, 200), grid))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The scores of two texts, as files."""
    folder = tmp_path_factory.mktemp("scores")
    for corpus in ("genesis", "pydoc"):
        write_rows(folder / f"{corpus}.csv", SCORE_COLUMNS, score(text=(corpus, *TEXT[1:])))
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def universes(files):
    return build_universes(read_scores(files), AXES)


# ------------------------------------------------------------------------------ readings of a text


def a_file(tmp_path, text):
    path = tmp_path / "mine.txt"
    path.write_text(text, encoding="utf-8")
    return {"source": "file", "path": str(path), "tokenizer": "letters", "train": 4, "test": 4}


def source_of(*contents):
    return SimpleNamespace(contents=contents, texts=lambda: contents, to_text=str)


def test_sentences_end_at_full_stops_and_number_on_through_files():
    source = source_of('One two. "Three four?" Five\nsix', "Seven! Eight")
    words, sentences = read_sentences(source, {"source": "file"}, "letters", 100)
    assert words == ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    assert [sentences.tolist().index(s) for s in np.unique(sentences)] == [0, 2, 4, 6, 7]


def test_lines_of_verse_are_sentences(tmp_path):
    from reproduction.corpora.sources import read_source

    put(tmp_path, "corpora/tartuffe/moliere-tartuffe.xml", PLAY)
    words, sentences = read_sentences(
        read_source("play", DRACOR, search=[tmp_path]), DRACOR, "letters", 100
    )
    # "So glad é" / "And" / "you?", as in tests/made_up_corpora.py
    assert sentences.tolist() == [0, 0, 0, 1, 2]
    assert len(words) == 5


def test_words_are_those_of_the_corpus_itself(tmp_path):
    entry = a_file(tmp_path, "A b. C d e! F g h? I j.")
    from reproduction.corpora.sources import read_source

    words, _ = read_sentences(read_source("mine", entry), entry, "letters", 100)
    np.testing.assert_array_equal(number_words(words)[0], load_corpus("mine", entry).ids)


def test_a_limit_cuts_words_and_sentences():
    words, sentences = read_sentences(source_of("a b. c d."), {"source": "file"}, "whitespace", 3)
    assert (words, sentences.tolist()) == (["a", "b.", "c"], [0, 0, 1])


def test_further_tokenizers():
    assert TOKENIZER_READINGS["whitespace-lower"]("A, b") == ["a,", "b"]
    assert TOKENIZER_READINGS["letters-plain"]("Éa l'ô") == ["ea", "l", "o"]


def test_sizes_are_the_entrys_for_its_own_tokenizer_and_halves_for_others():
    entry = {"tokenizer": "letters", "train": 4, "test": 3}
    assert split_sizes(entry, "letters", 11) == (4, 3)
    assert split_sizes(entry, "whitespace", 11) == (5, 6)
    assert split_sizes(entry, "letters", 6) == (3, 3)  # too short for them
    assert split_sizes(entry | {"train": "half", "test": "half"}, "letters", 11) == (5, 6)


def test_halves_have_no_pair_across():
    train, test = split_pairs(np.arange(6), np.zeros(6, int), "halves", 3, 3, 0)
    assert np.transpose(train).tolist() == [[0, 1], [1, 2]]
    assert np.transpose(test).tolist() == [[3, 4], [4, 5]]


@pytest.mark.parametrize("split", ["pairs", "sentences"])
def test_random_splits_share_out_every_pair_once(split):
    sentences = np.arange(100) // 5
    train, test = split_pairs(np.arange(100), sentences, split, 50, 50, 3)
    pairs = np.concatenate([np.transpose(train), np.transpose(test)])
    assert sorted(pairs.tolist()) == [[i, i + 1] for i in range(99)]
    assert 44 <= len(train[0]) <= 49
    if split == "sentences":  # each outcome, word 1 and on, lies in sentence word // 5
        assert not set(train[1] // 5) & set(test[1] // 5)
        assert len(set(train[1] // 5)) > 1
        assert sorted(train[1]) != list(range(1, len(train[1]) + 1))  # not just the first ones
    else:
        assert set(train[1] // 5) & set(test[1] // 5)


def test_vocabulary_of_the_training_pairs():
    train, test = ((1, 4), (4, 1)), ((1, 2, 4), (4, 4, 3))  # pairs 1 4, 4 1 / 1 4, 2 4, 4 3
    train, test = (tuple(map(np.array, pairs)) for pairs in (train, test))
    cut_train, cut_test, kept = choose_words(train, test, 5, "train")
    assert kept.tolist() == [1, 4]
    assert np.transpose(cut_train).tolist() == [[0, 1], [1, 0]]
    assert np.transpose(cut_test).tolist() == [[0, 1]]  # 2 and 3 were not in training
    assert choose_words(train, test, 5, "text")[2].tolist() == [0, 1, 2, 3, 4]


# ----------------------------------------------------------------------------------------- the grid


def test_near_uniform_start():
    counts = CountMatrix.from_pairs([0, 1, 2], [1, 2, 0], 4)
    for factor in start_near_uniform(counts, 3, np.random.default_rng(0)):
        np.testing.assert_allclose(factor.sum(axis=1), 1)
        ratio = factor.max(axis=1) / factor.min(axis=1)
        assert ((ratio > 1) & (ratio < 1.1)).all()


def test_start_from_the_most_frequent_contexts():
    # Context 2 occurs three times (0 twice, 1 once), context 0 twice, context 1 once.
    counts = CountMatrix.from_pairs([2, 2, 2, 0, 0, 1], [0, 0, 1, 3, 3, 2], 4)
    W, H = start_frequent(counts, 2)
    np.testing.assert_allclose(W, [[0.25, 0.75], [0.5, 0.5], [0.75, 0.25], [0.5, 0.5]])
    # Discount 3/4 of each seen count, shared by the unseen: (2 - .75)/3, (1 - .75)/3, 1.5/3/2.
    np.testing.assert_allclose(H[0], [1.25 / 3, 0.25 / 3, 0.25, 0.25])
    np.testing.assert_allclose(H[1], [0.125, 0.125, 0.125, 1.25 / 2])


def test_every_choice_of_the_direct_methods_is_scored_once():
    table = pd.DataFrame(score(), columns=SCORE_COLUMNS)
    own = {"ad": ["unigram", "uniform"], "kn": ["continuation", "unigram"]}
    for name, choices in METHOD_AXES.items():
        if name == "ad-lr":
            continue
        axes = [own[name] if axis == "unseen" else AXES[axis] for axis in choices]
        expected = list(product(AXES["vocabulary"], *axes))
        rows = table[table["method"] == name]
        assert sorted(map(tuple, rows[["vocabulary", *choices]].values), key=str) == sorted(
            expected, key=str
        )
        assert rows[[axis for axis in CHOICES if axis not in choices]].isna().all(axis=None)


def test_choices_of_ad_lr_are_the_stated_in_full_and_some_others():
    cells = low_rank_choices(GRID, 0)
    stated = [cell for cell in cells if (cell["rank"], cell["constant"]) == (3, 0.5)]
    assert {(c["initial"], c["update"]) for c in stated} == set(
        product(AXES["initial"], AXES["update"])
    )
    assert len(cells) == len(stated) + 3 == len({tuple(cell.values()) for cell in cells})
    everything = low_rank_choices(GRID | {"others": 1000}, 0)
    assert len(everything) == np.prod([len(AXES[axis]) for axis in LR_AXES])


def test_every_start_is_scored_and_both_readings_of_unseen_contexts():
    table = pd.DataFrame(score(), columns=SCORE_COLUMNS)
    rows = table[(table["method"] == "ad-lr") & (table["vocabulary"] == "train")]
    sizes = rows.groupby([*LR_AXES, "unseen"])["seed"].size()
    starts = sizes.index.get_level_values("initial")
    np.testing.assert_array_equal(sizes, np.where(starts == "frequent", 1, 2))
    assert set(rows["unseen"]) == {"factors", "unigram"}
    assert len(sizes) == 2 * (8 + 3)


def test_scores_are_the_librarys_own():
    table = pd.DataFrame(score(), columns=SCORE_COLUMNS)
    ids, k = number_words(made_up_words())
    counts = CountMatrix.from_pairs(ids[:199], ids[1:200], k)
    start = start_frequent(counts, 3)
    options = {"rank": 3, "iterations": 3, "initial": start, "unseen": "unigram"}
    expected = pair_losses(ids[200:-1], ids[201:], method("ad-lr", **options).fit(counts)).mean()
    row = table[
        (table["method"] == "ad-lr") & (table["initial"] == "frequent") & (table["rank"] == 3)
        & (table["update"] == "simultaneous") & (table["constant"] == 0.5)
        & (table["unseen"] == "unigram") & (table["vocabulary"] == "text")
    ]  # fmt: skip
    np.testing.assert_allclose(row["cross_entropy"], [expected], rtol=1e-12)
    kn = method("kn", continuation="floor", form="backoff", unseen="unigram").fit(counts)
    row = table[
        (table["method"] == "kn") & (table["continuation"] == "floor")
        & (table["unseen"] == "unigram") & (table["vocabulary"] == "text")
        & (table["discount"] == 0.75)
    ]  # fmt: skip
    expected = pair_losses(ids[200:-1], ids[201:], kn).mean()
    np.testing.assert_allclose(row["cross_entropy"], [expected], rtol=1e-12)


def test_scores_depend_on_the_seed_and_on_no_other_choice():
    rows = score()
    assert rows == score.__wrapped__()
    assert rows != score(root=8)
    assert all(row in rows for row in score(vocabulary=("train",), discount=("estimated",)))


def test_no_test_pair_is_an_error():
    with pytest.raises(
        ValueError, match="made-up, letters, halves, vocabulary train: no test pair"
    ):
        list(score_readings(0, TEXT, list("aabb"), np.arange(4), (2, 2), GRID))


# --------------------------------------------------------------------------------------- universes


def test_universes_cross_every_choice(universes):
    crossed = ["vocabulary", "discount", "continuation", "unseen", "backoff"]
    fits = 8 + 3  # of AD-LR for each reading of the text
    assert len(universes) == 2 * np.prod([len(AXES[axis]) for axis in crossed]) * fits
    assert not universes.duplicated([*TEXT_AXES, *CHOICES]).any()
    assert universes[ORDER].notna().all(axis=None)


def test_a_universe_has_the_scores_of_its_choices(universes, files):
    scores = read_scores(files)
    row = universes[
        (universes["unseen"] == "plain") & (universes["discount"] == "estimated")
        & (universes["vocabulary"] == "train") & (universes["initial"] == "random")
    ].iloc[0]  # fmt: skip
    same = scores[(scores["corpus"] == row["corpus"]) & (scores["vocabulary"] == "train")]
    ad = same[(same["method"] == "ad") & (same["discount"] == "estimated")]
    assert row["ad"] == ad[ad["unseen"] == "uniform"]["cross_entropy"].item()
    starts = same[(same["method"] == "ad-lr") & (same["unseen"] == "factors")]
    for axis in LR_AXES:
        starts = starts[starts[axis] == row[axis]]
    assert len(starts) == row["seeds"] == 2
    np.testing.assert_allclose(row["ad-lr"], starts["cross_entropy"].mean())
    np.testing.assert_allclose(row["kn-minus-ad-lr"], row["kn"] - row["ad-lr"])
    assert row["lowest-kn"] == same[same["method"] == "kn"]["cross_entropy"].min()


def test_stated_universes_are_at_the_first_discount_rank_and_constant(universes):
    stated = universes[universes["stated"]]
    assert set(stated["vocabulary"]) == {"text"}  # the paper prints its sizes
    assert set(zip(stated["discount"], stated["rank"], stated["constant"], strict=True)) == {
        ("0.75", "3", "0.5")
    }
    assert set(stated["initial"]) == set(AXES["initial"])


def test_the_same_universes_after_writing_and_reading(universes, tmp_path):
    universes.to_csv(tmp_path / "u.csv", index=False)
    again = read_universes(tmp_path / "u.csv")
    pd.testing.assert_frame_equal(again, universes, check_dtype=False)


# ------------------------------------------------------------------------------- claims and effects


def tiny(*margins):
    """Universes (halves, a), (halves, b), (pairs, a), (pairs, b): their claims' margins."""
    rows = []
    for (split, update), margin in zip(product(["halves", "pairs"], "ab"), margins, strict=False):
        row = dict.fromkeys([*TEXT_AXES, *CHOICES], "same") | {"split": split, "update": update}
        row |= {"corpus": "genesis", "stated": update == "a", "distributions": True}
        names = {name for _, needed, _ in CLAIMS.values() for name in needed}
        rows.append(row | dict.fromkeys(names, margin))
    return pd.DataFrame(rows)


def test_shares_flips_and_the_weakest_level_by_hand():
    # split: halves always holds; pairs holds with update a alone.
    table = tabulate_claims(tiny(3.0, 2.0, 1.0, -1.0), {})
    row = table[table["claim"] == "kn-over-ad-lr"].squeeze()
    assert (row["readings"], row["share"]) == (4, 0.75)
    assert (row["readings_stated"], row["share_stated"]) == (2, 1.0)
    assert (row["readings_contiguous"], row["share_contiguous"]) == (1, 1.0)
    assert row["median"] == 1.5
    # Changing the split alone: a agrees, b differs. Changing the update alone: halves agrees, pairs
    # differs. One half each; the first of the two is named.
    assert (row["flipped_by"], row["flips"], row["weakest"]) == ("split", 0.5, "pairs")
    assert row["weakest_share"] == 0.5


def test_a_claim_counts_only_choices_that_bear_on_it():
    table = tabulate_claims(tiny(1.0, 1.0, -1.0, -1.0), {}).set_index("claim")
    assert table.loc["ad-over-sb", "readings"] == 2  # the update of AD-LR is nothing to AD and SB
    assert table.loc["ordering", "readings"] == 4


def test_the_ordering_holds_where_its_smallest_margin_is_positive():
    table = tiny(1.0)
    table["sb-minus-kn"] = -0.1
    assert claim_readings(table, "ordering")[0]["margin"].item() == -0.1
    assert claim_readings(table, "ad-over-sb")[0]["margin"].item() == 1.0


def test_flips_are_nan_without_a_pair():
    readings, axes = claim_readings(tiny(1.0, 1.0, 1.0, 1.0).iloc[[0, 3]], "ordering")
    assert np.isnan(flip_share(readings, "split", axes))


def test_effects_by_hand():
    # Additive: split moves the margin by 2, update by 1. Of the variance 1 + 1/4, split has 4/5.
    table = tabulate_effects(tiny(3.0, 2.0, 1.0, 0.0))
    rows = table[table["claim"] == "kn-over-ad-lr"].set_index("axis")
    assert list(rows.index[:2]) == ["split", "update"]
    assert rows.index[-1] == "interactions"
    np.testing.assert_allclose(rows.loc[["split", "update"], "variance"], [0.8, 0.2])
    np.testing.assert_allclose(rows.loc[["split", "update"], "range"], [2, 1])
    np.testing.assert_allclose(rows.loc["interactions", "variance"], 0, atol=1e-12)


def test_levels_by_hand():
    table = tabulate_levels(tiny(3.0, 1.0, -1.0))
    rows = table[(table["claim"] == "kn-over-ad-lr") & (table["axis"] == "split")]
    assert rows[["level", "readings", "share", "median"]].values.tolist() == [
        ["halves", 2, 1.0, 2.0],
        ["pairs", 1, 0.0, -1.0],
    ]


def test_the_nearest_is_found_and_carries_its_warning():
    rows = []
    for corpus, cells in TABLE_1.items():
        for tokenizer, split in product(["right", "wrong"], ["halves", "pairs"]):
            row = dict.fromkeys([*TEXT_AXES, *CHOICES], "same")
            row |= {"corpus": corpus, "tokenizer": tokenizer, "split": split, "distributions": True}
            # Brown alone is nearer with the other split; all together are not.
            error = 0.01 * (tokenizer == "wrong") + 0.02 * (split == "pairs")
            if corpus == "brown":
                error = 0.01 * (tokenizer == "right") + 0.005 * (split == "halves")
            rows.append(row | {name: cells[name] + error for name in ORDER})
    table = find_nearest(pd.DataFrame(rows), TABLE_1)
    assert len(table) == 15
    assert set(table["split"]) == {"halves"}
    assert table.drop_duplicates("corpus")["tokenizer"].tolist() == ["right", "right", "wrong"]
    np.testing.assert_allclose(table["error"], [0] * 10 + [0.005] * 5, atol=1e-12)
    np.testing.assert_allclose(table["rms"], np.sqrt(5 * 0.005**2 / 15))
    assert set(table["candidates"]) == {2 * 2**3}
    assert table["warning"].str.contains("no evidence").all()


# ------------------------------------------------------------------------- missing corpora, figures


def test_a_missing_corpus_is_left_out_with_its_reason(universes):
    table = tabulate_claims(universes, {"brown": "no network"})
    rows = table[table["corpus"] == "brown"]
    assert rows["note"].tolist() == ["no network"] * len(CLAIMS)
    assert rows[["readings", "share"]].isna().all(axis=None)
    assert set(table["corpus"]) == {"genesis", "pydoc", "all", "brown"}
    assert set(find_nearest(universes, TABLE_1)["corpus"]) == {"genesis"}  # pydoc is not in Table 1


def test_nothing_at_all_is_no_error(tmp_path):
    write_rows(tmp_path / "none.csv", SCORE_COLUMNS, [])
    universes = build_universes(read_scores([tmp_path / "none.csv"]), AXES)
    claims = tabulate_claims(universes, {"brown": "no network"})
    assert (
        len(universes)
        == len(tabulate_effects(universes))
        == len(find_nearest(universes, TABLE_1))
        == 0
    )
    assert len(tabulate_levels(universes)) == 0
    draw_effects(tabulate_effects(universes))
    draw_curves(universes, claims, "ordering", {"tokenizer": {"brown": ["letters"]}} | AXES)


def test_figures_are_the_same_bytes_each_time(universes, tmp_path):
    claims = tabulate_claims(universes, {"brown": "no network"})
    order = {"tokenizer": {"genesis": ["letters"], "pydoc": ["letters"]}} | AXES
    for turn in ("a", "b"):
        curves = draw_curves(universes, claims, "kn-over-ad-lr", order)
        save_figure(curves, tmp_path / f"{turn}.png", tmp_path / f"{turn}.svg")
        effects = draw_effects(tabulate_effects(universes))
        save_figure(effects, tmp_path / f"{turn}2.png", tmp_path / f"{turn}2.svg")
    for name in ("{}.png", "{}.svg", "{}2.png", "{}2.svg"):
        a, b = ((tmp_path / name.format(turn)).read_bytes() for turn in "ab")
        assert a == b


# ------------------------------------------------------------------------------------ configuration


def check_changed(section, key, value):
    sources = read_sources([Path(__file__).parents[3] / "config.yaml"])
    config = deepcopy(sources.config)
    config[section][key] = value
    check_config(config, sources)


@pytest.mark.parametrize(
    ("section", "key", "value", "message"),
    [
        ("multiverse", "tokenizers", {"geneva": ["letters"]}, "'geneva' is not among the corpora"),
        (
            "multiverse",
            "tokenizers",
            {"genesis": ["letters"]},
            "must be 'whitespace', the corpus's",
        ),
        ("multiverse", "axes", {}, "'split' is missing"),
        ("replication", "methods", ["kn"], "must have one whose method is ad-lr"),
        ("replication", "methods", ["kn", "ad-rl"], "'ad-rl' is not among the methods"),
        (
            "replication",
            "collections",
            {"x": {"package": "x", "tokenizer": "letters", "texts": {"y": {"files": "ca01"}}}},
            "must be a list of files, or a row of them",
        ),
    ],
)
def test_mistakes_in_the_configuration(section, key, value, message):
    with pytest.raises(ConfigError, match=message):
        check_changed(section, key, value)


# ----------------------------------------------------------------------------------- the workflow

SECTIONS = """
multiverse:
  tokenizers: {tale: [whitespace, letters], fables: [letters]}
  words: 1000
  axes:
    split: [halves, pairs]
    vocabulary: [text]
    discount: [0.75]
    continuation: [discounted]
    unseen: [lower-order]
    backoff: [normalised]
    initial: [clusters, random]
    update: [simultaneous]
    rank: [2]
    constant: [0.5]
    lr_discount: [0.75]
  others: 1
  iterations: 2
  seeds: 2
replication:
  methods: [kn, ad-lr]
  rank: 2
  seeds: 2
  words: 100
  collections: {fables: {package: fables, tokenizer: letters, texts: {fox: {files: [fox.txt]}}}}
"""


def test_the_target_runs_and_leaves_out_what_cannot_be_had(tmp_path):
    project = Project(tmp_path / "one")
    with project.change("config.yaml", new=SECTIONS):
        status, printed = project.run("-j2", "multiverse", "--quiet", "all")
    assert status == 0, printed
    folder = project.results / "multiverse"
    claims = pd.read_csv(folder / "claims.csv")
    tale, fables = (claims[claims["corpus"] == name] for name in ("tale", "fables"))
    assert (tale["readings"] == [8, 4, 4, 4, 8, 8]).all()  # 2 tokenizers, 2 splits, 2 starts
    assert fables["readings"].isna().all()
    assert fables["note"].str.contains("127.0.0.1|refused|proxy|Connection", regex=True).all()
    replication = pd.read_csv(folder / "replication.csv")
    assert replication["note"].notna().all()
    for name in (*CLAIMS, "effects", "replication"):
        assert (folder / f"{name}.svg").stat().st_size > 1000
    assert "fables" in (folder / "report.html").read_text(encoding="utf-8")
    files = read_manifest(project.results / "manifest-multiverse.json")["files"]
    assert {"multiverse/report.html", "multiverse/universes.csv"} <= set(files)


def test_every_choice_is_explained():
    assert list(MEANINGS) == READING_AXES
