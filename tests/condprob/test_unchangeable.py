"""Nothing that the library hands out can be changed from outside: it is read-only, or a copy.

The tests walk all public attributes of all public classes, and all methods without arguments. They
write to each array that they get, and ask again.
"""

import copy
import inspect
import io
import multiprocessing
import pickle
from collections.abc import Mapping, MutableMapping, MutableSequence, MutableSet
from contextlib import suppress
from functools import cached_property

import numpy as np
import pytest
from inputs import random_counts, small_options
from scipy.sparse import issparse

import condprob
from condprob import METHODS, CountMatrix, Sentences, fit, fit_text, method
from condprob.evaluation import reliability

DEEPEST = 3  # values inside of values
LEFT_OUT = {"save", "load", "to_arpa"}  # which write and read files
# Those without a value of their own, and those that a fit returns under another name.
NO_VALUES = {
    *("Checkpoint", "ConditionalMatrix", "ConditionalModel", "ConvergenceWarning", "Estimator"),
    *("Method", "PairsInOrder", "SequenceModel", "UnseenContextWarning", "Text"),
}
LINES = ["a b a c", "b a", "c a b b", "a b c"] * 6
PAIRS = [pair for line in LINES for pair in zip(line[::2], line[2::2], strict=False)]

pytestmark = [
    pytest.mark.filterwarnings(
        "ignore:tol = .* was not met", "ignore:rank=.*no matrix", "ignore:no interval"
    ),
    pytest.mark.usefixtures("few_steps"),
]


def is_ours(value):
    return type(value).__module__.startswith("condprob")


def values_of(value):
    """Return the public values in a value by name: attributes, and results of plain methods."""
    if issparse(value):
        return {name: getattr(value, name, None) for name in ("data", "indices", "indptr")}
    if isinstance(value, list | tuple):
        return dict(enumerate(value))
    if isinstance(value, Mapping):
        return dict(value)
    found = {}
    for name in dir(value) if is_ours(value) else ():
        if name.startswith("_") or name in LEFT_OUT:
            continue
        try:
            part = getattr(value, name)
            if callable(part) and not isinstance(part, type):
                inspect.signature(part).bind()
                part = part()
        except (AttributeError, TypeError, ValueError):  # it is not for such a value
            continue
        found[name] = part
    return found


def write_to(value, depth=DEEPEST):
    """Write to all arrays, lists, dictionaries and sets in a value."""
    if isinstance(value, np.ndarray) and value.flags.writeable and value.size:
        value[...] = "x" if value.dtype.kind in "UO" else value.flat[0] == 0
    for part in values_of(value).values() if depth else ():
        write_to(part, depth - 1)
    with suppress(TypeError):
        if isinstance(value, MutableMapping):
            value["further"] = 1
        elif isinstance(value, MutableSequence):
            value.append("further")
        elif isinstance(value, MutableSet):
            value.add("further")


def copy_of(value, depth=DEEPEST):
    """Return all values in a value as text, by name."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.tolist()}"
    if not depth:
        return ""
    parts = values_of(value)
    return {name: copy_of(part, depth - 1) for name, part in parts.items()} or repr(value)


def check(value):
    before = copy_of(value)
    write_to(value)
    assert copy_of(value) == before


def pickled(value):
    return pickle.loads(pickle.dumps(value))


def dumped(value):
    joblib = pytest.importorskip("joblib")
    file = io.BytesIO()
    joblib.dump(value, file)
    file.seek(0)
    return joblib.load(file)


def sent(value):
    """Return a value that went to another process and came back."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(copy.copy, [value])


def check_copy(value, copied):
    """Assert that a copy of a value is equal, carries nothing derived, and cannot be changed."""
    before = copy_of(value)  # which derives all that can be
    other = copied(value)
    for name in vars(other) if is_ours(other) and hasattr(other, "__dict__") else ():
        assert not isinstance(getattr(type(other), name, None), cached_property), name
    write_to(other)
    assert copy_of(other) == before


def real_and_whole():
    counts = random_counts(4, k=9, n=60)
    return counts, CountMatrix.from_dense(counts.dense() * 0.3)


def test_counts_give_the_same_fit_after_all_that_they_gave_was_written_to():
    for counts in real_and_whole():
        fits = [method(id, **small_options(METHODS[id])).fit for id in ("kn", "ad-lr", "wb")]
        before = [fit_(counts).dense() for fit_ in fits]
        check(counts)
        np.testing.assert_array_equal([fit_(counts).dense() for fit_ in fits], before)


@pytest.mark.parametrize("id", METHODS)
def test_a_fitted_matrix_stays_as_it_was(id):
    fitted = method(id, **small_options(METHODS[id])).fit(random_counts(4, k=9, n=60), seed=1)
    check(fitted)
    check_copy(fitted, pickled)


@pytest.mark.parametrize("copied", [pickled, copy.copy, copy.deepcopy, dumped, sent])
def test_copies_of_counts_and_of_estimates_cannot_be_changed(copied):
    for value in (*real_and_whole(), fit(PAIRS, method="kn"), fit_text(LINES, 2, method="kn")):
        check_copy(value, copied)


def others():
    """Yield a value of each other public class, and of each kind of model of a text."""
    sentences = Sentences.from_lists([[0, 1, 2, 0, 1, 3], [1, 2, 0, 3], [0, 1, 3]] * 3, 4)
    yield sentences
    for id in ("mle", "kn", "add-half", "nplm", "ll-l2", "py-lr"):
        for order in (2, 3):
            yield method(id, **small_options(METHODS[id])).fit_text(sentences, order)
    one, other = fit(PAIRS, method="kn"), fit(PAIRS, method="ad-lr", rank=2)
    posterior = other.posterior(PAIRS, samples=3)
    yield from (one, other, posterior, posterior.draws, one.score(PAIRS), one.contexts)
    yield from (condprob.embed(other), condprob.compare(one, other, PAIRS), fit_text(LINES, 2))
    yield from (condprob.compare(PAIRS, [one, other]), condprob.interval(PAIRS, one))
    yield reliability(one.in_numbers(PAIRS), one.model)
    yield condprob.mix([one.model, other.model], one.in_numbers(PAIRS))
    yield condprob.draw_model(5, 2, seed=1)
    yield condprob.complete([("a", "x", 1), ("b", "x", 2), ("b", "y", 4)], rank=1)


def test_all_else_stays_as_it_was_and_no_public_class_is_left_out():
    walked = [CountMatrix, *(type(method(id).fit([[1, 2], [3, 4]])) for id in ("ad-lr", "kn"))]
    walked += [type(method(id).fit([[1, 2], [3, 4]])) for id in ("lsa", "ll-l2", "py-lr")]
    for value in others():
        check(value)
        if not isinstance(value, tuple):  # a record of results, from which nothing is derived
            check_copy(value, pickled)
        walked.append(type(value))
    classes = {name for name in condprob.__all__ if isinstance(getattr(condprob, name), type)}
    assert classes - {cls.__name__ for cls in walked} == NO_VALUES
