"""
Counts with fractions
=====================

A weight below one is part of an observation. Labels are numbered by a
:class:`condprob.Vocabulary`, and a :class:`condprob.CountMatrix` holds any counts >= 0.
"""

import matplotlib.pyplot as plt
import numpy as np

from condprob import CountMatrix, Vocabulary, method

people, drinks = Vocabulary(["ann", "bob"]), Vocabulary(["tea", "milk", "water"])
shares = np.linspace(0.05, 3, 40)
rows = []
for share in shares:
    counts = CountMatrix.from_labels(
        ["ann", "bob", "bob"], ["tea", "tea", "milk"], (people, drinks), weights=[2, 1, share]
    )
    rows.append(method("ad").fit(counts).rows(people.numbers(["bob"]))[0])

figure, axes = plt.subplots(figsize=(5.5, 3.5), layout="constrained")
axes.plot(shares, rows, label=list(drinks))
axes.set(xlabel="weight of bob's milk, beside one tea", ylabel="probability for bob")
axes.legend()
plt.show()
