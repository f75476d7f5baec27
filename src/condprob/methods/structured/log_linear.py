"""Log-linear language models with structured penalties (Nelakanti et al., EMNLP 2013)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Annotated, ClassVar, Literal, NamedTuple

import numpy as np

from condprob.checks import check_order, warn_caller
from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.methods.low_rank import ConvergenceWarning
from condprob.methods.structured.fista import minimise, path
from condprob.methods.structured.log_linear_matrix import LogLinearMatrix, matrix_of
from condprob.methods.structured.log_linear_model import LogLinearModel, model_of
from condprob.methods.structured.problem import (
    TreeProblem,
    Weighting,
    build_problem,
    can_collapse,
    places_of_counts,
    places_of_sentences,
)
from condprob.methods.structured.stochastic import BATCH_SIZE, minimise_stochastically
from condprob.options import AtLeastOne, Positive, Range
from condprob.run import Run
from condprob.splits import TUNING_SHARE, hold_out
from condprob.text.sentences import Sentences
from condprob.text.suffixes import Places, SuffixTree

PENALTIES = 2.0 ** (np.arange(6, -15, -1) / 2)  # candidates, from the largest; not measured
DECAYS = (1.0, 1.1, 0.85, 0.7, 0.5, 0.35)  # candidates, each with all penalties; not measured
GAP_OF_TRIALS = 1e-2  # duality gap, nats per word, at which a penalty is judged; not measured
ITERATIONS = 50_000  # at most; not measured
PENALTIES_IN_VAIN = 3  # penalties in turn that do not help end the search; not measured


class Trial(NamedTuple):
    """A setting of a method, and its loss on a held-out text."""

    settings: dict[str, float]  # options of the estimator, by name
    mean: float  # log-loss of the held-out words that were scored, nats per word
    parameters: int  # see `SequenceModel`
    gap: float = 0.0
    iterations: int = 0


@dataclass(frozen=True)
class LogLinear(Estimator):
    """``p(y | x)`` proportional to ``exp(sum of w_y(s) over the suffixes s of x)``, ``w >= 0``.

    The weights minimise the log-loss of all words plus ``penalty`` times a norm. A word that was
    never seen has weight zero everywhere. Of pairs, histories have one word.

    Attributes
    ----------
    penalty : float or "learned"
        Weight of the norm, which is added to the log-loss summed over all words. By default it is
        the best of `PENALTIES` on the last tenth of a text, or on a random tenth of the pairs; the
        model is then fitted to all data.
    decay : float or "learned"
        Factor ``alpha``: depth ``d`` has the weight ``alpha^d``. A learned one is the best of
        `DECAYS`, on the same part as the penalty.
    weighting : "features" or "penalty"
        Whether the factor applies to features or to groups of the penalty, see `problem.Weighting`.
    tol : float
        Duality gap at which the fit stops, in nats per word.
    solver : "fista" or "stochastic"
        "fista" computes the gradient on all words (`methods.structured.fista`). "stochastic" is the
        paper's Algorithm 1 on mini-batches (`methods.structured.stochastic`), which are sampled
        with the seed of the fit. In both cases, "fista" chooses a learned penalty or decay.
    batch : int
        Number of words in a mini-batch of "stochastic".
    passes : int
        Largest number of passes over the words by "stochastic". A pass has at most 10,000
        mini-batches.
    sentence_start : bool
        Whether the start of a sentence is a context word of a text, as it is for Kneser-Ney. If
        not, the history of the first word of a sentence is empty.
    """

    is_random: ClassVar[bool] = True
    penalty: Positive | Literal["learned"] = "learned"
    decay: Annotated[float, Range(0.01, 2, closed=True)] | Literal["learned"] = 1.0
    weighting: Literal["features", "penalty"] = "features"
    tol: Positive = 1e-3
    solver: Literal["fista", "stochastic"] = "fista"
    batch: AtLeastOne = BATCH_SIZE
    passes: AtLeastOne = 100
    sentence_start: bool = True
    norm: ClassVar[str]
    keeps_checkpoint: ClassVar[bool] = True

    def fit_counts(self, counts: CountMatrix, run: Run) -> LogLinearMatrix:

        def build(estimator, these):
            places = places_of_counts(these, 2)
            built = estimator.build(places, these.outcomes, these.shape[1], these.values)
            return *built, these

        def judge(held_out, solution, *built):
            matrix = matrix_of(*built, solution, 0.0)
            logs = matrix.log_prob(held_out.contexts, held_out.outcomes)
            return -float(held_out.values @ logs)

        settled = self.settle(lambda: hold_out(counts, TUNING_SHARE, run.seed), build, judge, run)
        built = build(settled, counts)
        solution = settled._solve(built[0], run)
        return matrix_of(*built, solution, settled.penalty, settled.decay)

    def fit_sentences(self, sentences: Sentences, order: int, run: Run) -> LogLinearModel:
        """Fit a text: a history has a weight for each of its suffixes of up to ``order - 1`` words.

        The start of a sentence is one of these words unless ``sentence_start`` is false. The
        held-out words are the last. Only the mini-batches of "stochastic" are random.
        """
        build = partial(_build_text, order)
        settled = self.settle(lambda: sentences.split(1 - TUNING_SHARE), build, _judge_text, run)
        built = build(settled, sentences)
        solution = settled._solve(built[0], run)
        return model_of(*built, solution, settled.penalty, settled.decay)

    def trace_text(
        self,
        sentences: Sentences,
        held_out: Sentences,
        order: int = 2,
        *,
        scored: np.ndarray | slice = slice(None),
        **stops: float,
    ) -> Iterator[Trial]:
        """Yield a trial of each setting among which `fit_text` chooses; none if none is learned.

        Penalties come from the largest on, for each decay.

        Parameters
        ----------
        sentences, held_out : Sentences
            The text of the fits, and the text of the losses.
        order : int
            See `Estimator.fit_text`.
        scored : numpy.ndarray of bool, shape (held_out.n,), optional
            Which held-out words count; by default all words.
        **stops
            ``tol`` and ``iterations``: where the fit of a setting stops.
        """
        order = check_order(order)
        if not self.learned:
            return

        def judge(_, solution, *built):
            model = model_of(*built, solution, 0.0)
            return -model.score(held_out)[scored].mean()

        how = {"tol": max(self.tol, GAP_OF_TRIALS), "iterations": ITERATIONS} | stops
        build = partial(_build_text, order)
        yield from self._try_all(sentences, None, build, judge, **how)

    def build(
        self, places: Places, words: np.ndarray, outcomes: int, weights: np.ndarray | None = None
    ) -> tuple[TreeProblem, SuffixTree]:
        """Return the problem of a text, with shared weights if the norm has them, and its tree.

        The parameters are those of `methods.structured.problem.build_problem`.
        """
        weighting = Weighting(self.decay, self.weighting)
        collapse = can_collapse(self.norm, weighting)
        return build_problem(places, words, outcomes, collapse, weighting, weights)

    def settle(
        self,
        split: Callable[[], tuple],
        build: Callable[..., tuple],
        judge: Callable[..., float],
        run: Run,
    ) -> "LogLinear":
        """Return the estimator with the decay and the penalty whose loss is least.

        If the data are too few to be split, a learned option is 1. ``split`` returns two parts of
        the data: to fit, and to judge by. ``build`` takes a candidate and data, and returns its
        problem and more arguments. ``judge`` takes the second part, a solution and all that
        ``build`` returned.
        """
        if not self.learned:
            return self
        rest, held_out = split()
        if not (rest.n and held_out.n):
            return replace(self, **dict.fromkeys(self.learned, 1.0))
        how = {"tol": max(self.tol, GAP_OF_TRIALS), "run": replace(run, checkpoint=None)}
        trials = self._try_all(rest, held_out, build, judge, **how)
        return replace(self, **min(trials, key=attrgetter("mean")).settings)

    @property
    def learned(self) -> list[str]:
        """The options that a fit chooses itself."""
        return [name for name in ("penalty", "decay") if getattr(self, name) == "learned"]

    def _try_all(self, rest, held_out, build, judge, **how):
        """Yield a trial for each penalty of each decay, from the largest penalty on.

        Each fit begins with the one before. `PENALTIES_IN_VAIN` penalties in turn that do not help
        are the last. A given penalty or decay is the only one. ``how`` goes to `fista.path`.
        """
        penalties = PENALTIES if self.penalty == "learned" else [self.penalty]
        for decay in DECAYS if self.decay == "learned" else (self.decay,):
            built = build(replace(self, decay=decay), rest)
            least, best = np.inf, 0
            for place, solution in enumerate(path(self.norm, built[0], penalties, **how)):
                settings = {"penalty": float(penalties[place]), "decay": decay}
                loss = judge(held_out, solution, *built)
                size = int(np.count_nonzero(solution.weights))
                yield Trial(settings, loss, size, solution.gap, solution.history.size - 1)
                if loss < least:
                    least, best = loss, place
                elif place - best >= PENALTIES_IN_VAIN:
                    break

    def _solve(self, problem, run):
        """Return the solution; warn if its gap is too large."""
        if self.solver == "stochastic":
            solution = minimise_stochastically(
                self.norm,
                problem,
                self.penalty,
                self.tol,
                self.passes,
                run,
                batch=self.batch,
            )
        else:
            solution = minimise(self.norm, problem, self.penalty, self.tol, ITERATIONS, run=run)
        if not solution.converged:
            done = solution.history.size - 1
            unit = "passes" if self.solver == "stochastic" else "iterations"
            message = f"tol = {self.tol:g} was not met in {done} {unit}: the duality gap"
            warn_caller(f"{message} is {solution.gap:.3g} nats per word", ConvergenceWarning)
        return solution


def _build_text(order, estimator, sentences):
    """Return the problem of a text, and the other arguments of `model_of`."""
    places = places_of_sentences(sentences, order, estimator.sentence_start)
    return *estimator.build(places, sentences.words, sentences.k), order, estimator.sentence_start


def _judge_text(held_out, solution, *built):
    """Return the log-loss of a text, nats."""
    return -float(model_of(*built, solution, 0.0).score(held_out).sum())


class LogLinearL1(LogLinear):
    """Log-linear n-grams, penalised by the l1-norm.

    The sum of the weights, which is absolute discounting of the expected counts.
    """

    norm = "l1"


class LogLinearL2(LogLinear):
    """Log-linear n-grams, penalised by the squared l2-norm.

    Half the sum of the squares of the weights.
    """

    norm = "l2"


class LogLinearTree2(LogLinear):
    """Log-linear n-grams, penalised by the l2-norms of all subtrees."""

    norm = "tree2"


class LogLinearTreeInf(LogLinear):
    """Log-linear n-grams, penalised by the largest weights of all subtrees."""

    norm = "treeinf"
