"""Which of several methods is best, and how surely."""

import re
from math import isnan

import numpy as np
import pandas as pd
import pytest

from condprob import CountMatrix, Text, compare, fit, fit_text, method


@pytest.fixture(scope="module")
def table():
    """Pairs of 40 users, of whom each has 3 of 30 items next to each other."""
    rng = np.random.default_rng(0)
    users = rng.integers(0, 40, 1500)
    items = (users + rng.integers(0, 3, users.size)) % 30
    return pd.DataFrame({"who": [f"u{u}" for u in users], "what": [f"i{i}" for i in items]})


@pytest.fixture(scope="module")
def found(table):
    return compare(table, methods=["add-half", "kn", "laplace"], context="who", outcome="what")


def test_methods_are_compared_on_a_part_that_was_held_out(table, found):
    assert [row.name for row in found] == ["kn", "add-half", "laplace"]
    assert found.best is found["kn"]
    for row in found:
        assert row.low < row.nats < row.high
        assert row.seconds > 0
        assert row.behind.value == pytest.approx(row.nats - found.best.nats)
        assert row.model.about.n < 1500
    assert tuple(found.best.behind) == (0, 0, 0)
    assert found["laplace"].behind.is_clear
    assert {row.model.labels[1] == found.best.model.labels[1] for row in found} == {True}
    again = compare(
        table.sample(frac=1, random_state=1),
        methods=["kn", "laplace"],
        context="who",
        outcome="what",
    )
    assert again["kn"].nats == pytest.approx(found["kn"].nats, abs=1e-12)
    with pytest.raises(KeyError, match="ad: there are kn, add-half, laplace"):
        found["ad"]


def test_it_says_who_is_best_in_a_table_and_a_sentence(found):
    lines = repr(found).splitlines()
    assert lines[0].split("  ")[-1] == "seconds"
    assert lines[1].startswith("kn ")
    assert lines[-1] == "kn is significantly better than all others."
    assert len({line.index(".") for line in lines[1:-1]}) == 1  # in columns
    frame = found.to_frame()
    assert list(frame["method"]) == ["kn", "add-half", "laplace"]
    assert frame.loc[2, "behind_low"] == found["laplace"].behind.low


def test_fitted_models_are_compared_on_test_data(table):
    models = [fit(table[:1000], "who", "what", method=id) for id in ("kn", "add-half", "laplace")]
    test = table[1000:]
    found = compare(test, models)
    for model in models:
        score, row = model.score(test), found[model.about.method]
        assert (row.nats, row.low, row.high) == (score.nats, score.low, score.high)
        assert isnan(row.seconds)
        assert tuple(row.behind) == tuple(compare(models[0], model, test))
    assert "seconds" not in repr(found)
    named = compare(test, {"one": models[1], "other": models[2]})
    assert [row.name for row in named] == ["one", "other"]
    both = compare(test, [models[0], models[0]])
    assert [row.name for row in both] == ["kn (1)", "kn (2)"]
    assert both.in_words() == "kn (1) is best, and equally good are kn (2)."
    counts = CountMatrix.from_dense(np.eye(6) * 30)
    numbers = compare(counts, [method("kn").fit(counts), method("add-half").fit(counts)])
    assert numbers[0].name == "SparsePlusLowRank (1)"


def test_a_model_is_as_good_as_itself_even_with_few_blocks_or_zeros(table):
    for data in ([("a", "x"), ("b", "x")], table):
        names = () if isinstance(data, list) else ("who", "what")
        one = fit(data, *names, method="mle")
        assert tuple(compare(one, one, data)) == (0, 0, 0)
        assert "equally good" in repr(compare(one, one, data))
    never = fit([("a", "x"), ("b", "y")], method="mle")
    assert tuple(compare(never, never, [("a", "y")])) == (0, 0, 0)


def test_a_difference_says_who_is_better_with_six_digits(table):
    one, other = (fit(table, "who", "what", method=id) for id in ("kn", "laplace"))
    found = compare(one, other, table)
    assert found.is_clear
    assert repr(found).endswith("]: the first is significantly better than the second>")
    assert found.in_words("kn", "laplace") == "kn is significantly better than laplace"
    assert compare(other, one, table).in_words("b", "a") == "a is significantly better than b"
    assert max(len(part.strip("[],><")) for part in repr(found).split() if "." in part) <= 10
    value, low, high = found
    assert low < value < high


def test_a_text_is_compared_by_sentences():
    rng = np.random.default_rng(1)
    lines = [
        " ".join(f"w{(i * i + d) % 20}" for i, d in enumerate(rng.integers(0, 2, 8)))
        for _ in range(150)
    ]
    found = compare(lines, methods=["kn", method("add-half")], order=2)
    assert [type(row.model).__name__ for row in found] == ["LanguageModel"] * 2
    assert {row.name for row in found} == {"kn", "add-half"}
    assert "nats per word" in repr(found)
    lists = [line.split() for line in lines]
    assert (
        compare(lists, methods=["kn", method("add-half")], order=2, text=Text()).records()[0][
            "nats"
        ]
        == found.best.nats
    )
    models = [fit_text(lines[:100], order, method="kn") for order in (1, 2)]
    assert compare(lines[100:], models).best.behind.value == 0


def test_what_cannot_be_compared_is_one_line(table):
    one = fit(table, "who", "what", method="kn")
    for call, message in (
        (lambda: compare(table), "no models to compare: pass compare(data, methods=[...])"),
        (lambda: compare(table, [1, 2]), "no models to compare"),
        (lambda: compare(one, [one]), "no models to compare"),
        (lambda: compare(table, [one]), "there is only one model: pass at least two"),
        (lambda: compare(table, methods=["kn"]), "pass a list of at least two methods"),
        (lambda: compare(table, methods="kn"), "pass a list of at least two methods"),
        (lambda: compare(table, methods=["kn", "ad"], share=2), "share = 2: must be a number"),
        (
            lambda: compare(table, methods=["kn", "ad"]),
            "name both columns in the fit, context=... and outcome=...",
        ),
    ):
        with pytest.raises(ValueError, match=re.escape(message)) as caught:
            call()

        assert "\n" not in str(caught.value)


def test_test_data_of_ones_own_share_all_labels_with_the_data(table):
    train, test = (
        table[:1200],
        pd.concat([table[1200:], pd.DataFrame({"who": ["new"], "what": ["i0"]})]),
    )
    found = compare(
        train, methods={"mine": "kn", "other": "laplace"}, test=test, context="who", outcome="what"
    )
    assert {row.name for row in found} == {"mine", "other"}
    known = {"contexts": sorted({*table["who"], "new"}), "outcomes": sorted({*table["what"]})}
    expected = fit(train, "who", "what", method="kn", **known).score(test)
    assert (found["mine"].nats, found["mine"].low) == (expected.nats, expected.low)
    with pytest.raises(ValueError, match=r"^test goes with methods=\[...\]"):
        compare(train, [found[0].model, found[1].model], test=test)


def test_what_is_unknown_of_a_text_is_told():
    train, test = ["a b c", "a c b"] * 9, ["a b d", "c a"] * 9
    how = {"methods": ["kn", "laplace"], "test": test, "order": 2}
    closed = compare(train, **how)
    assert repr(closed).splitlines()[-1] == closed.note
    assert closed.note.endswith(
        "know all words of both texts; score would leave out 9 words of the test."
    )
    known = {word for line in test for word in line.split()}
    expected = fit_text(train, 2, method="laplace", known=known).score(test)
    assert closed["laplace"].nats == pytest.approx(expected.nats, abs=1e-12)
    opened = compare(train, text=Text(unknown=0), **how)
    assert opened.note == "9 words of the test are unknown and left out, as in score."
    with pytest.warns(UserWarning, match="14% of the words are unknown"):
        assert opened["kn"].nats == fit_text(train, 2, method="kn").score(test).nats
    assert compare(train, methods=["kn", "laplace"], test=train).note == ""
