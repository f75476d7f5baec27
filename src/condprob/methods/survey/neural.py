"""NPLM: embeddings of words, a hidden layer, a softmax over all words; mixed with n-grams."""

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from typing import Annotated, ClassVar, Literal

import numpy as np

from condprob.checks import Seed, check_memory, check_order
from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.files.checkpoints import Checkpoint
from condprob.methods.choice import UNKNOWN_WEIGHT
from condprob.methods.direct import unigram
from condprob.methods.kneser_ney import KneserNey
from condprob.methods.linked_matrix import LinkedMatrix
from condprob.methods.survey.neural_model import MixedMatrix, NeuralModel
from condprob.methods.survey.neural_training import Samples, Trained, train
from condprob.methods.survey.tree_decoder import NeuralTreeModel, TreeMatrix, TreeNetwork
from condprob.options import AtLeastOne, AtLeastZero, Proportion, Range, Whole
from condprob.run import Run
from condprob.sparse_plus_low_rank import SparsePlusLowRank
from condprob.splits import TUNING_SHARE, hold_out
from condprob.text.backoff_model import BackoffModel
from condprob.text.histories import count_bigrams
from condprob.text.ngrams import fit_kneser_ney
from condprob.text.sentences import Sentences
from condprob.weights import mixture_weights

LONGEST_NGRAM = 3  # the source mixes with a trigram, whatever the order of the network


@dataclass(frozen=True)
class NeuralLanguageModel(Estimator):
    """Neural probabilistic language model (Bengio et al. 2003).

    ``softmax(b + W x + U tanh(d + H x))`` (Bengio, Ducharme, Vincent and Jauvin 2003).

    ``x`` has the embeddings of the words before; the start of a sentence is one more of them.
    Steps are ``rate / (1 + slowing t)`` times the gradient of a mini-batch, ``t`` in epochs. A
    tenth is held out: the last of a text, a random one of pairs. The fit ends when epochs
    do not lower its log-loss any more, and keeps the best.

    READING: the source does not say how its validation set comes back into the fit. The network is
    that of the nine tenths; the n-grams are counted again in all. At order 2 a text is its pairs.

    Attributes
    ----------
    embedding : int
        Number of features of each word in the history.
    hidden : int
        Number of hidden units. With zero, only the direct connections remain: a log-bilinear model.
    direct : bool
        Whether there are connections ``W`` that bypass the hidden layer.
    epochs : int
        Largest number of epochs.
    rate : float
        Length of the first steps along the gradient of the mean log-loss of a batch.
    slowing : float
        How much each epoch shortens the steps.
    decay : float
        Ridge on all weights except the biases.
    batch : int
        Number of words in a mini-batch.
    weight : float or "learned"
        Weight of interpolated Kneser-Ney that is mixed in, with three discounts if the counts are
        whole: of the pairs, of a text of order 2, or otherwise of order 3. By default it maximises
        the likelihood of the held-out part, by EM, with both models fitted to the rest. With zero,
        only the network is used.
    sampled : int
        Number of words that each mini-batch samples from the unigram distribution to estimate the
        gradient of the normaliser by importance sampling; zero uses all words. A step then costs
        only as many scores, and the ridge applies only to the weights that it changes.
    decoder : "softmax" or "tree"
        Whether the model scores all words, or the turns on the way to a word in a binary tree
        (`methods.survey.tree_decoder`), so that a step costs about the logarithm of the number of
        words in scores.
    """

    is_random: ClassVar[bool] = True
    multiplies_matrices: ClassVar[bool] = True
    keeps_checkpoint: ClassVar[bool] = True
    # 570a500:benchmarks/neural.csv compares these with others (training half of Genesis, order 3).
    embedding: AtLeastOne = 30
    hidden: Whole = 50
    direct: bool = False
    epochs: Whole = 30
    rate: Annotated[float, Range(0, 100)] = 1.0
    slowing: AtLeastZero = 0.1
    decay: AtLeastZero = 1e-4
    batch: AtLeastOne = 32
    weight: Proportion | Literal["learned"] = "learned"
    sampled: Whole = 0
    decoder: Literal["softmax", "tree"] = "softmax"

    def __post_init__(self) -> None:
        """Check the options; see `Estimator`."""
        super().__post_init__()
        if self.sampled and self.decoder == "tree":
            raise ValueError("sampled: does not apply to decoder = 'tree', which has no normaliser")

    def memory(self, shape: tuple[int, int]) -> int:
        return self._memory(shape, 1)

    def _memory(self, shape, length):
        """Weights: now, the best, and a gradient, of 32 bits, and the result; and scores."""
        inputs = length * self.embedding
        features = self.hidden + self.direct * inputs + 1
        weights = shape[0] * self.embedding + inputs * self.hidden + features * shape[1]
        return 20 * weights + 4 * self.batch * shape[1]

    def fit_counts(self, counts: CountMatrix, run: Run) -> MixedMatrix | LinkedMatrix | TreeMatrix:
        trained, share = self._fit_pairs(counts, run)
        network, contexts = trained.network, np.arange(counts.shape[0])[:, None]
        if isinstance(network, TreeNetwork):
            left, outward = network.network.features(contexts), network.network.outward
            matrix = TreeMatrix(left, outward, network.leaves, trained.ended)
        else:
            seen = counts.seen_contexts, counts.seen_outcomes
            base = unigram(counts, KneserNey.discount)
            left, outward = network.features(contexts), network.outward
            matrix = LinkedMatrix(left, outward, base, 0.0, "softmax", seen, trained.ended)
        return MixedMatrix(matrix, _bigrams(counts), share) if share else matrix

    def fit_sentences(self, sentences: Sentences, order: int, run: Run) -> NeuralModel:
        """See `Estimator.fit_text`: a network that sees the ``order - 1`` words before each."""
        if order == 2:
            self._check_text(sentences, order)
            counts = count_bigrams(sentences)
            trained, share = self._fit_pairs(counts, run)
            return _model(trained, _ngrams(sentences, order if share else 1), order, share)
        rest, last = sentences.split(1 - TUNING_SHARE)
        return self._fit_beside(rest, last, order, run, sentences)

    def fit_beside(
        self,
        sentences: Sentences,
        held_out: Sentences,
        order: int = 2,
        seed: Seed = 0,
        *,
        progress: bool | None = None,
        checkpoint: str | PathLike | Checkpoint | None = None,
    ) -> NeuralModel:
        """Fit a text, with another one that decides when to stop, and the learned weight.

        Parameters
        ----------
        sentences, held_out : Sentences
            Over the same words.
        order, seed, progress, checkpoint
            See `Estimator.fit_text`.
        """
        order, run = check_order(order), Run.of(seed, progress, checkpoint)
        return self._fit_beside(sentences, held_out, order, run, sentences)

    def _fit_beside(self, sentences, held_out, order, run, counted) -> NeuralModel:
        """Do what `fit_beside` says, with the n-grams of ``counted`` once their weight is known."""
        self._check_text(sentences, order)
        samples, judge = (Samples.of_text(part, order) for part in (sentences, held_out))
        shape, seeds = (sentences.k + 1, sentences.k), _draw(run)[:2]
        trained = train(self, samples, judge, shape, seeds, run)
        share = self._share(
            trained, judge, lambda: np.exp(_ngrams(sentences, order).score(held_out))
        )
        ngrams = _ngrams(counted, order if share else 1)
        return _model(trained, ngrams, order, share)

    def _check_text(self, sentences, order):
        taken = self._memory((sentences.k + 1, sentences.k), order - 1)
        check_memory(f"a network of {sentences.k:,} words at order {order}", taken)

    def _fit_pairs(self, counts, run) -> tuple[Trained, float]:
        """Return the network of pairs, and the share of the bigrams."""
        *seeds, drawn = _draw(run)
        rest, last = hold_out(counts, TUNING_SHARE, drawn)
        samples, held_out = map(Samples.of_counts, (rest, last))
        shape, pairs = counts.shape, (last.contexts, last.outcomes)
        trained = train(self, samples, held_out, shape, seeds, run)
        return trained, self._share(trained, held_out, lambda: _bigrams(rest).at(*pairs))

    def _share(self, trained: Trained, held_out: Samples, score: Callable[[], np.ndarray]) -> float:
        """Return the share of the n-grams; ``score`` returns their held-out probabilities."""
        if self.weight != "learned":
            return float(self.weight)
        if not held_out.words.size:
            return UNKNOWN_WEIGHT
        own = np.exp(trained.network.log_at(held_out.histories, held_out.words))
        return float(mixture_weights(np.array([own, score()]), held_out.weights)[1])


def _draw(run: Run) -> list[int]:
    """Return seeds: of the weights at first, of the order of words, and of the held-out part."""
    return run.generator().integers(2**63, size=3).tolist()


def _model(trained: Trained, ngrams: BackoffModel, order: int, share: float) -> NeuralModel:
    given = {
        "longest": order - 1,
        "other": ngrams,
        "share": share,
        "history": trained.history,
        "ended": trained.ended,
    }
    if isinstance(trained.network, TreeNetwork):
        return NeuralTreeModel(**trained.network._asdict(), **given)
    return NeuralModel(network=trained.network, **given)


def _bigrams(counts: CountMatrix) -> SparsePlusLowRank:
    return KneserNey("modified" if counts.is_whole else KneserNey.discount).fit(counts)


def _ngrams(sentences: Sentences, order: int) -> BackoffModel:
    order = min(order, LONGEST_NGRAM)
    return fit_kneser_ney(sentences, order, "modified", KneserNey.continuation)
