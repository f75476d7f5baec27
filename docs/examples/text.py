"""
A language model of a text
==========================

How to split a text, fit a language model and score it with an interval. The text is Python's own
reference, which is part of every Python installation.
"""

from pydoc_data.topics import topics

import matplotlib.pyplot as plt

from condprob import Text, fit_text

# %%
# Each line is a sentence. Every fifth topic is kept for the test, and no choice below looks at it.

names = sorted(topics)
train = [line for i, name in enumerate(names) if i % 5 for line in topics[name].splitlines()]
test = [line for name in names[::5] for line in topics[name].splitlines()]
print(len(train), "lines to learn from,", len(test), "to test on")

# %%
# ``min_count=2`` puts words that occur only once into one class, ``<unk>``, which also contains the
# words that are new in the test.

cut = Text(min_count=2)
language = fit_text(train, order=3, method="kn", discount="modified", text=cut)
print(language.summary())

# %%
# These are the most probable next words:

for history in ("the value of", "is raised"):
    print(history, "...", [(word, round(p, 3)) for word, p in language.top(history, 4)])

# %%
# The score contains the perplexity of known words with its interval, the number of unknown words,
# and the perplexity with them. Without the latter, a model could look better by treating more words
# as unknown.

score = language.score(test)
print(f"{score.nats:.3f} nats per word [{score.low:.3f}, {score.high:.3f}]")
print(f"perplexity {score.perplexity:.1f}; with unknown words {score.perplexity_with_unknown:.1f}")
print(f"{score.share_unknown:.1%} unknown")

# %%
# Which order is best? To find out, we compare them on lines held out of the training lines.

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
# ``language.save`` writes one file, which also records how texts are split. ``language.to_arpa``
# writes a file for other programs. ``generate`` generates a text.

print(" ".join(language.generate(20, "the", seed=1)))
