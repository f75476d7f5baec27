"""
Clicks: from page to page
=========================

Sessions of clicks become pairs of a page and the next one. Old clicks weigh less, and what the
estimate says is held against what then happened. The sessions are drawn from a small site of 40
pages.
"""

import matplotlib.pyplot as plt
import numpy as np

from condprob import draw_model, fit, reliability, sample_counts

PAGES = [f"/page/{i}" for i in range(40)]
site = draw_model(k=40, rank=4, rows="power-law", exponent=1.5, seed=3)
clicks = sample_counts(site, n=4000, seed=4)
order = np.random.default_rng(5).permutation(int(clicks.n))
before = np.repeat(clicks.contexts, clicks.values.astype(int))[order]
after = np.repeat(clicks.outcomes, clicks.values.astype(int))[order]
days = np.arange(order.size) / order.size * 60  # days since the first click

# %%
# Each click is a row: a page, the next one, and a weight that halves every 30 days. Counts may be
# any numbers.

rows = {
    "page": [PAGES[i] for i in before],
    "next": [PAGES[j] for j in after],
    "weight": (0.5 ** ((60 - days) / 30)).tolist(),
}
past = {name: column[:3000] for name, column in rows.items()}
asked = {"context": "page", "outcome": "next", "contexts": PAGES, "outcomes": PAGES}
estimate = fit(past, weight="weight", method="ad", **asked)
print(estimate)
print(estimate.top("/page/3", 3))

# %%
# The clicks that came afterwards judge it. ``score`` takes what ``fit`` takes.

future = {name: column[3000:] for name, column in rows.items()} | {"weight": [1.0] * 1000}
weighed = estimate.score(future)
plain = fit(past, method="ad", **asked).score(future)
print(f"weighed {weighed.nats:.3f} [{weighed.low:.3f}, {weighed.high:.3f}] nats per click")
print(f"plain   {plain.nats:.3f} [{plain.low:.3f}, {plain.high:.3f}]")

# %%
# The drawn site does not change, and the two are the same here: old clicks are as good as new
# ones. On a site that changes this is the comparison to make.
#
# Are its probabilities what they say? Of all chances that were said to be about 1 in 50, about 1
# in 50 should have come.

curve = reliability(future, estimate, bins=12)

figure, axes = plt.subplots(figsize=(4.5, 4), layout="constrained")
axes.loglog(curve.said, curve.happened, "o")
ends = [curve.said.min(), 1]
axes.loglog(ends, ends, color="gray", linewidth=1)
axes.set(xlabel="said", ylabel="happened")
plt.show()
