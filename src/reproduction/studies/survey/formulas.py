"""Printed formulas of the neural model, and printed numbers, recomputed.

The model is computed by both paths: as the survey writes it, and as SDR is related to it.
"""

from dataclasses import replace

import numpy as np

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.methods.linked_matrix import LinkedMatrix
from condprob.methods.survey.bilinear_fit import GroupedCounts, Penalty, Scores, loss_and_gradient
from condprob.methods.survey.neural import NeuralLanguageModel
from condprob.methods.survey.neural_model import Network
from condprob.methods.survey.neural_training import Samples, gradients_of, train
from condprob.methods.survey.tree_decoder import leaves_by_counts, ways_of
from condprob.text.sentences import Sentences
from reproduction.studies.survey.exact import RIDGE_TOLERANCE, SMALL_RIDGE
from reproduction.studies.survey.plan import PRINTED
from reproduction.verdicts.cases import at_least, make_case

RANK = 3
# MLP8's k, h and n - 1; few words are as good as many.
EMBEDDING, HIDDEN, WORDS, WORDS_BEFORE = 30, 50, 40, 2
ROUNDING_TOLERANCE = 1e-9
# Of importance sampling: about as many words as Bengio and Senecal's text has; words drawn for a
# mini-batch; options of the steps; and nats per word that count as alike, as in words.toml.
WORDS_OF_CHAIN, DRAWN, NATS_ALIKE = 15_000, 100, 0.02
STEPS, EPOCHS = {"rate": 0.5, "batch": 16}, 3


def check_formulas(root):
    """Yield the cases of the printed formulas of the neural model."""
    rng = np.random.default_rng(root)
    yield from check_linear(rng)
    yield from check_layers(rng)
    yield from check_sampling(np.random.default_rng([root, 1]))
    yield from check_ways()


def check_sampling(rng):
    """Section 5.4: scores of the output layer until importance sampling is as good as all words.

    The text is a chain of classes of words. A step with samples scores the sampled words and those
    of its mini-batch, and one without scores all words.
    """
    train_on, judge = (Samples.of_text(text, 2) for text in draw_classes(rng))
    shape, plan = (WORDS_OF_CHAIN + 1, WORDS_OF_CHAIN), NeuralLanguageModel(10, 10, **STEPS)
    exact, sampled = (
        train(replace(plan, sampled=drawn, epochs=epochs), train_on, judge, shape, (0, 1)).history
        for drawn, epochs in ((0, EPOCHS), (DRAWN, 2 * EPOCHS))
    )
    case = "held-out nats per word of importance sampling above those of all words"
    above = sampled.min() - exact.min()
    yield make_case("n-sampling", case, above, NATS_ALIKE, k=WORDS_OF_CHAIN, n=train_on.words.size)
    needed = int(np.argmax(sampled <= exact.min() + NATS_ALIKE)) or sampled.size
    fewer = WORDS_OF_CHAIN / (DRAWN + STEPS["batch"]) * int(exact.argmin()) / needed
    case = f"times fewer scores of the output layer, to be as good as {EPOCHS} epochs of all words"
    yield at_least("n-sampling", case, fewer, 100, k=WORDS_OF_CHAIN, n=train_on.words.size)


def check_ways():
    """Section 5.4: the scores of a word on its way in a tree, against all words."""
    for k in (2**10, 2**14, 100_000):
        ways = ways_of(leaves_by_counts(np.zeros(k)))
        longest = np.count_nonzero(ways.turns, axis=1).max()
        case = "scores of a word in a tree, above the logarithm of the number of words to base 2"
        yield make_case("n-hierarchy", case, longest - np.log2(k), 1, k=k)


def draw_classes(rng, classes=20, words=7500, vocabulary=WORDS_OF_CHAIN):
    """Return a text of a chain of classes, of few common words each, and one to judge by."""
    class_of = rng.integers(0, classes, vocabulary)
    law = rng.dirichlet(np.full(classes, 0.1), classes)
    members = [np.flatnonzero(class_of == each) for each in range(classes)]
    chances = [1.0 / np.arange(1, each.size + 1) ** 1.5 for each in members]
    state, text = 0, []
    for _ in range(words):
        state = rng.choice(classes, p=law[state])
        text.append(rng.choice(members[state], p=chances[state] / chances[state].sum()))
    return Sentences.from_words(text, vocabulary).split(0.8)


def check_linear(rng):
    """Section 5.3: only direct links, of one word before, against SDR of the rows."""
    C = rng.poisson(4, size=(6, 7)) + 1
    counts, base = CountMatrix.from_dense(C), C.sum(axis=0) / C.sum()
    phi, psi, B = (rng.normal(size=size) for size in ((6, RANK), (7, RANK), 7))
    network = link_directly(phi, np.vstack([psi.T, B]))
    left = np.column_stack([phi, np.ones(len(phi))])
    matrix = LinkedMatrix(left, network.outward, base, 0.0, "softmax")
    gap = abs(network.log_rows(np.arange(6)[:, None]) - np.log(matrix.rows(np.arange(6)))).max()
    yield make_case(
        "n-linear",
        "the same parameters: largest difference of a log probability",
        gap,
        ROUNDING_TOLERANCE,
    )
    problem = GroupedCounts.of_counts(counts, with_unseen=False)
    loss, gradient = loss_and_gradient(problem, Scores(phi, psi, B), Penalty(0.0))
    samples = Samples.of_counts(counts)
    yield make_case(
        "n-linear",
        "the log-loss by both: difference, nats per pair",
        abs(loss / counts.n - samples.loss(network)),
        ROUNDING_TOLERANCE,
    )
    found, of_psi = gradient_of(network, samples), np.vstack([gradient.psi.T, gradient.B])
    off = max(
        abs(found.embedding - gradient.phi / counts.n).max(),
        abs(found.outward - of_psi / counts.n).max(),
    )
    yield make_case("n-linear", "its gradient by both: largest difference", off, ROUNDING_TOLERANCE)
    fit = method("sdr", rank=RANK, ridge=SMALL_RIDGE, weight=0.0, iterations=20_000, tol=1e-15).fit(
        counts
    )
    found = gradient_of(link_directly(fit.left[:, :RANK], fit.right), samples)
    steepest = max(abs(found.embedding).max(), abs(found.outward).max())
    yield make_case(
        "n-linear",
        "at the optimum of the joint model: largest gradient of the other",
        steepest,
        RIDGE_TOLERANCE,
    )


def link_directly(embedding, outward):
    """Return a network of one word before without a hidden layer: direct links and biases."""
    return Network(embedding, np.empty((embedding.shape[1], 0)), np.empty(0), outward)


def gradient_of(network, samples):
    """Return the gradient of the mean log-loss of whole counts."""
    each = np.repeat(np.arange(samples.words.size), samples.weights.astype(int))
    return gradients_of(network, samples.histories[each], samples.words[each])


def check_layers(rng):
    """Section 5.2: the hidden layer and the output, as printed and as their source has them."""
    inputs = EMBEDDING * WORDS_BEFORE
    yield make_case(
        "n-formula-printed",
        "C phi for MLP8: columns of C minus the entries of phi",
        abs(HIDDEN - inputs),
        0,
    )
    phi, C = (
        rng.normal(size=(WORDS, EMBEDDING)),
        rng.normal(size=(inputs, HIDDEN)) / np.sqrt(inputs),
    )
    d, U, W = (rng.normal(size=size) for size in (HIDDEN, (HIDDEN, WORDS), (inputs, WORDS)))
    b = rng.normal(size=WORDS)
    network = Network(phi, C, d, np.vstack([U, W, b]))
    histories = rng.integers(0, WORDS, size=(20, WORDS_BEFORE))
    given_by_network = np.exp(network.log_rows(histories))
    printed, ours = (
        np.array([write_out(phi[h].ravel(), *given) for h in histories])
        for given in ((C, U), (C, U, W, d, b))
    )
    yield make_case(
        "n-formula-printed",
        "with C transposed: largest difference of a probability "
        "to MLP8 with its biases and direct links",
        abs(printed - given_by_network).max(),
        ROUNDING_TOLERANCE,
    )
    yield make_case(
        "n-formula",
        "largest difference of a probability to MLP8",
        abs(ours - given_by_network).max(),
        ROUNDING_TOLERANCE,
    )


def write_out(x, C, U, W=0.0, d=0.0, b=0.0):
    """Return the distribution of the next word after embeddings ``x``, written as printed.

    Other arguments are zero: the survey prints neither biases ``d`` and ``b`` nor direct links
    ``W``.
    """
    hidden = np.tanh(d + np.einsum("ih,i->h", C, x))
    direct = np.einsum("iw,i->w", W, x) if np.ndim(W) else W
    weights = np.exp(b + direct + np.einsum("hw,h->w", U, hidden))
    return weights / weights.sum()


def check_arithmetic():
    """Yield the cases of printed numbers."""
    yield make_case(
        "n-phrases", "log10 of 100,000^5: off 25", abs(5 * np.log10(1e5) - 25), ROUNDING_TOLERANCE
    )
    yield make_case("n-simplex", "log10 of 50,000^10: off 40", abs(10 * np.log10(5e4) - 40), 0.5)
    p, q = np.array([0.7, 0.2, 0.1]), np.array([0.5, 0.25, 0.25])
    printed = np.exp((p * np.log(q)).sum())
    yield at_least("n-perplexity", "of a model of three words, as printed", printed, 1)
    wrong = np.exp(-(p * np.log([0.98, 0.01, 0.01])).sum())
    wronger = np.exp(-(p * np.log([1e-6, 0.5, 0.5 - 1e-6])).sum())
    yield make_case("n-worst", "of a model that is wrong, three words", wrong, 3)
    yield make_case("n-worst", "of one that is wronger", wronger, 3)
    gain = 100 * (1 - PRINTED["MLP10"] / PRINTED["Kneser-Ney"])
    yield make_case("n-percent", "per cent: off the printed 21.5", abs(gain - 21.5), 0.05)
