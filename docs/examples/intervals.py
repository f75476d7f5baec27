"""
How sure a score is, and which of two is better
===============================================

:func:`condprob.interval` has the cross-entropy with a bootstrap over contexts. Two intervals that
overlap say little of the difference: :func:`condprob.compare` pairs both models on the same
contexts.
"""

import matplotlib.pyplot as plt

from condprob import compare, draw_model, interval, method, perplexity, sample_counts

model = draw_model(k=200, rank=4, rows="power-law", exponent=1.5, seed=0)
train, test = sample_counts(model, 4000, seed=1), sample_counts(model, 1500, seed=2)
fits = {id: method(id).fit(train, seed=0) for id in ("wb", "jm", "ad", "kn")}

figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
for place, (id, matrix) in enumerate(fits.items()):
    alone, gain = interval(test, matrix), compare(fits["kn"], matrix, test)
    print(f"{id}: perplexity {perplexity(test, matrix):.1f}")
    for axes, found in ((left, alone), (right, gain)):
        ends = [[found.value - found.low], [found.high - found.value]]
        axes.errorbar(found.value, place, xerr=ends, fmt="o", capsize=3)
left.set(xlabel="nats per pair", yticks=range(len(fits)), yticklabels=fits)
right.axvline(0, color="gray", linewidth=1)
right.set(xlabel="nats by which kn is ahead, paired", yticks=[])
plt.show()
