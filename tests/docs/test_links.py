"""Every link from a page of the project to another file, or to a heading in it, leads there."""

import re
import subprocess
from html import unescape
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
PAGES = sorted([*TOP.glob("*.md"), *TOP.glob("docs/**/*.md"), *TOP.glob("benchmarks/**/*.md")])
KEPT = sorted(TOP.glob("results/reference/**/*.html"))
FENCED = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors_of(page):
    """Return the anchors that a forge makes of a page's headings: small letters and hyphens."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", page.read_text("utf-8")), re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


FORGE = "../../actions/"  # of the badge, which the forge serves next to the files


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(TOP)))
def test_links_lead_somewhere(page):
    for target in LINK.findall(FENCED.sub("", page.read_text("utf-8"))):
        if not target.startswith(("http:", "https:", "mailto:", FORGE)):
            path, _, anchor = target.partition("#")
            file = page.parent / path if path else page
            assert file.exists(), target
            if anchor and file.suffix == ".md":
                assert anchor in anchors_of(file), target


@pytest.mark.parametrize("page", KEPT, ids=lambda page: str(page.relative_to(TOP)))
def test_links_of_a_kept_page_lead_somewhere(page):
    """After a move of code: `python -m reproduction.trust.keep --page` of a new run."""
    html = page.read_text("utf-8")
    places = set(re.findall(r'\b(?:id|name)="([^"]*)"', html))
    for target in map(unescape, re.findall(r'\b(?:href|src)="([^"]*)"', html)):
        if not target.startswith(("http:", "https:", "data:")):
            path, _, place = target.partition("#")
            file = (page.parent / path).resolve()
            assert file.is_relative_to(TOP), target
            assert file.is_file() if path else not place or place in places, target


# Folders in which a machine has a checkout, a home or a scratch file.
MACHINE = re.compile(r"""(?<!\w)/(?:home|root|Users|tmp|var/folders|work|workspace|mnt)/[\w.-]+""")
EXAMPLES = {"/home/user", "/home/you", "/tmp/..."}  # names that a page may give a reader's folder


def test_no_file_names_a_path_of_a_machine():
    """Results, pages and figures mean the same wherever they are read."""
    kinds = (
        "html",
        "svg",
        "csv",
        "json",
        "md",
        "ipynb",
        "toml",
        "yaml",
        "yml",
        "bib",
        "cff",
        "txt",
    )
    listed = subprocess.run(
        ["git", "-C", TOP, "ls-files", "-z", *(f"*.{kind}" for kind in kinds)],
        capture_output=True,
        text=True,
        check=False,
    )
    names = [name for name in listed.stdout.split("\0") if name]
    if not names:
        pytest.skip("no files under version control here")
    found = {}
    for name in names:
        text = (TOP / name).read_text("utf-8") if (TOP / name).is_file() else ""
        if paths := set(MACHINE.findall(text)) - EXAMPLES:
            found[name] = sorted(paths)[:5]
    assert not found


def test_anchors_are_those_of_a_forge(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# `kn`: what it is\n\n```\n# no heading\n```\n\n## See [two](x.md), too\n")
    assert anchors_of(page) == {"kn-what-it-is", "see-two-too"}
