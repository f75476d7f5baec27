"""One schema of all scores, and how files of it are read together."""

import pandas as pd
import pytest

from reproduction.exhibits.tables import swept_columns, tabulate_text, tabulate_trials
from reproduction.scores.columns import BLOCKS, COLUMNS, HELD_OUT
from reproduction.scores.reading import read_scores
from reproduction.scores.writing import write_scores
from reproduction.study import Material

TRIAL = {"k": 9, "rank": 2, "n": 50, "trial": 0, "method": "kn", "kl_risk": 0.5, "converged": True}
TEXT = {
    "corpus": "tale",
    "n": 50,
    "rank": 2,
    "order": 3,
    "method": "ll-l1",
    "seed": 0,
    "block": 0,
    "pairs": 7,
    "loss": 14.0,
    "converged": True,
    "gap": 1e-4,
}


@pytest.fixture
def write(tmp_path):
    """Return what writes a file as a job of the pipeline does."""

    def write(name, *rows):
        write_scores(tmp_path / name, rows)
        return tmp_path / name

    return write


def test_columns_that_are_empty_throughout_are_not_read(write):
    read = read_scores([write("a.csv", TRIAL, TRIAL | {"trial": 1})])
    assert set(read) == {*TRIAL, "order"}
    assert read["kl_risk"].tolist() == [0.5, 0.5]
    assert read["converged"].dtype == bool


def test_a_column_that_says_something_in_one_row_is_read_in_all(write):
    files = [write("a.csv", TEXT), write("b.csv", {k: v for k, v in TEXT.items() if k != "gap"})]
    read = read_scores(files)
    assert read["gap"].isna().tolist() == [False, True]


def test_a_swept_option_is_known_as_one(write):
    files = [write("a.csv", TEXT | {"discount": 0.5})]
    read = read_scores(files)
    assert swept_columns(read) == ["discount"]


def test_what_was_held_out_stands_apart(write):
    tried = [TEXT | {"part": HELD_OUT, "chosen_penalty": p, "loss": 20.0} for p in (0.1, 1.0)]
    file = write("a.csv", *tried, TEXT)
    scores, held_out = read_scores([file]), read_scores([file], HELD_OUT)
    assert scores["loss"].tolist() == [14.0]
    assert "part" not in scores
    assert "chosen_penalty" not in scores
    assert held_out["chosen_penalty"].tolist() == [0.1, 1.0]
    assert read_scores([write("b.csv", TEXT)], HELD_OUT).empty


def test_a_file_without_rows_changes_no_type(write):
    files = [write("lost.csv"), write("a.csv", TEXT)]
    read = read_scores(files)
    assert read["loss"].dtype == float
    assert read["block"].dtype == int
    empty = read_scores(files[:1])
    assert empty.empty
    assert list(empty) == list(COLUMNS)
    assert list(read_scores([])) == list(COLUMNS)


@pytest.mark.parametrize(
    "left",
    [
        lambda text: text[: text.rindex("0.5") + 2],  # the last number without its last digit
        lambda text: text.rstrip("\n"),
        lambda text: text[: text.rindex("0.5")],
        lambda text: text.replace(",kn,", "\n", 1),
        lambda text: "",
    ],
    ids=["in a number", "the last line end", "before a number", "in the middle", "all of it"],
)
def test_a_file_that_was_cut_short_is_refused(write, left):
    path = write("a.csv", TRIAL, TRIAL | {"trial": 1})
    path.write_text(left(path.read_text()))
    with pytest.raises(ValueError, match=r"a\.csv: .* was cut short"):
        read_scores([path])


def material(rows, **entry):
    """Return what the table of an exhibit is made from, of rows of scores."""
    table = pd.DataFrame([{"order": 2} | row for row in rows])
    receipts = {"tale": {"content_sha256": "a"}}
    entry = {"methods": ["kn"], **entry}
    return Material(table, None, entry, {"kn": {"method": "kn"}}, receipts, {}, 7, "near_optimal")


def test_trials_that_a_file_of_whole_rows_lost_are_missed():
    rows = [TRIAL | {"trial": trial, "n": n} for n in (50, 60) for trial in range(3)]
    assert tabulate_trials(material(rows, trials=3))["trials"].tolist() == [3, 3]
    with pytest.raises(ValueError, match=r"n 60, method kn have 2 trials"):
        tabulate_trials(material(rows[:-1], trials=3))


def test_blocks_that_a_file_of_whole_rows_lost_are_missed():
    base = {"corpus": "tale", "n": 50, "rank": 2, "method": "kn", "converged": True, "pairs": 7}
    rows = [base | {"seed": s, "block": b, "loss": 14.0} for s in (0, 1) for b in range(BLOCKS)]
    assert tabulate_text(material(rows))["mean"].tolist() == [2.0]
    with pytest.raises(ValueError, match=r"seed 1 have 49 blocks"):
        tabulate_text(material(rows[:-1]))
