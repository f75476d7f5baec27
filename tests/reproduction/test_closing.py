"""The last words of a run: what it made, and what it did without."""

import os

import pytest

from reproduction.closing import MOST_RESULTS_SHOWN, describe_run
from reproduction.corpora.receipts import write_receipt

STARTED = 1_000_000.0


@pytest.fixture
def results(tmp_path):
    """A folder with a result from before the run, and receipts: one corpus was left out."""
    folder = tmp_path / "results"
    (folder / "corpora").mkdir(parents=True)
    write_receipt(folder / "corpora" / "tale.json", {"words": 7}, at_hand=True)
    gap = {"reason": "there is no network", "remedy": "plug it in"}
    write_receipt(folder / "corpora" / "fables.json", gap, at_hand=False)
    (folder / "corpora" / "half.json").write_text('{"words":')
    for path in folder.rglob("*.json"):
        os.utime(path, (STARTED - 1, STARTED - 1))
    return folder


def make(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (STARTED + 1, STARTED + 1))


def test_results_of_this_run_are_named_pages_and_figures_first(results):
    make(results, "tales/scores/sweep/k5-m2-n10.csv", "tales/exhibits/sweep.csv")
    make(results, "tales/report.html", "tales/exhibits/sweep.svg", "tales/exhibits/sweep.png")
    make(results, "logs/a.log", "benchmarks/a.tsv", "tales/manifest.json", "index.html")
    made = [line.strip() for line in describe_run(results, STARTED, []).splitlines()]
    assert made[:3] == ["", f"The front page: {results}/index.html", "Made:"]
    names = ["report.html", "exhibits/sweep.png", "exhibits/sweep.csv", "exhibits/sweep.svg"]
    names = [f"tales/{name}" for name in [*names, "scores/sweep/k5-m2-n10.csv"]]
    assert made[3:] == [str(results / name) for name in names]


def test_at_most_a_dozen_are_named(results):
    make(results, *[f"tales/exhibits/{number}.png" for number in range(MOST_RESULTS_SHOWN + 3)])
    words = describe_run(results, STARTED, []).splitlines()
    assert words[-1] == "  and 3 more"
    assert len(words) == 3 + MOST_RESULTS_SHOWN + 1


def test_corpora_that_were_left_out_are_named_with_the_remedy(results):
    words = describe_run(results, STARTED, ["tale", "fables", "half", "never-asked-for"])
    assert words.splitlines()[2:] == [
        "Nothing had to be made.",
        "Left out: fables, because there is no network. To get it: plug it in; then run again.",
    ]
