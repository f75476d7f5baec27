"""A fit that was interrupted ends with the very numbers of one that was not."""

import subprocess
import sys
import time

import numpy as np
import pytest
from inputs import LOW_RANK_IDS, NAIVE_IDS, random_counts

from condprob import Checkpoint, CountMatrix, load, method
from condprob.files.arrays import read_arrays, write_arrays
from condprob.run import Run

COUNTS = random_counts(5, k=40, n=400)
OPTIONS = {"rank": 4, "iterations": 20}
VARIANTS = [
    *((id, {}) for id in LOW_RANK_IDS),
    *((id, {"threads": 2}) for id in ("add-half-lr", "ad-lr")),
    ("ad-lr", {"update": "alternating"}),
]
NAMES = [f"{id} {' '.join(map(str, options.values()))}".strip() for id, options in VARIANTS]


def same(one, other):
    """Whether two fits agree in every bit."""
    pairs = ((one.W, other.W), (one.H, other.H), (one.history, other.history))
    return all(mine.tobytes() == its.tobytes() for mine, its in pairs)


def fit(id="ad-lr", counts=COUNTS, seed=3, checkpoint=None, **options):
    return method(id, **(OPTIONS | options)).fit(counts, seed=seed, checkpoint=checkpoint)


def iterations_in(path):
    return read_arrays(path)["done"].item()


@pytest.mark.parametrize(("id", "options"), VARIANTS, ids=NAMES)
def test_a_fit_that_goes_on_ends_with_the_same_bits(id, options, tmp_path):
    expected = fit(id, **options)
    path = tmp_path / "fit.npz"
    for iterations in (0, 7, 8, 20, 20):
        found = fit(id, checkpoint=path, **options | {"iterations": iterations})
        assert iterations_in(path) == iterations
    assert same(found, expected)
    assert [file.name for file in tmp_path.iterdir()] == ["fit.npz"]


@pytest.mark.parametrize("id", [id for id in LOW_RANK_IDS if id not in NAIVE_IDS])
def test_counts_on_disk_give_the_same_bits_and_may_go_on_with_those_in_memory(id, tmp_path):
    COUNTS.save(tmp_path / "counts.npz")
    mapped = CountMatrix.load(tmp_path / "counts.npz", mmap=True)
    assert same(fit(id, mapped), fit(id))
    fit(id, mapped, checkpoint=tmp_path / "fit.npz", iterations=9)
    assert same(fit(id, checkpoint=tmp_path / "fit.npz"), fit(id))


def test_it_goes_on_from_what_is_in_the_file(tmp_path):
    path = tmp_path / "fit.npz"
    fit(checkpoint=path, iterations=7)
    arrays = read_arrays(path)
    arrays["W"] = arrays["W"][::-1]
    write_arrays(path, arrays)
    assert not same(fit(checkpoint=path), fit())


def test_the_checkpoint_of_another_version_is_refused_and_kept(tmp_path):
    path = tmp_path / "fit.npz"
    fit(checkpoint=path, iterations=7)
    arrays = read_arrays(path)
    # The identity of a later version may have another length.
    for identity in (["0.1.9", *arrays["identity"][1:]], ["1.0", "counts"], ["1.0", *"abcd"]):
        write_arrays(path, arrays | {"identity": np.array(identity)})
        before = path.read_bytes()
        with pytest.raises(ValueError, match="by another version of condprob; name another"):
            fit(checkpoint=path)
        assert path.read_bytes() == before


def test_a_fit_that_has_settled_does_not_go_on(tmp_path):
    options = {"tol": 1e-3, "iterations": 500}
    expected = fit("add-half-lr", **options)
    assert expected.converged
    assert 2 < expected.history.size < 500
    path = tmp_path / "fit.npz"
    for iterations in (expected.history.size // 2, 500, 500):
        matrix = method("add-half-lr", **OPTIONS | options | {"iterations": iterations})
        W, _, course = matrix.fit_factors(COUNTS, Run(3, checkpoint=Checkpoint(path)))
    np.testing.assert_array_equal(W, expected.W)
    np.testing.assert_array_equal(course.objective, expected.history)
    assert course.converged


KILLED = """
import sys
from condprob import Checkpoint, CountMatrix, method
counts = CountMatrix.load(sys.argv[1], mmap=True)
endless = method("ad-lr", rank=20, iterations=10**6)
endless.fit(counts, seed=3, checkpoint=Checkpoint(sys.argv[2], seconds=0))
"""


def test_a_fit_that_was_killed_goes_on(tmp_path):
    counts = random_counts(6, k=500, n=20_000, exponent=0.5)
    counts.save(tmp_path / "counts.npz")
    path = tmp_path / "fit.npz"
    process = subprocess.Popen([sys.executable, "-c", KILLED, tmp_path / "counts.npz", path])
    try:
        while not path.exists() or not iterations_in(path):
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    done = iterations_in(path)
    assert 0 < done < 10**6
    options = {"rank": 20, "iterations": done + 3}
    assert same(fit(counts=counts, checkpoint=path, **options), fit(counts=counts, **options))


def doubled(counts):
    return CountMatrix(counts.shape, counts.indptr, counts.outcomes, 2 * counts.values)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"counts": doubled(COUNTS)}, "of a fit of other counts"),
        ({"counts": random_counts(6, k=40, n=400)}, "of a fit of other counts"),
        ({"seed": 4}, "of a fit from another start"),
        ({"rank": 5}, "of a fit from another start"),
        ({"discount": 0.5}, "of a fit with other options"),
        ({"id": "lr"}, "of a fit with other options"),
        ({"tol": 1e-9}, "of a fit with other options"),
        ({"threads": 2}, "of a fit with other options"),
        ({"update": "alternating"}, "of a fit with other options"),
        ({"iterations": 6}, "7 iterations are done already, more than 6"),
    ],
)
def test_the_checkpoint_of_another_fit_is_refused_and_kept(changed, message, tmp_path):
    path = tmp_path / "fit.npz"
    fit(checkpoint=path, iterations=7)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=message) as caught:
        fit(checkpoint=path, **changed)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(("one", "other"), [(1.0, 0.9), (0.9, 1.0), (0.9, 0.8)])
def test_another_temperature_given_or_learned_is_told_as_what_it_is(one, other, tmp_path):
    path = tmp_path / "fit.npz"
    fit("plsa", checkpoint=path, iterations=7, weight=0.0, temperature=one)
    with pytest.raises(ValueError, match="of a fit with other options, given or learned"):
        fit("plsa", checkpoint=path, weight=0.0, temperature=other)
    found = fit("plsa", checkpoint=path, weight=0.0, temperature=one)
    assert same(found, fit("plsa", weight=0.0, temperature=one))


def test_a_file_of_something_else_is_refused_and_kept(tmp_path):
    COUNTS.save(tmp_path / "counts.npz")
    (tmp_path / "words").write_text("words and more words")
    for name, message in (("counts.npz", "not a checkpoint"), ("words", "not a condprob file")):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(ValueError, match=message):
            fit(checkpoint=tmp_path / name)
        assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        {"identity": None},
        {"identity": np.array("x")},
        {"done": None},
        {"done": np.array(-1)},
        {"done": np.array(2.5)},
        {"done": np.array([1, 2])},
        {"done": np.array(8)},
        {"W": None},
        {"W": np.ones((3, 3))},
        {"H": np.array(["x"])},
        {"objective": np.zeros(3)},
        {"W": np.full((40, 4), np.nan)},
        {"H": np.full((4, 40), np.inf)},
        {"objective": np.full(8, np.nan)},
    ],
)
def test_a_checkpoint_with_wrong_arrays_is_refused(change, tmp_path):
    path = tmp_path / "fit.npz"
    fit(checkpoint=path, iterations=7)
    arrays = read_arrays(path)
    arrays = {name: each for name, each in (arrays | change).items() if each is not None}
    write_arrays(path, arrays)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="damaged"):
        fit(checkpoint=path)
    assert path.read_bytes() == before


def test_a_checkpoint_is_no_model(tmp_path):
    path = tmp_path / "fit.safetensors"
    method("ad-lr", rank=2, iterations=3).fit(np.eye(3), checkpoint=path)
    with pytest.raises(ValueError, match=r"holds neither a model nor counts; .* pass it as check"):
        load(path)


def test_a_damaged_checkpoint_is_refused_or_changes_nothing(tmp_path):
    path, expected = tmp_path / "fit.npz", fit()
    fit(checkpoint=path, iterations=7)
    whole, refusals = path.read_bytes(), []
    for place in range(0, len(whole), len(whole) // 150):
        flipped = bytearray(whole)
        flipped[place] ^= 0x55
        for content in (bytes(flipped), whole[:place]):
            path.write_bytes(content)
            try:
                assert same(fit(checkpoint=path), expected)
            except ValueError as error:
                refusals.append(str(error))
    assert len(refusals) > 250
    assert all(str(path) in line and "\n" not in line for line in refusals)


def test_a_missing_folder_is_told_before_the_first_iteration(tmp_path):
    endless = {"iterations": 10**6}
    with pytest.raises(FileNotFoundError, match="absent"):
        fit(checkpoint=tmp_path / "absent" / "fit.npz", **endless)
