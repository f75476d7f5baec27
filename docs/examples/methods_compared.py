"""
Methods compared by sample size
===============================

The truth is known if the model is simulated: :func:`condprob.kl_risk` is the expected divergence of
an estimate from it, in nats. :func:`condprob.method` creates any method of
:data:`condprob.METHODS` by its name.
"""

import matplotlib.pyplot as plt

from condprob import METHODS, Method, draw_model, kl_risk, method, sample_counts

model = draw_model(k=200, rank=4, rows="power-law", exponent=1.5, seed=0)
sizes = [500, 1500, 5000, 15_000]
options = {"ad-lr": {"rank": 4, "iterations": 100}}

figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
for id in ("add-half", "ad", "kn", "ad-lr", "py-lr"):
    record: Method = METHODS[id]
    estimator = method(id, **options.get(id, {}))
    risks = []
    for n in sizes:
        matrix = estimator.fit(sample_counts(model, n, seed=n), seed=0)
        risks.append(kl_risk(model.pi, model.P, matrix))
    axes.loglog(sizes, risks, marker="o", label=record.label)
axes.set(xlabel="pairs seen", ylabel="KL risk, nats")
axes.legend()
plt.show()
