"""
A long fit that can be interrupted
==================================

With a :class:`condprob.Checkpoint` a fit keeps what it has in a file. The same call goes on from
there, to the same numbers.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np

from condprob import Checkpoint, Model, draw_model, method, sample_counts

model: Model = draw_model(k=200, rank=4, rows="power-law", exponent=1.5, seed=0)
counts = sample_counts(model, 6000, seed=1)
with TemporaryDirectory() as folder:
    saved = Checkpoint(Path(folder, "fit.npz"), seconds=600)
    steps = [
        method("ad-lr", rank=4, iterations=n).fit(counts, seed=0, checkpoint=saved)
        for n in (10, 30, 60)
    ]
at_once = method("ad-lr", rank=4, iterations=60).fit(counts, seed=0)
print("the same numbers:", np.array_equal(steps[-1].H, at_once.H))

figure, axes = plt.subplots(figsize=(5.5, 3), layout="constrained")
for fitted, width in zip(steps, (7, 4, 1.5), strict=True):
    iterations = fitted.history.size - 1
    axes.plot(fitted.history, linewidth=width, alpha=0.6, label=f"up to {iterations}")
axes.set(xlabel="iteration", ylabel="objective, nats per pair")
axes.legend()
plt.show()
