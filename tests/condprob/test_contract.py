"""The contract of every method, with every option, on every edge of the input."""

from dataclasses import fields
from typing import Annotated, Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from inputs import (
    CERTIFIED_IDS,
    EDGES,
    LOW_RANK_IDS,
    SAMPLED_IDS,
    WEIGHED_IDS,
    in_case,
    is_distribution,
    random_counts,
    random_start,
    variants_of,
)
from parts import check_parts

from condprob import METHODS, CountMatrix, method

every_method = pytest.mark.parametrize("id", METHODS)
# Edges at which parts of a fit are compared with the whole of it.
IN_PARTS = ("a context after which every outcome was seen", "no pairs", "k = 1")
# Edges for every option: the defaults have all of them.
FEW_EDGES = (*IN_PARTS, "rows and columns without counts", "huge counts")


def quick(test):
    """Let fits stop early, and say nothing of it."""
    ignored = pytest.mark.filterwarnings("ignore:tol = .* was not met")
    return pytest.mark.usefixtures("few_steps")(ignored(test))


def test_the_contract_covers_every_name_and_number_of_every_option():
    # What is tried is read from the classes' annotations as `Option.examples` reads them, here by
    # Python's own means: each name that an annotation lists, both truths, two numbers of a range.
    for id, record in METHODS.items():
        hints = get_type_hints(record.estimator, include_extras=True)
        for field in fields(record.estimator):
            tried = {options.get(field.name, field.default) for options in variants_of(id)}
            listed, is_number = read_hint(hints[field.name])
            numbers = {value for value in tried if type(value) in (int, float)}
            assert listed <= tried, (id, field.name)
            assert len(numbers) >= 2 or not is_number, (id, field.name)


def read_hint(hint):
    """Return the values that an annotation lists, and whether it allows numbers of a range."""
    if get_origin(hint) is Literal:
        return set(get_args(hint)), False
    if get_origin(hint) is Annotated:
        return set(), get_args(hint)[0] in (int, float)
    if hint is bool:
        return {True, False}, False
    found = [read_hint(part) for part in get_args(hint)]
    return set().union(*(listed for listed, _ in found)), any(number for _, number in found)


@every_method
@quick
def test_every_row_is_a_distribution(id):
    few_edges = IN_PARTS[:2] if id in SAMPLED_IDS else FEW_EDGES  # whose fits take longer
    for place, options in enumerate(variants_of(id)):
        for edge in few_edges if place else EDGES:
            with in_case(f"{options}, {edge}"):
                check_rows(id, options, EDGES[edge], edge in IN_PARTS)


def check_rows(id, options, counts, with_parts):
    """Check that a fit is a distribution."""
    matrix = method(id, **options).fit(counts, seed=3)
    Q = matrix.dense()
    assert Q.shape == matrix.shape == (counts.k, counts.k)
    assert (Q >= 0).all()
    if is_distribution(id, options):
        np.testing.assert_allclose(Q.sum(axis=1), 1, rtol=0, atol=1e-12)
    if with_parts:
        check_parts(matrix, Q)


@pytest.mark.parametrize("id", LOW_RANK_IDS)
def test_factors_are_distributions_of_the_asked_rank(id):
    for edge, counts in EDGES.items():
        for rank in (1, 2, counts.k, counts.k + 3):
            with in_case(edge):
                check_factors(method(id, rank=rank, iterations=7).fit(counts, seed=3), rank)


def check_factors(matrix, rank):
    """Check that W and H are distributions in rows, and that the history has the last iteration."""
    contexts, outcomes = matrix.shape
    for factor, shape in ((matrix.W, (contexts, rank)), (matrix.H, (rank, outcomes))):
        assert factor.shape == shape
        assert (factor >= 0).all()
        np.testing.assert_allclose(factor.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert matrix.history.shape == (2,)
    assert np.isfinite(matrix.history).all()


@every_method
@quick
def test_a_seed_decides_everything_and_the_input_stays_as_it_was(id):
    counts = random_counts(4, k=15, n=60)
    before = [part.copy() for part in (counts.indptr, counts.outcomes, counts.values)]
    sequence = np.random.SeedSequence(5)  # a fit leaves it as it was, and an integer is one
    for place, options in enumerate(variants_of(id)):
        with in_case(options):
            fit = method(id, **options).fit
            matrix = fit(counts, seed=5)
            Q = matrix.dense()
            check_parts(matrix, Q)
            parts = counts.indptr, counts.outcomes, counts.values
            for part, copy in zip(parts, before, strict=True):
                np.testing.assert_array_equal(part, copy)
            for _ in range(1 if place else 2):
                np.testing.assert_array_equal(fit(counts, sequence).dense(), Q)


@every_method
@quick
def test_a_method_whose_fits_depend_on_a_seed_says_so(id):
    # Studies fit such methods from several starts, and others once.
    counts = random_counts(4, k=15, n=60)
    one, other = (method(id).fit(counts, seed).dense() for seed in (5, 6))
    assert np.array_equal(one, other) or METHODS[id].estimator.is_random


@pytest.mark.parametrize("id", LOW_RANK_IDS)
def test_another_seed_is_another_start(id):
    counts = random_counts(4, k=15, n=60)
    one, other = (method(id, rank=3, iterations=4).fit(counts, seed).dense() for seed in (5, 6))
    assert not np.allclose(one, other)


@pytest.mark.parametrize("id", LOW_RANK_IDS)
def test_given_factors_stay_as_they_were(id):
    counts = random_counts(4, k=15, n=60)
    for options in variants_of(id):
        start = random_start(5, counts.k, options["rank"])
        copies = [factor.copy() for factor in start]
        with in_case(options):
            method(id, **options | {"initial": start}).fit(counts)
            for factor, copy in zip(start, copies, strict=True):
                np.testing.assert_array_equal(factor, copy)


@pytest.mark.parametrize("id", [id for id in METHODS if id not in SAMPLED_IDS])
def test_relabelling_contexts_and_outcomes_relabels_the_matrix(id):
    for options in variants_of(id):
        with in_case(options):
            check_relabelling(id, options)


def check_relabelling(id, options):
    """Compare a fit to relabelled counts with the relabelled fit."""
    # Low-rank fits start from given factors, relabelled too: a random start has no reason to be
    # invariant, and k-means of a start by clusters begins with contexts in the order of labels.
    counts = random_counts(4, k=15, n=60)
    rng = np.random.default_rng(6)
    s, t = rng.permutation(counts.k), rng.permutation(counts.k)  # label i becomes s[i], j t[j]
    C = counts.dense()
    relabelled = np.empty_like(C)
    relabelled[np.ix_(s, t)] = C
    if id in WEIGHED_IDS:  # by pairs that are drawn at random
        options = options | (
            {"weight": 0.5} if options.get("weight", "learned") == "learned" else {}
        )
    options |= {"temperature": 0.7} if options.get("temperature") == "learned" else {}
    if id == "lsa":  # of these counts two singular values of "probability" are equal: the third
        options = options | {"rank": 2}
    if id in CERTIFIED_IDS:  # and a learned penalty; the rest is a minimum, as near as asked for
        options = {"penalty": 0.7, "tol": 1e-8} | {
            name: value for name, value in options.items() if value != "learned"
        }
    if options.get("solver") == "stochastic":  # mini-batches are drawn in the order of labels
        return
    here, there = options, options
    if "initial" in METHODS[id].options:
        W, H = random_start(5, counts.k, options["rank"])
        here = options | {"initial": (W, H)}
        there = options | {"initial": (W[np.argsort(s)], H[:, np.argsort(t)])}
    Q = method(id, **here).fit(counts).dense()
    R = method(id, **there).fit(CountMatrix.from_dense(relabelled)).dense()
    near = {"atol": 1e-3} if id in CERTIFIED_IDS else {"rtol": 1e-9, "atol": 1e-15}
    np.testing.assert_allclose(R[np.ix_(s, t)], Q, **near)


@pytest.mark.parametrize("id", LOW_RANK_IDS)
def test_relabelling_the_latent_classes_changes_nothing(id):
    counts, (W, H) = random_counts(4, k=15, n=60), random_start(5, 15, 4)
    order = [2, 0, 3, 1]
    Q = method(id, rank=4, iterations=5, initial=(W, H)).fit(counts).dense()
    R = method(id, rank=4, iterations=5, initial=(W[:, order], H[order])).fit(counts).dense()
    np.testing.assert_allclose(R, Q, rtol=1e-9)
