"""Universes, the claims in them, the choices that move them, the nearest to Table 1, the page."""

from dataclasses import asdict
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from made_up_page import PROVENANCE
from made_up_readings import AXES, score, write_scores

from reproduction.config.files import load_config
from reproduction.exhibits.looks import save_figure
from reproduction.page.material import Material
from reproduction.studies.near_optimal.printed import TABLE_1
from reproduction.studies.readings import plan
from reproduction.studies.readings.axes import CHOICES, CLAIMS, LR_AXES, ORDER, TEXT_AXES
from reproduction.studies.readings.page import write_page
from reproduction.studies.readings.plots import draw_curves, draw_effects
from reproduction.studies.readings.source import SOURCE
from reproduction.studies.readings.tables import (
    build_universes,
    claim_readings,
    find_nearest,
    flip_share,
    read_grid,
    tabulate_claims,
    tabulate_effects,
)
from reproduction.verdicts.evidence import Results


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    """The scores of two texts, as read from their files."""
    folder = tmp_path_factory.mktemp("scores")
    corpora = ("genesis", "pydoc")
    rows = {corpus: score(text=(corpus, "letters", "halves")) for corpus in corpora}
    return read_grid([write_scores(folder / f"{name}.csv", rows[name]) for name in corpora])


@pytest.fixture(scope="module")
def universes(scores):
    return build_universes(scores, AXES)


def test_universes_cross_every_choice(universes):
    crossed = ["vocabulary", "discount", "continuation", "unseen", "backoff"]
    fits = 8 + 3  # of AD-LR for each reading of the text
    assert len(universes) == 2 * np.prod([len(AXES[axis]) for axis in crossed]) * fits
    assert not universes.duplicated([*TEXT_AXES, *CHOICES]).any()
    assert universes[ORDER].notna().all(axis=None)


def test_a_universe_has_the_scores_of_its_choices(universes, scores):
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


def test_a_missing_corpus_is_left_out_with_its_reason(universes):
    table = tabulate_claims(universes, {"brown": "no network"})
    rows = table[table["corpus"] == "brown"]
    assert rows["note"].tolist() == ["no network"] * len(CLAIMS)
    assert rows[["readings", "share"]].isna().all(axis=None)
    assert set(table["corpus"]) == {"genesis", "pydoc", "all", "brown"}
    assert set(find_nearest(universes, TABLE_1)["corpus"]) == {"genesis"}  # pydoc is not in Table 1


def test_nothing_at_all_is_no_error(tmp_path):
    none = write_scores(tmp_path / "none.csv", [])
    universes = build_universes(read_grid([none]), AXES)
    claims = tabulate_claims(universes, {"brown": "no network"})
    empty = (universes, tabulate_effects(universes), find_nearest(universes, TABLE_1))
    assert [len(table) for table in empty] == [0] * 3
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


TOP = Path(__file__).parents[4]
CONFIG = load_config([TOP / "config.yaml", *(TOP / "workflow" / "studies").glob("*/config.yaml")])
REFERENCE = TOP / "results" / "reference" / "readings"


@pytest.mark.parametrize("over", [(), ("small.yaml",)], ids=["the project's", "other settings"])
@pytest.mark.parametrize("made", [True, False], ids=["made", "nothing made"])
def test_the_page_is_written_with_what_there_is(made, over):
    scope, *_ = plan.plan(CONFIG)
    exhibits, files = {}, {}
    if made:
        paths = REFERENCE.glob("exhibits/*.csv")
        exhibits = {path.stem: pd.read_csv(path) for path in paths}
        files = {path.name: str(path) for path in REFERENCE.glob("*.csv")}
        exhibits |= {"shares": pd.read_csv(files["shares.csv"])}
    given = SimpleNamespace(**asdict(scope)), SOURCE, CONFIG, Results({}, exhibits, {})
    page = write_page(Material(*given, files=files, provenance=PROVENANCE, over=over))
    assert SOURCE.title in page
    assert ("small.yaml" in page) == bool(over)
    assert ("of pairs)" in page) == made  # by how many readings a claim is turned
