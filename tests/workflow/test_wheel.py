"""What a wheel holds: the library alone, which works where nothing of the pipeline is installed."""

import os
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
CACHES = shutil.ignore_patterns("__pycache__", "*.pyc")
ABSENT = ["matplotlib", "nltk", "pandas", "reproduction", "sklearn", "snakemake", "tqdm", "yaml"]
# In a process of its own that finds the wheel first, and none of ABSENT at all.
PROGRAM = f"""
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {ABSENT!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())

import numpy as np
from scipy import sparse
import condprob
from condprob import CountMatrix, load, method

assert condprob.__file__.startswith(sys.argv[1]), condprob.__file__
X = sparse.random(2000, 20, density=0.1, random_state=0, format="coo")
X.data = np.ceil(5 * X.data)
matrix = method("ad-lr", rank=5, iterations=20).fit(X, seed=0)
matrix.save("matrix.safetensors")
again = load("matrix.safetensors")
assert again.shape == (2000, 20)
assert np.allclose(again.dense().sum(axis=1), 1)
assert ((0 <= again.sample(np.arange(2000), seed=1)) & (again.sample([0]) < 20)).all()
CountMatrix.from_sparse(X).save("counts.safetensors")
try:
    method("ad-lr", initial="clusters").fit(X)
except ImportError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--wheel-dir", str(folder), str(TOP)]
    subprocess.run(command, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


def test_a_wheel_holds_the_library_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (entry,) = (name for name in names if name.endswith("entry_points.txt"))
        assert b"condprob=condprob.__main__:main" in archive.read(entry)
        (metadata,) = (name for name in names if name.endswith("METADATA"))
        wanted = archive.read(metadata).decode().splitlines()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"condprob"}
    assert "condprob/py.typed" in names
    needed = {
        line.removeprefix("Requires-Dist: ").split(">")[0]
        for line in wanted
        if line.startswith("Requires-Dist: ") and "extra ==" not in line
    }
    assert needed == {"numpy", "scipy", "numba", "narwhals", "click", "tqdm"}


def test_the_library_works_without_the_pipeline(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    program = f"import sys; sys.path.insert(0, sys.argv[1])\n{PROGRAM}"
    run = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "site")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == (
        "initial = 'clusters' needs scikit-learn: pip install scikit-learn"
    )


def test_a_checkout_gives_the_same_bytes_wherever_it_lies(tmp_path):
    """Given a date of their own, wheel and source archive depend on no date of a file."""
    program = "from flit_core import buildapi as b; b.build_wheel('.'); b.build_sdist('.')"
    built = []
    for name in ("one", "other"):
        folder = tmp_path / name
        shutil.copytree(TOP / "src" / "condprob", folder / "src" / "condprob", ignore=CACHES)
        for path in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(TOP / path, folder)
        environment = os.environ | {"SOURCE_DATE_EPOCH": "1700000000"}
        subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment, check=True)
        files = [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]
        assert len(files) == 2
        built.append({file.name: sha256(file.read_bytes()).hexdigest() for file in files})
    assert built[0] == built[1]
