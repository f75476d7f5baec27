"""
The factors of a low-rank fit
=============================

A :class:`condprob.LowRankMatrix` is ``W H``: how much of each class a context has, and what each
class says of outcomes. Here the classes are drawn as bands, and the fit finds them.
"""

import matplotlib.pyplot as plt
import numpy as np

from condprob import CountMatrix, method

rng = np.random.default_rng(0)
outcomes = np.arange(60)
bands = np.exp(-((outcomes - np.array([[10], [30], [50]])) ** 2) / 50)
bands /= bands.sum(axis=1, keepdims=True)
mixtures = rng.dirichlet([0.3] * 3, size=80)
counts = CountMatrix.from_dense(rng.multinomial(40, mixtures @ bands))

matrix = method("ad-lr", rank=3, iterations=100).fit(counts, seed=0)
print(matrix.W.shape, matrix.H.shape)

figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
left.plot(outcomes, bands.T, color="gray", linewidth=1)
left.plot(outcomes, matrix.H.T)
left.set(xlabel="outcome", ylabel="probability in a class", title="H (gray: as drawn)")
order = np.lexsort(matrix.W.T)
right.imshow(matrix.W[order], aspect="auto", cmap="Blues")
right.set(xlabel="class", ylabel="context, sorted", title="W", xticks=range(3))
plt.show()
