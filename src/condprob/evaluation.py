"""How good an estimate is, and how sure that is: intervals, paired comparisons, reliability.

The words of a text are not independent, nor are the pairs of a context. An interval therefore
compares whole blocks: stretches of neighbouring words, and contexts (`student_interval`).
"""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from math import exp, inf, isfinite, isnan, log, nan
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from scipy.special import stdtrit

from condprob.checks import check_choice, check_integer, counted, in_brief, rounded, warn_caller
from condprob.checks.frozen import read_only
from condprob.checks.values import kept_rows
from condprob.counts import CountMatrix, Counts, as_counts
from condprob.labelled_model import LabelledModel
from condprob.matrix import ConditionalMatrix
from condprob.model import ConditionalModel
from condprob.risk import check_estimate
from condprob.text import SequenceModel
from condprob.text.sentences import Sentences

CONFIDENCE = 0.95  # of an interval: the usual level
# Blocks, and pairs or words, that an interval needs: of fewer it held the truth too seldom. The
# exhibit `intervals` of the study `theory` measures from here on.
FEWEST_BLOCKS, FEWEST_WORDS = 5, 50
NO_INTERVAL = f"no interval: fewer than {FEWEST_BLOCKS} blocks or {FEWEST_WORDS} pairs or words"
# Stretches of a text: of ``STRETCH_FACTOR n^(2/3)`` words, 5 of at most 20,000 words. Fewer and
# longer ones hold longer subjects, and more of them have narrower intervals.
STRETCH_FACTOR = 4
PARTS_OF_TEXT = 60  # of a text, of equal size, by which it is asked how long its subjects are
SHARE_OF_LONG_SUBJECTS = 1 / 15  # of a text: from there on its subjects are long
OfContexts = Literal["drawn", "fixed"]
SAME_NATS = 1e-6  # nats per pair: the rounding of models in files of seven digits
MOST_NATS = 709  # the exponential of more is no float


def cross_entropy(
    test_counts: Counts | Sentences,
    matrix: ConditionalMatrix | SequenceModel,
    *,
    unit: Literal["nats", "bits"] = "nats",
) -> float:
    """Cross-entropy of test data under a model, in nats per pair or word.

    It is the mean of ``-log Q(outcome | context)`` over the test pairs; lower is better. If the
    model gives probability zero to a pair that occurs, the result is infinite.

    Parameters
    ----------
    test_counts : CountMatrix, scipy sparse matrix or 2-D array; or Sentences
        Held-out pairs, in the shape of the matrix (contexts may be missing at the end), or held-out
        sentences for a sequence model.
    matrix : ConditionalMatrix or SequenceModel
        The fitted model.
    unit : {"nats", "bits"}
        Unit of the result.

    Returns
    -------
    float
        Cross-entropy per pair, or per word of sentences.

    Raises
    ------
    ValueError
        If the shapes differ, or if there is no test pair.

    Notes
    -----
    ``(1/n') sum_ij C'_ij log(1/Q_ij)``, the test measure of Section 6, for test counts ``C'`` that
    sum to ``n'``.

    Examples
    --------
    >>> from condprob import cross_entropy, method
    >>> matrix = method("add-half").fit([[3, 1], [0, 2]])
    >>> round(cross_entropy([[1, 0], [0, 1]], matrix), 4)
    0.2695
    """
    check_choice("unit", unit, ("nats", "bits"))
    size = log(2) if unit == "bits" else 1.0  # nats
    kind = SequenceModel if isinstance(test_counts, Sentences) else ConditionalMatrix
    check_estimate(matrix, kind)
    _, test = in_numbers(test_counts, matrix)
    return _mean_of(losses_of(test, matrix), test) / size


def _mean_of(losses: np.ndarray, test: CountMatrix | Sentences) -> float:
    """Return the mean of `losses_of` test data, nats per word or pair."""
    is_text = isinstance(test, Sentences)
    if not test.n:
        noun = "word" if is_text else "pair"
        raise ValueError(f"cross-entropy on no {noun}s: pass at least one test {noun}")
    return float(losses.mean() if is_text else test.values @ losses / test.n)


def perplexity(test_counts: Counts | Sentences, matrix: ConditionalMatrix | SequenceModel) -> float:
    """Perplexity of test data under a model: the exponential of the cross-entropy.

    A perplexity of 100 means that the model is as uncertain as if it chose among 100 equally
    probable outcomes.

    Parameters
    ----------
    test_counts : CountMatrix, scipy sparse matrix or 2-D array; or Sentences
        Held-out pairs or sentences; see `cross_entropy`.
    matrix : ConditionalMatrix or SequenceModel
        The fitted model.

    Returns
    -------
    float
        ``exp(cross_entropy)``.

    Examples
    --------
    >>> from condprob import method, perplexity
    >>> round(perplexity([[1, 1]], method("add-half").fit([[5, 5]])), 4)
    2.0
    """
    return float(np.exp(cross_entropy(test_counts, matrix)))


class Interval(NamedTuple):
    """A number with its 95 % confidence interval.

    Attributes
    ----------
    value : float
        The number.
    low, high : float
        Ends of the interval; NaN if there are too few blocks.

    Examples
    --------
    >>> from condprob import Interval
    >>> value, low, high = Interval(5.1, 5.0, 5.2)
    >>> low
    5.0
    """

    value: float
    low: float
    high: float

    def __repr__(self) -> str:
        sure = f"[{self.low:.6g}, {self.high:.6g}]" if isfinite(self.low) else f"({NO_INTERVAL})"
        return f"<{type(self).__name__}: {self.value:.6g} nats {sure}{self._verdict()}>"

    def _verdict(self) -> str:
        return ""


class Difference(Interval):
    """How much better the first of two models is than the second, with a 95 % interval.

    Attributes
    ----------
    value : float
        Cross-entropy of the second minus that of the first, in nats. Above zero, the first is
        better.
    low, high : float
        Ends of the interval.

    Examples
    --------
    >>> from condprob import Difference
    >>> Difference(0.04, 0.01, 0.07).is_clear
    True
    """

    @property
    def is_clear(self) -> bool:
        """Whether one of the two is better: the interval excludes zero by more than rounding."""
        return not self.is_nothing and (self.low > 0 or self.high < 0)

    @property
    def is_nothing(self) -> bool:
        """Whether it is within the rounding of files with seven digits, such as ARPA files."""
        return abs(self.value) <= SAME_NATS

    def in_words(self, first: str = "the first", second: str = "the second") -> str:
        """State in a few words which model is better according to the interval."""
        if self.is_nothing:
            return f"{first} and {second} are equally good"
        if not self.is_clear:
            return f"neither {first} nor {second} is significantly better"
        better, worse = (first, second) if self.low > 0 else (second, first)
        return f"{better} is significantly better than {worse}"

    def _verdict(self) -> str:
        return f": {self.in_words()}"


class Losses(NamedTuple):
    """Losses in blocks that are resampled together.

    Attributes
    ----------
    sums : numpy.ndarray, shape (blocks,)
        Nats.
    sizes : numpy.ndarray, shape (blocks,)
        Words, or pairs.
    times : numpy.ndarray, shape (blocks,), or 1
        How many such blocks there are.
    is_ordered : bool
        Whether each block is the neighbour of the next, as stretches of a text are.
    parts : numpy.ndarray, shape (`PARTS_OF_TEXT`,), or empty
        Nats of so many parts of a text, of as many words each: see `share_of_subjects`.
    """

    sums: np.ndarray
    sizes: np.ndarray
    times: np.ndarray | int = 1
    is_ordered: bool = False
    parts: np.ndarray = np.zeros(0)

    @property
    def n(self) -> float:
        """Number of words, or pairs."""
        return float((self.times * self.sizes).sum())

    @property
    def blocks(self) -> float:
        """Number of blocks."""
        return float(np.broadcast_to(self.times, self.sizes.shape).sum())

    @property
    def mean(self) -> float:
        """Mean loss, nats per word or pair; nan of none."""
        return float((self.times * self.sums).sum() / self.n) if self.n else nan


@dataclass(frozen=True, eq=False, repr=False)
class Score:
    """Result of scoring a model on test data.

    Two scores with the same numbers are equal, even if they have no interval.

    Attributes
    ----------
    nats : float
        Cross-entropy of the known words or pairs, in nats for each.
    low, high : float
        Ends of its 95 % interval; see `interval`.
    n : int or float
        Number of these words or pairs.
    unknown : int or float
        Number of words or pairs that the model does not know.
    nats_with_unknown : float
        Cross-entropy of all of them; infinite if unknown words have no probability.
    unseen : int or float
        Number of pairs among ``n`` whose context is unseen, so that the row for a context without
        counts was used. Zero for a text.

    Examples
    --------
    >>> from condprob import fit
    >>> score = fit([("ann", "tea"), ("bob", "milk")] * 9, method="kn").score([("ann", "tea")] * 9)
    >>> score.n, score.unknown
    (9.0, 0)
    """

    nats: float
    low: float
    high: float
    n: float
    unknown: float = 0
    nats_with_unknown: float = nan
    unseen: float = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self._numbers == other._numbers

    def __hash__(self) -> int:
        return hash(self._numbers)

    @property
    def _numbers(self) -> tuple[float | None, ...]:
        """All of it; what is nan, of which none is equal to another, is None."""
        return tuple(None if isnan(number) else number for number in astuple(self))

    def in_words(self, item: str = "") -> str:
        """Describe the score in one line; ``item`` is what the nats are per, such as a word."""
        per = f" per {item}" if item else ""
        sure = f"[{self.low:.4f}, {self.high:.4f}]" if isfinite(self.low) else f"({NO_INTERVAL})"
        text = f"{self.nats:.4f} nats{per} {sure}, perplexity {self.perplexity:.5g}"
        text += f", n = {rounded(self.n)}"
        if self.unseen:
            text += f", {rounded(self.unseen)} of them in contexts never seen"
        if self.unknown:
            with_unknown = f"{self.nats_with_unknown:.4f} nats with them"
            text += f", {rounded(self.unknown)} unknown: {with_unknown}"
        return text

    def __repr__(self) -> str:
        return f"<Score: {self.in_words()}>"

    @property
    def bits(self) -> float:
        """Cross-entropy in bits."""
        return self.nats / log(2)

    @property
    def perplexity(self) -> float:
        """Number of equally probable outcomes that would be as hard to predict."""
        return exp(self.nats) if self.nats < MOST_NATS else inf

    @property
    def perplexity_with_unknown(self) -> float:
        """The perplexity of all pairs or words, known and unknown."""
        nats = self.nats_with_unknown
        return exp(nats) if nats < MOST_NATS else inf

    @property
    def share_unknown(self) -> float:
        """Fraction of the data that the model does not know."""
        total = self.n + self.unknown
        return self.unknown / total if total else 0.0


def interval(data: Any, model: Any, *, contexts: OfContexts = "drawn") -> Interval:
    """Cross-entropy of data under a model, with a 95 % confidence interval.

    Observations of one context, and neighbouring words of a text, are not independent. The interval
    is therefore Student's t interval over blocks: whole contexts, or stretches of about
    ``4 n^(2/3)`` words (at least five stretches).

    Parameters
    ----------
    data : CountMatrix, scipy sparse matrix or 2-D array; or Sentences; or data of `score`
        Test data. For an estimate or a language model, labelled data as in its ``score``; unknown
        outcomes and words are left out.
    model : ConditionalMatrix, SequenceModel, Estimate or LanguageModel
        The fitted model.
    contexts : {"drawn", "fixed"}
        With ``"drawn"`` the interval is valid for new contexts from the same population; with
        ``"fixed"``, for new pairs of the same contexts (blocks are then single pairs; not for
        text).

    Returns
    -------
    Interval
        ``value``, ``low`` and ``high``, in nats per pair or word.

    Raises
    ------
    ValueError
        If the data do not match the model, or if contexts are fixed and the data are a text or have
        fractional counts.

    Warns
    -----
    UserWarning
        If there are too few blocks for an interval, or if the losses show that the topics of a text
        last so long that its interval may be too narrow.

    Notes
    -----
    The interval of a text is too narrow if a topic lasts for more than about a fifteenth of it. How
    long topics last is itself estimated from the losses, so that the warning may be missing near
    that limit; in a text that never changes its topic it cannot be detected.

    Examples
    --------
    >>> from condprob import draw_model, interval, method, sample_counts
    >>> truth = draw_model(k=40, rank=3, seed=0)
    >>> matrix = method("add-half").fit(sample_counts(truth, n=2000, seed=1))
    >>> value, low, high = interval(sample_counts(truth, n=2000, seed=2), matrix)
    >>> low < value < high
    True
    """
    check_choice("contexts", contexts, get_args(OfContexts))
    if isinstance(model, LabelledModel):
        blocks = model.block_losses(data, contexts)
        return _with_interval(blocks.mean, blocks)
    model, test = in_numbers(data, model)
    losses = losses_of(test, model)
    return _with_interval(_mean_of(losses, test), _in_blocks(losses, test, contexts))


def difference(one: Any, other: Any, data: Any, *, contexts: OfContexts = "drawn") -> Difference:
    """Return by how much one model is better than another on the same data, nats per pair.

    Parameters
    ----------
    one, other, data, contexts
        See `interval`. Two estimates in labels have the same outcomes, in any order; their contexts
        may differ.

    Returns
    -------
    Difference
        Of the cross-entropy of ``other`` less that of ``one``, by the differences on each block.
        Above zero, ``one`` is significantly better; below it, ``other``.

    Raises
    ------
    ValueError
        If the two do not go together or with the data, and as for `interval`.

    Warns
    -----
    UserWarning
        As for `interval`.
    """
    check_together(one, other)
    data = kept_rows(data)  # each model reads it
    losses = block_losses(data, one, contexts)
    others = losses if one is other else block_losses(data, other, contexts)
    return difference_of_losses(losses, others)


def check_together(one: Any, other: Any) -> None:
    """Raise ValueError unless two models both have labels, of the same outcomes, or none."""
    labelled = [isinstance(model, LabelledModel) for model in (one, other)]
    if all(labelled):
        single = _outcome_of_one(one.outcomes, other.outcomes)
        if single is not None:
            known = f"only one of them knows {in_brief(single)}; fit both with the same outcomes"
            raise ValueError(f"the models have different outcomes: {known}")
    elif any(labelled):
        kind = type(other if labelled[0] else one).__name__
        raise ValueError(f"one model has labels, but the other, of type {kind}, has none")


def difference_of_losses(losses: Losses, others: Losses, warn: bool = True) -> Difference:
    """Return by how much less the first losses are than the others, in the same blocks."""
    if not losses.n:
        raise ValueError("the data contain nothing to compare on: pass at least one pair or word")
    if not np.array_equal(losses.sizes, others.sizes):
        n, m = losses.n, others.n
        raise ValueError(f"the models read {n:g} and {m:g} outcomes: fit both with the same Text")
    if losses is others:  # a model is as good as itself, also where it gives zero
        return Difference(0.0, 0.0, 0.0)
    if not (np.isfinite(losses.sums) | np.isfinite(others.sums)).all():
        raise ValueError("both models give probability zero to data of one block: smooth them")
    if np.array_equal(losses.sums, others.sums):
        return Difference(0.0, 0.0, 0.0)
    gained = losses._replace(sums=others.sums - losses.sums, parts=others.parts - losses.parts)
    if not warn:
        return Difference(gained.mean, *student_interval(gained))
    return Difference(*_with_interval(gained.mean, gained))


def _with_interval(value: float, losses: Losses) -> Interval:
    """Return a number with its interval; warn where there is none, or it may be too narrow."""
    if problem := find_problem(losses):
        warn_caller(problem)
    return Interval(value, *student_interval(losses))


def find_problem(losses: Losses) -> str:
    """Return why there is no interval, or why it may be too narrow; empty if there is no reason."""
    if is_too_few(losses):
        blocks = counted(losses.blocks, "block", "g")
        size = counted(losses.n, "word" if losses.is_ordered else "pair", "g")
        return (
            f"{NO_INTERVAL} (these data have {blocks} and {size}); "
            "use more data. Blocks are contexts, or stretches of a text"
        )
    share = share_of_subjects(losses)
    if share > SHARE_OF_LONG_SUBJECTS:
        return (
            "the interval may be too narrow: losses are correlated over about "
            f"{share * losses.n:.0f} of {losses.n:.0f} words; use a longer text"
        )
    return ""


def share_of_subjects(losses: Losses) -> float:
    """Return over which share of a text losses go together: an estimate, or zero without parts.

    It is the time of autocorrelation ``1 + 2 sum_t rho_t`` of the `PARTS_OF_TEXT`, in parts, over
    their number. Sums of two neighbouring ``rho`` are added as long as they are positive
    (Geyer 1992). A text that never leaves one subject looks like one of independent words.
    """
    parts = losses.parts
    if not parts.size or losses.n < parts.size or not np.isfinite(parts).all():
        return 0.0
    sizes = np.diff(np.arange(parts.size + 1) * int(losses.n) // parts.size)
    residuals = parts - parts.sum() / losses.n * sizes
    covariances = np.correlate(residuals, residuals, "full")[parts.size - 1 :]
    if covariances[0] <= 0:
        return 0.0
    pairs = (covariances / covariances[0]).reshape(-1, 2).sum(axis=1)
    kept = pairs[np.minimum.accumulate(pairs > 0)]
    return float(max(2 * kept.sum() - 1, 1.0) / parts.size)


def _outcome_of_one(outcomes: Iterable[Any], others: Iterable[Any]) -> Any:
    one, other = (dict.fromkeys(labels) for labels in (outcomes, others))
    return next((label for label in one | other if label not in one or label not in other), None)


def in_numbers(data: Any, model: Any) -> tuple[Any, CountMatrix | Sentences]:
    """Return a model in numbers, and data as it takes them.

    Contexts that the counts lack at their end, such as the row of new contexts in an estimate, have
    no counts.

    Raises
    ------
    ValueError
        If the model is none, or the data do not go with it.
    """
    if isinstance(model, LabelledModel):
        return model.model, model.in_numbers(data)
    if isinstance(data, Sentences):
        check_estimate(model, SequenceModel)
        return model, data
    check_estimate(model)
    counts = as_counts(data)
    if counts.shape[0] > model.shape[0] or counts.shape[1] != model.shape[1]:
        raise ValueError(f"test counts of shape {counts.shape}: must be {model.shape}")
    return model, counts if counts.shape == model.shape else counts.resized(model.shape)


class NumberedPairs(NamedTuple):
    """Pairs in numbers, as they stand in the data."""

    contexts: np.ndarray  # shape (pairs,)
    outcomes: np.ndarray  # shape (pairs,)


def losses_of(data: CountMatrix | NumberedPairs | Sentences, model: Any) -> np.ndarray:
    """Return the loss of each entry of counts, pair or word under a model in numbers, nats."""
    if isinstance(data, Sentences):
        return -model.score(data)
    return -model.log_prob(data.contexts, data.outcomes)


def block_losses(data: Any, model: Any, contexts: OfContexts = "drawn") -> Losses:
    """Return the losses of data in blocks: see `interval`."""
    check_choice("contexts", contexts, get_args(OfContexts))
    if isinstance(model, LabelledModel):
        return model.block_losses(data, contexts)
    model, test = in_numbers(data, model)
    return _in_blocks(losses_of(test, model), test, contexts)


def _in_blocks(losses: np.ndarray, test: CountMatrix | Sentences, contexts: OfContexts) -> Losses:
    """Return `losses_of` test data in blocks: see `interval`."""
    if isinstance(test, Sentences):
        return in_stretches(losses, contexts)
    return in_contexts(test.contexts, losses, test.values, contexts)


def in_contexts(
    which: np.ndarray, losses: np.ndarray, values: np.ndarray, contexts: OfContexts
) -> Losses:
    """Return the losses of pairs, each of which counts ``values``, in blocks: see `interval`."""
    if contexts == "drawn":
        sums, sizes = np.bincount(which, values * losses), np.bincount(which, values)
        return Losses(sums[sizes > 0], sizes[sizes > 0])
    if (values % 1).any():
        raise ValueError("contexts = 'fixed' requires whole counts, but these have fractions")
    return Losses(losses, np.ones_like(losses), values)


def in_stretches(losses: np.ndarray, contexts: OfContexts = "drawn") -> Losses:
    """Add up the losses of neighbouring words, in stretches of about ``4 n^(2/3)``."""
    if contexts == "fixed":
        raise ValueError("contexts = 'fixed' applies to pairs, but the data are a text")
    stretches = min(max(round(losses.size ** (1 / 3) / STRETCH_FACTOR), FEWEST_BLOCKS), losses.size)
    sums, sizes = _add_stretches(losses, stretches)
    parts = (
        _add_stretches(losses, PARTS_OF_TEXT)[0] if losses.size >= PARTS_OF_TEXT else np.zeros(0)
    )
    return Losses(sums, sizes, is_ordered=True, parts=parts)


def _add_stretches(losses: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the sums and sizes of so many stretches of neighbouring losses."""
    starts = np.arange(count) * losses.size // max(count, 1)
    sums = np.add.reduceat(losses, starts) if losses.size else np.zeros(0)
    return sums, np.diff(np.append(starts, losses.size))


def is_too_few(losses: Losses) -> bool:
    """Return whether blocks, or whole words in them, are too few for an interval."""
    is_whole = not (losses.sizes % 1).any()
    return losses.blocks < FEWEST_BLOCKS or (is_whole and losses.n < FEWEST_WORDS)


def student_interval(losses: Losses) -> tuple[float, float]:
    """Return the 95 % interval of the mean loss of the blocks, by Student's distribution.

    Blocks ``b`` with the sums ``s_b`` and sizes ``n_b``, ``n`` in all, have the mean ``m`` and
    ``p_b = n_b / n``. The variance of ``m`` is the robust one with leverages (Bell and McCaffrey
    2002), and degrees of freedom are Satterthwaite's, of blocks whose variance is in proportion to
    their size (Imbens and Kolesar 2016): ::

        v = sum_b (s_b - m n_b)^2 / (1 - p_b) / n^2
        1 / f = sum_b p_b^2 + (sum_b q_b)^2 - sum_b q_b^2      q_b = p_b^2 / (1 - p_b)

    A subject of a text may go on in the next stretch. To ``v`` of ``B`` such blocks the covariance
    of neighbours is added where it is positive, and costs a degree of freedom (Newey and West 1987,
    with one lag and the weight one). The residuals ``r_b = s_b - m n_b`` sum to zero; the second
    term makes up for that: ::

        c = 2 sum_b r_b r_(b + 1) / n^2 + 2 (B - 1) v / B^2
    """
    sums, sizes, times, is_ordered, _ = losses
    if is_too_few(losses) or not np.isfinite(sums).all():
        return nan, nan
    n, m = losses.n, losses.mean
    p = sizes / n
    residuals = sums - m * sizes
    variance = (times * residuals**2 / (1 - p)).sum() / n**2
    q = p**2 / (1 - p)
    freedom = 1 / ((times * (p**2 - q**2)).sum() + (times * q).sum() ** 2)
    if is_ordered:
        of_neighbours = 2 * (residuals[1:] @ residuals[:-1]) / n**2
        of_neighbours += 2 * (1 - 1 / sums.size) * variance / sums.size
        if of_neighbours > 0:
            variance, freedom = variance + of_neighbours, freedom - 1
    half = stdtrit(freedom, (1 + CONFIDENCE) / 2) * np.sqrt(variance)
    return float(m - half), float(m + half)


class Reliability(NamedTuple):
    """Predicted probabilities and observed frequencies; each array has the shape (bins,).

    Attributes
    ----------
    said : numpy.ndarray
        Mean probability of the cells of a bin, weighted by how often their contexts were seen.
    happened : numpy.ndarray
        How often the outcomes of these cells occurred.
    chances : numpy.ndarray
        Number of chances: contexts seen, times cells in the bin.
    """

    said: np.ndarray
    happened: np.ndarray
    chances: np.ndarray


def reliability(data: Any, matrix: ConditionalModel | LabelledModel, bins: int = 20) -> Reliability:
    """Reliability curve of a model on test data: predicted against observed frequencies.

    Parameters
    ----------
    data : CountMatrix, scipy sparse matrix or 2-D array; or Sentences; or data of `score`
        Test data, as for `interval`.
    matrix : ConditionalMatrix, SequenceModel, Estimate or LanguageModel
        The fitted model.
    bins : int
        Number of bins of equal width on a logarithmic scale, from the smallest probability of a
        cell to one. All cells of contexts with test pairs are counted; bins without cells are left
        out.

    Returns
    -------
    Reliability
        Mean predicted probability (``said``), observed frequency (``happened``) and number of
        chances of each bin.

    Examples
    --------
    >>> from condprob import draw_model, method, reliability, sample_counts
    >>> truth = draw_model(k=40, rank=3, seed=0)
    >>> matrix = method("add-half").fit(sample_counts(truth, n=2000, seed=1))
    >>> curve = reliability(sample_counts(truth, n=2000, seed=2), matrix, bins=5)
    >>> curve.chances.size <= 5
    True
    """
    model, counts = in_numbers(data, matrix)
    conditions: Any = None
    if isinstance(counts, Sentences):  # each distinct history is a context
        conditions, which = np.unique(counts.histories(model.order), axis=0, return_inverse=True)
        shape = (len(conditions), counts.k)
        counts = CountMatrix.from_pairs(which.ravel(), counts.words, shape=shape)

    def row_of(context: int) -> np.ndarray:
        return model.rows([context] if conditions is None else conditions[[context]])[0]

    bins, seen = check_integer("bins", bins, 1), counts.seen_contexts
    rows = counts.sparse()
    least = min((float(row[row > 0].min()) for row in map(row_of, seen)), default=1.0)
    edges = np.geomspace(least, 1.0, bins + 1)[1:-1]
    said, happened, chances = np.zeros((3, bins))
    for context in seen:
        row, weight = row_of(context), counts.row_sums[context]
        which = np.searchsorted(edges, row)
        said += weight * np.bincount(which, row, minlength=bins)
        chances += weight * np.bincount(which, minlength=bins)
        happened += np.bincount(which, rows[[context]].toarray()[0], minlength=bins)
    used = chances > 0
    found = said[used] / chances[used], happened[used] / chances[used], chances[used]
    return Reliability(*map(read_only, found))
