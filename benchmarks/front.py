"""The first minutes of a user: imports, first fits, sizes of files, recall of held-out items.

Users by items are drawn from a model of low rank; every method is fitted to the same pairs and
lists ten items for each user, none of them seen. implicit and KenLM join in where they are
installed.
"""

import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from pipeline import processor_of_children
from problems import small_text
from scipy.sparse import csr_matrix
from sklearn.decomposition import NMF, LatentDirichletAllocation

from condprob import LanguageModel, Text, draw_model, fit_text, method, sample_counts

STARTS = {
    "import condprob": "import condprob",
    "first fit of ad": "from condprob import method; method('ad').fit([[1, 2], [3, 4]])",
    "first labelled fit of kn": "from condprob import fit; fit([('a', 'b')], method='kn')",
}
# Methods whose first fit is timed where no compiled function has been kept.
FIRST = ("kn", "add-half-lr", "py-lr")
RANK, LISTED = 10, 10


def measure_front(results, texts, repetitions, quick):
    """Time starts, size files, and rank items."""
    for quantity, code in STARTS.items():
        seconds = [_seconds(subprocess.run, [sys.executable, "-c", code], check=True)[0]
                   for _ in range(repetitions)]  # fmt: skip
        results.add("front", "a new process", quantity, "s", seconds)
    for id in FIRST:
        code = f"from condprob import method; method({id!r}).fit([[1, 2], [3, 4]])"
        seconds = [_processor_of_first(code) for _ in range(repetitions)]
        results.add("front", "a new process", f"first fit of {id}, compiled", "s", seconds)
    _rank_items(results, 400 if quick else 2000)
    name = small_text(texts)
    words = [[f"w{i}" for i in part] for part in (texts[name].train, texts[name].test)]
    with TemporaryDirectory() as folder:
        _size_models(results, name, *words, Path(folder))


def _processor_of_first(code):
    """Return the seconds of the processor of a process that has to compile."""
    before = processor_of_children()
    with TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder}
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    return processor_of_children() - before


def _rank_items(results, k):
    model = draw_model(k=k, rank=RANK, rows="power-law", exponent=1.5, seed=0)
    train, test = (sample_counts(model, n=20 * k, seed=seed) for seed in (1, 2))
    X = train.sparse()
    peers = {"NMF": NMF(RANK, init="nndsvda"), "LDA": LatentDirichletAllocation(RANK)}
    for id in ("kn", "ad-lr", "py-lr"):
        options = {"rank": RANK} if id == "ad-lr" else {}
        method(id, **options).fit(sample_counts(model, n=k, seed=3))  # compiles
        seconds, fitted = _seconds(method(id, **options).fit, train)
        best, _ = fitted.top(np.arange(k), LISTED, exclude=train)
        _add(results, k, f"condprob {id}", seconds, best, train, test)
    for name, peer in peers.items():
        seconds, left = _seconds(peer.fit_transform, X)
        scores = left @ peer.components_
        scores[train.contexts, train.outcomes] = -1
        best = np.argsort(-scores, axis=1)[:, :LISTED]
        _add(results, k, f"scikit-learn {name}", seconds, best, train, test)
    if find_spec("implicit"):
        from implicit.als import AlternatingLeastSquares

        als = AlternatingLeastSquares(RANK, num_threads=1, random_state=0)
        weighted = csr_matrix(X, dtype=np.float32).copy()  # it asks for arrays that it may write to
        seconds, _ = _seconds(als.fit, weighted, show_progress=False)
        best, _ = als.recommend(np.arange(k), weighted, LISTED)
        _add(results, k, "implicit ALS", seconds, best, train, test)


def _add(results, k, quantity, seconds, best, train, test):
    """Add the seconds of a fit, and the share of the new pairs of each user that it lists."""
    new = (test.dense() > 0) & (train.dense() == 0)
    listed = np.zeros_like(new)
    np.put_along_axis(listed, np.maximum(best, 0), True, axis=1)
    results.add("front", f"{k} users x {k} items", quantity, "s", [seconds])
    recall = (listed & new).sum() / new.sum()
    results.add("front", f"{k} users x {k} items", f"{quantity}, recall at {LISTED}", "", [recall])


def _size_models(results, name, train, test, folder):
    """Add the size of a model, and how fast whole rows are, beside KenLM's word by word."""
    model = fit_text([train], 2, text=Text(lines=True))
    model.save(folder / "model.npz")
    results.add("front", name, "file of kn", "bytes", [(folder / "model.npz").stat().st_size])
    model.to_arpa(folder / "model.arpa")
    assert LanguageModel.from_arpa(folder / "model.arpa").words == model.words
    histories = [word for word in dict.fromkeys(test) if word in model.words][:50]
    model.model.rows(model.conditions(histories[:1]))  # compiles
    seconds, _ = _seconds(model.model.rows, model.conditions(histories))
    results.add("front", name, "rows over the vocabulary", "a second", [len(histories) / seconds])
    if find_spec("kenlm"):
        import kenlm

        peer = kenlm.Model(str(folder / "model.arpa"))

        def row(history):
            state, end = kenlm.State(), kenlm.State()
            peer.BaseScore(peer.NullContextWrite(state) or state, history, end)
            return [peer.BaseScore(end, word, state) for word in model.words]

        seconds, _ = _seconds(lambda: [row(history) for history in histories])
        results.add("front", name, "KenLM, word by word", "a second", [len(histories) / seconds])


def _seconds(run, *arguments, **options):
    start = time.perf_counter()
    found = run(*arguments, **options)
    return time.perf_counter() - start, found
