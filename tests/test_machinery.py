"""The machinery knows no study, claim or method by name, in code or in strings.

A study is described in its two folders, and a method in its record. Docstrings may give examples.
"""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

from condprob import METHODS
from reproduction.config.files import list_files, load_config
from reproduction.studies import STUDIES
from reproduction.study import plan_scopes, source_of

TOP = Path(__file__).parents[1]
OWN = TOP / "src" / "reproduction" / "studies"
MODULES = [
    path for path in sorted((TOP / "src" / "reproduction").rglob("*.py"))
    if OWN not in path.parents
]  # fmt: skip
SCRIPTS = sorted((TOP / "workflow" / "scripts").glob("*.py"))
RULES = [TOP / "Snakefile", *sorted((TOP / "workflow" / "rules").glob("*.smk"))]
PAGES = sorted((TOP / "src" / "reproduction" / "page" / "templates").iterdir())
# The catalogue alone knows the ids of the methods.
LIBRARY = [
    path for path in sorted((TOP / "src" / "condprob").rglob("*.py")) if path.stem != "catalogue"
]
OPTIONS = {"form"}  # of methods: a value of theirs may be an id, too, and "interpolated" is
CLAIMS = {claim.id for study in STUDIES for claim in source_of(study).claims}
# Some names are words as well: a claim has readings, and matrices are structured.
WORDS = {"readings", "beyond", "structured"}
# Prefixes of ids, by which an expression could pick the claims of one source.
PREFIXES = {claim.partition("-")[0] for claim in CLAIMS} - {"figure", "table", "theorem", "theory"}


@pytest.fixture(scope="module")
def names():
    """The names of the studies and of the targets that they make."""
    files = [TOP / file for file in list_files([])]
    # A test of claims and the file of its cases are called theory as well.
    return {*STUDIES, *plan_scopes(load_config(files))} - {"theory"}


def texts_of(path):
    """Yield the strings of a module or a file of rules, without docstrings."""
    code = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        found = tokenize.generate_tokens(io.StringIO(code).readline)
        strings = [(token.type, token.string) for token in found]
        pieces = (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
        for kind, text in strings:
            if kind in pieces and not text.startswith(('"""', 'r"""')):
                yield text.lstrip("rbf").strip("\"'")
        return
    tree = ast.parse(code)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node)
    }
    # A key of a mapping names a part of it, such as the `readings` of a page.
    keys = {id(key) for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in docstrings | keys:
            yield node.value


def names_in(text, names):
    """Return the names of studies in a string: alone, in a path, a module or an expression."""
    found = {name for name in names - WORDS if re.search(rf"(?<![\w-]){name}(?![\w-])", text)}
    return found | {
        name for name in names & WORDS
        if re.search(rf"^{name}$|(^|[/.|(^]){name}[/|)$.]|studies[./]{name}", text)
    }  # fmt: skip


def test_no_module_and_no_rule_names_a_study_or_a_claim(names):
    for path in (*MODULES, *SCRIPTS, *RULES):
        for text in texts_of(path):
            assert not names_in(text, names), (path, text)
            assert text not in CLAIMS, (path, text)
            assert not picks_claims(text), (path, text)


def picks_claims(text):
    """Whether a string is a prefix of ids of claims, or an expression that looks for one."""
    begins = re.findall(r"[a-z]+\d*", text) if text.startswith("^") else [text.removesuffix("-")]
    return text.startswith("^") | text.endswith("-") and bool(PREFIXES.intersection(begins))


def test_no_template_names_a_study_or_a_claim(names):
    """The expressions of a template are checked; its words are its own."""
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        inside = re.findall(r"\{[{%](.*?)[%}]\}", text, re.DOTALL)
        for piece in inside if path.suffix == ".j2" else [text]:
            for _, string in re.findall(r"([\"'])(.*?)\1", piece):
                assert not names_in(string, names), (path, string)
                assert string not in CLAIMS, (path, string)


def compared(path):
    """Yield the strings that a module compares with something, or matches."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if OPTIONS & {getattr(side, "attr", getattr(side, "id", None)) for side in sides}:
                continue
        elif isinstance(node, ast.match_case):
            sides = [node.pattern]
        else:
            continue
        for side in sides:
            for inside in ast.walk(side):
                if isinstance(inside, ast.Constant) and isinstance(inside.value, str):
                    yield inside.value


def test_no_module_tests_for_a_method():
    for path in (*MODULES, *SCRIPTS, *LIBRARY):
        assert not set(compared(path)) & set(METHODS), path
