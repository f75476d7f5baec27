"""Every link from a page of the project to another file, or to a heading in it, leads there."""

import re
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
PAGES = sorted([*TOP.glob("*.md"), *TOP.glob("docs/**/*.md")])
FENCED = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors_of(page):
    """Return the anchors that a forge makes of a page's headings: small letters and hyphens."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", page.read_text("utf-8")), re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(TOP)))
def test_links_lead_somewhere(page):
    for target in LINK.findall(FENCED.sub("", page.read_text("utf-8"))):
        if not target.startswith(("http:", "https:", "mailto:")):
            path, _, anchor = target.partition("#")
            file = page.parent / path if path else page
            assert file.exists(), target
            if anchor and file.suffix == ".md":
                assert anchor in anchors_of(file), target


def test_anchors_are_those_of_a_forge(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# `kn`: what it is\n\n```\n# no heading\n```\n\n## See [two](x.md), too\n")
    assert anchors_of(page) == {"kn-what-it-is", "see-two-too"}
