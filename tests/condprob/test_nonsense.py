"""Nonsense given to the library: a ValueError of one line that names the argument and its value."""

import numpy as np
import pytest
from scipy import sparse

from condprob import METHODS, CountMatrix, cross_entropy, draw_model, kl_risk, method, sample_counts
from condprob.checks import check_memory, memory_of_machine

MODEL = draw_model(4, 2, seed=1)
PI, P, A, B = MODEL.pi, MODEL.P, MODEL.A, MODEL.B
COUNTS = CountMatrix.from_dense(np.eye(4, dtype=int))
ESTIMATE = method("kn").fit(COUNTS)
MASKED = np.ma.masked_array([[1, 2], [3, 4]], [[True, False], [False, False]])
SIZE = "must be zero, or a number between 1e-100 and 1e+12 in size"
HUGE = 10**5000  # Python writes no such number


def counts(array):
    return lambda: CountMatrix.from_dense(array)


def pairs(*given, **named):
    return lambda: CountMatrix.from_pairs(*given, **named)


def make(id, **options):
    return lambda: method(id, **options)


def fit(id, given=COUNTS, seed=0, **options):
    return lambda: method(id, **options).fit(given, seed)


def draw(*given, **named):
    return lambda: draw_model(*given, **named)


def risk(*given):
    return lambda: kl_risk(*given)


def law(exponent, k=4):
    return draw(k, 2, "power-law", exponent)


NONSENSE = [
    # -------------------------------------------------------------------------------- counts
    (counts([[2**62, 0], [0, 2**62]]), "counts add up to 9.22e+18: must be less than 2**63"),
    (
        counts([[1e308, 1e308, 0.5]]),
        "counts have the value 1e+308: floats are exact only below 2**53",
    ),
    (counts([[0.5, 1e-320]]), "counts have the value 1e-320: must be zero, or at least 1e-100"),
    (counts([[np.nan]]), "counts have the value nan: must be finite numbers >= 0"),
    (counts([[-1]]), "counts have the value -1: must be finite numbers >= 0"),
    (counts([[HUGE]]), "counts have a number that does not fit 64 bits"),
    (counts([[1j]]), "counts of type complex128: must be numbers >= 0"),
    (counts([[None]]), "counts of type object: must be numbers >= 0"),
    (counts(None), "counts of type object: must be numbers >= 0"),
    (counts([[1, 2], [3]]), "counts in rows of different lengths: must be an array"),
    (counts(MASKED), "counts are a masked array: fill it first"),
    (counts([1, 2]), "expected a 2-D array of counts (got shape (2,))"),
    (counts(5), "expected a 2-D array of counts (got shape ())"),
    (counts(np.array([["2020-01-01"]], "datetime64[D]")), "counts of type datetime64[D]"),
    (counts(sparse.coo_array([[1j]])), "counts of type complex128: must be numbers >= 0"),
    (lambda: CountMatrix.from_sparse(np.eye(2)), "ndarray: must be a scipy sparse matrix"),
    (pairs([0], [0]), "pass the size of the matrix: k=..., or shape=(contexts, outcomes)"),
    (pairs([0], [0], 0), "k = 0: must be an integer >= 1"),
    (pairs([0], [0], 2.0), "k = 2.0: must be an integer >= 1"),
    (pairs([0], [0], HUGE), "k = a huge number: must be an integer below 2**63"),
    (pairs([0], [0], 10**10), "the matrix must have fewer than 2**63 entries"),
    (pairs([0], [0], shape=(10**15, 3)), "takes 8,000,000.0 GB of memory, at least; this machine"),
    (pairs([0], [0], shape="ab"), "shape = 'ab': must be a pair (contexts, outcomes)"),
    (pairs([0, 1], [0], 2), "contexts and outcomes must have the same length (got 2 and 1)"),
    (pairs([0], [2], 2), "outcomes contain 2, but must be integers 0..1"),
    (pairs([0.5], [0], 2), "contexts of type float64: must be integers 0..1"),
    (pairs(MASKED, MASKED, 5), "contexts are a masked array: fill it first"),
    (
        pairs([0], [0], 2, weights=[np.nan]),
        "weights have the value nan: must be finite",
    ),
    (pairs([0], [0], 2, weights=[1, 2]), "2 weights for 1 pairs"),
    (pairs([0], [True], 3), "outcomes of type bool: must be integers 0..2"),
    (
        pairs(np.array([0], "m8[s]"), [0], 2),
        "contexts of type timedelta64[s]: must be",
    ),
    (lambda: COUNTS + CountMatrix.from_dense([[1]]), "counts of shapes (4, 4) and (1, 1) cannot"),
    (lambda: method("kn").fit_text(["a b"]), "list given: expected Sentences; condprob.fit_text"),
    (lambda: method("ll-l2").fit_text("a b"), "str given: expected Sentences; condprob.fit_text"),
    (counts([["a", "b"]]), "labels are for condprob.fit"),
    # -------------------------------------------------------------------------------- methods
    (lambda: method([]), "method [] does not exist (the nearest of "),
    (make("zebra"), f"method 'zebra' does not exist (the nearest of {len(METHODS)}: "),
    (make("add-halt"), "method 'add-halt' does not exist; did you mean 'add-half'?"),
    (make("ad", discont=0.5), "ad has no option 'discont'; did you mean 'discount'?"),
    (make("add-half", rank=5), "add-half has no option 'rank' (allowed: constant)"),
    (make("ad", discount=np.nan), "discount = nan: must be a number between 0 and 1, both"),
    (make("ad", unseen=["uniform"]), "unseen = ['uniform']: must be one of unigram, uniform"),
    (make("kn", discount="guess"), "both excluded, or one of estimated, modified"),
    (
        make("plsa", temperature=0.5, update="alternating"),
        "update = 'alternating': must be simultaneous where it is tempered",
    ),
    (make("py-lr", largest_rank=0), "largest_rank = 0: must be an integer >= 1"),
    (
        make("py-lr", chains="huge"),
        "chains = 'huge': must be an integer >= 1, or 'by size'",
    ),
    (make("py-lr", sweeps=0), "sweeps = 0: must be an integer >= 1, or 'by size'"),
    (make("py-lr", mixed="some"), "mixed = 'some': must be true or false"),
    (make("py-lr", chain=2), "py-lr has no option 'chain'; did you mean 'chains'?"),
    (
        make("py-lr", tables="types"),
        "py-lr has no option 'tables' (allowed: effort, smallest_rank, ",
    ),
    (make("lr", initial="nearest"), "initial = 'nearest': must be one of random, clusters"),
    (make("ll-l1", penalty=0), "penalty = 0: must be a number > 0, or 'learned'"),
    (make("nplm", hidden=-1), "hidden = -1: must be an integer >= 0"),
    (lambda: method(900 * "k"), "method 'kkk"),
    (lambda: method("a\nb"), "method 'a\\nb' does not exist"),
    (make("add-half", constant=None), "constant = None: must be a number >= 0"),
    (make("add-half", constant=np.ones(900)), "constant = array([1., 1., 1., "),
    (make("add-half", constant="0.5"), "constant = '0.5': must be a number >= 0"),
    (make("add-half", constant=1e300), f"constant = 1e+300: {SIZE}"),
    (make("add-half", constant=HUGE), f"constant = a huge number: {SIZE}"),
    (make("sb", weight=None), "weight = None: must be a number between 0 and 100"),
    (make("sb", normalised=None), "normalised = None: must be true or false"),
    (make("lr", rank=HUGE), f"rank = a huge number: {SIZE}"),
    (make("lr", threads=1025), "threads = 1025: must be an integer between 1 and 1024"),
    (make("lr", initial=None), "initial = None: must be one of random, clusters, or a pair"),
    (make("lr", initial=(A,)), "initial = (array([["),
    (make("lr", **{"a\nb": 1}), "lr has no option 'a\\nb'"),
    (make("ad-lr", initial={"W": A}), "initial = {'W': array([["),
    (fit("lr", rank=2, initial=(1, 2)), "initial W has shape (): must be (4, 2)"),
    (
        fit("lr", rank=2, initial=("a", "b")),
        "initial: must be a pair (W, H) of arrays of numbers",
    ),
    (fit("lr", rank=2, initial=(B, A)), "initial W has shape (2, 4): must be (4, 2)"),
    (
        fit("lr", rank=2, initial=(2 * A, B)),
        "initial W: must be rows of non-negative",
    ),
    (
        fit("lr", rank=2, initial=(A, B[:, :3])),
        "initial H has shape (2, 3): must be (2, 4)",
    ),
    (
        fit("lr", rank=2, initial=(A, -B)),
        "initial H: must be rows of non-negative",
    ),
    (fit("lr", rank=10**12), "a fit to 4 x 4 counts takes 128,000.0 GB of memory, at least"),
    (fit("ad-lr", iterations=10**12), "a fit to 4 x 4 counts takes 16,000.0 GB of memory"),
    (fit("kn", [[0.5]], discount="estimated"), "discount = 'estimated' requires whole counts"),
    (fit("kn", None), "counts of type object: must be numbers >= 0"),
    (fit("kn", seed=-1), "seed = -1: must be an integer >= 0, a SeedSequence or a Generator"),
    (fit("kn", seed="a"), "seed = 'a': must be an integer >= 0, a SeedSequence or a Generator"),
    # ---------------------------------------------------------------------------------- models
    (draw(0, 2), "k = 0: must be an integer >= 1"),
    (draw(4, 2, outcomes=1.5), "outcomes = 1.5: must be an integer >= 1"),
    (draw(10**15, 2), "takes 32,000,000.0 GB of memory, at least; this machine has"),
    (draw(10, 10**15), "a model with k = 10 and rank = 1,000,000,000,000,000 takes"),
    (draw(HUGE, 2), "k = a huge number: must be an integer below 2**63"),
    (draw(4, 2, "power"), "rows = 'power': must be one of uniform, power-law"),
    (draw(4, 2, "power-law"), "rows='power-law' requires an exponent"),
    (
        draw(4, 2, "uniform", 2),
        "exponent = 2 is only used with rows='power-law' (got rows='uniform')",
    ),
    (law(np.nan), "exponent = nan: must be a number of at most 1e+12"),
    (law(HUGE), "exponent = a huge number: must be a number of at most 1e+12"),
    (law(-1000), "exponent = -1000: too steep for 4 outcomes"),
    (draw(4, 2, concentration=0.0), "concentration = 0: must be 0.01 or more"),
    (draw(4, 2, seed="x"), "seed = 'x': must be an integer >= 0, "),
    (lambda: sample_counts(MODEL, 0), "n = 0: must be an integer >= 1"),
    (
        lambda: sample_counts(MODEL, 10**21),
        "n = 1000000000000000000000: must be an",
    ),
    (lambda: sample_counts(MODEL, 9, seed=-1), "seed = -1: must be an integer >= 0, "),
    # ----------------------------------------------------------------------------------- risks
    (risk(PI[:3], P, ESTIMATE), "pi of shape (3,): must be (4,)"),
    (risk(PI, np.eye(3), ESTIMATE), "P of shape (3, 3): must be (4, 4)"),
    (risk(PI * np.nan, P, ESTIMATE), "pi: must be numbers >= 0 that sum to one"),
    (risk(PI, 2 * P, ESTIMATE), "P: must be rows of numbers >= 0 that sum to one"),
    (risk(PI, (A, 2 * B), ESTIMATE), "B: must be rows of numbers >= 0 that sum to one"),
    (risk(PI, (A, B, B), ESTIMATE), "P has 3 factors: pass a pair (A, B)"),
    (risk(PI, (A, 5), ESTIMATE), "A of shape (4, 2): must be (4, 0)"),
    (risk(PI, [["a"]], ESTIMATE), "P: must be an array of numbers"),
    (risk(None, P, ESTIMATE), "pi"),
    (risk(np.ma.masked_array(PI, [True, False, False, False]), P, ESTIMATE), "pi is a masked"),
    (risk(PI, (A, B), ESTIMATE, np.nan), "conditional_entropy = nan: must be a number of at most"),
    (risk(PI, P, P), "the estimate is of type ndarray: expected a ConditionalMatrix, which"),
    (risk(PI, P, None), "the estimate is of type NoneType: expected a ConditionalMatrix"),
    (risk(PI, P, method("kn")), "the estimate is of type KneserNey: expected a ConditionalMatrix"),
    (lambda: cross_entropy(COUNTS, P), "the estimate is of type ndarray: expected a"),
    (lambda: cross_entropy(None, ESTIMATE), "counts of type object: must be numbers >= 0"),
    (
        lambda: cross_entropy(np.eye(3), ESTIMATE),
        "test counts of shape (3, 3): must be (4, 4)",
    ),
    (lambda: cross_entropy(np.zeros((4, 4)), ESTIMATE), "cross-entropy on no pairs"),
    # ------------------------------------------------------------------------------- estimates
    (lambda: ESTIMATE.at([0.5], [1]), "contexts of type float64: must be integers 0..3"),
    (lambda: ESTIMATE.at([4], [0]), "contexts contain 4, but must be integers 0..3"),
    (lambda: ESTIMATE.at([0], [4]), "outcomes contain 4, but must be integers 0..3"),
    (lambda: ESTIMATE.at([0, 1, 2], [1, 2]), "shapes of contexts (3,) and outcomes (2,)"),
    (lambda: ESTIMATE.rows([-1]), "contexts contain -1, but must be integers 0..3"),
    (lambda: ESTIMATE.rows(None), "contexts of type object: must be integers 0..3"),
    (lambda: ESTIMATE.top(77), "contexts contain 77, but must be integers 0..3"),
    (lambda: ESTIMATE.top(1, -5), "n = -5: must be an integer >= 0"),
    (lambda: ESTIMATE.top(1, "a"), "n = 'a': must be an integer >= 0"),
    (lambda: ESTIMATE.sample([0], "x"), "seed = 'x': must be an integer >= 0, "),
    (lambda: ESTIMATE.sample(["a"]), "contexts of type <U1: must be integers 0..3"),
]


@pytest.mark.parametrize(("call", "told"), NONSENSE, ids=[told for _, told in NONSENSE])
def test_nonsense_is_refused_in_one_line(call, told):
    with pytest.raises(ValueError, match=r"\A[^\n]+\Z") as caught:
        call()
    assert told in str(caught.value)
    assert str(caught.value).isprintable()


def test_estimators_with_given_factors_are_values():
    ours, other = method("lr", rank=2, initial=(A, B)), method("lr", rank=2, initial=(A, B))
    assert ours == ours
    assert ours != other  # arrays are compared by what they are, not by what they hold
    assert len({ours, other, method("ad-lr", initial=[A, B])}) == 3


def test_memory_is_that_of_the_machine():
    check_memory("nothing", 0)
    check_memory("all", memory_of_machine())
    with pytest.raises(ValueError, match="all and more takes "):
        check_memory("all and more", memory_of_machine() * 1.1)
