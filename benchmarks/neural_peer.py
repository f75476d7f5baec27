"""NPLM's mini-batches and the fit of SDR beside PyTorch's, on one thread of the processor.

It wants PyTorch, which no lock of this project has: its wheels are larger than everything else
together. Of NPLM both take the same steps from the same weights, and their losses are compared. Of
SDR both minimise one objective by L-BFGS from one start, and PyTorch stops where it is as low.
"""

import time
from contextlib import suppress

import numpy as np
import torch
from measure import interleave
from problems import small_text

from condprob import CountMatrix, method
from condprob.models.survey import neural_training as training
from condprob.models.survey.bilinear_fit import GroupedCounts, start_scores
from condprob.models.survey.neural_training import Plan, Samples, start_network

PLAN = Plan(30, 50, True, 1, 0.1, 0.0, 0.0, 0)
LONGEST = 2  # words of a history
STEPS = 20
SDR = method("sdr", rank=10, ridge=1.0, weight=0.0)
WORDS = 5000  # of a text, for SDR
MOST = 1000  # iterations of PyTorch's L-BFGS


class Peer:
    """The same network as PyTorch has it."""

    def __init__(self, network, rate):
        self.parts = [torch.tensor(part, requires_grad=True) for part in network]
        self.optimizer = torch.optim.SGD(self.parts, lr=rate)

    def loss(self, histories, words):
        """Return the mean log-loss."""
        embedding, inward, offset, outward = self.parts
        x = embedding[histories].reshape(len(histories), -1)
        features = [torch.tanh(x @ inward + offset), x, torch.ones(len(x), 1)]
        return torch.nn.functional.cross_entropy(torch.cat(features, 1) @ outward, words)

    def go_through(self, histories, words, batch):
        """Take the steps of an epoch."""
        for start in range(0, len(words), batch):
            self.optimizer.zero_grad()
            some = slice(start, start + batch)
            self.loss(histories[some], words[some]).backward()
            self.optimizer.step()


def measure(k, batch, steps, repetitions):
    """Return words per second of both, repetition by repetition, shape (repetitions, 2)."""
    rng, n = np.random.default_rng(k), batch * steps
    samples = Samples(rng.integers(0, k + 1, (n, LONGEST)), rng.integers(0, k, n), np.ones(n))
    plan = Plan(**vars(PLAN) | {"batch": batch})
    _, network = start_network(plan, samples, (k + 1, k), 0)
    peer, found = Peer(network, plan.rate), []
    for repetition in range(repetitions):
        drawn = samples.draw(np.random.default_rng([1, repetition]))
        given = [torch.from_numpy(part[drawn]) for part in samples[:2]]
        begun = time.process_time()
        training._go_through(network, plan, samples, repetition, 1)
        between = time.process_time()
        peer.go_through(*given, batch)
        found.append([n / (between - begun), n / (time.process_time() - between)])
    logs = samples.loss(network)
    with torch.no_grad():
        its = float(peer.loss(*map(torch.from_numpy, samples[:2])))
    assert abs(logs - its) < 1e-4, (logs, its)
    return np.array(found)


def time_neural(results, repetitions):
    """Add words per second, and how many times as many as PyTorch's."""
    torch.set_num_threads(1)
    for k in (5_000, 16_000):
        for batch in (32, 128):
            found = measure(k, batch, STEPS, repetitions)
            problem = f"{k:,} words, batches of {batch}"
            for quantity, rates in zip(("condprob", "PyTorch"), found.T, strict=True):
                results.add("neural", problem, quantity, "words a second", rates)
            results.add("neural", problem, "PyTorch / condprob", "times", found[:, 0] / found[:, 1])


def time_reduction(results, texts, repetitions):
    """Add the seconds of fits of SDR to a text, and how many times as long PyTorch takes."""
    torch.set_num_threads(1)
    name = small_text(texts)
    words, k = texts[name].train[:WORDS], texts[name].k
    counts = CountMatrix.from_pairs(words[:-1], words[1:], k)
    _, solution = SDR.fit_scores(counts, SDR.ridge)
    seen = counts.sparse()[counts.seen_contexts][:, counts.seen_outcomes].tocoo()
    pairs = [torch.from_numpy(part.astype(np.int64)) for part in seen.coords]
    values = torch.from_numpy(seen.data.astype(float))
    grouped = GroupedCounts.of_counts(counts, with_unseen=False)
    phi, psi, B = start_scores(grouped, SDR.rank)
    start = phi[grouped.row_of], psi[grouped.column_of], B[grouped.column_of]

    def by_torch():
        """Return the objective, nats per pair, where it is as low as ours, or at the end."""
        parts = [torch.tensor(part, requires_grad=True) for part in start]
        how = {"max_iter": MOST, "max_eval": 2 * MOST, "tolerance_grad": 0, "tolerance_change": 0}
        optimizer = torch.optim.LBFGS(parts, history_size=10, line_search_fn="strong_wolfe", **how)
        found = []

        def loss():
            optimizer.zero_grad()
            phi, psi, B = parts
            logs = torch.log_softmax(phi @ psi.T + B, 1)[pairs[0], pairs[1]]
            squares = (phi**2).sum() + (psi**2).sum()
            total = SDR.ridge / 2 * squares - values @ logs
            total.backward()
            found.append(total.item() / counts.n)
            if found[-1] <= solution.history[-1]:
                raise StopIteration
            return total

        with suppress(StopIteration):
            optimizer.step(loss)
        return min(found)

    runs = {
        "SDR condprob": lambda: SDR.fit_scores(counts, SDR.ridge),
        "SDR PyTorch, L-BFGS": by_torch,
    }
    reached = by_torch() <= solution.history[-1]
    seconds = interleave(runs, repetitions)
    note = f"{solution.history[-1]:.4f} nats per pair"
    note += "" if reached else f"; PyTorch not as low after {MOST:,} steps"
    problem = f"{name}, {WORDS:,} words"
    results.add_times("neural", problem, seconds, note)
    results.add_ratios("neural", problem, seconds, "SDR condprob")
