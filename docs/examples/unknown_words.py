"""
Words that a model does not know
================================

The more words a model refuses to know, the better it looks on the others. The perplexity with
unknown words, each of which has its part of their class, is what two models can be compared by.
:func:`condprob.fit_text` makes a model whose ``prob`` answers for one word or a list of them, and
whose ``row`` has all words after a history; of a word that is not known ``prob`` is its part.
"""

from pydoc_data.topics import topics

import matplotlib.pyplot as plt

from condprob import Score, Text, fit_text

lines = [line for name in sorted(topics) for line in topics[name].splitlines()]
train, test = lines[: -len(lines) // 5], lines[-len(lines) // 5 :]
least = [2, 3, 5, 10, 20]
scores: list[Score] = [
    fit_text(train, order=2, method="kn", text=Text(min_count=n)).score(test) for n in least
]

language = fit_text(train, order=2, text=Text(min_count=5))
print(language.prob("of the", ["class", "condprob"]), language.row("of the")["<unk>"])

figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
axes.plot(least, [s.perplexity for s in scores], marker="o", label="known words alone")
axes.plot(least, [s.perplexity_with_unknown for s in scores], marker="o", label="all words")
for n, s in zip(least, scores, strict=True):
    axes.annotate(f"{s.share_unknown:.0%} unknown", (n, s.perplexity), (4, 4),
                  textcoords="offset points", fontsize=8)  # fmt: skip
axes.set(xlabel="min_count", ylabel="perplexity", yscale="log", xlim=(None, 24))
axes.legend(loc="center right")
plt.show()
