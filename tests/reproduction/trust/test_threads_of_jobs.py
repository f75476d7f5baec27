"""The same numbers elsewhere: the library by itself, without the workflow's care.

The same bytes on one thread and on eight; within a method's tolerance by other instructions.
"""

import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest

from reproduction.verify import RELATIVE

# A text of a few hundred types: the truncated SVD is not the whole matrix.
PROGRAM = """
import hashlib
from condprob import CountMatrix, cross_entropy, method
from reproduction.corpora.corpus import load_corpus, word_pairs
from condprob.methods.em.clusters import cluster_contexts

entry = {"source": "python", "tokenizer": "letters", "words": 6000, "train": 3000, "test": 3000}
corpus = load_corpus("pydoc", entry)
counts, test = (
    CountMatrix.from_pairs(*word_pairs(words), corpus.k) for words in (corpus.train, corpus.test)
)
assert len(counts.seen_contexts) > 300
print(hashlib.sha256(cluster_contexts(counts, 20, 1).tobytes()).hexdigest(), "-", 0)
few = {"rank": 20, "iterations": 20}
for id, options in (
    ("add-half", {}), ("sb", {}), ("kn", {}), ("naive-ad-lr", few),
    ("ad-lr", few | {"initial": "random"}), ("ad-lr", few | {"initial": "clusters"}),
):
    matrix = method(id, **options).fit(counts, seed=1)
    cells = matrix.at(*word_pairs(corpus.test))
    print(hashlib.sha256(cells.tobytes()).hexdigest(), id, cross_entropy(test, matrix).hex())
"""


def run_program(threads, **variables):
    """Run the program with so many threads; return a hash, a method and a number for each line."""
    names = ("OMP", "OPENBLAS", "MKL", "NUMBA")
    environment = os.environ | {f"{name}_NUM_THREADS": str(threads) for name in names}
    command = [sys.executable, "-c", PROGRAM]
    run = subprocess.run(
        command, env=environment | variables, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return [line.split() for line in run.stdout.splitlines()]


@pytest.fixture(scope="module")
def on_one_thread():
    """The same of this process, whose linear algebra has one thread."""
    with redirect_stdout(StringIO()) as printed:
        exec(PROGRAM, {})
    return [line.split() for line in printed.getvalue().splitlines()]


def test_clusters_and_fits_do_not_depend_on_the_number_of_threads(on_one_thread):
    assert run_program(8) == on_one_thread


def test_other_instructions_of_the_processor_give_the_same_within_tolerance(on_one_thread):
    found = np.show_config("dicts")["SIMD Extensions"].get("found", [])
    if not found:
        pytest.skip("numpy uses no more than the least of this kind of processor has")
    others = {"NPY_DISABLE_CPU_FEATURES": " ".join(found), "OPENBLAS_CORETYPE": "Nehalem"}
    for here, there in zip(on_one_thread[1:], run_program(1, **others)[1:], strict=True):
        id, mean = here[1], float.fromhex(here[2])
        assert float.fromhex(there[2]) == pytest.approx(mean, rel=RELATIVE, abs=0), id
