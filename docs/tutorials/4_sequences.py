"""
Sequences: states that remember
===============================

A sequence of states is a text whose words are numbers. Letters of English words are such states:
what comes after ``q``? How many letters back are worth looking at, and how is a model of any
length fitted?
"""

import re
from pydoc_data.topics import topics

import matplotlib.pyplot as plt

from condprob import Sentences, Vocabulary, compare, cross_entropy, method

words = sorted({word for text in topics.values() for word in re.findall("[a-z]{3,}", text)})
letters = Vocabulary("abcdefghijklmnopqrstuvwxyz.")
numbers = [letters.numbers(word + ".").tolist() for word in words]
train = Sentences.from_lists([n for i, n in enumerate(numbers) if i % 5], k=27)
test = Sentences.from_lists(numbers[::5], k=27)
print(train.n, "letters of", len(words), "distinct words; the point ends each of them")

# %%
# Every method fits a text at any order. A history that was never seen has an answer, too.

orders = [1, 2, 3, 4, 5, 6]
fits = {
    id: [method(id).fit_text(train, order=n, seed=0) for n in orders] for id in ("add-half", "kn")
}
figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
for id, models in fits.items():
    losses = [cross_entropy(test, model) for model in models]
    axes.plot(orders, losses, marker="o", label=id)
axes.set(xlabel="letters seen at once", ylabel="nats per letter", xticks=orders)
axes.legend()
plt.show()

# %%
# Add-half, for which each history stands alone, runs out of counts; Kneser-Ney hands on what a
# history frees to the next shorter one. Is it better at four than at three letters? The same
# stretches judge both:

gain = compare(fits["kn"][3], fits["kn"][2], test)
print(f"ahead by {gain.value:.4f} nats per letter [{gain.low:.4f}, {gain.high:.4f}]")

# %%
# After ``q``, and words that the model makes up.

model = fits["kn"][4]
best, chances = model.top(tuple(letters.numbers("q")), 3)
print(list(zip(letters.labels(best), chances.round(3).tolist(), strict=True)))
drawn = model.generate(80, seed=2)
print("".join(letters.labels(drawn)).replace(".", " "))
