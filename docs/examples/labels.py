"""
Labels in, labels out
=====================

:func:`condprob.fit` takes labelled pairs and answers in labels. A pair that was never seen has a
probability.
"""

import matplotlib.pyplot as plt
import numpy as np

from condprob import fit

seen = {
    "ann": {"tea": 6, "juice": 1},
    "bob": {"tea": 3, "milk": 2},
    "cy": {"coffee": 5, "milk": 1},
    "dan": {"coffee": 1},
}
estimate = fit(seen, method="kn")
print(estimate.summary())
print("ann, coffee:", round(estimate.prob("ann", "coffee"), 4))
print("what else for ann:", estimate.top("ann", 2, exclude=seen))

# %%
# An estimate is an array, too: :class:`condprob.Estimate` has a row for each context.

figure, axes = plt.subplots(figsize=(5, 3), layout="constrained")
picture = axes.imshow(np.asarray(estimate), cmap="Blues", vmin=0)
axes.set_xticks(range(len(estimate.outcomes)), list(estimate.outcomes))
axes.set_yticks(range(len(estimate.contexts)), list(estimate.contexts))
figure.colorbar(picture, label="probability")
plt.show()
