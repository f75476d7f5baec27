"""
How a text is cut
=================

A text scored by another cutting than the one it was fitted with would get another perplexity in
silence. :class:`condprob.Text` stands in the model's file, and :func:`condprob.load` brings it
back.
"""

from pathlib import Path
from pydoc_data.topics import topics
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt

from condprob import Text, fit_text, load
from condprob.tokenizers import TOKENIZERS

lines = topics["assignment"].splitlines() + topics["while"].splitlines()
types, kept = {}, {}
for name in TOKENIZERS:
    language = fit_text(lines, order=2, method="kn", text=Text(tokenizer=name))
    types[name] = len(language.words)
    with TemporaryDirectory() as folder:
        language.save(Path(folder, "model.npz"))
        kept[name] = load(Path(folder, "model.npz")).text.tokenizer
print(kept)

figure, axes = plt.subplots(figsize=(5.5, 2.5), layout="constrained")
axes.barh(list(types), list(types.values()))
axes.set(xlabel="distinct words of the same text")
plt.show()
