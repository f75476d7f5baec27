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
# # The method, on a matrix small enough to print
#
# The task is to learn a matrix of conditional probabilities, "which word follows which", from
# few pairs. Most cells are never seen, and a zero in the wrong place costs an infinite loss. The
# paper's idea in one sentence: **assume that the matrix has low rank, and smooth inside the
# factorisation, not before it.**
#
# Everything below calls the library; the numbers are small enough to check by hand.

# %%
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import HTML

from condprob import CountMatrix, kl_risk, method, sample_counts
from condprob.methods.smoothing import AbsoluteDiscount, AddConstant
from condprob.synthetic import Model

WORDS = ["the", "a", "this", "that", "cat", "dog", "bird", "fish", "sat", "ran", "ate", "slept"]
CLASSES = ["class 1", "class 2", "class 3"]


TABLES = itertools.count(1)  # numbers them, so that every run gives them the same ids


def shade(table, digits, cmap="Blues", axis=None):
    """Show a table, darker where a number is larger."""
    style = table.style.format(f"{{:.{digits}f}}").background_gradient(cmap=cmap, axis=axis)
    return HTML(style.set_uuid(f"table-{next(TABLES)}").to_html())


def show(matrix, rows=WORDS, columns=WORDS, digits=2):
    """Show a matrix with the names of its rows and columns."""
    return shade(pd.DataFrame(matrix, rows, columns), digits)


# %% [markdown]
# ## The truth
#
# Twelve words of three kinds. What follows a word depends on its kind only: after an article comes
# a noun, after a noun a verb, after a verb an article, nearly always. So $P = A B$ has rank three:
# a row of $A$ says which kind of word comes next, a row of $B$ which word of that kind.

# %%
A = np.repeat([[0.02, 0.96, 0.02], [0.02, 0.02, 0.96], [0.96, 0.02, 0.02]], 4, axis=0)
B = np.kron(np.eye(3), np.array([12, 6, 4, 3]) / 25)  # within a kind: a power law
truth = Model(np.full(12, 1 / 12), A, B)
show(A @ B)

# %% [markdown]
# ## What we get to see
#
# A hundred pairs. Most cells are empty, and many of them by bad luck alone.

# %%
counts = sample_counts(truth, n=100, seed=6)
show(counts.dense(), digits=0)


# %% [markdown]
# The measure throughout is the KL risk of Eq. (1), in nats: how many more nats than necessary a
# pair costs if we believe $Q$ while $P$ is true.


# %%
def risk(matrix):
    """Return the KL risk of an estimate."""
    return kl_risk(truth.pi, (truth.A, truth.B), matrix)


# %% [markdown]
# ## Smoothing without structure: Add-1/2
#
# Half a count for everybody. Safe, but blind: a row knows nothing of the other rows. No bird
# happened to follow "the", so "the bird" is now no more likely than "the slept".

# %%
direct = method("add-half").fit(counts)
print(f"KL risk of Add-1/2: {risk(direct):.3f} nats")
show(direct.dense())

# %% [markdown]
# ## Structure without smoothing: $Q_{LR}$
#
# The maximum-likelihood factorisation of rank three. It finds the three kinds, and then believes
# its hundred pairs to the letter: wherever a factor has a zero, so does the product. One
# possible pair of probability zero makes the risk infinite.

# %%
RANK = 3
start = method("add-half-lr", rank=RANK, iterations=0).fit(counts, seed=8)
W, H = start.W, start.H  # rows uniform at random: every method below starts here
unsmoothed = method("lr", rank=RANK, initial=(W, H)).fit(counts)
print(f"KL risk of Q_LR: {risk(unsmoothed):.3f} nats")
show(unsmoothed.dense())

# %% [markdown]
# ## Smooth first, factorise then: the naive way
#
# The obvious repair is to add 1/2 to the counts and to factorise those. It does remove the zeros.
# But 144 cells times 1/2 are 72 made-up pairs beside 100 real ones, spread evenly over a matrix
# that is anything but even, and the factorisation has to explain them too.

# %%
naive = method("naive-add-half-lr", rank=RANK, initial=(W, H)).fit(counts)
print(f"KL risk of Naive Add-1/2 low rank: {risk(naive):.3f} nats")
show(naive.dense())

# %% [markdown]
# With $k$ words the naive way invents $k^2/2$ pairs. But the model has only $2km$ parameters, 72
# instead of 144: those are what needs smoothing. So where are *their* counts?
#
# ## Soft counts
#
# EM splits each observed pair among the latent classes, in proportion to how well each explains
# it. The share of context $i$'s pairs that went through class $l$ is a soft count of $W$; the share
# of outcome $j$'s is a soft count of $H$:
#
# $$ w_{il} = W_{il} \sum_j \frac{C_{ij}}{(WH)_{ij}} H_{lj}, \qquad
#    h_{lj} = H_{lj} \sum_i \frac{C_{ij}}{(WH)_{ij}} W_{il}. $$
#
# Nothing is lost: row $i$ of $w$ sums to the times that $i$ was seen. One iteration without
# smoothing only divides soft counts by their sums, so multiplying by the sums shows them.

# %%
step = method("lr", rank=RANK, iterations=1, initial=(W, H)).fit(counts)
soft_W = step.W * counts.row_sums[:, None]
soft_H = step.H * soft_W.sum(axis=0)[:, None]
show(soft_W, columns=CLASSES)

# %%
show(soft_H, rows=CLASSES)

# %% [markdown]
# Summed over the classes, the columns of $h$ are the times that each outcome was seen, as the rows
# of $w$ are those of each context:

# %%
show([soft_H.sum(axis=0), counts.column_sums], rows=["soft counts", "counts"], digits=1)

# %% [markdown]
# ## Smooth inside: Add-1/2-LR
#
# These are counts, so smooth *them*, by the rule one would use for any vector of counts. That is
# the whole algorithm: soft counts, plus 1/2, divided by their sum, and again.

# %%
once = method("add-half-lr", rank=RANK, iterations=1, initial=(W, H)).fit(counts)
assert np.allclose(AddConstant(0.5)(soft_W), once.W)
assert np.allclose(AddConstant(0.5)(soft_H), once.H)

smoothed = method("add-half-lr", rank=RANK, initial=(W, H)).fit(counts)
print(f"KL risk of Add-1/2-LR: {risk(smoothed):.3f} nats")
show(smoothed.dense())

# %% [markdown]
# Pairs that were never seen get their share if their *kinds* go together. And this is no mere
# heuristic: Theorem 2 says that each step lowers the empirical risk plus a penalty on small
# entries of the factors, Eq. (3).

# %%
figure, ax = plt.subplots(figsize=(6, 2.6), layout="constrained")
ax.plot(smoothed.history[:60])
ax.set(xlabel="iteration", ylabel="nats per pair", title="the objective of Eq. (3)")
assert (np.diff(smoothed.history) < 1e-12).all()

# %% [markdown]
# ## Soft absolute discounting
#
# Adding 1/2 to everything is wasteful where most outcomes never occur, as in language. Absolute
# discounting *takes* instead: $\alpha$ from every outcome seen, to be shared by those not seen. But
# what is "seen" when counts are soft? The paper's answer: a soft count $c < 1$ is seen to the
# degree $c$. It pays $\alpha c$, and receives in proportion to $1 - c$.

# %%
vector = np.array([3, 1, 0.4, 0, 0])
total = vector.sum()
pd.DataFrame(
    {
        "soft count": vector,
        "pays": 0.75 * np.minimum(vector, 1),
        "after": AbsoluteDiscount(0.75)(vector) * total,
    }
).assign(receives=lambda t: t["after"] - t["soft count"] + t["pays"]).round(3)

# %% [markdown]
# On whole counts it is ordinary absolute discounting; in between it is continuous, which an
# algorithm that moves counts a little at every step needs. Here one of five soft counts varies:

# %%
varied = np.linspace(0, 3, 301)
vectors = np.column_stack([varied, *np.tile([[2.0, 1.0, 0.0, 0.0]], (301, 1)).T])
after = AbsoluteDiscount(0.75)(vectors) * vectors.sum(axis=1, keepdims=True)
figure, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.plot(varied, varied, ":", color="grey", label="untouched")
ax.plot(varied, after[:, 0], label="this outcome")
ax.plot(varied, after[:, 3], label="each of two outcomes not seen")
ax.set(xlabel="soft count of one outcome", ylabel="after discounting")
_ = ax.legend(frameon=False)

# %% [markdown]
# Where every outcome has been seen there is nobody to give to. As printed, the vector would then
# sum to less than one; the library gives back what was taken:

# %%
print(AbsoluteDiscount(0.75)([3, 2, 1]))

# %% [markdown]
# AD-LR adds 1/2 to the soft counts of $W$ and discounts those of $H$.
#
# ## All of them
#
# One sample proves little, so here are a hundred, of each of three sizes: the mean KL risk, darker
# where it is lower.

# %%
METHODS = ["add-half", "ad", "kn", "naive-add-half-lr", "naive-ad-lr", "add-half-lr", "ad-lr"]


def mean_risk(id, n, samples=100):
    """Return the mean KL risk over samples of n pairs."""
    estimator = method(id, rank=RANK) if id.endswith("lr") else method(id)
    fits = [estimator.fit(sample_counts(truth, n, seed), seed) for seed in range(samples)]
    return np.mean([risk(fit) for fit in fits])


table = pd.DataFrame({f"n = {n}": {id: mean_risk(id, n) for id in METHODS} for n in (50, 100, 200)})
shade(table, 3, cmap="Blues_r", axis=0)

# %% [markdown]
# Of each pair of smoothers, structure helps more when the smoothing is inside. Which smoother is
# better depends on the matrix: here every word of the right kind is rather likely, and adding 1/2
# is hard to beat; in real text most words never follow a given one, and discounting wins. The
# figures of the paper ask the same with a hundred words, with a thousand, and of real text: see
# docs/reproduction.md, and `explore-results` beside this notebook.
#
# ## A word that was never seen
#
# A context without counts has no soft counts either. Its row of $W$ is the added 1/2 alone, the
# same for every class: what follows it is predicted by the average of the classes.

# %%
unseen = counts.dense()
unseen[WORDS.index("fish")] = 0  # nobody saw what follows it
fitted = method("add-half-lr", rank=RANK, initial=(W, H)).fit(CountMatrix.from_dense(unseen))
show(fitted.W[4:8], rows=WORDS[4:8], columns=CLASSES)
