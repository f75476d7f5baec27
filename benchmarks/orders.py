"""PY-LR with longer histories beside Kneser-Ney of the same order, on all of Brown.

    python benchmarks/orders.py [ORDER ...]

Of each of the 500 files the last tenth of the sentences is tested. Words that the training part has
once are one word, UNKNOWN, which is scored as any other, and so is the end of a sentence. KenLM's
`lmplz` reads the same words, where it is in the path; its file is scored by this library. It has
one more word, <unk>, which all have for its sake.
One line for each fit: perplexity, its ratio to that of Kneser-Ney with three discounts with a 95 %
interval over files, seconds of the processor, and their ratio to lmplz's. Lines are kept in
orders.csv; what is measured again replaces its line. Needs NLTK's Brown.
"""

import argparse
import csv
import resource
import subprocess
from collections import Counter
from itertools import chain
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import numpy as np

from condprob import LanguageModel, Sentences, Vocabulary, fit_text
from reproduction.corpora.sources import read_source
from reproduction.studies.survey.texts import list_sentences

CSV = Path(__file__).parent / "orders.csv"
ORDERS = (2, 3, 4, 5)
UNKNOWN = "UNKNOWN"
OURS = {  # the first is what lmplz estimates
    "kn-modified": ("kn", {"discount": "modified", "continuation": "uniform"}),
    "py-lr": ("py-lr", {}),
}
DRAWS = 2000  # of files, for an interval
COLUMNS = ("order", "method", "words", "types", "scored", "perplexity", "ratio", "low", "high",
           "seconds", "times")  # fmt: skip


def read_lines():
    """Return lines of the training part, those of the test part, and the file of each of these."""
    source = read_source("brown", {"source": "nltk", "package": "brown"})
    train, test, files = [], [], []
    for number, content in enumerate(source.contents):
        lines = list_sentences(content)
        cut = len(lines) - len(lines) // 10
        train += lines[:cut]
        test += lines[cut:]
        files += [number] * (len(lines) - cut)
    found = Counter(word for line in train for word in line)
    train, test = (
        [" ".join(word if found[word] > 1 else UNKNOWN for word in line) for line in part]
        for part in (train, test)
    )
    return train, test, np.array(files)


def number_sentences(*parts, further=()):
    """Return parts, lists of sentences of words, over the words of the first and further ones."""
    words = Vocabulary(chain(chain.from_iterable(parts[0]), further))
    return [
        Sentences.from_lists([words.numbers(line) for line in part], len(words)) for part in parts
    ]


def seconds_of(who=resource.RUSAGE_SELF):
    """Return the seconds of the processor that this process took, or the ones that it started."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def fit_all(order, given, folder):
    """Yield each method's name, its model and the seconds of the processor that it took."""
    if which("lmplz"):
        arpa = Path(folder, "kenlm.arpa")
        begin = seconds_of(resource.RUSAGE_CHILDREN)
        subprocess.run(
            ["lmplz", "-o", str(order), "-S", "1G", "-T", folder, "--text", given, "--arpa", arpa],
            check=True, capture_output=True,
        )  # fmt: skip
        seconds = seconds_of(resource.RUSAGE_CHILDREN) - begin
        yield "lmplz", LanguageModel.from_arpa(arpa), seconds
    for name, (method, options) in OURS.items():
        fit_text("a rose is a rose is\na rose", order, method=method, **options)  # compiles
        begin = seconds_of()
        model = fit_text(given, order, method=method, known=["<unk>"], **options)
        yield name, model, seconds_of() - begin


def losses_of(model, test, files):
    """Return the loss of the test words of each file, nats, and how many words these are."""
    found = []
    for number in np.unique(files):
        here = model.block_losses([test[place] for place in np.flatnonzero(files == number)])
        found.append((here.sums.sum(), here.sizes.sum()))
    return np.array(found).T


def measure(order, parts, csv_rows):
    """Fit each method at one order; print and keep what it took."""
    train, test, files = parts
    with TemporaryDirectory() as folder:
        given = Path(folder, "train.txt")
        given.write_text("\n".join(train) + "\n", encoding="utf-8")
        fits = {name: (losses_of(model, test, files), seconds, model)
                for name, model, seconds in fit_all(order, given, folder)}  # fmt: skip
    (base, sizes), *_ = fits["kn-modified"]
    drawn = np.random.default_rng(0).integers(0, base.size, (DRAWS, base.size))
    for name, ((losses, own_sizes), seconds, model) in fits.items():
        assert (own_sizes == sizes).all(), name
        difference = losses - base
        spread = np.exp(difference[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
        low, high = np.quantile(spread, [0.025, 0.975])
        times = seconds / fits["lmplz"][1] if "lmplz" in fits else np.nan
        row = (order, name, sum(len(line.split()) + 1 for line in train), len(model.words),
               int(sizes.sum()), f"{np.exp(losses.sum() / sizes.sum()):.4f}",
               f"{np.exp(difference.sum() / sizes.sum()):.4f}", f"{low:.4f}", f"{high:.4f}",
               f"{seconds:.3g}", f"{times:.3g}")  # fmt: skip
        print(dict(zip(COLUMNS, row, strict=True)), flush=True)
        csv_rows[str(order), name] = row


def measure_all(orders):
    """Measure at each order; lines of other orders stay as they are."""
    rows, parts = {}, read_lines()
    if CSV.exists():
        with CSV.open(encoding="utf-8", newline="") as file:
            rows = {tuple(row[:2]): row for row in list(csv.reader(file))[1:]}
    for order in orders:
        measure(order, parts, rows)
        with CSV.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows.values()])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("orders", nargs="*", type=int, default=ORDERS)
    measure_all(parser.parse_args().orders)
