"""
A text: which word comes next
=============================

A language model from lines of text: cutting, fitting, scoring with an interval. The text is
Python's own reference, which comes with every Python.
"""

from pydoc_data.topics import topics

import matplotlib.pyplot as plt

from condprob import Text, fit_text

# %%
# Lines are sentences. Every fifth topic is kept for the test. No choice below looks at it.

names = sorted(topics)
train = [line for i, name in enumerate(names) if i % 5 for line in topics[name].splitlines()]
test = [line for name in names[::5] for line in topics[name].splitlines()]
print(len(train), "lines to learn from,", len(test), "to test on")

# %%
# ``min_count=2`` puts the words that occur once into one class, ``<unk>``. A word that is new in
# the test belongs to that class, too.

cut = Text(min_count=2)
language = fit_text(train, order=3, method="kn", discount="modified", text=cut)
print(language.summary())

# %%
# The likeliest next words.

for history in ("the value of", "is raised"):
    print(history, "...", [(word, round(p, 3)) for word, p in language.top(history, 4)])

# %%
# The report has the perplexity of known words with its interval, the number of unknown words, and
# the perplexity with them. Otherwise a model would look better by calling more words unknown.

score = language.score(test)
print(f"{score.nats:.3f} nats per word [{score.low:.3f}, {score.high:.3f}]")
print(f"perplexity {score.perplexity:.1f}; with unknown words {score.perplexity_with_unknown:.1f}")
print(f"{score.share_unknown:.1%} unknown")

# %%
# Which order is best? The orders are compared on lines held out of the training lines.

kept, held_out = train[: -len(train) // 5], train[-len(train) // 5 :]
orders = [1, 2, 3, 4, 5]
fits = [fit_text(kept, order=n, method="kn", discount="modified", text=cut) for n in orders]
scores = [fitted.score(held_out) for fitted in fits]

figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
nats = [found.nats for found in scores]
below = [found.nats - found.low for found in scores]
above = [found.high - found.nats for found in scores]
axes.errorbar(orders, nats, (below, above), marker="o", capsize=3)
axes.set(xlabel="order", ylabel="nats per held-out word", xticks=orders)
plt.show()

# %%
# ``language.save`` writes one file, which keeps how texts are cut. ``language.to_arpa`` writes one
# for other programs. ``generate`` draws a text.

print(" ".join(language.generate(20, "the", seed=1)))
