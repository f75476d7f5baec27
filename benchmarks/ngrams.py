"""Kneser-Ney with three discounts beside KenLM's lmplz: from a text to a file of n-grams.

Joins in where `lmplz` is in the path: it is in the sources of the package `kenlm`, and built with
cmake and Boost. The words are the same, and each file is read and scored by this library.
"""

import subprocess
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from measure import interleave
from problems import small_text

from condprob import LanguageModel, fit_text

ORDER = 3
LINE = 10  # words of a sentence: the texts here have none
MEMORY = "200M"  # limit of lmplz, which otherwise takes most of the memory of a machine


def time_ngrams(results, texts, repetitions):
    """Fit n-grams to the first half of a text, and score sentences of known words of the other."""
    name = small_text(texts)
    train, test = (_cut(part) for part in (texts[name].train, texts[name].test))
    known = {word for line in train for word in line.split()}
    test = [line for line in test if known.issuperset(line.split())]
    if not which("lmplz"):
        results.add("ngrams", name, "KenLM", "ms", note="no lmplz is installed")
        return
    with TemporaryDirectory() as folder:
        given = Path(folder, "text.txt")
        given.write_text("\n".join(train) + "\n", encoding="utf-8")
        paths = {each: Path(folder, f"{each}.arpa") for each in ("condprob", "KenLM")}

        def ours():
            fit_text(given, ORDER, discount="modified").to_arpa(paths["condprob"])

        def theirs():
            subprocess.run(
                [
                    "lmplz",
                    "-o",
                    str(ORDER),
                    "-S",
                    MEMORY,
                    "-T",
                    folder,
                    "--discount_fallback",
                    "--text",
                    given,
                    "--arpa",
                    paths["KenLM"],
                ],
                check=True,
                capture_output=True,
            )

        seconds = interleave({"condprob": ours, "KenLM": theirs}, repetitions)
        for each, taken in seconds.items():
            perplexity = LanguageModel.from_arpa(paths[each]).score(test).perplexity
            results.add_times("ngrams", name, {each: taken}, f"perplexity {perplexity:.2f}")
        results.add_ratios("ngrams", name, seconds, "condprob")


def _cut(words):
    """Return lines of words."""
    words = [f"w{word}" for word in words]
    return [" ".join(words[start : start + LINE]) for start in range(0, len(words), LINE)]
