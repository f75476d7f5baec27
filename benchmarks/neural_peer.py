"""NPLM's mini-batches beside PyTorch's, on one thread of the processor: words per second.

It wants PyTorch, which no lock of this project has: its wheels are larger than everything else
together. Both take the same steps from the same weights, and their losses are compared.
"""

import time

import numpy as np
import torch

from condprob.estimators.neural import training
from condprob.estimators.neural.training import Plan, Samples, start_network

PLAN = Plan(30, 50, True, 1, 0.1, 0.0, 0.0, 0)
LONGEST = 2  # words of a history
STEPS = 20


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
            for what, rates in zip(("condprob", "PyTorch"), found.T, strict=True):
                results.add("neural", problem, what, "words a second", rates)
            results.add("neural", problem, "PyTorch / condprob", "times", found[:, 0] / found[:, 1])
