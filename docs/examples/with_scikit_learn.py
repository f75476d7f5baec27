"""
Parameter search with scikit-learn
==================================

:class:`condprob.sklearn.ConditionalSmoother` follows scikit-learn's conventions: samples are
contexts, features are outcomes. In this example it restores pictures of digits, whose pixels are
counts, from a tenth of their ink.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV

from condprob.sklearn import ConditionalSmoother

digits = load_digits().data[:600]
ink = np.random.default_rng(0).binomial(digits.astype(int), 0.1)

grid = {"options": [{"rank": rank, "iterations": 50} for rank in (2, 5, 10, 20)]}
search = GridSearchCV(ConditionalSmoother("ad-lr"), grid, cv=3).fit(ink)
print("chosen:", search.best_params_["options"], round(search.best_score_, 3), "nats")
smooth = search.best_estimator_.predict_proba(ink[:6])

figure, axes = plt.subplots(3, 6, figsize=(7, 3.6), layout="constrained")
for row, pictures in zip(axes, (digits[:6], ink[:6], smooth), strict=True):
    for place, picture in zip(row, pictures, strict=True):
        place.imshow(picture.reshape(8, 8), cmap="Greys")
        place.set(xticks=[], yticks=[])
for place, name in zip(axes[:, 0], ("whole", "a tenth", "smoothed"), strict=True):
    place.set_ylabel(name)
plt.show()
