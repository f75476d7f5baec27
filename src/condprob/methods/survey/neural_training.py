"""Stochastic gradient descent on a network in mini-batches, with early stopping.

The matrix products are NumPy's; all weights are of 32 bits until the fit is done, which halves the
time.
"""

from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.files.checkpoints import Keeper
from condprob.methods.smoothing import AbsoluteDiscount
from condprob.methods.survey.neural_model import Network
from condprob.model import Ended
from condprob.progress import Parts, chunks
from condprob.run import DEFAULT_RUN, Run
from condprob.text.sentences import NOTHING, Sentences

EMBEDDING_DEVIATION = 0.1  # standard deviation of the embeddings at first; not measured
EPOCHS_IN_VAIN = 3  # epochs in turn that do not help end the fit; not measured
# Words that an epoch draws for each distinct pair, at most: of more words it has a systematic
# sample. Not measured.
MOST_TIMES = 100
DISCOUNT_OF_UNIGRAM = 0.75  # of the unigram distribution that the network begins with


class Samples(NamedTuple):
    """Words after histories, each as often as it weighs."""

    histories: np.ndarray  # int64, shape (n, words of a history): contexts, the nearest last
    words: np.ndarray  # int64, shape (n,)
    weights: np.ndarray  # shape (n,)

    @classmethod
    def of_counts(cls, counts: CountMatrix) -> "Samples":
        """Return the pairs that were seen: a context is a history of one."""
        return cls(counts.contexts[:, None], counts.outcomes, counts.values.astype(float))

    @classmethod
    def of_text(cls, sentences: Sentences, order: int) -> "Samples":
        """Return the words of a text; the start of a sentence is one more context, the last."""
        histories = sentences.histories(order)
        histories = np.where(histories == NOTHING, sentences.k, histories)
        return cls(histories, sentences.words, np.ones(sentences.n))

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Return the samples of an epoch in a random order, each as often as it weighs.

        Where that is no whole number, or they are too many, each is drawn in proportion.
        """
        total, size = self.weights.sum(), self.words.size
        draws = min(max(round(total), size), MOST_TIMES * size)
        ends = np.cumsum(self.weights)
        places = (rng.random() + np.arange(draws)) * (ends[-1] / draws)
        return rng.permutation(np.minimum(np.searchsorted(ends, places, side="right"), size - 1))

    def loss(self, network: Network) -> float:
        """Return the mean log-loss of a network, nats per word."""
        logs = network.log_at(self.histories, self.words)
        return float(-(self.weights @ logs) / self.weights.sum())


class Trained(NamedTuple):
    """The network of the best epoch, of 64 bits, and the course of its fit."""

    network: Network
    history: np.ndarray  # shape (epochs + 1,): held-out log-loss, nats per word
    ended: Ended


def train(
    plan: Estimator,
    samples: Samples,
    held_out: Samples,
    shape: tuple[int, int],
    seeds: tuple[int, int],
    run: Run = DEFAULT_RUN,
) -> Trained:
    """Train a network on samples, until more epochs do not lower the held-out loss.

    Parameters
    ----------
    plan : neural.NeuralLanguageModel
        Its options say how a network is made and trained.
    samples, held_out : Samples
        Where nothing is held out, the samples themselves are in its place.
    shape : (int, int)
        Contexts, the start of a sentence among them, and words.
    seeds : (int, int)
        Of the network at first, and of the order of the samples.
    run : Run, optional
        Its seed has no part.
    """
    flat, network = start_network(plan, samples, shape, seeds[0])
    best, losses = flat.copy(), np.zeros(plan.epochs + 1)
    judged_by = held_out if held_out.words.size else samples
    options = plan.rate, plan.slowing, plan.decay, plan.batch, plan.hidden
    fit = (*samples, *held_out), (flat, np.array(seeds)), options
    state = {"network": flat, "best_network": best}
    keeper = Keeper(run.checkpoint, fit, state, {"losses": losses})
    done = keeper.restore()
    epochs = plan.epochs if samples.words.size else 0
    if not done and epochs:
        losses[0] = judged_by.loss(network)
    ended = _has_settled(losses[: done + 1])
    parts = Parts("epoch", epochs, progress=False, may_end=True)  # each has a line of its own
    parts.number = done
    for start, stop in chunks(epochs, 1, run.progress, "epoch", done) if not ended else ():
        with parts.next(), np.errstate(over="ignore", invalid="ignore"):
            _go_through(network, plan, samples, start, seeds[1], run.progress)
            losses[stop] = judged_by.loss(network)
        if not np.isfinite(losses[stop]):  # the steps were too long: the best epoch is kept
            break
        done = stop
        if losses[stop] < losses[:stop].min():
            best[:] = flat
        ended = _has_settled(losses[: done + 1])
        keeper.save(done, is_last=ended or done == epochs)
        if ended:
            break
    found = network_of(best.astype(float), plan, shape, samples.histories.shape[1])
    # Words in no sample have the same steps, but for their rounding in vectors of several words.
    unseen = np.setdiff1d(np.arange(shape[1]), samples.words)
    found.outward[:, unseen] = found.outward[:, unseen[:1]]
    return Trained(found, losses[: done + 1], "settled" if ended else "limit")


def _has_settled(losses):
    return losses.size - 1 - int(losses.argmin()) >= EPOCHS_IN_VAIN


def start_network(
    plan: Estimator, samples: Samples, shape: tuple[int, int], seed: int
) -> tuple[np.ndarray, Network]:
    """Return the weights at first, one after the other, and the network whose arrays they are.

    It gives each word its smoothed unigram probability. A context that is in no sample has the
    embedding zero, and keeps it.
    """
    length = samples.histories.shape[1]
    inputs = length * plan.embedding
    features = plan.hidden + plan.direct * inputs + 1
    size = shape[0] * plan.embedding + (inputs + 1) * plan.hidden + features * shape[1]
    flat, rng = np.zeros(size, dtype=np.float32), np.random.default_rng(seed)
    network = network_of(flat, plan, shape, length)
    seen = np.unique(samples.histories)
    network.embedding[seen] = EMBEDDING_DEVIATION * rng.standard_normal((seen.size, plan.embedding))
    network.inward[:] = rng.standard_normal(network.inward.shape) / np.sqrt(max(inputs, 1))
    counts = np.bincount(samples.words, samples.weights, minlength=shape[1])
    network.outward[-1] = np.log(AbsoluteDiscount(DISCOUNT_OF_UNIGRAM)(counts))
    return flat, network


def network_of(flat: np.ndarray, plan: Estimator, shape: tuple[int, int], length: int) -> Network:
    """Return the network whose arrays are the parts of one; see `start_network`."""
    inputs, (contexts, words) = length * plan.embedding, shape
    features = plan.hidden + plan.direct * inputs + 1
    shapes = (contexts, plan.embedding), (inputs, plan.hidden), (plan.hidden,), (features, words)
    ends = np.cumsum([0, *(int(np.prod(each)) for each in shapes)])
    parts = zip(ends[:-1], ends[1:], shapes, strict=True)
    return Network(*(flat[start:stop].reshape(each) for start, stop, each in parts))


def _go_through(network, plan, samples, epoch, seed, progress=False):
    """Take a step for each mini-batch of an epoch: ``rate / (1 + slowing t)``, ``t`` in epochs."""
    drawn = samples.draw(np.random.default_rng([seed, epoch]))
    for begin, _ in chunks(drawn.size, plan.batch, progress, "word"):
        some = drawn[begin : begin + plan.batch]
        rate = plan.rate / (1 + plan.slowing * (epoch + begin / drawn.size))
        gradients = gradients_of(network, samples.histories[some], samples.words[some])
        kept = np.float32(1 / (1 + rate * plan.decay))
        for name, part, gradient in zip(Network._fields, network, gradients, strict=True):
            gradient *= np.float32(rate)
            part -= gradient
            if name == "outward":
                part[:-1] *= kept
            elif name != "offset":
                part *= kept


def gradients_of(network: Network, histories: np.ndarray, words: np.ndarray) -> Network:
    """Return the gradients of the mean log-loss of words after histories, all in one `Network`."""
    features = network.features(histories)
    scores = features @ network.outward
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    scores *= 1 / (len(words) * scores.sum(axis=1, keepdims=True))
    scores[np.arange(len(words)), words] -= scores.dtype.type(1 / len(words))
    of_outward = features.T @ scores
    of_features = scores @ network.outward.T
    hidden, size = network.offset.size, network.embedding.shape[1]
    x = network.embedding[histories].reshape(len(histories), len(network.inward))
    of_hidden = of_features[:, :hidden] * (1 - features[:, :hidden] ** 2)
    of_x = of_hidden @ network.inward.T
    if network.is_direct:
        of_x += of_features[:, hidden:-1]
    of_embedding = np.zeros_like(network.embedding)
    np.add.at(of_embedding, histories, of_x.reshape(*histories.shape, size))
    return Network(of_embedding, x.T @ of_hidden, of_hidden.sum(axis=0), of_outward)
