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
# # From Kneser-Ney to PY-LR
#
# Kneser-Ney keeps what it has counted and asks the other rows for the rest. A low-rank method
# believes in classes and forgets the single pair. `py-lr` is both at once, and this notebook gets
# there **one change at a time**, first on counts small enough to check by hand, then on a small
# model that we know.
#
# Each step shows the whole matrix. `docs/py-lr.md` has the derivation.

# %%
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import HTML

from condprob import CountMatrix, cross_entropy, draw_model, kl_risk, method, sample_counts

WORDS = ["the", "a", "this", "cat", "dog", "fish"]
CLASSES = ["class 1", "class 2"]
TABLES = itertools.count(1)  # numbers them, so that every run gives them the same ids


def shade(table, digits=2, axis=None):
    """Show a table, darker where a number is larger."""
    style = table.style.format(f"{{:.{digits}f}}").background_gradient(cmap="Blues", axis=axis)
    return HTML(style.set_uuid(f"table-{next(TABLES)}").to_html())


def show(matrix, rows=WORDS, columns=WORDS, digits=2):
    """Show a matrix with the names of its rows and columns."""
    return shade(pd.DataFrame(matrix, rows, columns), digits)


# %% [markdown]
# ## The counts
#
# Three articles and three nouns. Nouns follow articles and articles follow nouns, with one
# exception: once, a cat followed a fish.

# %%
C = np.array(
    [
        [0, 0, 0, 4, 2, 1],
        [0, 0, 0, 2, 1, 0],
        [0, 0, 0, 0, 1, 0],
        [3, 1, 0, 0, 0, 0],
        [2, 0, 1, 0, 0, 0],
        [1, 0, 0, 1, 0, 0],
    ]
)
counts = CountMatrix.from_dense(C)
show(C, digits=0)

# %% [markdown]
# ## Step 0: half a count for everybody
#
# Add-1/2 treats all that was not seen alike. "This the" is as likely as "this cat".

# %%
show(method("add-half").fit(counts).dense())

# %% [markdown]
# ## Step 1: discount
#
# Do not add: take. A discount $d$ is taken of every pair that was seen, and what a row frees,
# $d D_i$ of its $C_i$ tokens, goes to a *base*, here the uniform distribution:
#
# $$ Q_{ij} = \frac{C_{ij} - d \min(C_{ij}, 1) + d D_i / k}{C_i}. $$
#
# The frequent pairs are believed, the single ones by a quarter.

# %%
d, D, n = 0.75, (C > 0).sum(axis=1, keepdims=True), C.sum(axis=1, keepdims=True)
discounted = C - d * np.minimum(C, 1)
show((discounted + d * D / 6) / n)

# %% [markdown]
# ## Step 2: a base that knows something, Kneser-Ney
#
# Kneser-Ney's base is the continuation distribution: in how many *different* rows was an outcome
# seen? (Discounted itself, with what that frees shared by the outcomes that were never seen; here
# there are none.)

# %%
continuation = (C > 0).sum(axis=0) / (C > 0).sum()
show([continuation], rows=["base"])

# %%
kneser_ney = (discounted + d * D * continuation) / n
assert np.allclose(kneser_ney, method("kn", discount=d).fit(counts).dense())
show(kneser_ney)

# %% [markdown]
# The row of "this", with a single pair to its name, is a quarter "dog" and three quarters base.
# But the base is the same for all: "this the" is still as likely as "this cat".
#
# ## Step 3: strength
#
# What a row gives to the base depends on the number of its *distinct* outcomes alone. A
# Pitman-Yor process adds a strength $\theta$: that many tokens of the base in every row,
#
# $$ Q_{ij} = \frac{C_{ij} - d \min(C_{ij}, 1) + (\theta + d D_i) B_{ij}}{\theta + C_i}. $$
#
# Rows that were seen seldom lean on the base, others hardly notice. $\theta = 0$ is Kneser-Ney; an
# infinite $\theta$ leaves nothing but the base.


# %%
def around(B, strength, discount=d):
    """Return the rows of the formula."""
    taken = discount * np.minimum(C, 1)
    freed = taken.sum(axis=1, keepdims=True)
    return (C - taken + (strength + freed) * B) / (strength + n)


plain = {"discount": d, "largest_rank": 0, "background": "continuation"}
for strength in (0.0, 2.0):
    fitted = method("py-lr", strength=strength, **plain).fit(counts)
    assert np.allclose(fitted.dense(), around(continuation, strength))
show(around(continuation, 2.0))

# %%
figure, ax = plt.subplots(figsize=(6, 2.8), layout="constrained")
strengths = np.geomspace(0.1, 100, 61)
for word, total, distinct in zip(WORDS, n[:, 0], D[:, 0], strict=True):
    if word in ("the", "cat", "this"):
        share = (strengths + d * distinct) / (strengths + total)
        ax.plot(strengths, share, label=f"{word}, seen {total} times")
ax.set(xscale="log", xlabel="strength, tokens", ylabel="weight of the base", ylim=(0, 1.02))
_ = ax.legend(frameon=False)

# %% [markdown]
# ## Step 4: a base of low rank
#
# One base for all rows cannot know that "this" is an article. A low-rank matrix can:
# $B = W H$ has a distribution of outcomes for each of two classes, and each context is a mixture
# of the classes. Add-1/2-LR fits it by EM.

# %%
tilted = np.where(np.arange(6) < 3, 0.9, 1.1) / 6
start = np.repeat([[0.6, 0.4], [0.4, 0.6]], 3, axis=0), np.array([tilted, tilted[::-1]])
by_em = method("add-half-lr", rank=2, initial=start).fit(counts)
show(by_em.H, rows=CLASSES)

# %%
show(by_em.dense())

# %% [markdown]
# By itself it forgets: the rows of "the" and "a" are nearly alike, and "this cat" is likelier than
# "this dog", although that was seen and the other was not. As the base of the rows it lends them
# what it knows of kinds, and they keep what they know of words.

# %%
low_rank = {"bases": "add-half-lr", "largest_rank": 2, "starts": 1, "initial": start}
rows = {"discount": d, "strength": 2.0, "background": "none"}
fitted = method("py-lr", **low_rank, **rows).fit(counts)
assert np.allclose(fitted.dense(), around(by_em.dense(), 2.0), atol=1e-3)
show(around(by_em.dense(), 2.0))

# %% [markdown]
# Nothing is dense here but what we print: $Q$ is the sparse matrix of the discounted counts plus a
# matrix of rank two.
#
# ## Step 5: no pair may explain itself
#
# EM asks of each pair which class it came from: its responsibilities, one row for each pair.


# %%
def responsibilities_of_em(W, H):
    """Return those of all cells, shape (6, 6, 2)."""
    joint = W[:, None, :] * H.T[None, :, :]
    return joint / joint.sum(axis=2, keepdims=True)


seen = np.argwhere(C)
NAMES = [f"{WORDS[i]} {WORDS[j]}" for i, j in seen]
of_em = responsibilities_of_em(by_em.W, by_em.H)

# %% [markdown]
# But the pair has shaped those factors itself. Of "fish cat" half the row of "fish" is made. So
# take one token of the pair out of the soft counts of both factors before asking:
#
# $$ \gamma_{ijl} \propto (s_{il} - \gamma_{ijl} + \tfrac12)\,
#    \frac{s_{lj} - \gamma_{ijl} + \frac12}{s_{l\cdot} - \gamma_{ijl} + \frac k2}. $$
#
# On the right stand the responsibilities of the iteration before; all pairs change at once.


# %%
def leave_one_out(gamma):
    """Return the next responsibilities, and the soft counts that they come from."""
    soft = C[:, :, None] * gamma
    of_W = soft.sum(axis=1)[:, None, :] - gamma
    of_H = soft.sum(axis=0)[None, :, :] - gamma
    joint = (of_W + 0.5) * (of_H + 0.5) / (soft.sum(axis=(0, 1)) - gamma + 3)
    joint = np.where(C[:, :, None] > 0, joint, 1.0)  # cells that were not seen do not matter
    return joint / joint.sum(axis=2, keepdims=True)


gamma = responsibilities_of_em(*start)
for _ in range(199):
    gamma = leave_one_out(gamma)
soft = C[:, :, None] * gamma
W, H = soft.sum(axis=1) + 0.5, soft.sum(axis=0).T + 0.5
W, H = W / W.sum(axis=1, keepdims=True), H / H.sum(axis=1, keepdims=True)

left_out = {"rank": 2, "initial": start, "soft_counts": "leave-one-out"}
by_leaving_out = method("add-half-lr", **left_out).fit(counts)
assert np.allclose(by_leaving_out.dense(), W @ H, atol=1e-4)

# %% [markdown]
# Both side by side:

# %%
table = pd.DataFrame(
    {
        "seen": C[tuple(seen.T)],
        "EM: class 1": [of_em[i, j, 0] for i, j in seen],
        "EM: class 2": [of_em[i, j, 1] for i, j in seen],
        "leave-one-out: class 1": [gamma[i, j, 0] for i, j in seen],
        "leave-one-out: class 2": [gamma[i, j, 1] for i, j in seen],
    },
    NAMES,
)
shade(table)

# %% [markdown]
# What was seen often is as sure as before. What was seen once is less sure: "this dog", "fish cat",
# "the fish". The classes that follow are blunter, and that is what they should be as a base: they
# are asked for what was *not* seen.

# %%
show(by_leaving_out.dense())

# %% [markdown]
# The low-rank bases of `py-lr` are fitted so. Those called "types" count each distinct pair once,
# as the continuation distribution does, and take a large discount from the soft counts of each
# class:

# %%
types = {"bases": "types", "largest_rank": 2, "starts": 1, "initial": start}
show(method("py-lr", **types, **rows).fit(counts).dense())

# %% [markdown]
# ## Step 6: who chooses?
#
# Discount, strength, rank, and how much of the base should be low-rank, continuation or uniform:
# the training pairs have to tell. Not those that a base was fitted to, as it knows them already,
# but pairs that were held out. For this a larger example: a model of sixty words and rank four, of
# which we see six hundred pairs and hold out every sixth.

# %%
model = draw_model(k=60, rank=4, rows="power-law", exponent=1.5, seed=3)
counts = sample_counts(model, n=600, seed=4)
drawn = np.random.default_rng(5).binomial(counts.values, 1 / 6)
rest, held_out = (
    CountMatrix.from_pairs(counts.contexts, counts.outcomes, counts.shape, weights=part)
    for part in (counts.values - drawn, drawn)
)
figure, ax = plt.subplots(figsize=(4.2, 3.6), layout="constrained")
ax.imshow(model.P, cmap="Blues")
ax.plot(rest.outcomes, rest.contexts, ".", ms=2, color="black", label="seen")
ax.plot(held_out.outcomes, held_out.contexts, ".", ms=4, color="tab:red", label="held out")
ax.set(xlabel="outcome", ylabel="context", title="the truth, and what is seen of it")
_ = ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)

# %% [markdown]
# How likely are the held-out pairs at each strength, around each of two bases?

# %%
strengths = [0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]
BASES = {
    "continuation": {"largest_rank": 0, "background": "continuation"},
    "rank 4": {"bases": "types", "smallest_rank": 4, "largest_rank": 4, "background": "none"},
}


def nats(strength, base):
    """Return the cross-entropy of the held-out pairs."""
    estimator = method("py-lr", strength=strength, discount=d, starts=1, **base)
    return cross_entropy(held_out, estimator.fit(rest, seed=0))


told = pd.DataFrame({name: [nats(s, base) for s in strengths] for name, base in BASES.items()})
figure, ax = plt.subplots(figsize=(6, 2.8), layout="constrained")
for name in told:
    ax.plot(strengths, told[name], ".-", label=name)
ax.set(xscale="symlog", xlabel="strength, tokens", ylabel="nats per held-out pair")
_ = ax.legend(frameon=False)

# %% [markdown]
# A better base earns more strength. And there is no need to take one of them: a mean of bases is a
# base. For given rows the likelihood is concave in the shares, and EM finds the best (the library
# finds the same in fewer steps, by Newton's method):
#
# $$ \text{share}_b \propto \text{share}_b \sum_{\text{held-out } ij}
#    \frac{\text{left}_i B_{b,ij}}
#    {\text{sparse}_{ij} + \text{left}_i \sum_a \text{share}_a B_{a,ij}}. $$

# %%
BASES["uniform"] = {"largest_rank": 0, "background": "uniform"}
i, j, weights = held_out.contexts, held_out.outcomes, held_out.values
only_base = {"strength": "infinite", "discount": 0.0, "starts": 1}
bases = [method("py-lr", **only_base, **base).fit(rest, seed=0).at(i, j) for base in BASES.values()]
strength = strengths[told["rank 4"].argmin()]
values = rest.dense()
taken = d * np.minimum(values, 1)
totals = strength + values.sum(axis=1)
sparse = ((values - taken) / totals[:, None])[i, j]
left = ((strength + taken.sum(axis=1)) / totals)[i]
explained = left * np.array(bases)

shares = [np.full(len(bases), 1 / len(bases))]
for _ in range(60):
    ratio = explained / (sparse + shares[-1] @ explained)
    better = shares[-1] * (ratio @ weights)
    shares.append(better / better.sum())
figure, ax = plt.subplots(figsize=(6, 2.8), layout="constrained")
for name, share in zip(BASES, np.transpose(shares), strict=True):
    ax.plot(share, label=name)
ax.set(xlabel="iteration", ylabel="share of the base", ylim=(0, 1))
_ = ax.legend(frameon=False)

# %% [markdown]
# ## All of it: `method("py-lr")`
#
# The library does this with several ranks at once, tries strengths and discounts besides, gives
# contexts that were seen seldom shares of their own, weighs two kinds of low-rank base,
# and then fits everything to all the pairs.

# %%
fitted = method("py-lr").fit(counts, seed=0)
print(f"strength  {fitted.strength:g}")
print(f"discounts {fitted.discounts.round(2)}")

# %%
bins = [
    "never seen",
    *(f"{low:g} to {high - 1:g}" for low, high in itertools.pairwise(fitted.bins)),
]
bins += [f"{fitted.bins[-1]:g} or more"]
shade(pd.DataFrame(fitted.shares, bins, fitted.components), axis=None)

# %% [markdown]
# Each row is a kind of context, by how often it was seen; each column a part of the base. The truth
# has rank four and no words of their own ways, and an infinite strength says so: nothing is left of
# the single pairs. On text, where pairs have habits of their own, some of them remains.
#
# The matrix stays what it was from step 4 on, sparse plus low rank. Its whole of 60 x 60:

# %%
figure, axes = plt.subplots(1, 3, figsize=(8, 2.9), layout="constrained")
pictures = {"truth": model.P, "Kneser-Ney": method("kn").fit(counts).dense()}
for ax, (name, matrix) in zip(axes, (pictures | {"PY-LR": fitted.dense()}).items(), strict=True):
    ax.imshow(np.sqrt(matrix), cmap="Blues", vmin=0, vmax=0.8)
    ax.set(title=name, xticks=[], yticks=[])

# %% [markdown]
# ## Beside the others
#
# The mean KL risk over four samples, nats. The paper's low-rank methods are told the true rank;
# `py-lr` is told nothing.

# %%
METHODS = {
    "add-half": {},
    "kn": {},
    "add-half-lr": {"rank": 4},
    "ad-lr": {"rank": 4},
    "py-lr": {},
}


def mean_risk(id, n, samples=4):
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
# One model proves little. `docs/py-lr.md` tells what was measured on text and on many models, and
# what this method cannot do.
