"""
A map of contexts
=================

:func:`condprob.embed` returns a vector for each context of a low-rank fit, so that contexts with
similar rows lie close together. Here the contexts are letters, and the outcomes are the letters
that follow them in the words of Python's reference.
"""

import re
from pydoc_data.topics import topics

import matplotlib.pyplot as plt

from condprob import CountMatrix, Embedding, Vocabulary, embed, method

words = {word for text in topics.values() for word in re.findall("[a-z]{3,}", text)}
pairs = [pair for word in sorted(words) for pair in zip(word, word[1:] + ".", strict=True)]
letters = Vocabulary("abcdefghijklmnopqrstuvwxyz.")
before, after = zip(*pairs, strict=True)
counts = CountMatrix.from_labels(before, after, letters)

points: Embedding = embed(method("lsa", rank=3).fit(counts, seed=0))
for letter in "aqs":
    nearest, cosines = points.nearest(letters.numbers([letter]), 3)
    print(letter, "is near", letters.labels(nearest[0]), cosines[0].round(2).tolist())

figure, axes = plt.subplots(figsize=(5, 4), layout="constrained")
x, y = points.vectors[:26, 0], points.vectors[:26, 1]
axes.scatter(x, y, s=0)
for letter, *place in zip("abcdefghijklmnopqrstuvwxyz", x, y, strict=True):
    axes.annotate(letter, place, ha="center", va="center")
axes.set(xlabel="first coordinate", ylabel="second coordinate")
plt.show()
