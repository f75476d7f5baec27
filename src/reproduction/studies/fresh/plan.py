"""What `fresh` makes: one job for each package of texts, and a table for each vocabulary."""

from reproduction.study import (
    Exhibit,
    Job,
    Scope,
    Texts,
    choose_methods,
    section_of,
    without_labels,
)

STUDY = "fresh"
COLUMNS = ("package", "kind")  # of the scores, beyond those of every score
VOCABULARIES = {  # the primary one first
    "train": "Fresh texts: words of the first half, and one for the unknown",
    "text": "Fresh texts: words of the whole text",
}
_HERE = f"reproduction.studies.{STUDY}.texts"
_SAVE = "reproduction.studies.readings.replication:save_texts"


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    if not section:
        return []
    jobs = [_job(package, entry, section, config) for package, entry in section["packages"].items()]
    names, listed = tuple(job.name for job in jobs), tuple(section["methods"])
    texts = tuple(_texts(package, section) for package in section["packages"])
    receipts = tuple(each.receipt for each in texts)
    exhibits = {}
    for vocabulary, title in VOCABULARIES.items():
        entry = {"kind": "comparison", "title": title, "methods": listed}
        entry |= {"ours": section["ours"], "vocabulary": vocabulary}
        name, functions = f"fresh-{vocabulary}", (f"{_HERE}:tabulate", f"{_HERE}:draw")
        exhibits[name] = Exhibit(name, entry, names, *functions, receipts)
    scope = Scope(
        STUDY,
        STUDY,
        "Frozen, then tried",
        "Is PY-LR ahead on texts that nobody had looked at when it was finished? Its code, the "
        "texts and what is claimed were fixed before it was run.",
        {job.name: job for job in jobs},
        exhibits,
        texts=texts,
        agreement="choosing",
        takes="about 25 minutes",
    )
    return [scope]


def _texts(package, section):
    place = f"{STUDY}/texts/{package}"
    return Texts(
        package, f"{_HERE}:find_texts", _SAVE, (f"{place}.npz",), f"{place}.json",
        {package: section["packages"][package]}, {"words": section["words"]},
        memory=900, about=f"Fresh texts: reading {package}",
    )  # fmt: skip


def _job(package, entry, section, config):
    methods = without_labels(choose_methods(config, section["methods"]))
    given = {"package": package, "rank": section["rank"], "seeds": section["seeds"]}
    given["kinds"] = {text: told["kind"] for text, told in entry["texts"].items()}
    return Job(
        package, f"{_HERE}:score_package", methods, given,
        {"texts": f"{STUDY}/texts/{package}.npz"}, COLUMNS, 1200,
        f"Fresh texts: {package}",
    )  # fmt: skip
