"""Names are imported when first asked for, and a file is read whatever was asked before."""

import subprocess
import sys

import condprob


def run(code):
    """Run code in a process of its own; return what it printed."""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
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


def test_a_model_is_read_by_a_process_that_has_made_none(tmp_path):
    path = tmp_path / "model.npz"
    made = condprob.method("add-half").fit([[2, 1], [0, 3]])
    made.save(path)
    read = run(f"from condprob import load; print(load({str(path)!r}).dense().tolist())")
    assert read == str(made.dense().tolist())
