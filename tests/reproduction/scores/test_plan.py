"""Which jobs an exhibit needs: one for each point, or batches that hold every setting once."""

import pytest

from reproduction.scores.plan import FEW, cut_into_batches, plan_exhibits

CONFIG = {
    "methods": {
        "kn": {"method": "kn", "label": "KN"},
        "lr": {"method": "ad-lr", "discount": [0.25, 0.5], "initial": "clusters", "label": "LR"},
    }
}
ON_MODELS = {"kind": "risk-curve", "methods": ["kn"], "k_values": [9], "rank_values": [2],
             "n_values": [50, 60], "trials": 3}  # fmt: skip
ON_TEXTS = {"kind": "table", "methods": ["kn", "lr"], "corpora": ["a", "b"], "rank": 4,
            "seeds": 2}  # fmt: skip


def entry_of(points, **more):
    return {"k_values": [5, 6], "rank_values": [2], "n_values": list(range(points // 2))} | more


@pytest.mark.parametrize(
    ("points", "size"), [(2, 1), (126, 1), (128, 2), (254, 2), (256, 4), (10_000, 128)]
)
def test_size_of_a_batch_keeps_small_exhibits_and_bounds_the_jobs_of_large_ones(points, size):
    batches = cut_into_batches(entry_of(points))
    assert {len(batch) for batch in batches[:-1]} <= {size}
    assert 1 <= len(batches[-1]) <= size
    if points > FEW:
        assert FEW <= len(batches) <= 2 * FEW


def test_given_size_of_a_batch_is_taken():
    assert [len(batch) for batch in cut_into_batches(entry_of(14, batch=4))] == [4, 4, 4, 2]
    assert [len(batch) for batch in cut_into_batches(entry_of(1000, batch=1))] == [1] * 1000


def test_every_setting_is_in_one_batch():
    entry = {"k_values": [4, 7], "rank_values": [3, 1], "n_values": [9, 2, 5], "batch": 5}
    settings = [setting for batch in cut_into_batches(entry) for setting in batch]
    assert settings == [(k, rank, n) for k in (4, 7) for rank in (3, 1) for n in (9, 2, 5)]


def test_values_at_the_end_leave_earlier_batches_as_they_are():
    entry = {"k_values": [4, 7], "rank_values": [3], "n_values": [9, 2], "batch": 2}
    longer = entry | {"k_values": [4, 7, 8]}
    assert cut_into_batches(longer)[:2] == cut_into_batches(entry)


def plan(entry):
    jobs, exhibits = plan_exhibits("mine", {"e": entry}, CONFIG)
    return jobs, exhibits["e"]


def test_a_large_exhibit_on_models_has_batches_that_draw_their_own():
    jobs, _ = plan(ON_MODELS | {"batch": 2, "rows": "power-law", "exponent": 1.5})
    (job,) = jobs.values()
    assert (job.name, job.inputs) == ("e/batch-0", {})
    assert job.given == {"exhibit": "e", "settings": [(9, 2, 50), (9, 2, 60)], "trials": 3,
                         "rows": "power-law", "exponent": 1.5}  # fmt: skip


def test_an_exhibit_on_texts_has_a_job_for_each_text_size_and_rank():
    jobs, exhibit = plan(ON_TEXTS)
    assert list(jobs) == ["e/a-train-m4", "e/b-train-m4"]
    assert jobs["e/b-train-m4"].inputs == {"words": "corpora/b.npz"}
    assert exhibit.receipts == ("corpora/a.json", "corpora/b.json")
    assert exhibit.printed
    grown = ON_TEXTS | {"n_values": [100, 200], "test_words": 50, "test": "next"}
    jobs, _ = plan(grown)
    assert list(jobs) == ["e/a-100-m4", "e/b-100-m4", "e/a-200-m4", "e/b-200-m4"]
    assert jobs["e/a-200-m4"].given["split"] == {"test": "next", "test_words": 50}


def test_a_batch_of_a_text_is_a_job_and_what_is_left_one_alone():
    jobs, exhibit = plan(ON_TEXTS | {"n_values": [100, 200, 300], "batch": 2})
    names = ["e/a-batch-0", "e/b-batch-0", "e/a-300-m4", "e/b-300-m4"]
    assert list(jobs) == names == list(exhibit.jobs)
    assert jobs["e/a-batch-0"].given["points"] == [(100, 4), (200, 4)]
    assert jobs["e/a-300-m4"].given["points"] == [(300, 4)]


def test_jobs_know_what_is_swept_and_no_label():
    """A new label fits nothing again; what is swept is a column of the scores."""
    jobs, _ = plan(ON_TEXTS)
    job = jobs["e/a-train-m4"]
    assert job.columns == ("discount",)
    assert all("label" not in entry for entry in job.methods.values())
