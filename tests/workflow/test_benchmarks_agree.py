"""The kernels that `make bench` times give the same numbers. Nothing is timed here."""

import em_kernels as kernels
import numpy as np
import pytest
from compiled import Unavailable
from measure import Results
from problems import Problem

from condprob import draw_model, sample_counts


def problem(rank, k=60, n=1500):
    """Power-law counts, in which some contexts and outcomes are never seen."""
    counts = sample_counts(draw_model(k, 4, "power-law", 1.5, seed=1), n, seed=2)
    assert len(counts.seen_outcomes) < k
    return Problem("sample", counts, rank)


def build(kernel, *arguments):
    """Build a kernel, or skip the test with the reason why it cannot be had."""
    try:
        return kernel(*arguments)
    except Unavailable as reason:
        pytest.skip(str(reason))


def factors_after(kernel, iterations):
    kernel.iterate(iterations)
    return kernel.factors()


def assert_same(kernel, other, iterations=5, **tolerance):
    for factor, expected in zip(
        factors_after(kernel, iterations), factors_after(other, iterations), strict=True
    ):
        np.testing.assert_allclose(factor, expected, **tolerance)


@pytest.mark.parametrize("rank", [1, 3, 8, 50])
@pytest.mark.parametrize("method", ["ad-lr", "lr"])
@pytest.mark.parametrize("kernel", [kernels.Scipy, kernels.Dense])
def test_numpy_agrees(kernel, method, rank):
    assert_same(
        kernels.Library(problem(rank), method), kernel(problem(rank), method), rtol=1e-9, atol=1e-14
    )


@pytest.mark.parametrize("rank", [1, 3, 8, 50])
def test_c_agrees(rank):
    written = build(kernels.WrittenInC, problem(rank))
    assert_same(kernels.Library(problem(rank)), written, rtol=1e-9, atol=1e-14)


def test_enstop_agrees():
    # In single precision: 24 bits, 6e-8 a step.
    single = build(kernels.Enstop, problem(5))
    assert_same(kernels.Library(problem(5), "lr"), single, rtol=1e-4, atol=1e-6)


def test_scikit_learn_agrees_where_it_is_the_same_algorithm():
    # Its first update of W is soft counts divided by the sums of H's rows.
    theirs = build(kernels.ScikitLearn, problem(5))
    sums = theirs.H.sum(axis=1)
    soft_W = factors_after(theirs, 1)[0] * sums
    ours, _ = factors_after(kernels.Library(problem(5), "lr"), 1)
    np.testing.assert_allclose(soft_W / soft_W.sum(axis=1, keepdims=True), ours, rtol=1e-9)


def test_a_section_that_runs_again_takes_the_place_of_its_rows(tmp_path):
    results, path, parts = Results(), tmp_path / "results.csv", ["machine", "iteration", "growth"]
    results.add("machine", "", "", "", note="one")
    results.add("growth in k", "all", "exponent", "", [1.25])
    results.add("make bench", "growth", "whole section", "s", [3.0])
    results.add("iteration", "genesis", "C", "ms", [1.5, 2.5], "k 3")
    results.sort(parts)
    results.write(path)
    again = Results.read(path, "one")
    assert again.rows == results.rows
    again.drop("growth")
    assert [row["section"] for row in again.rows] == ["machine", "iteration"]
    assert (
        Results.read(path, "another").rows == Results.read(tmp_path / "none.csv", "one").rows == []
    )
