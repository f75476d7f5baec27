"""
Folding in a context that comes later
=====================================

A fit of low rank, or of Kneser-Ney, takes further contexts at its fixed bases: their rows are
smoothed with what was learned from all others, without a new fit.
"""

import matplotlib.pyplot as plt

from condprob import CountMatrix, cross_entropy, draw_model, method, sample_counts

model = draw_model(k=300, rank=4, rows="power-law", exponent=1.5, outcomes=100, seed=0)
everything = sample_counts(model, 12_000, seed=1).sparse()
estimator = method("ad-lr", rank=4, iterations=100)
matrix = estimator.fit(CountMatrix.from_sparse(everything[:200]), seed=0)

# %%
# The last hundred rows were not there when it was fitted. How much does each few pairs of a row
# tell?

later, test = (sample_counts(model, n, seed=n).sparse()[200:] for n in (9000, 9001))
shares, losses, alone = [0.02, 0.05, 0.1, 0.2, 0.5, 1.0], [], []
pairs = CountMatrix.from_sparse(later)
for share in shares:
    known = CountMatrix.from_pairs(
        pairs.contexts, pairs.outcomes, shape=pairs.shape, weights=share * pairs.values
    )
    losses.append(cross_entropy(test, estimator.fold_in(matrix, known)))
    alone.append(cross_entropy(test, method("add-half").fit(known)))

figure, axes = plt.subplots(figsize=(5.5, 3.5), layout="constrained")
axes.semilogx([30 * share for share in shares], losses, marker="o", label="folded in")
axes.semilogx([30 * share for share in shares], alone, marker="o", label="each row alone, add-half")
axes.set(xlabel="pairs known of a row, about", ylabel="nats per pair")
axes.legend()
plt.show()
