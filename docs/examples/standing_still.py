"""
A fit that stops when it stands still
=====================================

With ``tol`` a fit stops after an iteration that hardly moves its objective. One that did not get
there says so, by :class:`condprob.ConvergenceWarning` and in ``converged``.
"""

import warnings

import matplotlib.pyplot as plt

from condprob import ConvergenceWarning, draw_model, method, sample_counts

counts = sample_counts(draw_model(k=100, rank=3, seed=0), n=3000, seed=1)
settled = method("add-half-lr", rank=3, iterations=2000, tol=1e-5).fit(counts, seed=0)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always", ConvergenceWarning)
    limited = method("add-half-lr", rank=3, iterations=20, tol=1e-5).fit(counts, seed=0)
print("settled:", settled.converged, settled.history.size - 1, "iterations")
print("limited:", limited.converged, "-", told[0].message)

figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
axes.semilogx(range(1, settled.history.size + 1), settled.history, label="settled")
axes.semilogx(range(1, limited.history.size + 1), limited.history, linewidth=3, label="limited")
axes.set(xlabel="iteration", ylabel="objective, nats per pair")
axes.legend()
plt.show()
