"""What a script depends on: imports, direct and through others."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from condprob import METHODS
from reproduction.studies import STUDIES
from reproduction.trust.dependencies import PACKAGES, files_at, imported_modules

SCRIPTS = PACKAGES.parent / "workflow" / "scripts"
FITS, DRAWS = "reproduction.scores.trials:score_file", "reproduction.exhibits.plots:draw_table"


def names(script, methods=(), calls=()):
    """Return the names of the modules that a script depends on."""
    return {path.stem for path in imported_modules(script, methods, calls)}


def test_imports_are_followed_through_modules_and_functions(tmp_path):
    script = tmp_path / "script.py"
    later = "import numpy\n\ndef later():\n    from condprob.direct import AddHalf\n"
    calls = ("later()", "[later]", "getattr(numpy, 'later')", "@later\ndef f(): pass")
    for number, call in enumerate(calls):
        script = tmp_path / f"{number}.py"
        script.write_text(f"{later}\n{call}\n")
        assert names(script) >= {"direct", "sparse_plus_low_rank", "smoothing", "counts", "model"}
        assert not names(script) & {"catalogue", "low_rank", "kernels", "numpy"}


def test_a_function_whose_name_stands_nowhere_and_types_import_nothing(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "if TYPE_CHECKING:\n    import condprob.low_rank\n\n\n"
        "class A:\n    def fit(self):\n        return self.later()\n\n"
        "    def later(self):\n        import condprob.direct\n\n"
        "    def __len__(self):\n        import condprob.checks\n"
    )
    assert names(script) >= {"checks"}
    assert not names(script) & {"low_rank", "direct"}
    called = tmp_path / "called.py"
    called.write_text(f"{script.read_text()}\nA().fit()\n")
    assert "direct" in names(called)
    assert "low_rank" not in names(called)


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
    assert {"passes", "starts"} <= low_rank - kn


def test_a_method_that_is_made_by_its_id_is_code(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from condprob.catalogue import method\nmethod('sdr', rank=2).fit([[1]])\n")
    assert names(script) >= {"sdr", "softmax", "estimator"}
    assert not names(script) & {"catalogue", "low_rank", "kneser_ney"}
    calls = ["reproduction.studies.survey.retrieval:score_retrieval"]
    assert names(SCRIPTS / "score.py", calls=calls) >= {"sdr", "lsa", "plsa"}


def test_a_score_on_pairs_does_not_depend_on_texts_and_labels():
    """Those of figure 1(a); a score on histories does."""
    ids = ("add-half", "add-half-lr", "ad-lr", "naive-add-half-lr")
    of_pairs = imported_modules(
        SCRIPTS / "score.py", ids, ["reproduction.scores.trials:score_points"]
    )
    rooms = {path.relative_to(PACKAGES).parts[:2] for path in of_pairs}
    others = {"text", "labels", "labelled_model.py", "distributed.py", "cli", "evaluation.py"}
    assert not rooms & {("condprob", room) for room in others}
    of_texts = names(SCRIPTS / "score.py", ids, ["reproduction.scores.orders:score_orders"])
    assert of_texts >= {"bigram_mixture", "histories", "ngrams", "backoff_model"}


def test_what_a_package_itself_defines_is_code_and_what_it_names_is_not(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from condprob.em import iterate\nfrom condprob import CountMatrix\n")
    found = {path.relative_to(PACKAGES).as_posix() for path in imported_modules(script)}
    assert found >= {"condprob/em/__init__.py", "condprob/entries.py", "condprob/counts.py"}
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
    (file,) = files_at(METHODS[id].where)
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
