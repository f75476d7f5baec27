"""
What PY-LR learns
=================

``py-lr`` has no rank and no discount to choose. Its :class:`condprob.PitmanYorMatrix` says what
was learned from pairs that it held out: which part of a base each kind of context takes.
"""

import matplotlib.pyplot as plt

from condprob import draw_model, method, sample_counts

model = draw_model(k=300, rank=5, rows="power-law", exponent=1.5, seed=0)
matrix = method("py-lr", largest_rank=8, iterations=40).fit(sample_counts(model, 8000, seed=1))
print(matrix.summary())
print("discounts:", matrix.discounts.round(3))

figure, axes = plt.subplots(figsize=(6.5, 3.5), layout="constrained")
bottom = 0
for component, share in zip(matrix.components, matrix.shares.T, strict=True):
    axes.bar(range(len(share)), share, bottom=bottom, label=str(component))
    bottom = bottom + share
axes.set(xlabel="bin of contexts, by how often they were seen", ylabel="share")
axes.legend(title="base", loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()
