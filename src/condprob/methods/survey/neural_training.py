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
from condprob.methods.survey.tree_decoder import (
    TreeNetwork,
    Ways,
    leaves_by_counts,
    start_scores_of,
    ways_of,
)
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

    def loss(self, network: Network | TreeNetwork) -> float:
        """Return the mean log-loss of a network, nats per word."""
        logs = network.log_at(self.histories, self.words)
        return float(-(self.weights @ logs) / self.weights.sum())


class Trained(NamedTuple):
    """The network of the best epoch, of 64 bits, and the course of its fit."""

    network: Network | TreeNetwork
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
    leaves = _leaves_of(samples, shape[1]) if plan.decoder == "tree" else None
    decoder = network if leaves is None else TreeNetwork(network, leaves)
    best, losses = flat.copy(), np.zeros(plan.epochs + 1)
    judged_by = held_out if held_out.words.size else samples
    options = plan.rate, plan.slowing, plan.decay, plan.batch, plan.hidden
    if plan.decoder == "tree":
        options += (-1,)
    if plan.sampled:  # so that a checkpoint of an exact fit is that of earlier versions
        options += (plan.sampled,)
    fit = (*samples, *held_out), (flat, np.array(seeds)), options
    state = {"network": flat, "best_network": best}
    keeper = Keeper(run.checkpoint, fit, state, {"losses": losses})
    done = keeper.restore()
    epochs = plan.epochs if samples.words.size else 0
    if not done and epochs:
        losses[0] = judged_by.loss(decoder)
    ended = _has_settled(losses[: done + 1])
    parts = Parts("epoch", epochs, progress=False)  # each has a line of its own
    parts.number = done
    for start, stop in chunks(epochs, 1, run.progress, "epoch", done) if not ended else ():
        with parts.next(), np.errstate(over="ignore", invalid="ignore"):
            _go_through(network, plan, samples, start, seeds[1], run.progress)
            losses[stop] = judged_by.loss(decoder)
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
    if leaves is not None:
        tree = TreeNetwork(found, leaves)
        return Trained(tree, losses[: done + 1], "settled" if ended else "limit")
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
    unigram = AbsoluteDiscount(DISCOUNT_OF_UNIGRAM)(counts)
    is_tree = plan.decoder == "tree"
    scores = start_scores_of(unigram, leaves_by_counts(counts)) if is_tree else np.log(unigram)
    network.outward[-1] = scores
    return flat, network


def _leaves_of(samples, words):
    return leaves_by_counts(np.bincount(samples.words, samples.weights, minlength=words))


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
    rng = np.random.default_rng([seed, epoch])
    drawn = samples.draw(rng)
    proposal = Proposal.of(samples, network.words) if plan.sampled else None
    ways = ways_of(_leaves_of(samples, network.words)) if plan.decoder == "tree" else None
    for begin, _ in chunks(drawn.size, plan.batch, progress, "word"):
        some = drawn[begin : begin + plan.batch]
        rate = plan.rate / (1 + plan.slowing * (epoch + begin / drawn.size))
        kept = np.float32(1 / (1 + rate * plan.decay))
        if ways is not None:
            few = tree_gradients(network, samples.histories[some], samples.words[some], ways)
            few.move(network, np.float32(rate), kept)
            continue
        if proposal is not None:
            others = proposal.draw(rng, plan.sampled)
            few = sampled_gradients(
                network, samples.histories[some], samples.words[some], others, proposal.logs
            )
            few.move(network, np.float32(rate), kept)
            continue
        gradients = gradients_of(network, samples.histories[some], samples.words[some])
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
    of_x, *of_hidden_layer = _backwards(network, features, scores @ network.outward.T, histories)
    of_embedding = np.zeros_like(network.embedding)
    np.add.at(of_embedding, histories, of_x)
    return Network(of_embedding, *of_hidden_layer, of_outward)


def _backwards(network, features, of_features, histories):
    """Return the gradients by the embedding of each word of the histories, by ``H`` and by ``d``.

    The first has shape (n, words of a history, size).
    """
    hidden, size = network.offset.size, network.embedding.shape[1]
    x = network.embedding[histories].reshape(len(histories), len(network.inward))
    of_hidden = of_features[:, :hidden] * (1 - features[:, :hidden] ** 2)
    of_x = of_hidden @ network.inward.T
    if network.is_direct:
        of_x += of_features[:, hidden:-1]
    return of_x.reshape(*histories.shape, size), x.T @ of_hidden, of_hidden.sum(axis=0)


class Proposal(NamedTuple):
    """The unigram distribution from which importance sampling draws words."""

    logs: np.ndarray  # shape (words,): logarithms of its probabilities
    ends: np.ndarray  # shape (words,): their sums up to each word

    @classmethod
    def of(cls, samples: Samples, words: int) -> "Proposal":
        """Return the smoothed unigram distribution of samples."""
        counts = np.bincount(samples.words, samples.weights, minlength=words)
        unigram = AbsoluteDiscount(DISCOUNT_OF_UNIGRAM)(counts)
        return cls(np.log(unigram).astype(np.float32), np.cumsum(unigram))

    def draw(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Draw words, each independent of the others."""
        places = np.searchsorted(self.ends, rng.random(size) * self.ends[-1], side="right")
        return np.minimum(places, self.ends.size - 1)


class FewGradients(NamedTuple):
    """The gradients of a step that moves the embeddings and outward weights of few words alone."""

    contexts: np.ndarray  # int, shape (few contexts,)
    of_embedding: np.ndarray  # shape (few contexts, size)
    of_inward: np.ndarray
    of_offset: np.ndarray
    words: np.ndarray  # int, shape (few words,)
    of_outward: np.ndarray  # shape (features, few words)

    def move(self, network: Network, rate: np.float32, kept: np.float32) -> None:
        """Take a step; weights other than biases that it moves keep so much of themselves."""
        rows = network.embedding[self.contexts] - rate * self.of_embedding
        network.embedding[self.contexts] = kept * rows
        network.inward[:] = kept * (network.inward - rate * self.of_inward)
        network.offset[:] -= rate * self.of_offset
        columns = network.outward[:, self.words] - rate * self.of_outward
        columns[:-1] *= kept
        network.outward[:, self.words] = columns


def sampled_gradients(
    network: Network,
    histories: np.ndarray,
    words: np.ndarray,
    others: np.ndarray,
    logs: np.ndarray,
) -> FewGradients:
    """Estimate `gradients_of` by importance sampling (Bengio and Senecal 2003).

    The gradient of a log-loss is that of minus the score of the word, plus the mean gradient of all
    scores under the model. The mean is estimated by ``others``, shape (any,), words drawn from a
    distribution with the logarithms ``logs``: each weighs ``exp(score) / q``, divided by the sum of
    these weights. The estimate is consistent, and biased by about one over their number.
    """
    features, n = network.features(histories), len(words)
    few, place = np.unique(np.concatenate([words, others]), return_inverse=True)
    outward = network.outward[:, few]
    scores = features @ outward
    weights = scores[:, place[n:]] - logs[others]
    weights -= weights.max(axis=1, keepdims=True)
    np.exp(weights, out=weights)
    weights *= 1 / (n * weights.sum(axis=1, keepdims=True))
    slopes = np.zeros_like(scores)
    np.add.at(slopes.T, place[n:], weights.T)
    slopes[np.arange(n), place[:n]] -= slopes.dtype.type(1 / n)
    given = features, slopes @ outward.T, histories
    return _few_gradients(network, *given, few, features.T @ slopes)


def tree_gradients(
    network: Network, histories: np.ndarray, words: np.ndarray, ways: Ways
) -> FewGradients:
    """Return the gradients of the mean log-loss of words whose decoder is a tree."""
    features, n = network.features(histories), len(words)
    nodes, turns = ways.nodes[words], ways.turns[words].astype(features.dtype)
    outward = network.outward[:, nodes]
    scores = np.einsum("nf,fnd->nd", features, outward)
    with np.errstate(over="ignore"):
        slopes = -turns / (n * (1 + np.exp(turns * scores)))
    few, place = np.unique(nodes, return_inverse=True)
    of_outward = np.zeros((few.size, features.shape[1]), features.dtype)
    of_each = slopes[:, :, None] * features[:, None]
    np.add.at(of_outward, place.reshape(nodes.shape), of_each)
    given = features, np.einsum("nd,fnd->nf", slopes, outward), histories
    return _few_gradients(network, *given, few, of_outward.T)


def _few_gradients(network, features, of_features, histories, few, of_outward):
    of_x, *of_hidden_layer = _backwards(network, features, of_features, histories)
    contexts, row_of = np.unique(histories, return_inverse=True)
    of_embedding = np.zeros((contexts.size, network.embedding.shape[1]), network.embedding.dtype)
    np.add.at(of_embedding, row_of.reshape(histories.shape), of_x)
    return FewGradients(contexts, of_embedding, *of_hidden_layer, few, of_outward)
