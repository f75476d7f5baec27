"""
Users and items: which item comes next
======================================

From a table of users and items to a list for each user, and to a fair comparison of such lists.
The data are drawn: 600 users whose tastes are mixtures of eight, and 300 items.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from condprob import draw_model, fit, sample_counts

model = draw_model(k=600, rank=8, rows="power-law", exponent=1.2, outcomes=300, seed=0)
drawn = sample_counts(model, n=15_000, seed=1)
table = pd.DataFrame({"user": drawn.contexts, "item": drawn.outcomes, "times": drawn.values})
table = table.astype({"times": int})
table["user"] = "user " + table["user"].astype(str)
table["item"] = "item " + table["item"].astype(str)
print(table.head(3).to_string(index=False))

# %%
# One in five pairs is held out.

apart = np.random.default_rng(0).random(len(table)) < 0.2
seen, later = table[~apart], table[apart]

# %%
# PY-LR, the default, mixes several numbers of classes. AD-LR gets the true rank. ``outcomes`` names
# every item, so that items without a pair in ``seen`` have a probability, too.

items = table["item"].unique()
columns = {"context": "user", "outcome": "item", "weight": "times", "outcomes": items}
fits = {
    "add-half": fit(seen, method="add-half", **columns),
    "Kneser-Ney": fit(seen, method="kn", **columns),
    "AD-LR, rank 8": fit(seen, method="ad-lr", rank=8, iterations=50, **columns),
    "PY-LR": fit(seen, **columns),
}
print(fits["PY-LR"].summary())

# %%
# The likeliest items of a user, without the items they have.

best = fits["PY-LR"]
print(best.top("user 17", 3, exclude=seen))

# %%
# Recall: the share of the held-out items of a user that is among the first ten of the list. The
# baseline is popularity, one list for all.

wanted = later.groupby("user")["item"].agg(set)


def recall(lists):
    """Return the share of the held-out items that is listed."""
    hits = sum(len(wanted[user] & set(lists[user])) for user in wanted.index)
    return hits / wanted.map(len).sum()


popular = seen.groupby("item")["times"].sum().sort_values(ascending=False).index
had = seen.groupby("user")["item"].agg(set)
lists = {user: [i for i in popular if i not in had.get(user, ())][:10] for user in wanted.index}
found = {"popularity": recall(lists)}
users = [user for user in wanted.index if user in had]
for name, estimate in fits.items():
    tops = estimate.top(users, 10, exclude=seen)
    listed = lists | {user: [item for item, _ in top] for user, top in tops.items()}
    found[name] = recall(listed)

print({name: round(float(share), 3) for name, share in found.items()})

# %%
# PY-LR clearly beats popularity, and Kneser-Ney hardly does. AD-LR has the true rank, good
# probabilities and poor lists: its rows are mixtures of tastes alone, while PY-LR adds the
# counts of each user.

figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
axes.barh(list(found), list(found.values()))
axes.set(xlabel="recall of the first ten")
plt.show()

# %%
# A new user with three items is folded in: the tastes and settings of the fit stay as they are.

newcomer = later.iloc[:3].assign(user="newcomer")
print(best.fold_in(newcomer).top("newcomer", 3))
