"""The site, built by Sphinx from the top folder of the repository: see `make docs`."""

import io
import json
import os
import re
from base64 import b64decode
from contextlib import redirect_stdout, suppress
from pathlib import Path
from shutil import copyfile

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx import addnodes

import condprob
from condprob.catalogue import METHODS
from condprob.cli import group
from condprob.cli import main as run_command
from condprob.options import lines_of_options
from reproduction.config import list_files, load_config
from reproduction.page.index import write_index
from reproduction.study import source_of, studies_in_words, words_of

TOP = Path(__file__).parents[1]
os.environ |= {"COLUMNS": "84", "NO_COLOR": "1"}  # of the help of commands
LINK = re.compile(r'<a href="(?P<address>[^"]*)"[^>]*>(?P<text>.*?)</a>', re.DOTALL)
LARGEST_COPIED = 1_000_000  # bytes of a result that the site has a copy of
PAGE = "Its page, with every verdict, table and interval"
os.chdir(TOP)  # where the files of the configuration are looked for
TARGETS = studies_in_words()
CONFIG = load_config(list_files([]))
ENTRIES = [CONFIG["exhibits"], CONFIG["studies"].get("beyond", {}).get("exhibits", {})]
ENTRIES += [words_of(target.package).get("exhibits", {}) for target in TARGETS.values()]
TITLES = {name: each["title"] for entries in ENTRIES for name, each in entries.items()}

project, author = "condprob", "The condprob authors"
copyright = author
version = release = condprob.__version__

# Pages are where their Markdown is, at the top and in docs, so that a link means the same here and
# where a forge shows the file.
root_doc = "docs/index"
include_patterns = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md", "docs/**"]
exclude_patterns = [
    ".*",
    "benchmarks",
    "logs",
    "notebooks",
    "results",
    "src",
    "tests",
    "workflow",
    "docs/_build",
    "docs/_extra",
    "docs/_static",
    "docs/examples",
]
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_gallery.gen_gallery",
]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
myst_heading_anchors = 3
myst_enable_extensions = ["dollarmath"]
html_math_renderer = "mathml"

html_theme = "furo"
html_title = f"condprob {release}"
html_static_path = ["_static"]
html_extra_path = ["_extra"]  # leads from the top of the site to its first page
html_css_files = ["site.css"]
html_copy_source = False
html_show_search_summary = False  # it would be fetched, which a browser refuses of files

default_role = "py:obj"  # `condprob.fit` in a docstring is a link, where there is such a name
autodoc_typehints = "none"  # the docstrings have the types
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False

sphinx_gallery_conf = {
    "examples_dirs": ["docs/examples"],
    "gallery_dirs": ["docs/gallery"],
    "within_subsection_order": "FileNameSortKey",
    "filename_pattern": "/",  # all of them are run
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
}


class Studies(Directive):
    """A section for each study: its page, if there is one, and the figures of its reference."""

    def run(self):
        """Return the sections."""
        return [describe_target(target) for target in TARGETS.values()]


class Options(Directive):
    """A section for each method: its options, their defaults and meaning."""

    def run(self):
        """Return the sections."""
        return [describe_method(record) for record in METHODS.values()]


class Commands(Directive):
    """A section for each command: its help."""

    def run(self):
        """Return the sections."""
        return [describe_command(name) for name in group.commands]


def describe_method(record):
    """Return the section of a method, with a line or two for each option."""
    section = nodes.section("", nodes.title("", record.id), ids=[f"method-{record.id}"])
    about, listed = lines_of_options(record.estimator), nodes.definition_list()
    for name, option in record.options.items():
        meaning = about.get(name, "").replace("`", "")
        allowed = f"{option.wanted[0].upper()}{option.wanted[1:]}."
        definition = nodes.definition("", nodes.paragraph("", f"{allowed} {meaning}"))
        term = nodes.term("", "", nodes.literal("", f"{name} = {option.default}"))
        listed += nodes.definition_list_item("", term, definition)
    label = record.label if len(listed) else f"{record.label}; it has no options."
    section += [nodes.paragraph("", label), *([listed] if len(listed) else [])]
    return section


def describe_command(name):
    """Return the section of a command: its help."""
    printed = io.StringIO()
    with redirect_stdout(printed), suppress(SystemExit):
        run_command([name, "--help"])
    parts = nodes.title("", f"condprob {name}"), nodes.literal_block("", printed.getvalue())
    return nodes.section("", *parts, ids=[f"cli-{name}"])


def describe_target(target):
    """Return the section of a study: its question, where its page is, and its figures."""
    section = nodes.section("", nodes.title("", target.title), ids=[f"study-{target.name}"])
    section += nodes.paragraph("", target.question)
    pages = [f"results/{folder}{target.name}/report.html" for folder in ("", "reference/")]
    page = next((page for page in pages if (TOP / page).is_file()), None)
    if page:
        section += nodes.paragraph("", "", nodes.reference("", PAGE, refuri=f"../{page}"))
    else:
        name = "reproduce" if target.name == next(iter(TARGETS)) else target.name
        command = nodes.literal("", f"make {name}")
        section += nodes.paragraph("", "", nodes.Text("Its page has not been made here: "), command)
    for name in list_figures(target):
        title = TITLES.get(name, name)
        picture = Path("results", "reference", target.name, "exhibits", f"{name}.png")
        image = nodes.image(uri=f"/{picture.as_posix()}", alt=title)
        section += nodes.figure("", image, nodes.caption("", title))
    return section


def list_figures(target):
    """Return the names of the figures of a target's reference, in the order of its source."""
    folder = TOP / "results" / "reference" / target.name / "exhibits"
    found = sorted(path.stem for path in folder.glob("*.png"))
    order = source_of(target.package).order
    return sorted(found, key=lambda name: order.index(name) if name in order else len(order))


def write_math(self, node):
    r"""Write a formula as MathML, which needs no script; ``\tag{n}`` is its number."""
    is_block = isinstance(node, nodes.math_block)
    text = node.astext()
    number = re.search(r"\\tag\{(.+?)\}", text)
    formula = tex2mathml(text.replace(number[0], "") if number else text, as_block=is_block)
    if is_block:
        eqno = f'<span class="eqno">({number[1]})</span>' if number else ""
        formula = f'<div class="math">{eqno}{formula}</div>'
    self.body.append(formula)
    raise nodes.SkipNode


def write_notebooks(app):
    """Write each notebook as a page: its texts and programs, what they printed and drew."""
    folder = TOP / "docs" / "notebooks"
    folder.mkdir(exist_ok=True)
    for path in sorted((TOP / "notebooks").glob("*.ipynb")):
        parts = []
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            text = "".join(cell["source"])
            is_text = cell["cell_type"] == "markdown"
            parts.append(text.replace("](../", "](../../") if is_text else fence("python", text))
            for output in cell.get("outputs", ()):
                name = f"{path.stem}-{len(parts)}.png"
                parts.append(show_output(output, folder / name))
        (folder / f"{path.stem}.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def show_output(output, picture):
    """Return what a cell of a notebook shows, in Markdown: a picture, or a table, or text.

    A picture is written to the file ``picture``.
    """
    data = {form: "".join(content) for form, content in output.get("data", {}).items()}
    if "image/png" in data:
        picture.write_bytes(b64decode(data["image/png"]))
        return f"![what the program above draws]({picture.name})"
    if "text/html" in data:  # a wide table scrolls in its box
        return fence("{raw} html", f'<div class="output">\n{data["text/html"]}\n</div>')
    if "text/markdown" in data:
        return data["text/markdown"]
    return fence("text", "".join(output.get("text", data.get("text/plain", ""))))


def fence(language, text):
    """Return a block of code in Markdown; nothing where there is no text."""
    return f"````{language}\n{text.rstrip()}\n````" if text.strip() else ""


def copy_pages(app, exception):
    """Copy the pages of studies into the site: those made here, and those of references."""
    results, site = TOP / "results", Path(app.outdir)
    if exception:
        return
    made = [name for name in TARGETS if (results / name / "report.html").is_file()]
    if made:
        write_index(results, TARGETS)
        copy_page(results / "index.html", site)
    for page in (
        *(results / name / "report.html" for name in made),
        *results.glob("reference/*/report.html"),
    ):
        copy_page(page, site)


def copy_page(page, site):
    """Copy the page of a study with the results that it shows or leads to.

    Links to what the site lacks, such as code and large files of scores, become text.
    """

    def is_there(address):
        path = Path(os.path.normpath(page.parent / address))
        if not path.is_relative_to(TOP / "results") or not path.is_file():
            return False
        target = site / path.relative_to(TOP)
        if path.suffix != ".html" and path.stat().st_size <= LARGEST_COPIED:
            target.parent.mkdir(parents=True, exist_ok=True)
            copyfile(path, target)
        return path.suffix == ".html" or target.is_file()

    def link(found):
        address = found["address"].partition("#")[0]
        is_kept = not address or "://" in address or is_there(address)
        return found[0] if is_kept else found["text"]

    html = page.read_text(encoding="utf-8")
    for address in re.findall(r'\bsrc="(?!data:)([^"]*)"', html):
        is_there(address)
    target = site / page.relative_to(TOP)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(LINK.sub(link, html), encoding="utf-8")


def leave_badge_out(app, docname, source):
    """Remove the badge of the README: it is an address of the forge, not of the site."""
    source[0] = re.sub(r"^\[!\[.*\n", "", source[0], count=1, flags=re.MULTILINE)


def split_names(app, what, name, obj, options, lines):
    """Give each name of "contexts, outcomes : Vocabulary" a line of its own, before napoleon."""
    for place, line in reversed(list(enumerate(lines))):
        found = re.fullmatch(r"(\w+(?:, \w+)+) : (.+)", line)
        if found:
            lines[place : place + 1] = [f"{each} : {found[2]}" for each in found[1].split(", ")]


def keep_underscores(app, what, name, obj, options, lines):
    """Escape an underscore at the end of an attribute's name, after napoleon: else it is a link."""
    lines[:] = [re.sub(r"^(:(?:ivar|vartype) \w+)_:", r"\1\\_:", line) for line in lines]


def leave_words(app, doctree):
    """Unlink what leads nowhere: folders of the repository, and words of types, as in "shape"."""
    for node in list(doctree.findall(addnodes.pending_xref)):
        target = node["reftarget"]
        is_folder = (
            node["reftype"] == "myst"
            and (Path(app.env.doc2path(app.env.docname)).parent / target).is_dir()
        )
        is_word = node["reftype"] == "class" and target.islower()
        if is_folder or is_word:
            node.replace_self(node.children)


def lead_to_pages(app, doctree):
    """Lead links to the page of a study to its copy in the site: a download has no pictures."""
    here = Path(app.env.doc2path(app.env.docname)).parent
    for node in list(doctree.findall(addnodes.download_reference)):
        page = Path(os.path.normpath(here / node["reftarget"]))
        if page.name == "report.html":
            address = os.path.relpath(page, here)
            node.replace_self(nodes.reference("", "", *node.children, refuri=address))


def setup(app):
    """Register the directives, the renderer of formulas and the handlers above."""
    for directive in (Studies, Options, Commands):
        app.add_directive(directive.__name__.lower(), directive)
    app.add_html_math_renderer("mathml", (write_math, None), (write_math, None))
    app.connect("source-read", leave_badge_out)
    app.connect("autodoc-process-docstring", split_names, priority=400)
    app.connect("autodoc-process-docstring", keep_underscores, priority=600)
    app.connect("doctree-read", leave_words)
    app.connect("doctree-read", lead_to_pages, priority=400)  # before downloads are collected
    app.connect("builder-inited", write_notebooks)
    app.connect("build-finished", copy_pages)
