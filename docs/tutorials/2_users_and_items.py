"""
Users and items: what would they take next
==========================================

From a table of who took what to a list for each user, and to a fair judgement of such lists. The
data are drawn: 600 users whose tastes are mixtures of eight, and 300 items.
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
# One in five pairs is kept apart.

apart = np.random.default_rng(0).random(len(table)) < 0.2
seen, later = table[~apart], table[apart]

# %%
# PY-LR, the default, finds by itself how many tastes there are; AD-LR is told. Items that nobody
# took in ``seen`` are named, so that they have a probability.

items = table["item"].unique()
asked = {"context": "user", "outcome": "item", "weight": "times", "outcomes": items}
fits = {
    "add-half": fit(seen, method="add-half", **asked),
    "Kneser-Ney": fit(seen, method="kn", **asked),
    "AD-LR, rank 8": fit(seen, method="ad-lr", rank=8, iterations=50, **asked),
    "PY-LR": fit(seen, **asked),
}
print(fits["PY-LR"].summary())

# %%
# What to show a user: the likeliest items, without those they have.

best = fits["PY-LR"]
print(best.top("user 17", 3, exclude=seen))

# %%
# How good are the lists? Of what a user took later, which share is among the first ten?
# Popularity, one list for all, is what a method has to beat.

wanted = later.groupby("user")["item"].agg(set)


def recall(lists):
    """Return the share of what was taken later that is listed."""
    hits = sum(len(wanted[user] & set(lists[user])) for user in wanted.index)
    return hits / wanted.map(len).sum()


popular = seen.groupby("item")["times"].sum().sort_values(ascending=False).index
had = seen.groupby("user")["item"].agg(set)
lists = {user: [i for i in popular if i not in had.get(user, ())][:10] for user in wanted.index}
found = {"popularity": recall(lists)}
users = [user for user in wanted.index if user in had]
for name, estimate in fits.items():
    tops = estimate.top(users, 10, exclude=seen)
    told = lists | {user: [item for item, _ in top] for user, top in tops.items()}
    found[name] = recall(told)

print({name: round(float(share), 3) for name, share in found.items()})

# %%
# Popularity is not easily beaten: of these, by the default clearly and by Kneser-Ney hardly. AD-LR,
# told the true number of tastes, has good probabilities and poor lists: its rows are all of the
# tastes, while PY-LR keeps what each user was seen to take.

figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
axes.barh(list(found), list(found.values()))
axes.set(xlabel="recall of the first ten")
plt.show()

# %%
# A new user with three items is folded in at the tastes and settings that were found, without a new
# fit.

newcomer = later.iloc[:3].assign(user="newcomer")
print(best.fold_in(newcomer).top("newcomer", 3))
