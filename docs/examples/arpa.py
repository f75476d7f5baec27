"""
An ARPA file for other programs
===============================

A Kneser-Ney model goes out as an ARPA file, which KenLM, SRILM and others read, and comes back
with the same probabilities.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt

from condprob import LanguageModel, fit_text

lines = ["the cat sat on the mat", "the dog sat on the log", "a cat ran", "the dog ran to a cat"]
language = fit_text(lines, order=3, method="kn")
with TemporaryDirectory() as folder:
    path = Path(folder, "model.arpa")
    language.to_arpa(path)
    print(*path.read_text(encoding="utf-8").splitlines()[:12], sep="\n")
    again = LanguageModel.from_arpa(path)

# %%
# Every word after some histories, as the model has it and as the file has it.

histories = ("the", "sat on", "the dog")
pairs = [
    (language.prob(history, word), again.prob(history, word))
    for history in histories
    for word in language.words
]
print("largest difference:", max(abs(one - other) for one, other in pairs))

figure, axes = plt.subplots(figsize=(4, 4), layout="constrained")
axes.loglog(*zip(*pairs, strict=True), "o", fillstyle="none")
axes.set(xlabel="the model", ylabel="its file, read again")
axes.xaxis.set_minor_formatter("")
plt.show()
