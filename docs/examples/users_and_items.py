"""
Recommendations for users
=========================

From a table of users and items to a list of recommendations for each user, and to a comparison of
such lists. The data are simulated: 600 users, whose tastes are mixtures of eight, and 300 items.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from condprob import draw_model, fit, sample_counts

model = draw_model(k=600, rank=8, rows="power-law", exponent=1.2, outcomes=300, seed=0)
counts = sample_counts(model, n=15_000, seed=1)
table = pd.DataFrame({"user": counts.contexts, "item": counts.outcomes, "times": counts.values})
table = table.astype({"times": int})
table["user"] = "user " + table["user"].astype(str)
table["item"] = "item " + table["item"].astype(str)
print(table.head(3).to_string(index=False))

# %%
# We hold out one in five pairs.

apart = np.random.default_rng(0).random(len(table)) < 0.2
seen, later = table[~apart], table[apart]

# %%
# PY-LR, the default, mixes several numbers of classes, whereas AD-LR is given the true rank.
# ``outcomes`` names every item, so that items without a pair in ``seen`` also have a probability.

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
# These are the most probable items of a user, without those the user already has:

best = fits["PY-LR"]
print(best.top("user 17", 3, exclude=seen))

# %%
# Recall is the fraction of the held-out items that are among the first ten of a user's list. The
# baseline is popularity: one list for all users.

wanted = later.groupby("user")["item"].agg(set)


def recall(lists):
    """Return the fraction of the held-out items that are listed."""
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
# PY-LR has a higher recall than popularity, whereas Kneser-Ney is hardly better. AD-LR knows
# the true rank and gives good probabilities, but poor lists, because its rows are only mixtures of
# tastes. PY-LR also uses the counts of each user.

figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
axes.barh(list(found), list(found.values()))
axes.set(xlabel="recall of the first ten")
plt.show()

# %%
# A new user with three items can be folded in, without changing the tastes and settings of the fit.

newcomer = later.iloc[:3].assign(user="newcomer")
print(best.fold_in(newcomer).top("newcomer", 3))
