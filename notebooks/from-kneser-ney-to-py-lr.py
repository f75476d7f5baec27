# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#       jupytext_version: 1.19.6
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# %% [markdown]
# # From Kneser-Ney to PY-LR
#
# Kneser-Ney keeps the counts of a row and takes the rest from other rows. A low-rank method
# believes in classes and forgets the single pair. `py-lr` does both. This notebook gets there **one
# change at a time**, on a text that is small enough to print. Numbers of equations are those of
# `docs/py-lr-model.md`.

# %%
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import HTML

from condprob import CountMatrix, draw_model, kl_risk, method, sample_counts
from condprob.methods.pitman_yor.novelty import unseen_mass

TABLES = itertools.count(1)  # numbers them, so that every run gives them the same ids


def shade(table, digits=2):
    """Show a table, darker where a number is larger."""
    style = table.style.format(f"{{:.{digits}f}}").background_gradient(cmap="Blues", axis=None)
    return HTML(style.set_uuid(f"table-{next(TABLES)}").to_html())


# %% [markdown]
# ## The counts
#
# `C[i, j]` says how often word `j` follows word `i`. The text has a habit: "the" likes "cat".

# %%
TEXT = """
the cat sees the dog . a dog hears the cat . the cat chases a fish . this dog sees the cat .
the cat hears this dog . a fish sees the cat . the cat sees a bird . the dog chases the cat .
the cat hears the fish . this bird hears a dog . the cat chases the bird . a dog sees the fish .
the cat sees this fish . the bird sees the cat . a cat hears the dog . the dog hears a bird .
"""
tokens = TEXT.split()
WORDS = sorted(set(tokens), key=tokens.index)
k = len(WORDS)
numbers = np.array([WORDS.index(word) for word in tokens])
counts = CountMatrix.from_pairs(numbers[:-1], numbers[1:], (k, k))
C = counts.dense()


def show(matrix, digits=2):
    """Show a matrix with the words of its rows and columns."""
    return shade(pd.DataFrame(matrix, WORDS, WORDS), digits)


show(C, digits=0)

# %% [markdown]
# ## Step 1: Kneser-Ney
#
# Every seen pair loses a discount $d$. So a row with $D_i$ distinct outcomes frees $d D_i$ of its
# $C_i$ tokens. They go to the continuation distribution: in how many *different* rows was an
# outcome seen?

# %%
d, D, n = 0.75, (C > 0).sum(axis=1, keepdims=True), C.sum(axis=1, keepdims=True)
discounted = C - d * (C > 0)
continuation = (C > 0).sum(axis=0) / (C > 0).sum()
kneser_ney = (discounted + d * D * continuation) / n
assert np.allclose(kneser_ney, method("kn", discount=d).fit(counts).dense())
show(kneser_ney)

# %% [markdown]
# The row of "this" gets its knowledge of new words from a base that is the same for all rows. So
# "this this" has a probability, and "this ." has another.
#
# ## Step 2: rows around a base, Eq. (1)
#
# A Pitman-Yor process adds a strength $\theta$: that many tokens of the base $B$ in every row. With
# $\theta = 0$ this is Kneser-Ney. With an infinite $\theta$ nothing is left but the base.


# %%
def around(base, strength):
    """Return the rows of Eq. (1), with one discount for all counts."""
    return (discounted + (strength + d * D) * base) / (strength + n)


assert np.allclose(around(continuation, 0), kneser_ney)
figure, ax = plt.subplots(figsize=(6, 2.6), layout="constrained")
strengths = np.geomspace(0.1, 1000, 61)
for word in ("the", "cat", "this"):
    i = WORDS.index(word)
    share = (strengths + d * D[i]) / (strengths + n[i])
    ax.plot(strengths, share, label=f"{word}, seen {n[i, 0]:.0f} times")
ax.set(xscale="log", xlabel="strength, tokens", ylabel="weight of the base", ylim=(0, 1.02))
_ = ax.legend(frameon=False)

# %% [markdown]
# ## Step 3: tables
#
# A row is a restaurant. Its tokens are customers, and each table is one draw from the base.
# Customers who join a table repeat its outcome. So the base has to explain tables, not tokens. The
# number of tables of a pair that was seen $c$ times is between two ends:
#
# - *Types*: one table for each pair. The mean of all tables is the continuation distribution.
# - *Tokens*: one table for each token. The mean of all tables is the unigram distribution.
#
# In between, customers open a new table in proportion to $(\theta + d\,t_i) B_{ij}$, with $t_i$
# tables in the row. Here is the mean number of tables of ten customers of a pair, alone in its row:


# %%
def mean_tables(customers, base, strength):
    """Return the mean number of tables, from the distribution of the number."""
    chances = np.array([0.0, 1.0, *np.zeros(customers - 1)])  # of 0, 1, 2, ... tables
    t = np.arange(customers + 1)
    for seated in range(1, customers):
        opens, joins = (strength + d * t) * base, np.maximum(seated - d * t, 0)
        share = opens / (opens + joins)
        chances = chances * (1 - share) + np.append(0, (chances * share)[:-1])
    return chances @ t


figure, ax = plt.subplots(figsize=(6, 2.6), layout="constrained")
for base in (0.5, 0.1, 0.01):
    ax.plot(strengths, [mean_tables(10, base, s) for s in strengths], label=f"base {base}")
ax.set(xscale="log", xlabel="strength", ylabel="tables", ylim=(0, 10))
_ = ax.legend(frameon=False)

# %% [markdown]
# ## Step 4: a sampler of classes, Eq. (4) and (5)
#
# A base of low rank has classes. Each table belongs to one of them. Gibbs sampling takes a table
# out, and draws its class in proportion to two facts about the other tables: how often the row has
# the class, and how often the class has the outcome. Here each pair has one table.

# %%
a, b = 0.1, 1.0  # pseudo-tables of a class in a row, and the strength of a class


def class_of_row(n):
    """Return W from the tables of rows by class: Eq. (4)."""
    tables = n + a
    return tables / tables.sum(axis=-1, keepdims=True)


def outcomes_of_classes(x):
    """Return H, transposed, from the tables of outcomes by class: Eq. (5)."""
    rest = (b + 0.5 * (x > 0).sum(axis=0)) / k
    return (np.maximum(x - 0.5, 0) + rest) / (b + x.sum(axis=0))


def draw(weights, rng):
    """Return a class, drawn in proportion to its weight."""
    return np.searchsorted(weights.cumsum(), rng.random() * weights.sum(), side="right")


def sample_classes(pairs, m, sweeps=200, seed=0):
    """Return the base, averaged over the second half of the sweeps."""
    rng, base = np.random.default_rng(seed), np.zeros((k, k))
    n, x, classes = np.zeros((k, m)), np.zeros((k, m)), [None] * len(pairs)
    for sweep in range(sweeps):
        for p, (i, j) in enumerate(pairs):
            if sweep:
                n[i, classes[p]] -= 1
                x[j, classes[p]] -= 1
            classes[p] = draw(class_of_row(n[i]) * outcomes_of_classes(x)[j], rng)
            n[i, classes[p]] += 1
            x[j, classes[p]] += 1
        if sweep >= sweeps // 2:
            base += class_of_row(n) @ outcomes_of_classes(x).T * 2 / sweeps
    return base


of_types = sample_classes(np.argwhere(C), m=4)
assert np.allclose(of_types.sum(axis=1), 1)
show(of_types)

# %% [markdown]
# The base knows kinds of words: articles come before animals, and animals before verbs. (The
# library averages $W$ and $H$ one by one, so that the mean keeps its rank.)
#
# ## Step 5: infer the tables, Eq. (3)
#
# Now the number of tables of each pair is sampled, too. A customer gets up and sits down again. The
# sizes of the tables are never needed: of $c$ customers at $t$ tables, one sits alone with
# probability $S(c - 1, t - 1) / S(c, t)$. The base of each pair *without* one of its tables is kept
# as well, by a harmonic mean: it is to predict a token that is left out.

# %%
S = np.zeros((int(C.max()) + 1, int(C.max()) + 1))
S[0, 0] = 1
for c, t in itertools.product(range(1, len(S)), range(1, len(S))):
    S[c, t] = S[c - 1, t - 1] + (c - 1 - d * t) * S[c - 1, t] * (t < c)


class Seating:
    """Tables of all pairs, each with a class."""

    def __init__(self, m, strength, seed=0):
        self.strength, self.rng = strength, np.random.default_rng(seed)
        self.n, self.x = np.zeros((k, m)), np.zeros((k, m))
        self.tables = {(i, j): [] for i, j in np.argwhere(C)}

    def weights(self, i, j):
        """Return the weights of the classes of a new table; their sum is the base of the pair."""
        return class_of_row(self.n[i]) * outcomes_of_classes(self.x)[j]

    def open(self, i, j, weights):
        """Add a table, whose class is drawn in proportion to these weights."""
        l = draw(weights, self.rng)
        self.tables[i, j].append(l)
        self.n[i, l] += 1
        self.x[j, l] += 1

    def close(self, i, j, place):
        """Take a table away."""
        l = self.tables[i, j].pop(place)
        self.n[i, l] -= 1
        self.x[j, l] -= 1

    def reseat(self, i, j):
        """Let all customers of a pair get up and sit down again, one after the other."""
        tables, c = self.tables[i, j], int(C[i, j])
        for _ in range(c):
            if self.rng.random() < S[c - 1, len(tables) - 1] / S[c, len(tables)]:
                self.close(i, j, self.rng.integers(len(tables)))
            weights = self.weights(i, j)
            opens = (self.strength + d * self.n[i].sum()) * weights.sum()
            joins = c - 1 - d * len(tables)
            if not tables or self.rng.random() * (opens + joins) < opens:
                self.open(i, j, weights)


def sample_tables(m, strength, sweeps=60):
    """Return the mean base, the base of pairs without one of their tables, and mean tables."""
    seating, base, inverse, tables = Seating(m, strength), *np.zeros((3, k, k))
    for sweep in range(sweeps):
        for i, j in seating.tables:
            for _ in range(max(len(seating.tables[i, j]), 1)):  # each table gets a new class
                if sweep:
                    seating.close(i, j, 0)
                weights = seating.weights(i, j)
                without = weights.sum()
                seating.open(i, j, weights)
            seating.reseat(i, j)
            if sweep >= sweeps // 2:
                inverse[i, j] += 2 / sweeps / without
                tables[i, j] += 2 / sweeps * len(seating.tables[i, j])
        if sweep >= sweeps // 2:
            base += class_of_row(seating.n) @ outcomes_of_classes(seating.x).T * 2 / sweeps
    return base, np.divide(1, inverse, where=C > 0, out=np.zeros((k, k))), tables


often = np.argwhere(C >= 4)
names = [f"{WORDS[i]} {WORDS[j]}" for i, j in often]
shown = {"tokens": C[tuple(often.T)]}
for strength in (0.5, 5.0, 500.0):
    shown[f"tables, strength {strength:g}"] = sample_tables(4, strength)[2][tuple(often.T)]
shade(pd.DataFrame(shown, names), digits=1)

# %% [markdown]
# A small strength seats "the cat" at few tables: it is a habit of "the". A large one gives each
# token a table, and the rows have low rank. Both kinds of base are the ends of one model.
#
# ## Step 6: strength and numbers of classes, Eq. (7)
#
# Both are chosen by tokens that are left out. A token of each pair is taken from its row, and a
# table from the base. The strength is the likeliest one, and the sampler runs again with it.


# %%
def left_out(base, strength):
    """Return the probability of a token of each pair by all others, shape (k, k)."""
    kept = np.maximum(C - 1 - d, 0)  # of a count without the token
    freed = d * (D - (C == 1))
    return (kept + (strength + freed) * base) / (strength + n - 1)


def loss(base, strength):
    """Return the loss of left-out tokens, nats per token."""
    return -(C[C > 0] @ np.log(left_out(base, strength)[C > 0])) / C.sum()


chains = {}
figure, ax = plt.subplots(figsize=(6, 2.6), layout="constrained")
for m in (1, 2, 4, 6):
    strength = 10.0
    for _ in range(3):
        _, without, _ = sample_tables(m, strength)
        losses = [loss(without, s) for s in strengths]
        strength = strengths[np.argmin(losses)]
    chains[m] = sample_tables(m, strength)
    ax.plot(strengths, losses, label=f"m = {m} classes")
ax.set(xscale="log", xlabel="strength", ylabel="nats per token left out")
_ = ax.legend(frameon=False)

# %% [markdown]
# With one class the strength is small: the rows need their habits. With four classes it is large:
# classes explain this text, and few habits are left.
#
# No number of classes is chosen. The base is a mean of all chains, and EM finds the likeliest
# weights. The strength is learned once more. (The library adds ten pseudo-tokens for each
# chain, so that no weight is zero.)

# %%
left = np.array([without for _, without, _ in chains.values()])
weights = np.full(len(chains), 1 / len(chains))
for _ in range(2):
    given = np.array([left_out(without, strength)[C > 0] for without in left])
    for _ in range(200):
        weights = given @ (C[C > 0] / (weights @ given)) * weights / C.sum()
    losses = [loss(np.tensordot(weights, left, axes=1), s) for s in strengths]
    strength = strengths[np.argmin(losses)]
base = np.tensordot(weights, [base for base, _, _ in chains.values()], axes=1)
rows = around(base, strength)
assert np.allclose(rows.sum(axis=1), 1)
shade(pd.DataFrame([weights], ["weight"], [f"m = {m}" for m in chains]))

# %%
the, this, cat = (WORDS.index(word) for word in ("the", "this", "cat"))
assert rows[the].argmax() == cat
assert rows[this, cat] > rows[this, the]
show(rows)

# %% [markdown]
# "The" keeps its cat, and new pairs get the right kinds of words.
#
# ## Step 7: words never seen, Eq. (10)
#
# Good and Turing estimate the probability of new outcomes: the share of distinct pairs whose
# outcome is in no other pair. The library does so for bins of contexts, at least this much in the
# mean over a bin. It never gives an unseen word more than a word that was seen once. Nine pairs of
# another text have two words that were never seen:

# %%
few = CountMatrix.from_pairs([0, 0, 1, 1, 2, 2, 3, 3, 0], [1, 2, 2, 3, 0, 2, 4, 1, 2], (4, 7))
only = ((few.dense() > 0).sum(axis=0) == 1).sum()  # outcomes; outcomes 5 and 6 are unseen
of_all = only / (few.nnz + 1)
share = min(2 / only, 1) * (only + 200 * of_all) / (few.nnz + 200)  # of the only bin of contexts
assert np.isclose(unseen_mass(few, np.zeros(4, int), 1), share)
print(f"Good-Turing: {share:.2f} to words never seen")

# %% [markdown]
# ## All of it: `method("py-lr")`
#
# The library learns $a_l$ and $b$ as well, has three discounts, and runs several numbers of
# classes. Drawn models show what it is worth. The truth has rank four here; `summary()` of a fit
# says how many tables and classes it found.

# %%
model = draw_model(k=60, rank=4, rows="power-law", exponent=1.5, seed=3)
counts = sample_counts(model, n=600, seed=4)
fitted = method("py-lr").fit(counts, seed=0)
figure, axes = plt.subplots(1, 3, figsize=(8, 2.9), layout="constrained")
pictures = {"truth": model.P, "Kneser-Ney": method("kn").fit(counts).dense()}
for ax, (name, matrix) in zip(axes, (pictures | {"PY-LR": fitted.dense()}).items(), strict=True):
    ax.imshow(np.sqrt(matrix), cmap="Blues", vmin=0, vmax=0.8)
    ax.set(title=name, xticks=[], yticks=[])

# %% [markdown]
# The mean KL risk over two samples, in nats. The paper's low-rank methods get the true rank;
# `py-lr` does not.

# %%
METHODS = {
    "add-half": {},
    "kn": {},
    "add-half-lr": {"rank": 4},
    "ad-lr": {"rank": 4},
    "py-lr": {},
}


def mean_risk(id, n, samples=2):
    """Return the mean KL risk over samples of n pairs."""
    fits = [
        method(id, **METHODS[id]).fit(sample_counts(model, n, seed), seed)
        for seed in range(samples)
    ]
    return np.mean([kl_risk(model.pi, model.P, fit) for fit in fits])


table = pd.DataFrame(
    {f"n = {n}": {id: mean_risk(id, n) for id in METHODS} for n in (150, 600, 2400)}
)
style = table.style.format("{:.3f}").background_gradient(cmap="Blues_r", axis=0)
HTML(style.set_uuid(f"table-{next(TABLES)}").to_html())

# %% [markdown]
# One model proves little. `docs/py-lr-evaluation.md` has the results on texts and models, and the
# limits of this method.
