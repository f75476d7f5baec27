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
# Kneser-Ney keeps the counts of a row and takes the rest from other rows. A low-rank method
# believes in classes and forgets the single pair. `py-lr` does both. This notebook gets there **one
# change at a time**, first on counts small enough to check by hand, then on a small model that we
# know.
#
# Each step shows the whole matrix. `docs/py-lr.md` has the model.

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
# Add-1/2 treats all unseen pairs alike. "This the" is as likely as "this cat".

# %%
show(method("add-half").fit(counts).dense())

# %% [markdown]
# ## Step 1: discount
#
# Do not add: take. Every seen pair loses a discount $d$. So a row with $D_i$ distinct outcomes
# frees $d D_i$ of its $C_i$ tokens. They go to a *base*, here the uniform distribution:
#
# $$ Q_{ij} = \frac{C_{ij} - d \min(C_{ij}, 1) + d D_i / k}{C_i}. $$
#
# Frequent pairs keep nearly all of their count, single ones a quarter.

# %%
d, D, n = 0.75, (C > 0).sum(axis=1, keepdims=True), C.sum(axis=1, keepdims=True)
discounted = C - d * np.minimum(C, 1)
show((discounted + d * D / 6) / n)

# %% [markdown]
# ## Step 2: a better base, Kneser-Ney
#
# Kneser-Ney's base is the continuation distribution: in how many *different* rows was an outcome
# seen? (The library also discounts it, to the benefit of outcomes never seen; here there are none.)

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
# So far the weight of the base depends on the number of *distinct* outcomes alone. A Pitman-Yor
# process adds a strength $\theta$: that many tokens of the base in every row,
#
# $$ Q_{ij} = \frac{C_{ij} - d \min(C_{ij}, 1) + (\theta + d D_i) B_{ij}}{\theta + C_i}. $$
#
# Rare rows lean on the base, frequent ones hardly do. $\theta = 0$ is Kneser-Ney; an
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
# "this dog", although "this cat" was never seen. As the base of the rows, it adds its knowledge of
# kinds of words, and the rows keep their knowledge of single words.

# %%
low_rank = {"bases": "add-half-lr", "largest_rank": 2, "starts": 1, "initial": start}
rows = {"discount": d, "strength": 2.0, "background": "none"}
fitted = method("py-lr", **low_rank, **rows).fit(counts)
assert np.allclose(fitted.dense(), around(by_em.dense(), 2.0), atol=1e-3)
show(around(by_em.dense(), 2.0))

# %% [markdown]
# $Q$ is the sparse matrix of the discounted counts plus a matrix of rank two. Only the print is
# dense.
#
# ## Step 5: no pair may explain itself
#
# EM asks of each pair which class it came from: its responsibilities, one row for each pair.


# %%
def responsibilities_of_em(W, H):
    """Return the responsibilities of all cells, shape (6, 6, 2)."""
    joint = W[:, None, :] * H.T[None, :, :]
    return joint / joint.sum(axis=2, keepdims=True)


seen = np.argwhere(C)
NAMES = [f"{WORDS[i]} {WORDS[j]}" for i, j in seen]
of_em = responsibilities_of_em(by_em.W, by_em.H)

# %% [markdown]
# But the pair has shaped these factors itself: "fish cat" is half of the row of "fish". So take one
# token of the pair out of the soft counts of both factors first:
#
# $$ \gamma_{ijl} \propto (s_{il} - \gamma_{ijl} + \tfrac12)\,
#    \frac{s_{lj} - \gamma_{ijl} + \frac12}{s_{l\cdot} - \gamma_{ijl} + \frac k2}. $$
#
# The right side has the responsibilities of the previous iteration; all pairs change at once.


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
# Frequent pairs are as sure as before. Pairs that were seen once are less sure: "this dog", "fish
# cat", "the fish". The classes become blunter. That is right for a base, because the rows use it
# for pairs that were *not* seen.

# %%
show(by_leaving_out.dense())

# %% [markdown]
# The low-rank bases of `py-lr` are fitted in this way. Bases by "types" count each distinct pair
# once, as the continuation distribution does, and take a large discount from the soft counts of
# each class:

# %%
types = {"bases": "types", "largest_rank": 2, "starts": 1, "initial": start}
show(method("py-lr", **types, **rows).fit(counts).dense())

# %% [markdown]
# ## Step 6: choose the settings
#
# The settings are discount, strength, rank, and the shares of low-rank, continuation and uniform
# base. Training pairs choose them, but not the pairs that the base was fitted to: they would favour
# it. So some pairs are held out. The example is a model of sixty words and rank four, with six
# hundred pairs, of which every sixth is held out.

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
# The cross-entropy of the held-out pairs by strength, around each of two bases:

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


found = pd.DataFrame({name: [nats(s, base) for s in strengths] for name, base in BASES.items()})
figure, ax = plt.subplots(figsize=(6, 2.8), layout="constrained")
for name in found:
    ax.plot(strengths, found[name], ".-", label=name)
ax.set(xscale="symlog", xlabel="strength, tokens", ylabel="nats per held-out pair")
_ = ax.legend(frameon=False)

# %% [markdown]
# A better base gets more strength. Bases can also be mixed, because a mean of bases is a base. For
# given rows the likelihood is concave in the shares, and EM finds the maximum (the library finds it
# in fewer steps, by Newton's method):
#
# $$ \text{share}_b \propto \text{share}_b \sum_{\text{held-out } ij}
#    \frac{\text{left}_i B_{b,ij}}
#    {\text{sparse}_{ij} + \text{left}_i \sum_a \text{share}_a B_{a,ij}}. $$

# %%
BASES["uniform"] = {"largest_rank": 0, "background": "uniform"}
i, j, weights = held_out.contexts, held_out.outcomes, held_out.values
only_base = {"strength": "infinite", "discount": 0.0, "starts": 1}
bases = [method("py-lr", **only_base, **base).fit(rest, seed=0).at(i, j) for base in BASES.values()]
strength = strengths[found["rank 4"].argmin()]
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
# The library does this with several ranks at once. It also compares strengths and discounts, gives
# rare contexts shares of their own, and weighs two kinds of low-rank base. Then it fits everything
# again to all pairs.

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
# Rows are groups of contexts, by how often they were seen; columns are the parts of the base. The
# truth has rank four and nothing else. The infinite strength is right: the rows are the base alone.
# On text, where single pairs have habits of their own, the strength is finite.
#
# The matrix is sparse plus low rank, as from step 4 on. All of its 60 x 60 cells:

# %%
figure, axes = plt.subplots(1, 3, figsize=(8, 2.9), layout="constrained")
pictures = {"truth": model.P, "Kneser-Ney": method("kn").fit(counts).dense()}
for ax, (name, matrix) in zip(axes, (pictures | {"PY-LR": fitted.dense()}).items(), strict=True):
    ax.imshow(np.sqrt(matrix), cmap="Blues", vmin=0, vmax=0.8)
    ax.set(title=name, xticks=[], yticks=[])

# %% [markdown]
# ## Beside the others
#
# The mean KL risk over four samples, in nats. The paper's low-rank methods get the true rank;
# `py-lr` does not.

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
# One model proves little. `docs/py-lr.md` has the results on text and on many models, and the
# limits of this method.
