"""The sources of the site: public names are in the API, pages in the contents."""

import ast
import re
from pathlib import Path

import condprob

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = sorted(DOCS.glob("examples/*.py"))


def test_every_public_name_is_in_the_api():
    own = DOCS / "api" / "distributed.md"  # a module that is imported by its name
    pages = sorted(set(DOCS.glob("api/*.md")) - {own})
    api = "".join(path.read_text(encoding="utf-8") for path in pages)
    names = re.findall(r"^\.\. (?:auto|py:)\w+:: (\w+)$", api, re.MULTILINE)
    assert sorted(set(names) - {"ConditionalSmoother"}) == sorted(condprob.__all__)
    assert len(names) == len(set(names))


def test_every_example_has_a_title_and_a_picture_and_needs_no_network():
    assert EXAMPLES
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
            paths = [name.removesuffix(">").rpartition("<")[2].lstrip("/") for name in names]
            listed |= {(page.parent / path).relative_to(DOCS) for path in paths}
    pages = {path.relative_to(DOCS).with_suffix("") for path in DOCS.glob("*.md")}
    pages |= {path.relative_to(DOCS).with_suffix("") for path in DOCS.glob("api/*.md")}
    assert pages - {Path("index")} <= listed
