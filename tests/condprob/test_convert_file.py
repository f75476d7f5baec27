"""Files of older formats are rewritten, with the same numbers and labels."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from condprob import CountMatrix, Sentences, load, method
from condprob.convert_file import convert
from condprob.io import FORMAT, load_with_labels

# Written by version 0.2.0 of condprob: `MODEL`, with labels.
FORMAT_3 = Path(__file__).with_name("old_files") / "format-3.npz"
TEXT = Sentences.from_words(np.random.default_rng(0).integers(0, 5, 60), 6)
MODEL = method("kn").fit_text(TEXT, 3)


def test_ngrams_of_format_3_are_rewritten(tmp_path):
    with pytest.raises(ValueError, match=r"format-3.npz: of format 3: `python -m condprob"):
        load(FORMAT_3)
    subprocess.run(
        [sys.executable, "-m", "condprob.convert_file", FORMAT_3, tmp_path / "new.npz"], check=True
    )
    found, labels = load_with_labels(tmp_path / "new.npz")
    for name, array in MODEL.arrays().items():
        np.testing.assert_array_equal(found.arrays()[name], array)
    assert labels["contexts"].tolist() == list("abcdef")


@pytest.mark.parametrize("prefix", ["", "matrix_"])
def test_matrices_of_format_1_are_rewritten(tmp_path, prefix):
    arrays = {"left": np.ones((2, 1)), "right": np.full((1, 2), 0.3)}  # scores, without a mark
    arrays = {prefix + name: array for name, array in arrays.items()}
    kind = "sparse plus low rank"
    if prefix:
        arrays |= {"matrix": np.array(kind), "histories": np.array([[0]])}
        kind = "histories"
    labels = {"labels_contexts": np.array(["a", "b"])}
    np.savez(tmp_path / "1.npz", **{FORMAT: np.array([kind, "1"])}, **arrays, **labels)
    with pytest.raises(ValueError, match=r"1\.npz: of format 1: `python -m condprob.convert_file"):
        load(tmp_path / "1.npz")
    convert(tmp_path / "1.npz", tmp_path / "2.npz")
    found, labels = load_with_labels(tmp_path / "2.npz")
    np.testing.assert_array_equal(getattr(found, "matrix", found).dense(), np.full((2, 2), 0.3))
    assert labels["contexts"].tolist() == ["a", "b"]


def test_counts_of_format_1_are_rewritten(tmp_path):
    counts = CountMatrix.from_dense([[3, 0, 1], [0, 2, 0]])
    np.savez(tmp_path / "1.npz", **{FORMAT: np.array(["counts", "1"])}, **counts.arrays())
    convert(tmp_path / "1.npz", tmp_path / "2.npz")
    np.testing.assert_array_equal(CountMatrix.load(tmp_path / "2.npz").dense(), counts.dense())


def test_other_formats_are_refused(tmp_path):
    MODEL.save(tmp_path / "x.npz")
    with pytest.raises(ValueError, match=r"x.npz: of format 2, and 1 or 3 is needed"):
        convert(tmp_path / "x.npz", tmp_path / "y.npz")
    assert not (tmp_path / "y.npz").exists()
