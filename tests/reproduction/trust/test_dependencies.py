"""What a script depends on: imports, direct and through others."""

from reproduction.trust.dependencies import SOURCE, imported_modules


def names(script):
    return {path.stem for path in imported_modules(script)}


def test_imports_are_followed_through_modules_and_functions(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy\n\ndef later():\n    from condprob.estimators.direct import AddHalf\n"
    )
    assert names(script) == {"direct", "sparse_low_rank", "smoothing", "counts"}


def test_public_names_lead_to_their_modules(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from condprob import draw_model\n")
    assert {"synthetic", "counts"} <= names(script)


def test_fits_do_not_depend_on_how_they_are_drawn():
    scripts = SOURCE.parent / "workflow" / "scripts"
    assert "kernels" in names(scripts / "score_trials.py")
    assert "plots" not in names(scripts / "score_trials.py")
    assert "plots" in names(scripts / "draw_exhibit.py")
    assert "kernels" not in names(scripts / "draw_exhibit.py")
