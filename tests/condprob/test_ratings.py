"""Completion of ratings by its public door: the SVD, normal equations, loops, and bad input."""

import warnings

import numpy as np
import pandas as pd
import pytest

import condprob
from condprob import Ratings, UnseenContextWarning, complete, load
from condprob.files.arrays import read_arrays, write_arrays

RNG = np.random.default_rng(12)
USERS, ITEMS = [f"u{i}" for i in range(12)], [f"i{j}" for j in range(9)]
WHOLE = 3 + RNG.normal(size=(12, 2)) @ RNG.normal(size=(2, 9)) + 0.2 * RNG.normal(size=(12, 9))
KNOWN = RNG.random(WHOLE.shape) < 0.7


def listed(M, mask):
    """The entries of an array under a mask as (user, item, rating)."""
    return [(USERS[i], ITEMS[j], float(M[i, j])) for i, j in zip(*np.nonzero(mask), strict=True)]


def table(M, mask):
    return pd.DataFrame(listed(M, mask), columns=["who", "what", "stars"])


def fit(M=WHOLE, mask=KNOWN, **options):
    return complete(listed(M, mask), **{"rank": 2, "passes": 300} | options)


def test_where_all_is_known_the_best_factors_are_the_svd():
    """The oracle is NumPy's SVD."""
    everything = np.ones(WHOLE.shape, dtype=bool)
    found = fit(mask=everything, biases="none", ridge=0.0, passes=1500)
    best = np.sqrt((np.linalg.svd(WHOLE, compute_uv=False)[2:] ** 2).sum() / WHOLE.size)
    assert best - 1e-12 <= found.rmse(listed(WHOLE, everything)) <= 1.005 * best
    assert not found.centred


@pytest.mark.parametrize("sampling", ["entries", "columns", "rows"])
def test_biases_alone_are_those_of_the_normal_equations(sampling):
    """The oracle is a linear system, one equation for each bias.

    A step takes the mean of its sample, and so a column, or a row, weighs as much as any other.
    """
    ridge, (rows, columns) = 0.1, np.nonzero(KNOWN)
    values = WHOLE[KNOWN]
    X = np.zeros((values.size, 21))
    X[np.arange(values.size), rows] = X[np.arange(values.size), 12 + columns] = 1
    along = {"entries": np.arange(values.size), "columns": columns, "rows": rows}[sampling]
    weights = 1 / np.bincount(along)[along]
    penalty = ridge * np.diag(weights @ X)  # each rating brings the squares of its own biases
    XW = X.T * weights
    wanted = np.linalg.solve(XW @ X + penalty, XW @ (values - values.mean()))
    rate = {"entries": 0.001, "columns": 0.02, "rows": 0.02}[sampling]
    found = fit(rank=0, passes=4000, ridge=ridge, sampling=sampling, rate=rate)
    by_label = dict(zip([*found.users, *found.items], [*found.a, *found.b], strict=True))
    np.testing.assert_allclose([by_label[label] for label in USERS + ITEMS], wanted, atol=0.02)
    assert found.mean == pytest.approx(values.mean())
    with pytest.raises(ValueError, match="rank = 0"):
        found.similar_users("u0")


def test_the_completion_of_the_textbook():
    """The oracle is Example 9.2.5, a matrix of rank one with gaps."""
    given = {1: {1: 1, 2: 1, 4: 2}, 2: {1: 1, 2: 1}, 3: {1: 4, 3: 8}, 4: {1: 4}}
    found = complete(given, rank=1, biases="none", ridge=0, passes=20000)
    whole = np.outer([1, 1, 4, 4], [1, 1, 2, 2])
    predicted = [found.predict([i] * 4, [1, 2, 3, 4]) for i in (1, 2, 3, 4)]
    np.testing.assert_allclose(predicted, whole, atol=0.01)


def test_every_form_of_the_data_has_the_same_answers():
    frame = table(WHOLE, KNOWN)
    named = complete(frame, "who", "what", "stars", rank=2)
    nested, by_pair = {}, {}
    for user, item, stars in listed(WHOLE, KNOWN):
        nested.setdefault(user, {})[item] = by_pair[user, item] = stars
    others = [
        complete(listed(WHOLE, KNOWN), rank=2),
        complete(nested, rank=2),
        complete(by_pair, rank=2),
        complete(frame.to_dict("list"), "who", "what", "stars", rank=2),
    ]
    for other in others:
        assert other.predict("u3", "i4") == named.predict("u3", "i4")
    held = table(WHOLE, ~KNOWN)
    pairs = listed(WHOLE, ~KNOWN)
    wanted = [named.predict(user, item) for user, item, _ in pairs]
    np.testing.assert_allclose(named.predict_pairs(held.drop(columns="stars")), wanted)
    np.testing.assert_allclose(named.predict_pairs([pair[:2] for pair in pairs]), wanted)
    error = np.sqrt(np.mean([(s - w) ** 2 for (_, _, s), w in zip(pairs, wanted, strict=True)]))
    assert named.rmse(held) == pytest.approx(error)
    assert named.rmse(pairs) == pytest.approx(error)
    assert repr(named).startswith("<Ratings: 12 users, 9 items, rank 2, RMSE ")


def test_ratings_on_another_scale_are_the_same_ratings():
    found, larger = fit(), fit(1000 * WHOLE)
    np.testing.assert_allclose(larger.predict("u1", ITEMS), 1000 * found.predict("u1", ITEMS))
    assert larger.history[-1] == pytest.approx(1e6 * found.history[-1])


def test_best_items_and_similar_users_by_loops():
    found = fit()
    whole = np.array([found.predict([user] * 9, ITEMS) for user in USERS])
    best = [(ITEMS[j], whole[2, j]) for j in np.argsort(-whole[2])]
    assert dict(found.top("u2", 9)) == pytest.approx(dict(best))
    assert [item for item, _ in found.top("u2", 9)] == [item for item, _ in best]
    known = listed(WHOLE, KNOWN)
    seen = {item for user, item, _ in known if user == "u2"}
    assert [item for item, _ in found.top("u2", 9, exclude=known)] == [
        item for item, _ in best if item not in seen
    ]
    assert [item for item, _ in found.top("u2", 2, exclude=["i0", "other"])] == [
        item for item, _ in best if item != "i0"
    ][:2]
    frame = table(WHOLE, KNOWN)
    named = complete(frame, "who", "what", "stars", rank=2, passes=300)
    unseen = [item for item, _ in named.top("u2", 9) if item not in seen]
    assert [item for item, _ in named.top("u2", 9, exclude=frame)] == unseen
    assert found.top("u2", 1, exclude=best[0][0])[0][0] == best[1][0]
    a, b = found.users.numbers(USERS), found.items.numbers(ITEMS)
    rows = whole - found.mean - found.a[a][:, None] - found.b[b]
    for axis, near, labels in ((0, found.similar_users, USERS), (1, found.similar_items, ITEMS)):
        vectors = rows if axis == 0 else rows.T
        unit = [vector / np.sqrt(vector @ vector) for vector in vectors]
        wanted = {labels[i]: unit[i] @ unit[1] for i in range(len(labels)) if i != 1}
        assert dict(near(labels[1], 20)) == pytest.approx(wanted)
        assert near(labels[1], 1)[0][1] == pytest.approx(max(wanted.values()))


def test_who_and_what_has_no_rating_has_the_mean_and_the_other_bias():
    found = fit()
    (i,), (j,) = found.users.numbers(["u1"]), found.items.numbers(["i2"])
    with pytest.warns(UnseenContextWarning, match="'new' was never seen: .* the item's bias"):
        assert found.predict("new", "i2") == pytest.approx(found.mean + found.b[j])
    with pytest.warns(UnseenContextWarning, match="2 of 2 .* 'new': .* the user's bias"):
        pair = found.predict("u1", ["new", "newer"])
    np.testing.assert_allclose(pair, found.mean + found.a[i])
    plain = fit(biases="none")
    with pytest.warns(UnseenContextWarning):
        assert plain.predict("new", "i2") == pytest.approx(plain.mean)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert plain.predict_pairs([("u1", "new")])[0] == pytest.approx(plain.mean)
        assert plain.predict("u1", "i2") == pytest.approx(plain.A[i] @ plain.B[j])
    users_alone = fit(biases="users")
    assert not users_alone.b.any()


def test_a_file_has_the_same_answers(tmp_path):
    found = complete(table(WHOLE, KNOWN), "who", "what", "stars", rank=2)
    found.save(tmp_path / "r.npz")
    again = load(tmp_path / "r.npz")
    assert isinstance(again, Ratings)
    assert again.names == ("who", "what", "stars")
    assert again.top("u5") == found.top("u5")
    assert again.rmse(table(WHOLE, ~KNOWN)) == found.rmse(table(WHOLE, ~KNOWN))
    complete([(1, 2.5, 3), (2, 2.5, 4)], rank=0).save(tmp_path / "n.npz")
    assert load(tmp_path / "n.npz").users[1] == 2
    condprob.method("kn").fit([[1, 2], [3, 4]]).save(tmp_path / "m.npz")
    assert not isinstance(load(tmp_path / "m.npz"), Ratings)
    arrays = read_arrays(tmp_path / "r.npz")
    for name in ("A", "labels", "history"):
        write_arrays(tmp_path / "x.npz", {k: v for k, v in arrays.items() if k != name})
        with pytest.raises(ValueError, match=r"x\.npz: damaged"):
            load(tmp_path / "x.npz")
    write_arrays(tmp_path / "x.npz", arrays | {"A": arrays["A"][1:], "a": arrays["a"][1:]})
    with pytest.raises(ValueError, match="not 11 different users"):
        load(tmp_path / "x.npz")


@pytest.mark.parametrize(
    ("data", "names", "message"),
    [
        ([("a", "x", 1), ("a", "x", 2)], (), "'a' has rated 'x' twice: keep one rating"),
        ([("a", "x", None)], (), "row 0 has the rating None: must be a finite number"),
        ([("a", "x", "good")], (), "row 0 has the rating 'good'"),
        ([("a", "x", float("nan"))], (), "row 0 has the rating nan"),
        ([("a", None, 2)], (), "pair 0 has no item"),
        ([], (), "the data are empty: expected .user, item, rating.; of a table or of records"),
        ([("a", "x")], (), "have no ratings: name"),
        (["abc"], (), r"entry 0 is \('abc',\)"),
        ("ratings", (), "give the path of a CSV file"),
        (7, (), "data of type int: expected .user, item, rating."),
        ({"a": 3}, (), "a dictionary with 'a'"),
        (pd.DataFrame({"u": ["a"], "i": ["x"], "r": [1]}), (), "a context is a user"),
        (pd.DataFrame({"u": ["a"], "i": ["x"], "r": [1]}), ("u", "i"), "have no ratings: name"),
        (pd.DataFrame({"u": ["a"], "i": ["x"]}), ("u", "i", "r"), "column 'r' not found"),
    ],
)
def test_bad_data_get_one_line(data, names, message):
    with pytest.raises(ValueError, match=message) as told:
        complete(data, *names)
    assert "\n" not in str(told.value)


def test_bad_options_get_one_line(tmp_path):
    good = [("a", "x", 1), ("b", "x", 2)]
    for option, message in (
        ({"rank": -1}, "rank = -1"),
        ({"passes": 1.5}, "passes = 1.5"),
        ({"biases": "items"}, "biases = 'items'"),
        ({"sampling": "all"}, "sampling = 'all'"),
        ({"rate": 0}, "rate = 0"),
        ({"ridge": -1}, "ridge = -1"),
        ({"seed": "x"}, "seed"),
    ):
        with pytest.raises(ValueError, match=message):
            complete(good, **option)
    found = complete(good, rank=1)
    with pytest.raises(ValueError, match="2 users and 1 items"):
        found.predict(["a", "b"], ["x"])
    with pytest.raises(ValueError, match="'c' is not in the vocabulary"):
        found.similar_users("c")
    odd = complete(pd.DataFrame({0: ["a"], 1: ["x"], 2: [1]}), 0, 1, 2, rank=0)
    with pytest.raises(ValueError, match="must be texts"):
        odd.save(tmp_path / "x.npz")
