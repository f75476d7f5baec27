"""
How sure a probability is, in labels
====================================

An estimate asks data how sure they are: the more pairs a context has, the shorter the intervals of
its probabilities.
"""

import matplotlib.pyplot as plt

from condprob import LabelledPosterior, fit

drinks = {
    "ann": {"tea": 80, "milk": 20, "beer": 0},
    "bob": {"tea": 8, "milk": 2, "beer": 0},
    "eve": {"tea": 0, "milk": 1, "beer": 2},
}
estimate = fit(drinks, method="py-lr")
sure: LabelledPosterior = estimate.posterior(drinks, seed=0)
low, high = sure.interval("ann", "tea")
print(f"tea for ann: {estimate.prob('ann', 'tea'):.2f}, 95 % between {low:.2f} and {high:.2f}")

figure, axes = plt.subplots(figsize=(6.5, 3.5), layout="constrained")
items = list(estimate.outcomes)
for place, user in enumerate(drinks):
    ends = sure.interval(user, items, seed=0)
    drawn = sure.draw(user, seed=0)
    for number, item in enumerate(items):
        here = number + (place - 1) / 6
        axes.plot([here, here], [ends.low[number], ends.high[number]], color=f"C{place}")
        label = None if number else user
        axes.plot(here, drawn[item].mean(), "o", color=f"C{place}", label=label)
axes.set(ylabel="probability", ylim=(0, 1), xticks=range(len(items)), xticklabels=items)
axes.legend(title="user", loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()
