"""The front page: the studies as cards, with their verdicts, and the command that makes each."""

import csv
import json
from collections import Counter
from pathlib import Path

from reproduction.study import source_of
from reproduction.verdicts.criteria import KINDS

INDEX = "index.html"  # the front page, in the folder of results
OF_NO_KIND = {"": "Of any kind"}  # in results of before there were kinds
WHOSE = {"source": "The source's claims", "project": "This project's claims"}


def write_index(results, targets):
    """Write the front page of a folder of results: a card for each target."""
    from condprob.files import write_text  # NumPy comes with these two: see `study`
    from reproduction.page.render import render_page

    cards = [describe_target(Path(results), target) for target in targets.values()]
    page = render_page("index.html.j2", {"cards": cards})
    Path(results).mkdir(parents=True, exist_ok=True)
    write_text(Path(results, INDEX), page)


def describe_target(results, target):
    """Return the fields of a target's card: its results, and when they were made."""
    folder = results / target.name
    card = {key: getattr(target, key) for key in ("name", "title", "question", "takes")}
    card |= dict.fromkeys(("page", "picture", "shown", "made", "commit"), "")
    card |= {"tallies": [], "singles": []}
    try:
        provenance = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
        written, commit = provenance["written"], (provenance.get("git") or {}).get("commit", "")
        card |= {"made": written.replace("T", " ")[:16], "commit": commit[:10]}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):  # of no run, such as a link
        return card | {"singles": _singles(folder, target)} | _picture(folder, target)
    if target.judged:
        card["page"] = f"{target.name}/report.html"
        columns = source_of(target.package).columns
        card["tallies"] = _count_claims(folder / "claims.csv", columns)
    return card | _picture(folder, target)


def _count_claims(path, columns):
    """Return the verdicts on the source's claims and on this project's, each kind by itself.

    Where a source has `verdicts.source.Source.columns`, these are the verdicts under all of them.
    """
    from reproduction.page.render import look_of_verdicts, sum_up

    if not path.is_file():
        return []
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [setting.name for setting in columns] or ["verdict"]
    found = Counter(
        (row["by"], row.get("kind", ""), sum_up([row[name] for name in names])) for row in rows
    )
    under = ", under every setting alike" if columns else ""
    tallies = []
    for by, whose in WHOSE.items():
        kinds = []
        for kind, title in (KINDS | OF_NO_KIND).items():
            looks = look_of_verdicts(lambda verdict, key=(by, kind): found[*key, verdict])
            counts = [look for look in looks if look["count"]]
            kinds += [{"kind": title, "counts": counts}] if counts else []
        tallies += [{"whose": f"{whose}{under}", "kinds": kinds}] if kinds else []
    return tallies


def _singles(folder, target):
    """Return the exhibits of a target that were made one by one, as `make figure` does."""
    return [
        {"address": f"{target.name}/exhibits/{name}.png", "title": entry.get("title", name)}
        for name, entry in target.exhibits.items()
        if (folder / "exhibits" / f"{name}.png").is_file()
    ]


def _picture(folder, target):
    """Return the figure that stands for a target: the first in the order of its source."""
    names = [*source_of(target.package).order, *target.exhibits]
    for name in names:
        path = folder / "exhibits" / f"{name}.png"
        if path.is_file():
            return {
                "picture": f"{target.name}/exhibits/{name}.png",
                "shown": target.exhibits.get(name, {}).get("title", name),
            }
    return {}
