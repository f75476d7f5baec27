"""The documentation's recipe for a method, to the letter: from a class and a record to a figure."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml
from inputs import SHIPPED_IDS
from project import Project

TOP = Path(__file__).parents[2]
PAGE = (TOP / "docs" / "methods.md").read_text(encoding="utf-8")  # where the README links to
SECTION = PAGE.partition("## A method of your own")[2].partition("\n## ")[0]
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", SECTION, re.DOTALL)
CATALOGUE = "src/condprob/methods/__init__.py"


def test_the_table_has_every_method():
    table = PAGE.partition("## All methods")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
    listed = [id for cell in cells for id in re.findall(r"`([a-z0-9-]+)`", cell)]
    assert sorted(listed) == sorted([*SHIPPED_IDS, "kn-modified"])


def add_record(catalogue, lines):
    """Add the record of the page to the catalogue."""
    start, record = re.search(r"^(RECORDS = \(\n)(.*\n)", lines, re.MULTILINE).groups()
    others = catalogue.read_text(encoding="utf-8")
    assert others.count(start) == 1
    catalogue.write_text(others.replace(start, start + record), encoding="utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project, with the paper's configuration, in which the recipe was followed."""
    (_, module), _, (_, lines), (_, config) = BLOCKS
    project = Project(tmp_path_factory.mktemp("method") / "copy", tiny=False)
    for settings in project.folder.glob("workflow/studies/*/config.yaml"):
        settings.unlink()  # of the further studies, which take seconds to plan
    path = re.match(r"# (src/\S+\.py)\n", module)[1]
    (project.folder / path).write_text(module, encoding="utf-8")
    add_record(project.folder / CATALOGUE, lines)
    for many, few in (("trials: 100\n", "trials: 10\n"), ("[300, 1000, 3000]", "[300]")):
        assert many in config
        config = config.replace(many, few)
    (project.folder / "mine.yaml").write_text(config, encoding="utf-8")
    project.take_compiled_along()  # no compiled function calls what the recipe adds
    return project


def run(project, *command):
    """Run Python in the copy; return what it printed."""
    ran = subprocess.run(
        [sys.executable, *command],
        cwd=project.folder,
        env=project.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_the_pipeline_draws_it(project):
    (name,) = yaml.safe_load(BLOCKS[3][1])["exhibits"]
    figure = f"results/near_optimal/exhibits/{name}.png"
    # What `make figure NAME=... CONFIG=...` runs.
    status, printed = project.run("-j2", figure, "--configfile", "mine.yaml")
    assert status == 0, printed
    assert (project.folder / figure).stat().st_size > 10_000
    table = pd.read_csv(project.results / "near_optimal" / "exhibits" / f"{name}.csv")
    assert table["method"].unique().tolist() == ["add-half", "dirichlet", "add-half-lr"]
    # A prior in proportion to the unigram beats a uniform one on power-law rows.
    means = table.pivot(index="n", columns="method", values="mean")
    assert (means["dirichlet"] < means["add-half"]).all()


def test_it_is_registered_from_a_module_of_ones_own(tmp_path):
    (tmp_path / "dirichlet.py").write_text(BLOCKS[0][1], encoding="utf-8")
    code = BLOCKS[1][1] + "print(matrix.rows([1]).round(3).tolist(), estimate.about.method)"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    # Of the second context (0 + 50 u, 2 + 50 u, 50 u) / 52; u = (3.5, 2.5, 1.5) / 7.5.
    assert ran.stdout == "[[0.449, 0.359, 0.192]] dirichlet\n", ran.stderr


def test_the_command_line_lists_it(project):
    commands = [["methods"], ["methods", "dirichlet"]]
    code = f"from condprob.cli import main; print([main(each) for each in {commands}])"
    printed = run(project, "-c", code)
    assert "\ndirichlet " in printed
    assert "\n    strength = 100.0: a number > 0\n" in printed
    assert printed.endswith("[0, 0]\n")


# Where the suite looks at each method of the catalogue, and at all of them together.
OF_METHODS = (
    *("condprob/test_contract.py", "condprob/test_rectangles.py"),
    *("condprob/test_texts.py", "condprob/test_catalogue.py"),
    *("condprob/test_edges_of_numbers.py", "condprob/test_matrix.py"),
    *("condprob/test_cli.py", "reproduction/test_config.py"),
    "workflow/test_method_of_readme.py",
)
OF_ALL = (
    "test_the_contract_covers_every_name_and_number_of_every_option",
    "test_every_shipped_method_has_a_slow_reference",
    "test_a_record_is_an_id_a_class_a_label_and_aliases",
    "test_an_alias_leads_to_one_method",
    "test_methods_are_listed_with_a_line_each_and_one_with_its_options",
    *("test_schema_has_the_methods_and_their_options", "test_the_table_has_every_method"),
)


def test_the_suite_stays_green_with_it(project):
    tests = [str(TOP / "tests" / path) for path in OF_METHODS]
    paths = [project.folder / "src", TOP / "tests" / "helpers"]
    command = ["-m", "pytest", "-v", "-n0", "-p", "no:cacheprovider", "-p", "one_method"]
    command += ["--one-method", "dirichlet", *(f"--of-all={name}" for name in OF_ALL)]
    ran = subprocess.run(
        [sys.executable, *command, *tests],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))},
    )
    assert ran.returncode == 0, ran.stdout
    assert "dirichlet has no slow reference" in ran.stdout
    passed = re.findall(r"^tests/(\S+)::(\w+).* PASSED", ran.stdout, re.MULTILINE)
    assert {path for path, _ in passed} == set(OF_METHODS)
    assert {name for _, name in passed} > set(OF_ALL)
