"""
A text: which word comes next
=============================

A language model from lines of text: how it is cut, how good it is, and how sure that is. The text
is Python's own reference, which comes with every Python.
"""

from pydoc_data.topics import topics

import matplotlib.pyplot as plt

from condprob import Text, fit_text

# %%
# Lines are sentences. Every fifth topic is kept apart: no choice below looks at it before the end.

names = sorted(topics)
train = [line for i, name in enumerate(names) if i % 5 for line in topics[name].splitlines()]
test = [line for name in names[::5] for line in topics[name].splitlines()]
print(len(train), "lines to learn from,", len(test), "to be judged by")

# %%
# Words that occur once are told apart by nothing: ``min_count=2`` makes them one class, and a word
# that is met later is of that class, too. Kneser-Ney takes a moment.

cut = Text(min_count=2)
language = fit_text(train, order=3, method="kn", discount="modified", text=cut)
print(language.summary())

# %%
# What follows?

for history in ("the value of", "is raised"):
    print(history, "...", [(word, round(p, 3)) for word, p in language.top(history, 4)])

# %%
# How good is it? One report has the perplexity of the words that it knows, its interval, how many
# it does not know, and the perplexity with these: a model is not better because it refuses more
# words.

score = language.score(test)
print(f"{score.nats:.3f} nats per word [{score.low:.3f}, {score.high:.3f}]")
print(f"perplexity {score.perplexity:.1f}; with unknown words {score.perplexity_with_unknown:.1f}")
print(f"{score.share_unknown:.1%} unknown")

# %%
# How far back is worth looking? What is compared is judged on lines that were held out of the
# training lines.

kept, held_out = train[: -len(train) // 5], train[-len(train) // 5 :]
orders = [1, 2, 3, 4, 5]
fits = [fit_text(kept, order=n, method="kn", discount="modified", text=cut) for n in orders]
scores = [fitted.score(held_out) for fitted in fits]

figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
nats = [found.nats for found in scores]
below = [found.nats - found.low for found in scores]
above = [found.high - found.nats for found in scores]
axes.errorbar(orders, nats, (below, above), marker="o", capsize=3)
axes.set(xlabel="words seen at once", ylabel="nats per held-out word", xticks=orders)
plt.show()

# %%
# ``language.save`` writes one file, which keeps how texts are cut; ``language.to_arpa`` one for
# other programs. What does the model make up?

print(" ".join(language.generate(20, "the", seed=1)))
