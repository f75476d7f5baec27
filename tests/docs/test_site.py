"""The site as a reader meets it, from files and without a network; `make docs` runs this."""

import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

TOP = Path(__file__).parents[2]
SITE = TOP / "docs" / "_build" / "html"
LOADED = {"src", "srcset", "poster", "data"}  # attributes of what a page loads by itself
HIDDEN, PROGRAMS = {"script", "style"}, {"code", "pre"}  # elements of text that is no prose
pytestmark = pytest.mark.site


class Page(HTMLParser):
    """The files that a page loads, its links, anchors and tables, and its text."""

    def __init__(self, path):
        super().__init__()
        self.loaded, self.links, self.places = [], [], set()
        self.tables, self.text, self.prose, self.within = 0, "", "", []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        """Record one element."""
        given = dict(attributes)
        self.tables += tag == "table"
        self.within += [tag] if tag in (*HIDDEN, *PROGRAMS) else []
        self.places |= {given[name] for name in ("id", "name") if given.get(name)}
        self.loaded += [given[name] for name in LOADED & given.keys() if given[name]]
        if "href" in given:
            (self.links if tag in ("a", "area") else self.loaded).append(given["href"])

    def handle_endtag(self, tag):
        """Record the end of an element."""
        if self.within and tag == self.within[-1]:
            self.within.pop()

    def handle_data(self, data):
        """Record text that a reader sees, and that which is no program."""
        is_seen = not HIDDEN & {*self.within}
        self.text += data if is_seen else ""
        self.prose += data if is_seen and not self.within else ""


@pytest.fixture(scope="module")
def pages():
    """Every page of the site, by its path."""
    assert SITE.is_dir(), "there is no site: run `make docs`"
    return {path: Page(path) for path in sorted(SITE.rglob("*.html"))}


def is_outside(link):
    return bool(urlsplit(link).scheme or urlsplit(link).netloc)


def test_pages_load_nothing_from_elsewhere(pages):
    for path, page in pages.items():
        outside = [it for it in page.loaded if is_outside(it) and not it.startswith("data:")]
        assert not outside, path
    for path in SITE.rglob("*.css"):
        found = re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')\s]+)", path.read_text("utf-8"))
        assert not [it for it in found if is_outside(it) and not it.startswith("data:")], path


def test_no_link_is_dead(pages):
    """Those within the site, to pages, files and places in a page."""
    dead, checked = [], 0
    for path, page in pages.items():
        for link in (*page.links, *page.loaded):
            if is_outside(link):
                continue
            split = urlsplit(link)
            target = path.parent / unquote(split.path) if split.path else path
            target, place = Path(os.path.normpath(target)), unquote(split.fragment)
            found = target.is_file() and SITE in target.parents
            if found and place and target.suffix == ".html":
                found = place in pages[target].places
            checked += 1
            if not found:
                dead.append(f"{path.relative_to(SITE)}: {link}")
    print(f"{len(pages)} pages, {checked} links")
    assert not dead, "\n".join(dead)


def test_pages_show_no_object_and_no_directive(pages):
    """What a reader sees is a table or a picture, not the name of its type, nor its source."""
    shown = re.compile(r"<[A-Za-z_.]+ object(?: at 0x\w+)?>|<Figure size")
    for path, page in pages.items():
        if "_modules" not in path.parts:
            assert not shown.findall(page.text), path
            assert not re.findall(r"```\{|\{result\}", page.prose), path


@pytest.mark.parametrize("name", ["walk-through", "from-kneser-ney-to-py-lr", "explore-results"])
def test_a_notebook_shows_its_tables(pages, name):
    cells = json.loads((TOP / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    forms = [output.get("data", {}) for cell in cells for output in cell.get("outputs", ())]
    tables = sum("".join(form.get("text/html", "")).count("<table") for form in forms)
    assert tables > 5
    assert pages[SITE / "docs" / "notebooks" / f"{name}.html"].tables >= tables


def test_every_page_opens_without_a_network(browser, pages):
    """In a narrow window: it asks for files alone, complains of nothing, shows its pictures."""
    context = browser.new_context(viewport={"width": 390, "height": 800}, offline=True)
    page, requests, messages = context.new_page(), [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: messages.append((page.url, message.text)))
    page.on("pageerror", lambda error: messages.append((page.url, str(error))))
    page.goto((SITE / "index.html").as_uri())
    page.wait_for_url((SITE / "docs" / "index.html").as_uri())
    for path in pages.keys() - {SITE / "index.html"}:
        page.goto(path.as_uri())
        broken = page.evaluate("""Promise.all([...document.images].map(image => {
            image.loading = "eager";  // a picture that waits to be seen would wait for ever
            return image.decode().then(() => "", () => image.src);
        }))""")
        assert not any(broken), (path, broken)
        wanted, there = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wanted <= there, path
    context.close()
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    assert messages == []


def test_no_page_is_wider_than_its_window(browser, pages):
    """Wide windows, too, in which contents stand on both sides."""
    for width in (1000, 1320, 1600, 1760):
        page = browser.new_page(viewport={"width": width, "height": 800})
        for name in ("studies", "tables", "gallery/text"):
            page.goto((SITE / "docs" / f"{name}.html").as_uri())
            wanted, there = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
            assert wanted <= there, (name, width)
        page.close()


def test_the_search_finds_a_name_without_a_network(browser, pages):
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((SITE / "search.html").as_uri() + "?q=fold_in")
    page.wait_for_selector("#search-results li a", timeout=20_000)
    hrefs = page.eval_on_selector_all("#search-results li a", "all => all.map(a => a.href)")
    context.close()
    assert any("docs/api/" in href for href in hrefs)
