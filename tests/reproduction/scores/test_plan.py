"""Which jobs an exhibit needs: one for each point and method, or batches that its entry names."""

import pytest

from reproduction.methods import DIRECT as DIRECT_IDS
from reproduction.methods import METHODS, is_direct
from reproduction.mistakes import load_schema
from reproduction.scores.plan import BATCHES_OF_SWEEP, KINDS, cut_into_batches, plan_exhibits
from reproduction.study import KEYS_OF_LOOKS

CONFIG = {
    "methods": {
        "kn": {"method": "kn", "label": "KN"},
        "ad": {"method": "ad", "label": "AD"},
        "unigram": {"method": "ad-lr", "rank": 1, "label": "Unigram"},
        "lr": {"method": "ad-lr", "initial": "clusters", "label": "LR"},
        "swept": {"method": "ad-lr", "discount": [0.25, 0.5], "label": "Swept"},
    }
}
ON_MODELS = {
    "kind": "risk-curve",
    "methods": ["kn", "lr"],
    "k_values": [9],
    "rank_values": [2],
    "n_values": [50, 60],
    "rows": "uniform",
    "trials": 3,
}
ON_TEXTS = {"kind": "table", "methods": ["kn", "lr"], "corpora": ["a", "b"], "rank": 4, "seeds": 2}


def plan(entry):
    jobs, exhibits = plan_exhibits("mine", {"e": entry}, CONFIG)
    assert tuple(jobs) == exhibits["e"].jobs
    return jobs


def added(before, after):
    """Return the names of the jobs that a change of an entry plans, others being as they were."""
    old, new = plan(before), plan(after)
    return {name for name, job in new.items() if old.get(name) != job}


def test_a_job_is_of_a_point_and_a_method_and_direct_methods_share_one():
    jobs = plan(ON_MODELS | {"methods": ["kn", "lr", "ad", "unigram"]})
    names = [f"e/{method}/k9-m2-n{n}" for n in (50, 60) for method in ("direct", "lr")]
    assert list(jobs) == names
    assert list(jobs[names[0]].methods) == ["kn", "ad", "unigram"]
    assert list(jobs[names[1]].methods) == ["lr"]
    assert all("label" not in entry for job in jobs.values() for entry in job.methods.values())


@pytest.mark.parametrize("entry", [ON_MODELS, ON_TEXTS], ids=["models", "texts"])
def test_a_method_that_is_added_to_a_sweep_fits_itself_and_nothing_else(entry):
    entry = entry | {"n_values": list(range(100, 124))}
    more = entry | {"methods": ["swept", *entry["methods"]]}
    found = added(entry, more)
    assert len(found) == 24 * 2 * len(entry.get("corpora", [1]))  # at each of two discounts
    assert all(name.startswith("e/swept/") for name in found)


@pytest.mark.parametrize("values", [[40, 50, 60], [50, 55, 60], [50, 60, 70], [60, 50, 70]])
@pytest.mark.parametrize("batches", [{}, {"batches": {"n_values": [[50, 60]]}}])
@pytest.mark.parametrize("entry", [ON_MODELS, ON_TEXTS], ids=["models", "texts"])
def test_a_value_that_is_added_anywhere_computes_itself_alone(entry, batches, values):
    entry = entry | {"n_values": [50, 60]} | batches
    (new,) = {*values} - {50, 60}
    found = added(entry, entry | {"n_values": values})
    assert {name.rpartition("-n")[2].partition("-")[0] for name in found} == {str(new)}
    assert len(found) == 2 * len(entry.get("corpora", [1]))


def test_a_value_of_a_swept_option_computes_itself_alone(monkeypatch):
    entry = ON_MODELS | {"methods": ["kn", "swept"], "n_values": [50]}
    before = plan(entry)
    assert list(before) == [
        f"e/{name}"
        for name in (
            "direct/k9-m2-n50",
            "swept/k9-m2-n50-discount-0.25",
            "swept/k9-m2-n50-discount-0.5",
        )
    ]
    job = before["e/swept/k9-m2-n50-discount-0.5"]
    assert job.columns == ("discount",)
    assert job.methods["swept"]["discount"] == [0.5]
    monkeypatch.setitem(CONFIG["methods"]["swept"], "discount", [0.1, 0.25, 0.5])
    after = plan(entry)
    assert {name for name in after if before.get(name) != after[name]} == {
        "e/swept/k9-m2-n50-discount-0.1"
    }


def test_a_label_a_title_and_a_look_compute_nothing(monkeypatch):
    look = {"title": "Another", "y_scale": "log", "y_range": [0, 1], "x_scale": "log"}
    assert not added(ON_MODELS, ON_MODELS | look)
    before = plan(ON_MODELS)
    monkeypatch.setitem(CONFIG["methods"]["lr"], "label", "Another")
    assert plan(ON_MODELS) == before


# Keys of an exhibit that no look is: of its jobs, of their names, or of its table.
COMPUTED = {
    *("kind", "methods", "batches", "baseline", "ours", "oracle"),
    *("k_values", "rank_values", "n_values", "rows", "exponent", "outcomes", "concentration"),
    *("trials", "corpora", "seeds", "rank", "test", "test_words"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_key_of_an_exhibit_is_a_look_or_is_computed_from(kind):
    """Who adds a key says which: a table that follows from a look would be made again by it."""
    assert load_schema()["$defs"][kind]["properties"].keys() <= KEYS_OF_LOOKS | COMPUTED
    assert not KEYS_OF_LOOKS & COMPUTED


def test_batches_hold_every_point_once_and_values_that_are_not_there_are_left_out():
    axes = {"k_values": [4, 7], "rank_values": [3], "n_values": [9, 2, 5]}
    batches = cut_into_batches(axes, {"n_values": [[9, 5, 8]]})
    assert batches == {
        "k4-m3-n9+5": [(4, 3, 9), (4, 3, 5)],
        "k4-m3-n2": [(4, 3, 2)],
        "k7-m3-n9+5": [(7, 3, 9), (7, 3, 5)],
        "k7-m3-n2": [(7, 3, 2)],
    }
    many = cut_into_batches(axes | {"n_values": list(range(100))}, {"n_values": [[*range(100)]]})
    assert list(many) == ["k4-m3-n0-to-99", "k7-m3-n0-to-99"]


@pytest.mark.parametrize("points", [120, 1000, 10_000])
def test_a_large_sweep_has_few_batches_and_a_new_value_changes_one(points):
    axes = {"k_values": [5, 6], "rank_values": [2], "n_values": list(range(1, points // 2 + 1))}
    batches = cut_into_batches(axes)
    held = [point for batch in batches.values() for point in batch]
    assert held == [(k, 2, n) for k in (5, 6) for n in axes["n_values"]]
    assert (
        len(batches) == points
        if points < 2 * BATCHES_OF_SWEEP
        else BATCHES_OF_SWEEP / 2 < len(batches) < 3 * BATCHES_OF_SWEEP
    )
    more = cut_into_batches(axes | {"n_values": [points, *axes["n_values"]]})
    changed = [points for name, points in more.items() if batches.get(name) != points]
    assert len(changed) <= 2 * 2  # a value at each k: its batch, and where it cuts one, a further


def test_jobs_share_a_file_of_models_unless_drawing_them_costs_less_than_a_process():
    law, batches = {"rows": "power-law", "exponent": 1.5}, {"batches": {"n_values": [[50, 60]]}}
    (small, _) = plan(ON_MODELS | law | batches).values()
    assert small.inputs == {}
    settings = [(9, 2, 50), (9, 2, 60)]
    assert small.given == {"exhibit": "e", "settings": settings, "trials": 3} | law
    dear = law | batches | {"k_values": [1000], "trials": 1000}
    for entry, k in ((dear, 1000), (law, 9)):
        for job in plan(ON_MODELS | entry).values():
            assert job.inputs == {"models": f"mine/models/e/k{k}-m2.npz"}
            assert job.given.keys() == {"exhibit", "settings"}


def test_an_oracle_is_of_the_direct_methods_also_where_there_are_none():
    jobs = plan(ON_MODELS | {"oracle": "ad", "methods": ["lr"], "n_values": [50]})
    given = {name: job.given.get("oracle") for name, job in jobs.items()}
    assert given == {"e/direct/k9-m2-n50": "ad", "e/lr/k9-m2-n50": None}


def test_an_exhibit_on_texts_has_a_job_for_each_text_size_rank_and_method():
    jobs = plan(ON_TEXTS)
    assert list(jobs) == [f"e/{m}/{c}-train-m4" for c in "ab" for m in ("direct", "lr")]
    assert jobs["e/lr/b-train-m4"].inputs == {"words": ("corpora/b.npz",)}
    grown = ON_TEXTS | {"n_values": [100, 200], "test_words": 50, "test": "next"}
    (job,) = [job for name, job in plan(grown).items() if name == "e/lr/a-n200-m4"]
    assert job.given["split"] == {"test": "next", "test_words": 50}
    (_, job) = plan(ON_TEXTS | {"batches": {"corpora": [["a", "b"]]}}).values()
    assert job.name == "e/lr/a+b-train-m4"
    assert job.inputs == {"words": ("corpora/a.npz", "corpora/b.npz")}
    assert job.given["points"] == [("a", "train", 4), ("b", "train", 4)]


def test_direct_methods_have_no_start_and_no_iterations():
    for id in DIRECT_IDS:
        assert not METHODS[id].estimator.is_random
        assert not {"iterations", "sweeps", "epochs", "passes"} & METHODS[id].options.keys()
    assert is_direct({"method": "ad-lr", "rank": 1})
    assert not is_direct({"method": "ad-lr", "rank": 2})
    assert not is_direct({"method": "py-lr"})
