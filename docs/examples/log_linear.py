"""
Log-linear models of histories of any length
============================================

A :class:`condprob.LogLinearModel` adds up weights of all suffixes of a history; a penalty keeps
them small. ``gap`` bounds how far its objective is above the minimum.
"""

import matplotlib.pyplot as plt

from condprob import LogLinearModel, Sentences, Vocabulary, method

sentence = "the cat sat on the mat and the dog sat on the log and the cat ran"
words = sentence.split()
vocabulary = Vocabulary(words)
text, unknown = Sentences.from_labels(words, vocabulary)
penalties = [0.01, 0.03, 0.1, 0.3, 1.0]
fits: list[LogLinearModel] = [
    method("ll-treeinf", penalty=penalty, tol=1e-4).fit_text(text, order=4) for penalty in penalties
]
print("gaps:", [f"{model.gap:.1e}" for model in fits])

history = tuple(vocabulary.numbers(["dog", "sat", "on", "the"]).tolist())
rows = [model.rows([history])[0] for model in fits]
figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
axes.semilogx(penalties, rows, marker="o", label=list(vocabulary))
axes.set(xlabel="penalty", ylabel="probability after “dog sat on the”")
axes.legend(ncols=2, fontsize=8)
plt.show()
