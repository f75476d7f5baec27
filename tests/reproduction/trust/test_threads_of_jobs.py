"""The same bytes on one thread and on eight: the library by itself, without the workflow's care."""

import os
import subprocess
import sys

# A text of a few hundred types: the truncated SVD is not the whole matrix.
PROGRAM = """
import hashlib
from condprob import CountMatrix, method
from reproduction.corpora.corpus import load_corpus, word_pairs
from condprob.em.starts import cluster_contexts

entry = {"source": "python", "tokenizer": "letters", "words": 6000, "train": 3000, "test": 3000}
corpus = load_corpus("pydoc", entry)
counts = CountMatrix.from_pairs(*word_pairs(corpus.train), corpus.k)
assert len(counts.seen_contexts) > 300
print(hashlib.sha256(cluster_contexts(counts, 20, 1).tobytes()).hexdigest())
for initial in ("random", "clusters"):
    matrix = method("ad-lr", rank=20, iterations=20, initial=initial).fit(counts, seed=1)
    for array in (matrix.W, matrix.H, matrix.at(*word_pairs(corpus.test))):
        print(hashlib.sha256(array.tobytes()).hexdigest())
"""


def hashes(threads):
    """Run the program with so many threads, and return what it printed."""
    names = ("OMP", "OPENBLAS", "MKL", "NUMBA")
    environment = os.environ | {f"{name}_NUM_THREADS": str(threads) for name in names}
    command = [sys.executable, "-c", PROGRAM]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_clusters_and_fits_do_not_depend_on_the_number_of_threads():
    assert hashes(1) == hashes(8)
