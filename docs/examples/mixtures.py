"""
Several models in one
=====================

:func:`condprob.mix` weighs models so that what tunes them is likeliest. The mixture is a
:class:`condprob.MixtureMatrix`, and on what tuned it no worse than the best of its parts; the test
is a third sample.
"""

import matplotlib.pyplot as plt

from condprob import cross_entropy, draw_model, method, mix, sample_counts

model = draw_model(k=150, rank=5, rows="power-law", exponent=1.5, seed=2)
train, tune, test = (sample_counts(model, n, seed=n) for n in (4000, 1000, 3000))
parts = {
    "ad": method("ad").fit(train),
    "kn": method("kn").fit(train),
    "ad-lr": method("ad-lr", rank=5, iterations=100).fit(train, seed=0),
}
mixed = mix(list(parts.values()), tune=tune)
print(dict(zip(parts, mixed.weights.round(3).tolist(), strict=True)))

figure, axes = plt.subplots(figsize=(5.5, 3), layout="constrained")
names = [*parts, "mixed"]
axes.barh(names, [cross_entropy(test, matrix) for matrix in (*parts.values(), mixed)])
axes.set(xlabel="nats per pair of the test", xlim=(3, None))
plt.show()
