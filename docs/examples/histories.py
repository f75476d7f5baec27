"""
Longer histories, by three kinds of models
==========================================

Each distinct history can be a context (:class:`condprob.HistoryModel`), Kneser-Ney hands on to
shorter ones, and ``py-lr`` grows its bigram by what longer histories ask for
(:class:`condprob.GrownModel`). All are a :class:`condprob.SequenceModel`.
"""

import matplotlib.pyplot as plt
import numpy as np

from condprob import GrownModel, HistoryModel, Sentences, SequenceModel, cross_entropy, method

# %%
# A text of ten states, drawn: the next one depends on the two before it.

rng = np.random.default_rng(0)
law = rng.dirichlet([0.1] * 10, size=(10, 10))
states = [0, 0]
for _ in range(6000):
    states.append(int(rng.choice(10, p=law[states[-2], states[-1]])))
train, test = Sentences.from_words(states, k=10).split(0.5)

small = {"largest_rank": 2, "iterations": 20, "penalty": 0.1}
estimators = {"add-half": method("add-half"), "kn": method("kn"), "py-lr": method("py-lr", **small)}
figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
orders = [2, 3, 4]
for id, estimator in estimators.items():
    fits: list[SequenceModel | None] = [estimator.fit_text(train, n, seed=0) for n in orders]
    print(id, "is a", type(fits[-1]).__name__, isinstance(fits[-1], HistoryModel | GrownModel))
    axes.plot(orders, [cross_entropy(test, model) for model in fits], marker="o", label=id)
last = np.array(states[len(states) // 2 :])
truth = -np.log(law[last[:-2], last[1:-1], last[2:]])
axes.axhline(truth.mean(), color="gray", linewidth=1, label="the truth")
axes.set(xlabel="states seen at once", ylabel="nats per state", xticks=orders)
axes.legend()
plt.show()
