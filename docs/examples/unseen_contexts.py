"""
A context that was never seen
=============================

Who was never seen has an answer, that of the method for a context without counts, and a warning
says so.
"""

import warnings

import matplotlib.pyplot as plt

from condprob import UnseenContextWarning, fit

seen = [("ann", "tea"), ("ann", "tea"), ("bob", "tea"), ("bob", "milk"), ("cy", "juice")]
estimate = fit(seen, method="kn")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always", UnseenContextWarning)
    newcomer = estimate.row("zoe")
print(told[0].category.__name__, "-", told[0].message)
print(estimate.seen("zoe"))

figure, axes = plt.subplots(figsize=(5.5, 3), layout="constrained")
for i, (label, row) in enumerate({"ann": estimate.row("ann"), "zoe": newcomer}.items()):
    axes.bar([j + 0.4 * i for j in range(len(row))], list(row.values()), width=0.4, label=label)
axes.set_xticks([j + 0.2 for j in range(len(newcomer))], list(newcomer))
axes.set(ylabel="probability")
axes.legend()
plt.show()
