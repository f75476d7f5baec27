"""What a script depends on: imports, direct and through others."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from condprob import METHODS
from reproduction.studies import STUDIES
from reproduction.study import file_of
from reproduction.trust.dependencies import PACKAGES, estimator_files, imported_modules

SCRIPTS = PACKAGES.parent / "workflow" / "scripts"
FITS, DRAWS = "reproduction.scores.trials:score_file", "reproduction.exhibits.plots:draw_table"


def names(script, methods=(), calls=()):
    """Return the names of the modules that a script depends on."""
    return {path.stem for path in imported_modules(script, methods, map(file_of, calls))}


def test_imports_are_followed_through_modules_and_functions(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import numpy\n\ndef later():\n    from condprob.direct import AddHalf\n")
    assert names(script) >= {"direct", "sparse_plus_low_rank", "smoothing", "counts", "model"}
    assert not names(script) & {"catalogue", "low_rank", "kernels", "numpy"}


def test_public_names_lead_to_their_modules(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from condprob import draw_model\n")
    assert {"synthetic", "counts"} <= names(script)


def test_fits_do_not_depend_on_how_they_are_drawn():
    assert "plots" not in names(SCRIPTS / "score.py", ["kn"], [FITS])
    assert "trials" not in names(SCRIPTS / "score.py")  # a job names its scorer
    drawn = names(SCRIPTS / "draw_exhibit.py", calls=[DRAWS])
    assert "plots" in drawn
    assert not drawn & {"kernels", "trials", "claims"}


def test_a_fit_depends_on_its_own_methods_and_not_on_the_catalogue():
    without, kn, low_rank = (
        names(SCRIPTS / "score.py", methods, [FITS]) for methods in ((), ["kn"], ["ad-lr"])
    )
    assert "kneser_ney" in kn - without
    assert "low_rank" in low_rank - without
    assert "smoothing" in kn & low_rank
    assert "low_rank" not in kn
    assert not (without | kn | low_rank) & {"catalogue"}
    assert {"passes", "other_passes"} <= low_rank - kn


def test_what_a_package_itself_defines_is_code_and_what_it_names_is_not(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from condprob.em import run\nfrom condprob import CountMatrix\n")
    found = {path.relative_to(PACKAGES).as_posix() for path in imported_modules(script)}
    assert found >= {"condprob/em/__init__.py", "condprob/em/passes.py", "condprob/counts.py"}
    assert "condprob/__init__.py" not in found


def test_names_of_a_package_lead_to_their_modules_wherever_it_takes_them(tmp_path, monkeypatch):
    package = tmp_path / "paper"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").write_text("from paper.inner import fit\n")
    (package / "inner" / "__init__.py").write_text("from paper.inner.loop import fit\n")
    (package / "inner" / "loop.py").write_text("import paper.inner.kernel\n")
    (package / "inner" / "kernel.py").write_text("")
    (tmp_path / "script.py").write_text("from paper import fit\n")
    monkeypatch.setattr("reproduction.trust.dependencies.PACKAGES", tmp_path)
    found = [
        path.relative_to(package).as_posix() for path in imported_modules(tmp_path / "script.py")
    ]
    assert found == ["inner/kernel.py", "inner/loop.py"]


@pytest.mark.parametrize("id", METHODS)
def test_a_record_leads_to_the_file_of_its_class(id):
    (file,) = estimator_files(id)
    assert file == Path(inspect.getfile(METHODS[id].estimator))


def test_planning_imports_nothing_heavy():
    """What the rules import in the process of each job, the plans of the studies among it."""
    common = (PACKAGES.parent / "workflow" / "rules" / "common.smk").read_text(encoding="utf-8")
    head = common.partition("\nrefuse_spaces()\n")[0]
    imports = [
        ast.unparse(each) for each in ast.parse(head).body if isinstance(each, ast.ImportFrom)
    ]
    assert len(imports) > 3
    imports += [f"import reproduction.studies.{study}.plan" for study in STUDIES]
    heavy = {"numpy", "scipy", "numba", "pandas", "matplotlib", "jinja2", "nltk"}
    code = "\n".join([*imports, f"import sys; print({heavy} & set(sys.modules))"])
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"
