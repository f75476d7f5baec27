"""
Intervals of probabilities
==========================

:func:`condprob.posterior` samples whole rows, which are Dirichlet around mixtures of a few classes.
The interval of a cell lies between two quantiles of these samples, so that rows with few counts
have wide intervals.
"""

import matplotlib.pyplot as plt
import numpy as np

from condprob import Posterior, posterior

counts = np.array([[80, 20, 0, 0], [8, 2, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]])
samples: Posterior = posterior(counts, seed=0)
print(samples.draw(1, seed=0).mean(axis=0).round(3))

rows, columns = np.indices(counts.shape)
ends = samples.interval(rows.ravel(), columns.ravel())
middle = np.array([samples.draw(i, seed=0).mean(axis=0) for i in range(4)]).ravel()

figure, axes = plt.subplots(figsize=(6.5, 3.5), layout="constrained")
for i, row in enumerate(counts):
    here = rows.ravel() == i
    error = [middle[here] - ends.low[here], ends.high[here] - middle[here]]
    axes.errorbar(np.arange(4) + i / 6, middle[here], np.maximum(error, 0), fmt="o", label=str(row))
axes.set(xlabel="outcome", ylabel="probability", xticks=range(4))
axes.legend(title="counts of the row")
plt.show()
