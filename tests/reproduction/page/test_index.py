"""The front page: what was made and what was not, verdicts by the source and by us apart."""

import csv
import json
import re
import shutil
from html import unescape

import pytest
from made_up_page import PROVENANCE, made_up_targets
from PIL import Image

from reproduction.page.index import INDEX, describe_target, write_index


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    return folder, made_up_targets(folder)


@pytest.fixture(scope="module")
def cards(results):
    """The HTML of each card, in one line, by the name of its target."""
    folder, targets = results
    write_index(folder, targets)
    page = " ".join((folder / INDEX).read_text(encoding="utf-8").split())
    found = re.findall(r'<li class="card[\w -]*" id="([\w-]+)">(.*?)</li>', page)
    assert [name for name, _ in found] == list(targets)
    return dict(found)


def counts(card):
    """Whose verdicts a card tells, and how many of each, by kind."""
    parts, found = re.split(r"<dt>(.*?)</dt>", unescape(card))[1:], {}
    for whose, part in zip(parts[::2], parts[1::2], strict=True):
        kinds = re.findall(r"<dd><span class=\"soft\">(.*?):</span>(.*?)</dd>", part)
        found[whose] = {
            kind: {verdict: int(n) for n, verdict in re.findall(r"(\d+) ([a-z ]+)</span>", counts)}
            for kind, counts in kinds
        }
    return found


def test_verdicts_on_the_source_and_on_us_stand_apart_and_are_never_added(cards):
    alike = ", under every setting alike"
    assert counts(cards["made"]) == {
        f"The source's claims{alike}": {
            "Published numbers": {"reproduced": 1},
            "Comparisons": {"reproduced": 1},
            "Statements of theory": {"depends on the setting": 2},
        },
        f"This project's claims{alike}": {
            "Statements of theory": {"not run at this size": 2, "depends on the setting": 1}
        },
    }
    assert counts(cards["plain"]) == counts(cards["absent"]) == {}


def test_what_was_made_is_linked_and_shown(results, cards):
    folder, _ = results
    links = {name: re.findall(r'href="(.*?)"', card) for name, card in cards.items()}
    assert links == {"made": ["made/report.html"], "plain": [], "absent": []}
    assert (folder / links["made"][0]).is_file()
    assert [cards[name].count('src="made/exhibits/figure-1b.png"') for name in cards] == [1, 0, 0]
    assert "Made 2026-11-20 13:50, commit <code>c0ffeec0ff</code>." in cards["made"]


def test_what_was_not_made_says_how_and_how_long(cards):
    assert "Not run yet." in cards["absent"]
    assert "<code>make absent</code>" in cards["absent"]
    assert "<code>snakemake -j8 absent</code>" in cards["absent"]
    assert "runs it in an hour on two cores" in cards["absent"]
    assert "Not run" not in cards["made"] + cards["plain"]


def test_titles_and_questions_are_escaped(cards):
    assert "Far &lt;away&gt;" in cards["absent"]
    assert "What is there &amp; why?" in cards["absent"]


def test_a_run_outside_of_a_checkout_has_no_commit(results, tmp_path):
    _, targets = results
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "provenance.json").write_text(json.dumps(PROVENANCE | {"git": None}))
    card = describe_target(tmp_path, targets["plain"])
    assert (card["made"], card["commit"]) == ("2026-11-20 13:50", "")


def test_an_index_of_nothing_that_was_made_is_no_error(results, tmp_path):
    _, targets = results
    other = tmp_path / "none yet" / "plain" / "provenance.json"
    other.parent.mkdir(parents=True)
    for content in ("{}", '{"files": {}}', '{"files": {}, "provenance": {}}'):
        other.write_text(content)  # such as where a result became a link
        write_index(tmp_path / "none yet", targets)
    page = (tmp_path / "none yet" / INDEX).read_text(encoding="utf-8")
    assert page.count("Not run yet.") == len(targets)


def test_exhibits_that_were_made_one_by_one_are_linked(results, tmp_path):
    _, targets = results
    name, (exhibit, *_) = "made", targets["made"].exhibits
    (tmp_path / name / "exhibits").mkdir(parents=True)
    Image.new("RGB", (9, 9)).save(tmp_path / name / "exhibits" / f"{exhibit}.png")
    write_index(tmp_path, targets)
    page = (tmp_path / INDEX).read_text(encoding="utf-8")
    assert f'href="{name}/exhibits/{exhibit}.png"' in page
    assert "The study as a whole has not been run yet." in page


def test_results_of_before_there_were_kinds_are_counted_together(results, tmp_path):
    folder, targets = results
    old = tmp_path / "made"
    shutil.copytree(folder / "made", old)
    with open(old / "claims.csv", encoding="utf-8", newline="") as file:
        *rows, head = reversed(list(csv.reader(file)))
    kept = [place for place, name in enumerate(head) if name != "kind"]
    with open(old / "claims.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([row[place] for place in kept] for row in [head, *rows])
    (tally, _) = describe_target(tmp_path, targets["made"])["tallies"]
    assert [kind["kind"] for kind in tally["kinds"]] == ["Of any kind"]
