"""Names are imported when first asked for, and a file is read whatever was asked before."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import condprob

PACKAGE = Path(condprob.__file__).parent


def run(code, **variables):
    """Run code in a process of its own; return what it printed."""
    command, env = [sys.executable, "-c", code], {**os.environ, **variables}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_the_catalogue_and_the_version_wait_for_no_compiler():
    code = "import sys, condprob; condprob.__version__; from condprob import METHODS; "
    assert run(code + "print({'numpy', 'numba', 'scipy'} & {*sys.modules})") == "set()"


def test_a_method_imports_nothing_of_the_pipeline_and_nothing_optional():
    heavy = {"pandas", "sklearn", "nltk", "matplotlib", "snakemake", "reproduction"}
    code = f"import condprob, sys; condprob.method('ad-lr'); print({heavy!r} & set(sys.modules))"
    assert run(code) == "set()"


def test_a_name_that_is_none_is_an_attribute_error():
    assert run("import condprob; print(hasattr(condprob, 'nothing'))") == "False"


def test_names_are_found_in_a_zip_archive(tmp_path):
    """As with zipapp, ``--py-files`` of Spark, or a layer of AWS Lambda."""
    with zipfile.ZipFile(tmp_path / "site.zip", "w") as archive:
        for path in PACKAGE.rglob("*.py"):
            archive.write(path, Path("condprob") / path.relative_to(PACKAGE))
    code = "import condprob; print('kn' in condprob.METHODS, condprob.__file__)"
    archive = tmp_path / "site.zip"
    assert run(code, PYTHONPATH=str(archive)) == f"True {archive / 'condprob' / '__init__.py'}"


def test_a_model_is_read_by_a_process_that_has_made_none(tmp_path):
    path = tmp_path / "model.npz"
    made = condprob.method("add-half").fit([[2, 1], [0, 3]])
    made.save(path)
    read = run(f"from condprob import load; print(load({str(path)!r}).dense().tolist())")
    assert read == str(made.dense().tolist())


def test_a_mixture_is_read_by_a_process_that_has_used_none_of_its_methods(tmp_path):
    path, lines = tmp_path / "mixture.safetensors", ["a b c", "a b d"] * 5
    parts = [condprob.fit_text(lines, 2, method=id) for id in ("ll-l1", "kn")]
    made = condprob.mix(parts, weights=[0.5, 0.5])
    made.save(path)
    read = run(f"from condprob import load; print(load({str(path)!r}).prob('a', 'b'))")
    assert read == str(made.prob("a", "b"))
