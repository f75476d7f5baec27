"""The site, built by Sphinx from the top folder of the repository: see `make docs`."""

import io
import os
import re
from contextlib import redirect_stdout, suppress
from pathlib import Path
from shutil import copyfile

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx import addnodes

import condprob
from condprob.catalogue import METHODS
from condprob.cli import main as run_command
from condprob.options import lines_of
from reproduction.config.files import list_files, load_config
from reproduction.page.index import write_index
from reproduction.study import plan_scopes

TOP = Path(__file__).parents[1]
os.environ |= {"COLUMNS": "84", "NO_COLOR": "1"}  # of the help of commands
COMMANDS = ("fit", "score", "compare", "top", "sample", "methods")
PAGE = "Its page, with every verdict, table and interval"
os.chdir(TOP)  # where the files of the configuration are looked for
SCOPES = plan_scopes(load_config(list_files([])))

project, author = "condprob", "The condprob authors"
copyright = author
version = release = condprob.__version__

# Pages are where their Markdown is, at the top and in docs, so that a link means the same here and
# where a forge shows the file.
root_doc = "docs/index"
include_patterns = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "docs/**"]
exclude_patterns = [
    ".*", "benchmarks", "logs", "notebooks", "results", "src", "tests", "workflow",
    "docs/_build", "docs/_extra", "docs/_static", "docs/examples", "docs/tutorials",
]  # fmt: skip
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_gallery.gen_gallery",
]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"condprob {release}"
html_static_path = ["_static"]
html_extra_path = ["_extra"]  # leads from the top of the site to its first page
html_css_files = ["site.css"]
html_copy_source = False
html_show_search_summary = False  # it would be fetched, which a browser refuses of files

default_role = "py:obj"  # `condprob.fit` in a docstring is a link, where there is such a name
autodoc_typehints = "none"  # the docstrings tell the types
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False

sphinx_gallery_conf = {
    "examples_dirs": ["docs/tutorials", "docs/examples"],
    "gallery_dirs": ["docs/gallery/tutorials", "docs/gallery/examples"],
    "within_subsection_order": "FileNameSortKey",
    "filename_pattern": "/",  # all of them are run
    "doc_module": ("condprob",),
    "backreferences_dir": "docs/gallery/names",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
}


class Studies(Directive):
    """What was made of each study: its page, if there is one, and the figures of its reference."""

    def run(self):
        """Return a section for each of them."""
        return [describe(scope) for scope in SCOPES.values()]


class Options(Directive):
    """Every method with its options: what they may be, their defaults, what they do."""

    def run(self):
        """Return a section for each."""
        return [describe_method(record) for record in METHODS.values()]


def describe_method(record):
    """Return the section of a method, with a line or two for each option."""
    section = nodes.section("", nodes.title("", record.id), ids=[f"method-{record.id}"])
    about, listed = lines_of(record.estimator), nodes.definition_list()
    for name, option in record.options.items():
        told = about.get(name, "").replace("`", "")
        what = nodes.paragraph("", f"{option.wanted[0].upper()}{option.wanted[1:]}. {told}")
        term = nodes.term("", "", nodes.literal("", f"{name} = {option.default}"))
        listed += nodes.definition_list_item("", term, nodes.definition("", what))
    told = record.label if len(listed) else f"{record.label}; it has no options."
    section += [nodes.paragraph("", told), *([listed] if len(listed) else [])]
    return section


class Commands(Directive):
    """What each command says of itself."""

    def run(self):
        """Return a section for each."""
        return [self.describe(name) for name in COMMANDS]

    def describe(self, name):
        """Return the section of a command: its help."""
        told = io.StringIO()
        with redirect_stdout(told), suppress(SystemExit):
            run_command([name, "--help"])
        parts = nodes.title("", f"condprob {name}"), nodes.literal_block("", told.getvalue())
        return nodes.section("", *parts, ids=[f"cli-{name}"])


def describe(scope):
    """Return the section of a study: its question, where its page is, and its figures."""
    section = nodes.section("", nodes.title("", scope.title), ids=[f"study-{scope.name}"])
    section += nodes.paragraph("", scope.question)
    page = f"results/{scope.name}/report.html"
    if (TOP / page).is_file():
        section += nodes.paragraph("", "", nodes.reference("", PAGE, refuri=f"../{page}"))
    else:
        target = "reproduce" if scope.name == next(iter(SCOPES)) else scope.name
        made = nodes.literal("", f"make {target}")
        section += nodes.paragraph("", "", nodes.Text("Its page has not been made here: "), made)
    for name, title in scope.titles().items():
        picture = Path("results", "reference", scope.name, "exhibits", f"{name}.png")
        if (TOP / picture).is_file():
            image = nodes.image(uri=f"/{picture.as_posix()}", alt=title)
            section += nodes.figure("", image, nodes.caption("", title))
    return section


def add_examples(app, what, name, obj, options, lines):
    """End what is said of a public name with the examples that use it."""
    if (
        app.builder.name == "html"
        and name.count(".") == 1
        and what in ("class", "exception", "function")
    ):
        lines += ["", f".. minigallery:: {name}", ""]


def copy_pages(app, exception):
    """Copy the pages of studies that were made, and their front page, into the site."""
    results = TOP / "results"
    made = [name for name in SCOPES if (results / name / "report.html").is_file()]
    if exception or not made:
        return
    write_index(results, SCOPES)
    for name in ("index.html", *(f"{name}/report.html" for name in made)):
        target = Path(app.outdir, "results", name)
        target.parent.mkdir(parents=True, exist_ok=True)
        copyfile(results / name, target)


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


def setup(app):
    """Tell Sphinx of what is ours."""
    for directive in (Studies, Options, Commands):
        app.add_directive(directive.__name__.lower(), directive)
    app.connect("autodoc-process-docstring", split_names, priority=400)
    app.connect("autodoc-process-docstring", keep_underscores, priority=600)
    app.connect("autodoc-process-docstring", add_examples)
    app.connect("doctree-read", leave_words)
    app.connect("build-finished", copy_pages)
