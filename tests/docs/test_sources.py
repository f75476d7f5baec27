"""The sources of the site: each public name is told and shown, each page and example is listed."""

import ast
import re
from pathlib import Path

import condprob

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = sorted([*DOCS.glob("examples/*.py"), *DOCS.glob("tutorials/*.py")])
LEAST = {"examples": 15, "tutorials": 5}


def names_of(path):
    """Return the names that an example imports from the library, or leads to in its words."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text, str(path))
    imported = {
        name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "condprob"
        for name in node.names
    }
    return imported | set(re.findall(r":(?:class|data|func):`condprob\.(\w+)`", text))


def test_every_public_name_is_in_the_api_and_in_an_example():
    api = "".join(path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("api/*.md")))
    told = re.findall(r"^\.\. (?:auto|py:)\w+:: (\w+)$", api, re.MULTILINE)
    assert sorted(set(told) - {"ConditionalSmoother"}) == sorted(condprob.__all__)
    assert len(told) == len(set(told))
    shown = set().union(*map(names_of, EXAMPLES))
    assert set(condprob.__all__) <= shown
    assert shown <= set(condprob.__all__) | {"sklearn"}


def test_every_example_has_a_title_and_a_picture_and_needs_no_network():
    for folder, least in LEAST.items():
        assert sum(path.parent.name == folder for path in EXAMPLES) >= least
        assert (DOCS / folder / "GALLERY_HEADER.rst").is_file()
    for path in EXAMPLES:
        text = path.read_text(encoding="utf-8")
        title, line, *_ = ast.get_docstring(ast.parse(text)).splitlines()
        assert line == "=" * len(title), path
        assert "plt.show()" in text, path
        assert not re.search(r"https?://|urllib|requests|fetch_|download", text), path


def test_every_page_is_in_the_contents():
    listed = set()
    for page in (DOCS / "index.md", DOCS / "api" / "index.md"):
        for block in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            names = [line for line in block.splitlines() if line and not line.startswith(":")]
            listed |= {(page.parent / name.lstrip("/")).relative_to(DOCS) for name in names}
    pages = {path.relative_to(DOCS).with_suffix("") for path in DOCS.glob("*.md")}
    pages |= {path.relative_to(DOCS).with_suffix("") for path in DOCS.glob("api/*.md")}
    assert pages - {Path("index")} <= listed
