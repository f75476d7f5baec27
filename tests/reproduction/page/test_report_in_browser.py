"""The pages as a reader meets them: the system's Chromium, driven by Playwright."""

import pytest
from made_up_page import made_up_targets, write_page
from reference_page import write_reference_page

from reproduction.page.index import write_index
from reproduction.trust.kept_page import write_kept_page

MOST_SCREENS = 10  # of 1,280 by 800 pixels, before anything is unfolded
# Whatever stands in the page and leaves the window to the right, unless it scrolls by itself.
TOO_WIDE = """() => [...document.querySelectorAll("body *")].filter(each =>
    !each.closest(".scroll, .wide, .visually-hidden, .skip")
    && each.getBoundingClientRect().right > innerWidth + 1).map(each => each.outerHTML)"""
UNFOLD = "document.querySelectorAll('details').forEach(each => { each.open = true; })"
LOADED = """Promise.all([...document.images].map(image => {
    image.loading = "eager";
    return image.decode().then(() => image.naturalWidth, () => 0);
}))"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A page in a folder whose name has a space and an accent, and the index of all."""
    folder = tmp_path_factory.mktemp("été à la page")
    write_page(folder)
    write_index(folder, made_up_targets(folder))
    return folder


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    """The page of the paper, with the results that the repository keeps."""
    return write_reference_page(tmp_path_factory.mktemp("paper") / "results")


@pytest.fixture
def open_page(browser, folder):
    """Open a page; at the end, ask that it fetched only pictures and complained of nothing."""
    contexts, requests, complaints, opened = [], [], [], []

    def start(width=1280, height=800, path=folder / "report.html", **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        opened.append(path.as_uri())
        page.goto(opened[-1])
        return page

    yield start
    for context in contexts:
        context.close()
    assert [url for url in requests if not url.endswith(".png")] == opened
    assert complaints == []


def test_the_paper_takes_few_screens_before_anything_is_unfolded(open_page, paper):
    page = open_page(path=paper)
    page.evaluate(LOADED)
    assert page.evaluate("document.documentElement.scrollHeight") <= MOST_SCREENS * 800


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone_and_captions_do_not_scroll(open_page, paper, scheme):
    page = open_page(390, 844, paper, color_scheme=scheme)
    for width in (390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(TOO_WIDE) == []
        page.evaluate(UNFOLD)
    assert page.locator(".scroll caption, .scroll .caption, .wide figcaption").count() == 0


def test_every_picture_and_every_link_of_the_paper_leads_somewhere(open_page, paper):
    results = paper.parent.parent
    kept = paper.with_name("kept.html")
    kept.write_text(write_kept_page(paper, results, results), encoding="utf-8")
    page = open_page(path=kept)
    widths = page.evaluate(LOADED)
    assert len(widths) > 20
    assert min(widths) > 100
    for link in page.locator("a").all():
        address = link.get_attribute("href")
        path, _, place = address.partition("#")
        if not address.startswith("https:"):
            assert not path or (kept.parent / path).is_file(), address
            assert path or page.locator(f'[id="{place}"]').count() == 1, address


@pytest.mark.parametrize(("name", "pictures"), [("report.html", 4), ("index.html", 1)])
def test_page_fits_its_window_and_shows_every_picture(open_page, folder, name, pictures):
    page = open_page(path=folder / name)
    for width in (390, 768, 1280, 1600):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    loaded = page.evaluate(LOADED)
    assert len(loaded) == pictures
    assert min(loaded) > 100


def test_the_answer_comes_first(open_page, paper):
    page = open_page(path=paper)
    places = [".judgement", ".switch", "#summary", "#glance", "#figures", "#claims", "#provenance"]
    tops = [page.locator(place).first.bounding_box()["y"] for place in places]
    assert tops == sorted(tops)
    assert page.locator(".answer").first.bounding_box()["y"] < 800
    for row in page.locator(".answer").all():
        assert row.locator(".settings .badge").count() == 3


@pytest.mark.parametrize("script", [True, False])
def test_the_switch_of_the_setting_moves_verdicts_numbers_and_marks(open_page, script):
    page = open_page(java_script_enabled=script)
    page.locator("#claims-comparison > summary").click()
    row = page.locator("#claim-table-1-genesis-lowest")
    assert row.locator(".verdict .of:visible").inner_text().endswith("reproduced")
    assert "0.1000" in row.locator("td[data-label=Measured]").inner_text()
    marks = page.locator("#glance .mark:visible")
    before = marks.count()
    page.get_by_label("textbook").check()
    assert row.locator(".verdict .of:visible").inner_text().endswith("not run at this size")
    assert row.locator("td[data-label=Measured]").inner_text() == ""
    assert marks.count() < before  # the textbook's variants are not in this table


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("#claim-table-1-genesis-lowest", "#claim-table-1-genesis-lowest .claim summary"),
        ("#check-add-half-section-7", "#check-add-half-section-7 table"),
        ("#interpretation-genesis", "#interpretation-genesis"),
    ],
)
def test_a_link_unfolds_what_it_leads_to(open_page, link, shown):
    page = open_page()
    assert not page.locator(shown).is_visible()
    page.evaluate("place => { location.hash = place; }", link)
    page.locator(shown).wait_for(state="visible")


def test_an_exhibit_unfolds_with_its_figure_and_its_claims(open_page):
    page = open_page()
    exhibit = page.locator("#figure-1b")
    assert not exhibit.locator("figure img").is_visible()
    exhibit.locator("summary").first.click()
    assert exhibit.locator("figure img").is_visible()
    assert exhibit.locator(".verdicts li").first.is_visible()


def test_verdicts_are_shown_under_whichever_setting_is_chosen(open_page, paper):
    """Also where an exhibit is that of one setting only, and where only this project claims."""
    page = open_page(path=paper)
    for name in ("textbook", "best match", "strongest baseline"):
        page.get_by_label(name).check()
        for exhibit in ("figure-1a", "figure-1a-power-law", "lead"):
            rows = page.locator(f"#{exhibit} .verdicts li")
            assert rows.count() > 0
            for row in rows.all():
                assert (
                    row.evaluate("""row => [...row.querySelectorAll(".badge")].filter(each =>
                    !each.closest(".of") || getComputedStyle(each.closest(".of")).display !== "none"
                ).length""")
                    == 1
                )


def test_prints_everything_unfolded(open_page):
    page = open_page()
    page.emulate_media(media="print")
    assert len(page.pdf()) > 10_000
    assert page.locator("details:not([open])").count() == 0
    assert not page.locator(".contents").is_visible()
