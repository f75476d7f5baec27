"""
Calibration of estimated probabilities
======================================

:func:`condprob.reliability` groups cells by their estimated probability and counts how often their
pairs occur. A calibrated estimate lies on the line. Relative frequencies do not, because they are
too high for seen pairs and zero for unseen ones, whose point is outside the picture on the left.
"""

import matplotlib.pyplot as plt

from condprob import draw_model, method, reliability, sample_counts

model = draw_model(k=100, rank=4, rows="power-law", exponent=1.5, seed=0)
train, test = sample_counts(model, 5000, seed=1), sample_counts(model, 20_000, seed=2)

figure, axes = plt.subplots(figsize=(4.5, 4), layout="constrained")
for id in ("add-half", "mle", "kn"):
    curve = reliability(test, method(id).fit(train, seed=0), bins=12)
    axes.loglog(curve.said, curve.happened, marker="o", label=id)
axes.loglog([1e-3, 1], [1e-3, 1], color="gray", linewidth=1)
axes.set(
    xlabel="estimated probability", ylabel="frequency in new data", xlim=(5e-4, 1), ylim=(5e-4, 1)
)
axes.legend()
plt.show()
