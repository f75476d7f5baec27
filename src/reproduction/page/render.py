"""Both pages share templates, the looks of verdicts, formulas in HTML, and links to the code."""

import math
import os
import re
from functools import partial
from pathlib import Path

from markupsafe import Markup, escape

from reproduction.study import TOP
from reproduction.verdicts.criteria import (
    FAILED,
    NOT_RUN,
    PARTLY,
    REPRODUCED,
    TRIVIAL,
    UNTESTED,
    WITHIN,
)

TEMPLATES = Path(__file__).parent / "templates"
MINUS, TIMES, INFINITY = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}", "\N{INFINITY}"
DEPENDS = "depends on the setting"  # in place of verdicts that differ between settings
# Of each verdict a class, and a sign, because colour alone must not carry a meaning.
LOOKS = {
    REPRODUCED: ("reproduced", "✓"),
    PARTLY: ("partly", "≈"),
    FAILED: ("failed", "✗"),
    WITHIN: ("within", "≤"),
    TRIVIAL: ("trivial", "∅"),
    NOT_RUN: ("larger", "…"),
    UNTESTED: ("untested", "○"),
    DEPENDS: ("depends", "±"),
}
_FORMULAS = [
    (r"\b([A-Z])_([A-Za-z]+)\b", r"<i>\1</i><sub>\2</sub>"),
    (r"\^\(([^)]+)\)", r"<sup>\1</sup>"),
    (rf"\^([{MINUS}-]?\w+)", r"<sup>\1</sup>"),
    (r"&gt;&gt;", "≫"),
    (r"&lt;&lt;", "≪"),
    (r"\beps\b", "ε"),
    (r"\bl1 distance", "&ell;<sub>1</sub> distance"),
    (r"(?<![\w-])-(?=\d)", MINUS),
]


def render_page(template, values, repository="", provenance=None):
    """Return the HTML of a template, by its file name among `TEMPLATES`.

    The code is published at the address ``repository``, if at all; links lead to the commit of the
    provenance. Otherwise they lead from the page, RESULTS/TARGET/report.html, to the local files.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = format_scientific
    environment.filters["math"] = set_formulas
    results = values.get("results", "")
    environment.filters["code"] = _link_to_code(repository, provenance or {}, results)
    environment.filters["result"] = partial(_link_to_result, results)
    return environment.get_template(template).render(values)


def look_of_verdicts(count):
    """Return each verdict with its looks, and its number by the function ``count``."""
    return [
        {"verdict": verdict, "look": look, "sign": sign, "count": count(verdict)}
        for verdict, (look, sign) in LOOKS.items()
    ]


def read_verdict(text):
    """Return a verdict of the abstract, perhaps "2 of 3 reproduced", with its class and sign.

    Of several claims the class is that of all, or that of a part of them.
    """
    number, of, rest = text.partition(" of ")
    if of and number.isdecimal():
        total, _, name = rest.partition(" ")
        part = name if number == total else FAILED if number == "0" else PARTLY
        return {"verdict": text} | dict(zip(("look", "sign"), LOOKS[part], strict=True))
    return {"verdict": text} | dict(zip(("look", "sign"), LOOKS[text], strict=True))


def sum_up(verdicts):
    """Return the verdict on a claim under all settings, or `DEPENDS`."""
    return verdicts[0] if len(set(verdicts)) == 1 else DEPENDS


def _link_to_result(results, path, text=None):
    """Return a link to a file below the folder of results, named by its whole path or a text."""
    shown = text or Markup("<code>{}/{}</code>").format(results, path)
    return Markup('<a href="../{}">{}</a>').format(path, shown)


def _link_to_code(repository, provenance, results):
    """Return a filter for the path of a file of the code, perhaps with ``#L`` and a line: a link.

    Where the code is not published, it leads from the page to the checkout.
    """
    git = provenance.get("git") or {}
    commit = git["commit"] if git and not git["dirty"] else "HEAD"
    above = f"{os.path.relpath(TOP, Path(results, 'target'))}/"
    top = f"{repository.rstrip('/')}/blob/{commit}/" if repository else above

    def show(path, text=None):
        shown = Markup("<code>{}</code>").format(text or path)
        return Markup('<a href="{}">{}</a>').format(f"{top}{path}", shown) if top else shown

    return show


def set_formulas(text):
    """Set plain formulas in HTML: ``C_ij``, ``log^2``, ``k >> n``, ``eps``."""
    text = str(escape(text))
    for pattern, set_as in _FORMULAS:
        text = re.sub(pattern, set_as, text)
    return Markup(text)


def format_scientific(value):
    """Write a number with three digits."""
    if math.isinf(value):
        return INFINITY if value > 0 else MINUS + INFINITY
    text = f"{value:.3g}"
    digits, _, exponent = text.partition("e")
    return f"{digits} {TIMES} 10^{int(exponent)}" if exponent else text
