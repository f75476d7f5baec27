"""The page as a reader meets it: the system's Chromium, driven by Playwright."""

import pytest
from made_up_page import made_up_scopes, write_page

from reproduction.page.index import write_index


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A page in a folder whose name has a space and an accent, and the index of all."""
    folder = tmp_path_factory.mktemp("été à la page")
    write_page(folder)
    write_index(folder, made_up_scopes(folder))
    return folder


@pytest.fixture
def open_page(browser, folder):
    """Open the page; at the end, ask that it fetched nothing and complained of nothing."""
    contexts, requests, complaints, opened = [], [], [], []

    def start(width=1280, height=900, name="report.html", **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        opened.append((folder / name).as_uri())
        page.goto(opened[-1])
        return page

    yield start
    for context in contexts:
        context.close()
    assert [url for url in requests if not url.startswith("data:")] == opened
    assert complaints == []


def visible(page):
    return page.locator("#claims tbody tr[data-id]:visible")


def sizes(page):
    return page.evaluate("[document.documentElement.scrollWidth, innerWidth]")


@pytest.mark.parametrize(("name", "pictures"), [("report.html", 4), ("index.html", 1)])
def test_page_fits_its_window_and_shows_every_picture(open_page, name, pictures):
    page = open_page(name=name)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (390, 768, 1280, 1600):
            page.set_viewport_size({"width": width, "height": 900})
            wanted, there = sizes(page)
            assert wanted <= there, (scheme, width)
        loaded = page.evaluate(
            "Promise.all([...document.images].map(i => i.decode().then(() => i.naturalWidth)))"
        )
        assert len(loaded) == pictures
        assert min(loaded) > 100


def test_first_screen_has_the_foremost_claims_with_their_verdicts(open_page):
    page = open_page()
    for row in page.locator(".foremost tbody tr").all():
        box = row.bounding_box()
        assert box["y"] + box["height"] < 900
        assert row.locator(".badge").count() == 3


def test_figures_and_the_table_stand_above_the_ledgers(open_page):
    page = open_page()
    places = [".foremost", ".cells", ".thumbnails", "#ledger", "#figures"]
    tops = [page.locator(place).first.bounding_box()["y"] for place in places]
    assert tops == sorted(tops)


def test_filters_by_kind_and_verdict(open_page):
    page = open_page()
    every = visible(page).count()
    tile = page.get_by_role("button", name="Checks of protocol: 1 partially reproduced")
    tile.click()
    assert tile.get_attribute("aria-pressed") == "true"
    assert visible(page).count() == 1
    (heading,) = page.locator("#claims .kind:visible").all_inner_texts()
    assert heading.splitlines()[0] == "Checks of protocol"
    assert page.locator("#shown").inner_text() == f"1 of {every} claims"
    tile.click()
    assert visible(page).count() == every


@pytest.mark.parametrize("script", [True, False])
def test_the_switch_of_the_setting_changes_verdicts_and_numbers(open_page, script):
    page = open_page(java_script_enabled=script)
    row = page.locator("#claim-table-1-genesis-lowest")
    assert row.locator(".verdict").inner_text().endswith("reproduced")
    assert "0.1000" in row.locator("td[data-label=Measured]").inner_text()
    page.get_by_label("textbook").check()
    assert row.locator(".verdict").inner_text().endswith("not run at this size")
    assert row.locator("td[data-label=Measured]").inner_text() == ""


def test_filters_by_part_and_words_together(open_page):
    page = open_page()
    page.get_by_label("Part").select_option("Table 1")
    page.get_by_label("Search").fill("table-1-genesis-KN")
    assert visible(page).locator(".statement").all_inner_texts() == [
        "KN on genesis: 5.7341 nats per word."
    ]
    page.get_by_role("button", name="Show all").click()
    assert visible(page).count() > 60


def test_sorts_by_number_both_ways_with_the_missing_last(open_page):
    page = open_page()
    page.get_by_role("button", name="Paper").click()
    header = page.locator("#claims thead th").nth(4)  # after two of verdicts, claim and place

    def shown():
        cells = page.locator("#claims tbody[data-kind=number] td:nth-child(5)")
        return cells.evaluate_all("cells => cells.map(cell => cell.dataset.sort)")

    assert header.get_attribute("aria-sort") == "ascending"
    values = [float(value) for value in shown()]
    known = [value for value in values if value == value]
    assert known == sorted(known)
    assert all(value != value for value in values[len(known) :])
    page.get_by_role("button", name="Paper").click()
    assert header.get_attribute("aria-sort") == "descending"
    values = [float(value) for value in shown()]
    assert values[: len(known)] == sorted(known, reverse=True)


def test_sorts_verdicts_within_each_kind_with_the_failures_first_by_keyboard(open_page):
    page = open_page()
    page.get_by_role("button", name="Verdict", exact=True).focus()
    page.keyboard.press("Enter")
    for kind in ("number", "comparison", "theory", "protocol"):
        cells = page.locator(f"#claims tbody[data-kind={kind}] td.verdict")
        ranks = cells.evaluate_all("cells => cells.map(cell => Number(cell.dataset.sort))")
        assert ranks == sorted(ranks)


def test_link_to_a_claim_that_is_filtered_away_shows_it(open_page):
    page = open_page()
    page.get_by_role("button", name="Checks of protocol: 1 partially reproduced").click()
    page.locator("#errors a").first.click()
    target = page.locator(page.evaluate("location.hash"))
    assert target.is_visible()


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("#claim-add-half-section-7 td[data-label=Place] a", "#check-add-half-section-7"),
        ("#figure-1b .rests a >> nth=0", None),  # a setting, with its evidence
    ],
)
def test_a_link_opens_what_it_leads_to(open_page, link, shown):
    page = open_page()
    page.locator(link).click()
    page.wait_for_function("document.querySelector(location.hash).open")
    target = page.evaluate("location.hash")
    assert target == (shown or target)
    assert shown or page.locator(target).get_by_text("Evidence.").is_visible()


def test_claims_of_an_exhibit_unfold(open_page):
    page = open_page()
    claims = page.locator("#figure-1b .judged")
    assert not claims.locator("li").first.is_visible()
    claims.locator("summary").click()
    assert claims.locator("li").first.is_visible()


def test_everything_is_there_without_script(open_page):
    page = open_page(java_script_enabled=False)
    assert visible(page).count() > 60
    assert not page.locator(".filters").first.is_visible()
    assert "not reproduced" in page.locator(".counts").inner_text()


def test_phone_shows_each_claim_as_a_card(open_page):
    page = open_page(390, 844)
    card = page.locator("#claim-table-1-genesis-kn")
    assert card.bounding_box()["width"] <= 390
    assert "5.7341" in card.inner_text()


def test_prints(open_page):
    page = open_page()
    page.emulate_media(media="print")
    assert not page.locator(".bar").is_visible()
    assert page.locator(".tile").first.is_visible()
    assert not page.locator(".contents").is_visible()
    assert page.locator("#claim-table-1-genesis-kn").is_visible()
    assert len(page.pdf(page_ranges="1")) > 10_000
