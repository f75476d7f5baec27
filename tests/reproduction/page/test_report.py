"""The page as HTML; how it behaves in a browser is in test_report_in_browser.py."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_up_page import (
    CONFIG,
    PROVENANCE,
    REASON,
    TARGET,
    claim_all_of_it,
    write_page,
)
from PIL import Image

from reproduction.exhibits.tables import compare_with_paper
from reproduction.page.claims import under_setting
from reproduction.page.pictures import describe_figure, describe_pictures
from reproduction.page.render import LOOKS, TEMPLATES, read_verdict, set_formulas
from reproduction.page.report import _abstract, _cells, describe_convergence, link_texts
from reproduction.studies.near_optimal.source import SOURCE
from reproduction.verdicts import comparisons, orders
from reproduction.verdicts.criteria import CRITERIA, VERDICTS
from reproduction.verdicts.judge import TESTS
from reproduction.verdicts.source import Setting

INDEX = "../index.html"  # of all studies, beside the folder of the page
VOID = {"meta", "img", "input", "br"}


class Page(HTMLParser):
    """Elements in order, with their attributes; complains of one that is closed out of turn."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.text = [], [], {}
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append((tag, len(self.elements) - 1))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        for _, place in self.open:
            self.text[place] = self.text.get(place, "") + data

    def all(self, *tags):
        return [attributes for tag, attributes in self.elements if tag in tags]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="module")
def page(written):
    return Page(written[0])


def test_pictures_are_the_files_next_to_the_page_and_nothing_else_is_fetched(written, page):
    addresses = {attributes["src"] for attributes in page.all("img")}
    assert addresses == {"exhibits/table-1.png", "exhibits/figure-1b.png"}
    assert not page.all("link", "iframe", "object", "base")
    assert all("src" not in attributes for attributes in page.all("script"))
    assert not re.search(r"@import|url\((?!%23)|fetch\(|XMLHttpRequest", written[0])
    assert "default-src 'none'" in written[0]


def test_a_picture_has_its_size(tmp_path):
    Image.new("RGB", (30, 20)).save(tmp_path / "a.png")
    found = describe_pictures({"a": tmp_path / "a.png"})
    assert found == {"a": {"address": "exhibits/a.png", "width": 30, "height": 20}}


def test_headings_are_in_order(page):
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_ids_are_unique_and_links_within_the_page_lead_somewhere(page):
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    inside = [a["href"][1:] for a in page.all("a") if a["href"].startswith("#")]
    assert set(inside) <= set(ids)


def links(page):
    """The addresses outside of the page."""
    return {a["href"] for a in page.all("a") if not a["href"].startswith("#")} - {INDEX}


def test_files_are_links_from_the_page_and_named_by_their_paths(page):
    """Whoever gets the page alone, by mail, still reads where they are."""
    found, top = links(page) - {SOURCE.link}, Path(__file__).parents[3]
    assert SOURCE.link in links(page)
    code = {link.partition("#")[0] for link in found if link.startswith("../../")}
    assert "../../workflow/rules/score.smk" in code
    assert "../../src/reproduction/studies/near_optimal/words.toml" in code
    assert all((top / link.removeprefix("../../")).is_file() for link in code)
    files = ("claims.csv", "claims-settings.csv", "claims-evidence.csv", "theory.csv")
    for name in (*files, "exhibits/table-1.csv", "exhibits/figure-1b.svg"):
        assert f"../near_optimal/{name}" in found
        assert f"results/near_optimal/{name}" in page.text[0] or name.endswith(".svg")


def test_a_claim_leads_to_the_line_that_states_it(page):
    top, found = Path(__file__).parents[3], [a for a in links(page) if "words.toml#L" in a]
    assert found
    for link in found:
        path, _, line = link.removeprefix("../../").partition("#L")
        text = (top / path).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        assert text.startswith('id = "')
    # The claims on the cells of Table 1 are made in code.
    assert "../../src/reproduction/studies/near_optimal/source.py" in links(page)


@pytest.mark.parametrize(
    ("dirty", "commit"), [(True, "HEAD"), (False, PROVENANCE["git"]["commit"])]
)
def test_code_is_linked_where_it_is_published(tmp_path, dirty, commit):
    config = CONFIG | {"repository": "https://example.org/condprob/"}
    provenance = PROVENANCE | {"git": PROVENANCE["git"] | {"dirty": dirty}}
    found = links(Page(write_page(tmp_path, config, figures=True, provenance=provenance)[0]))
    code = {link for link in found if "example.org" in link}
    assert f"https://example.org/condprob/blob/{commit}/workflow/rules/score.smk" in code
    assert all(link.startswith(f"https://example.org/condprob/blob/{commit}/") for link in code)
    top = Path(__file__).parents[3]
    paths = {link.split(f"{commit}/")[1].partition("#")[0] for link in code}
    assert all((top / path).is_file() for path in paths)


def shares(**converged):
    """Return the shares on the page of methods whose fits had converged to these shares."""
    ids = {name: name.replace("_", "-") for name in converged}
    rows = [{"method": n, "seeds": 4, "converged": share} for n, share in converged.items()]
    found = describe_convergence(
        pd.DataFrame(rows), {name: {"method": id} for name, id in ids.items()}, ids
    )
    return {row["label"]: row["share"] for row in found}


def test_convergence_is_shown_of_fits_that_iterate_whatever_the_options_of_the_method():
    """None of these but the last has an option `iterations`, or all of them; the fits decide."""
    shown = shares(ad_lr=0.25, ad_lr_mean=0.0, kn_ad_lr=0.5, hpy=0.0, ll_l1=0.75, jm=0.5)
    assert shown == {
        "ad-lr": "25 %",
        "ad-lr-mean": "0 %",
        "kn-ad-lr": "50 %",
        "hpy": "0 %",
        "ll-l1": "75 %",
        "jm": "50 %",
    }
    assert [*shown][:2] == ["ad-lr", "ad-lr-mean"]  # in the order of the table
    shown = shares(ad_lr=1.0, ll_l2=1.0, kn=1.0, add_half=1.0, sb=1.0)
    assert shown == dict.fromkeys(("ad-lr", "ll-l2"), "100 %")


def test_nothing_is_said_of_the_convergence_of_samplers_which_do_not_measure_it():
    assert shares(py_lr=0.0, gibbs_rows=0.0, nplm=1.0, ad_lr=0.5) == {"ad-lr": "50 %"}


def test_every_claim_has_its_verdict_under_each_setting(written, page):
    """The rows of the page are those of the CSV, with a verdict for each of the settings."""
    _, claims = written
    names = [setting.name for setting in SOURCE.columns]
    rows = {row["id"]: [row[name] for name in names] for row in claims.to_dict("records")}
    shown = {}
    for place, (tag, attributes) in enumerate(page.elements):
        if tag == "tr" and "id" in attributes:
            row = attributes["id"].removeprefix("claim-")
        if tag == "td" and attributes.get("class") == "verdict":
            shown[row] = page.text[place]
    assert shown.keys() == rows.keys()
    for id, verdicts in rows.items():
        assert [shown[id].count(verdict) > 0 for verdict in verdicts] == [True] * 3, id
    assert set(claims["verdict"]) <= set(VERDICTS)


def test_a_criterion_is_printed_once_in_its_kind(written):
    for kind in re.findall(
        r'<details class="kind".*?</summary>(.*?)\n</details>', written[0], re.S
    ):
        criteria = re.findall(r"<b>Criterion.</b> (.*?)</p>", kind)
        assert len(criteria) == len(set(criteria))


def test_a_page_of_ours_speaks_of_no_paper(tmp_path):
    ours = replace(
        claim_all_of_it("project"),
        errata=(),
        interpretations=(),
        descriptions={},
        byline="We",
        title="Ours",
        link="",
        headline=lambda verdicts: "",
        settings=("table-1",),
    )
    written, _ = write_page(tmp_path, source=ours)
    page = Page(written)
    assert all(link.startswith("../") for link in links(page))  # to files, and to no paper
    ids = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    assert {a["href"][1:] for a in page.all("a") if a["href"].startswith("#")} <= ids
    headings = [page.text[i] for i, (tag, _) in enumerate(page.elements) if tag in ("h1", "h2")]
    assert headings == [
        *(TARGET.title, "Figures and tables", "Claims", "Settings", "Background", "Provenance"),
    ]
    places = [written.index(place) for place in (TARGET.question, 'id="figure-1b"')]
    places += [written.index(place) for place in ('id="claims"', 'id="table-1"', 'id="provenance"')]
    assert places == sorted(places)
    columns = [page.text[i].strip() for i, (tag, _) in enumerate(page.elements) if tag == "th"]
    assert "Claimed" in columns
    assert "Published" not in columns


def test_every_row_says_where_it_can_be_followed(page):
    rows = [a.get("id", "") for tag, a in page.elements if tag == "tr"]
    text = [page.text[i] for i, (tag, a) in enumerate(page.elements) if tag == "tr" and "id" in a]
    assert len(text) == sum(id.startswith("claim-") for id in rows)
    for row in text:
        assert "snakemake -j8 results/" in row


def test_pictures_are_described_by_their_numbers(page):
    alts = [attributes["alt"] for attributes in page.all("img") if attributes["alt"]]
    assert len(alts) == 2  # small pictures stand next to their titles
    assert any("Add-1/2-LR: 1 at n = 5,000" in alt for alt in alts)
    assert any("KN: 5.6" in alt for alt in alts)


def test_what_others_wrote_is_escaped(written):
    assert "the &lt;b&gt;network&lt;/b&gt; &amp; the disk" in written[0]
    assert REASON not in written[0]
    assert "a &lt;fast&gt; one" in written[0]


def test_a_corpus_that_is_missing_is_named_at_the_top(written):
    text = written[0]
    lead = text[text.index("Left out") : text.index('id="summary"')]
    assert all(name in lead for name in ("tartuffe", "brown"))


def test_provenance_is_shown(written):
    for text in (PROVENANCE["git"]["commit"], "not committed", "openblas 0.3", "61.2", "0" * 64):
        assert text in written[0]


def test_page_can_do_without_provenance_and_figures(tmp_path):
    page, _ = write_page(tmp_path, figures=False, provenance={})
    assert "Machine and versions" not in page
    assert not Page(page).all("img")


def test_rows_under_a_setting_have_its_verdict():
    other = {"setting": "two", "verdict": "not reproduced", "sign": "✗"}
    row = {"id": "x", "verdict": "reproduced", "sign": "✓", "others": [other]}
    (found,) = under_setting([row], "two")
    assert (found["id"], found["verdict"], found["sign"]) == ("x", "not reproduced", "✗")
    assert under_setting([row], "one") == []


def swept(columns, rows):
    rows = [dict(zip(columns, row, strict=True)) for row in rows]
    return pd.DataFrame(rows)


def test_a_sweep_is_described_panel_by_panel():
    methods = {"ad": {"method": "ad", "label": "AD"}}
    columns = ["k", "rank", "n", "method", "mean"]
    table = swept(
        columns,
        [(k, m, n, "ad", k + m + n / 1000) for k in (20, 40) for m in (2, 5) for n in (10, 30)],
    )
    exhibit = {"kind": "risk-curve", "title": "T"}
    assert describe_figure(table, exhibit, methods) == (
        "T. In nats. k = 20, m = 2, AD: 22 at n = 10, 22 at n = 30; "
        "k = 20, m = 5, AD: 25 at n = 10, 25 at n = 30; "
        "k = 40, m = 2, AD: 42 at n = 10, 42 at n = 30; "
        "k = 40, m = 5, AD: 45 at n = 10, 45 at n = 30."
    )
    along = describe_figure(table[table["n"] == 10], exhibit | {"x": "rank"}, methods)
    assert along == (
        "T. In nats. k = 20, AD: 22 at m = 2, 25 at m = 5; k = 40, AD: 42 at m = 2, 45 at m = 5."
    )


def test_an_option_is_described_along_the_axis_or_by_curve():
    methods = {"ad": {"method": "ad", "label": "AD"}, "sb": {"method": "sb", "label": "SB"}}
    columns = ["k", "rank", "n", "method", "discount", "mean"]
    table = swept(
        columns,
        [(9, 2, 50, "ad", 0.25, 3.0), (9, 2, 50, "ad", 0.5, 4.0), (9, 2, 50, "sb", np.nan, 5.0)],
    )
    exhibit = {"kind": "risk-curve", "title": "T"}
    along = "T. In nats. AD: 3 at discount = 0.25, 4 at discount = 0.5; SB: 5."
    assert describe_figure(table, exhibit, methods) == along
    by_curve = "T. In nats. AD, discount = 0.25: 3; AD, discount = 0.5: 4; SB: 5."
    assert describe_figure(table, exhibit | {"x": "n"}, methods) == by_curve


def test_a_table_shows_a_row_for_each_value_of_a_swept_option():
    methods = {"ad": {"method": "ad", "label": "AD"}}
    columns = ["corpus", "n", "rank", "method", "discount", "mean", "sd", "seeds", "converged"]
    table = swept(
        columns,
        [
            ("genesis", 9, 0, "ad", discount, 3 + discount, np.nan, 1, 1.0)
            for discount in (0.25, 0.5)
        ],
    )
    table = compare_with_paper(table, methods, lambda *_: np.nan)
    shown = {
        row["label"]: row["cells"][0]["measured"] for row in _cells(table, methods, [])["rows"]
    }
    assert shown == {"AD, discount = 0.25": "3.2500", "AD, discount = 0.5": "3.5000"}


def test_a_cell_shows_measured_published_and_difference():
    methods = {"ad": {"method": "ad", "label": "AD"}}
    columns = ["corpus", "n", "rank", "method", "mean", "sd", "seeds", "converged"]
    table = swept(
        columns,
        [("genesis", 9, 0, "ad", 3.25, 0.5, 2, 1.0), ("pydoc", 9, 0, "ad", 4.0, np.nan, 1, 1.0)],
    )
    table = compare_with_paper(
        table, methods, lambda corpus, *_: 3.5 if corpus == "genesis" else np.nan
    )
    cells = _cells(table, methods, [])
    assert [corpus["is_printed"] for corpus in cells["corpora"]] == [True, False]
    first, second = cells["rows"][0]["cells"]
    assert (first["measured"], first["paper"]) == ("3.2500 ±\N{NO-BREAK SPACE}0.5000", "3.5")
    assert first["difference"] == "\N{MINUS SIGN}0.2500"
    assert (second["measured"], second["paper"], second["difference"]) == ("4.0000", "", "")


def test_a_number_to_which_the_protocol_was_fitted_says_so_next_to_it():
    methods = {"ad": {"method": "ad"}}
    columns = ["corpus", "n", "rank", "method", "mean", "sd", "seeds", "converged"]
    rows = [(corpus, 9, 0, "ad", 3.25, np.nan, 1, 1.0) for corpus in ("genesis", "tartuffe")]
    table = compare_with_paper(swept(columns, rows), methods, lambda *_: 3.5)
    claims = [
        {"id": corpus, "test": "cell", "under": [], "settings": settings | {"method": "ad"}}
        for corpus, settings in (
            ("genesis", {"corpus": "genesis", "searched": True}),
            ("tartuffe", {"corpus": "tartuffe"}),
        )
    ]
    cells = _cells(table, methods, claims)
    assert [cell["searched"] for cell in cells["rows"][0]["cells"]] == [True, False]
    assert cells["searched"]
    assert not _cells(table, methods, claims[1:])["searched"]


def test_the_marks_of_a_table_follow_the_setting():
    """Under another setting a claim on KN is about another variant: its mark is in that row."""
    methods = {"kn": {"method": "kn"}, "kn-uniform": {"method": "kn"}}
    columns = ["corpus", "n", "rank", "method", "mean", "sd", "seeds", "converged"]
    rows = [("genesis", 9, 0, name, 3.25, np.nan, 1, 1.0) for name in methods]
    table = compare_with_paper(swept(columns, rows), methods, lambda *_: 3.5)
    under = [{"look": "a", "sign": str(i), "verdict": "v"} for i in range(2)]
    settings = {"corpus": "genesis", "method": "kn"}
    claims = [{"id": "c", "test": "cell", "settings": settings, "under": under}]
    chosen = (Setting("first", {"kn": "kn-uniform"}), Setting("second", {}))
    shown = {
        row["label"]: row["cells"][0]["marks"]
        for row in _cells(table, methods, claims, chosen)["rows"]
    }
    assert [(mark["setting"], mark["sign"]) for mark in shown["kn"]] == [(1, "1")]
    assert [(mark["setting"], mark["sign"]) for mark in shown["kn-uniform"]] == [(0, "0")]


@pytest.mark.parametrize(
    ("text", "look"),
    [
        ("reproduced", "reproduced"),
        ("not reproduced", "failed"),
        ("3 of 3 reproduced", "reproduced"),
        ("2 of 3 reproduced", "partly"),
        ("0 of 3 reproduced", "failed"),
    ],
)
def test_a_verdict_of_the_abstract_has_the_class_of_its_claims(text, look):
    assert read_verdict(text) == {"verdict": text, "look": look, "sign": dict(LOOKS.values())[look]}


@pytest.mark.parametrize(
    ("plain", "html"),
    [
        ("C_ij / C_i", "<i>C</i><sub>ij</sub> / <i>C</i><sub>i</sub>"),
        (
            "10^-6 and 10^\N{MINUS SIGN}9",
            "10<sup>\N{MINUS SIGN}6</sup> and 10<sup>\N{MINUS SIGN}9</sup>",
        ),
        ("log^2(2n+k)", "log<sup>2</sup>(2n+k)"),
        ("m << k", "m ≪ k"),
        ("kl_risk by trial, AD-LR", "kl_risk by trial, AD-LR"),
        ("-0.5 to -0.1", "\N{MINUS SIGN}0.5 to \N{MINUS SIGN}0.1"),
    ],
)
def test_formulas_are_set(plain, html):
    assert set_formulas(plain) == html


def test_links_to_exhibits_have_the_part_of_a_title_that_tells_them_apart():
    assert link_texts(["Figure 1: risk", "Table 1: loss"]) == ["Figure 1", "Table 1"]
    assert link_texts(["Models: k", "Models: n", "The rest"]) == ["k", "n", "The rest"]


def test_colours_have_contrast():
    """Text on its ground has at least 4.5 : 1 (WCAG 2, AA), in light and dark."""
    style = (TEMPLATES / "report.css").read_text(encoding="utf-8")
    light, dark = [
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", part))
        for part in re.findall(r":root \{(.*?)\}", style, re.S)[:2]
    ]
    for colours in (light, dark):
        for text in ("ink", "soft", "accent", *(look for look, _ in LOOKS.values())):
            for ground in ("ground", "raised", "faint"):
                assert _contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


def _contrast(one, other):
    """Relative luminances of sRGB colours, as WCAG 2 defines them."""
    values = []
    for colour in (one, other):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        values.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(values) + 0.05) / (min(values) + 0.05)


def test_every_test_of_claims_can_be_shown():
    modules = {comparisons.__name__, orders.__name__}
    compared = {name for name, test in TESTS.items() if test.__module__ in modules}
    assert compared - {"minimum"} <= {test for test, words in CRITERIA.items() if "number" in words}


def test_a_page_says_which_run_of_its_source_it_is(written):
    """A source may have several, such as a larger one: title and byline are the same."""
    kicker = re.search(r'<p class="kicker">(.*?)</p>', written[0])[1]
    assert kicker == f"A replication, claim by claim: {TARGET.title}"


def test_a_row_of_the_abstract_without_numbers_has_no_cells():
    """An empty cell of its CSV is read as not a number."""
    table = pd.DataFrame([{"id": "lead", "cells": np.nan, "textbook": "not testable"}])
    (row,) = _abstract(table, ["textbook"])
    assert (row["cells"], row["under"][0]["setting"]) == ("", "textbook")
