"""Log-linear models written straight from their definition: every context, every word, no tree.

The independent side of the tests of `condprob.methods.structured`.
"""

import numpy as np


def contexts_of(sentences, order, start=()):
    """The history of each word, and all suffixes of all histories, shortest first.

    ``start`` stands before the first word of each sentence.
    """
    histories = []
    for sentence in sentences:
        for i in range(len(sentence)):
            before = [*start, *sentence[:i]]
            histories.append(tuple(before[max(len(before) - order + 1, 0) :]))
    found = {history[len(history) - d :] for history in histories for d in range(len(history) + 1)}
    return histories, sorted(found, key=lambda context: (len(context), context))


class Dense:
    """The objective over a full array of weights, shape (contexts, words).

    With ``starts`` word ``k`` stands before each sentence.
    """

    def __init__(self, sentences, k, order, decay=1.0, of="features", starts=True):
        start = (k,) if starts else ()
        self.histories, self.contexts = contexts_of(sentences, order, start)
        self.words = [word for sentence in sentences for word in sentence]
        self.k, self.n = k, len(self.words)
        depth = np.array([len(context) for context in self.contexts])
        self.features = decay**depth if of == "features" else np.ones(depth.size)
        self.groups = decay**depth if of == "penalty" else np.ones(depth.size)
        self.X = np.array(
            [[h[len(h) - len(c) :] == c for c in self.contexts] for h in self.histories],
            dtype=float,
        )
        # Which contexts have a context as their nearest words: the groups of the tree.
        self.below = np.array(
            [
                [len(t) >= len(s) and t[len(t) - len(s) :] == s for t in self.contexts]
                for s in self.contexts
            ]
        )

    @property
    def scored(self):
        """What the weights are multiplied with, shape (places, contexts)."""
        return self.X * self.features

    def probabilities(self, W):
        scores = self.scored @ W
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    def loss(self, W):
        return -np.log(self.probabilities(W)[np.arange(self.n), self.words]).sum()

    def gradient(self, W):
        return self.scored.T @ (self.probabilities(W) - np.eye(self.k)[self.words])

    def penalty(self, kind, W):
        if kind == "l1":
            return (self.groups[:, None] * W).sum()
        if kind == "l2":
            return (self.groups[:, None] * W**2).sum() / 2
        norm = {"tree2": np.linalg.norm, "treeinf": lambda g: g.max(initial=0)}[kind]
        return sum(
            weight * norm(W[below, y])
            for weight, below in zip(self.groups, self.below, strict=True)
            for y in range(self.k)
        )

    def spread(self, problem, tree, weights):
        """The weights of a forest as a full array, shape (contexts, words)."""
        W = np.zeros((len(self.contexts), self.k))
        number = {context: i for i, context in enumerate(self.contexts)}
        for p, node in enumerate(problem.pairs.context):
            of_pair = weights[problem.forest.start[p] : problem.forest.start[p + 1]]
            shortest = tree.depth[node] - tree.copies[node] + 1
            end = tree.ends[node]
            for c, weight in enumerate(np.broadcast_to(of_pair, tree.copies[node])):
                context = tuple(tree.text[end - shortest - c : end].tolist())
                W[number[context], problem.pairs.outcome[p]] = weight
        return W

    def minimum(self, kind, penalty):
        """The minimal objective by an interior-point method, nats per place."""
        import cvxpy as cp

        W = cp.Variable((len(self.contexts), self.k), nonneg=True)
        scores = self.scored @ W
        picked = cp.sum(cp.multiply(scores, np.eye(self.k)[self.words]))
        loss = cp.sum(cp.log_sum_exp(scores, axis=1)) - picked
        weights = self.groups[:, None] * np.ones(self.k)
        if kind == "l1":
            norm = cp.sum(cp.multiply(weights, W))
        elif kind == "l2":
            norm = cp.sum(cp.multiply(weights, cp.square(W))) / 2
        else:
            p = 2 if kind == "tree2" else "inf"
            norm = sum(
                weight * cp.sum(cp.norm(W[np.flatnonzero(below)], p, axis=0))
                for weight, below in zip(self.groups, self.below, strict=True)
            )
        problem = cp.Problem(cp.Minimize(loss + penalty * norm))
        problem.solve(solver=cp.CLARABEL, tol_gap_rel=1e-8, tol_gap_abs=1e-8)
        return problem.value / self.n


def naive_step(kind, below, groups, weights, threshold):
    """One proximal step for each group, children first; ``below`` has the groups' members.

    Groups with more members come later.
    """
    w = np.maximum(weights, 0.0)
    if kind == "l1":
        return np.maximum(w - threshold * groups, 0)
    if kind == "l2":
        return w / (1 + threshold * groups)
    for j in np.argsort(below.sum(axis=1), kind="stable"):
        members, reach = below[j], threshold * groups[j]
        if kind == "tree2":
            norm = np.linalg.norm(w[members])
            w[members] *= max(norm - reach, 0) / norm if norm else 0
        else:
            w[members] -= onto_l1_ball(w[members], reach)
    return w


def onto_l1_ball(v, radius):
    """The nearest point to ``v >= 0`` whose sum is at most ``radius`` (by bisection)."""
    if v.sum() <= radius:
        return v.copy()
    low, high = 0.0, v.max()
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if np.maximum(v - middle, 0).sum() > radius else (low, middle)
    return np.maximum(v - high, 0)
