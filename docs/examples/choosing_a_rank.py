"""
Choosing a rank
===============

A method of low rank has to be told one. Pairs that are held out choose it; a test that was not
looked at then judges the choice.
"""

import matplotlib.pyplot as plt

from condprob import cross_entropy, draw_model, method, sample_counts

model = draw_model(k=150, rank=5, rows="power-law", exponent=1.5, seed=1)
train, held_out, test = (sample_counts(model, n, seed=n) for n in (6000, 2000, 2001))

ranks = [1, 2, 3, 5, 8, 12, 20]
fits = [method("ad-lr", rank=rank, iterations=100).fit(train, seed=0) for rank in ranks]
losses = [cross_entropy(held_out, matrix) for matrix in fits]
best = losses.index(min(losses))
print(f"rank {ranks[best]}: {cross_entropy(test, fits[best]):.3f} nats per pair of the test")

figure, axes = plt.subplots(figsize=(5.5, 3.5), layout="constrained")
axes.plot(ranks, losses, marker="o")
axes.plot(ranks[best], losses[best], marker="o", markersize=12, fillstyle="none")
axes.set(xlabel="rank", ylabel="nats per held-out pair", xticks=ranks)
plt.show()
