"""The plan of `fresh`: jobs for each package of texts, and tables for each vocabulary.

The methods that were fixed before the first run stand by themselves. Rivals that came after it have
jobs of their own, and tables with both. So have later versions of the method itself.
"""

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
    frozen, ours = section["methods"], section["ours"]
    after, since = section.get("after", ()), section.get("since", ())
    parts = [  # name, methods of the jobs, methods of the tables, words of their titles
        ("", frozen, frozen, ""),
        ("after", after, (*frozen, *after), ", and rivals that came after the run"),
        ("since", since, (ours, *since), ": PY-LR as it was frozen, and as it is since"),
    ]
    texts = tuple(_texts(package, section) for package in section["packages"])
    receipts = tuple(each.receipt for each in texts)
    jobs, exhibits = {}, {}
    for part, methods, listed, ending in parts:
        if not methods:
            continue
        jobs[part] = [_job(part, each, methods, section, config) for each in section["packages"]]
        names = tuple(job.name for each in dict.fromkeys(("", part)) for job in jobs[each])
        for vocabulary, title in VOCABULARIES.items():
            entry = {"kind": "comparison", "title": title + ending, "methods": listed}
            entry |= {"ours": ours, "vocabulary": vocabulary}
            name = "-".join(filter(None, (STUDY, part, vocabulary)))
            functions = f"{_HERE}:tabulate", "reproduction.exhibits.leads:draw_texts"
            exhibits[name] = Exhibit(name, entry, names, *functions, receipts)
    scope = Scope(
        STUDY,
        STUDY,
        "Frozen, then tried",
        "Is PY-LR ahead on texts that nobody had looked at when it was finished? Its code, the "
        "texts and what is claimed were fixed before it was run.",
        {job.name: job for part in jobs.values() for job in part},
        exhibits,
        texts=texts,
        agreement="choosing",
        takes="about an hour",
    )
    return [scope]


def _texts(package, section):
    place = f"{STUDY}/texts/{package}"
    return Texts(
        package, f"{_HERE}:find_texts", _SAVE, (f"{place}.npz",), f"{place}.json",
        {package: section["packages"][package]}, {"words": section["words"]},
        memory=900, about=f"Fresh texts: reading {package}",
    )  # fmt: skip


def _job(part, package, methods, section, config):
    methods = without_labels(choose_methods(config, methods))
    given = {"package": package, "rank": section["rank"], "seeds": section["seeds"]}
    texts = section["packages"][package]["texts"]
    given["kinds"] = {text: fields["kind"] for text, fields in texts.items()}
    return Job(
        "/".join(filter(None, (part, package))), f"{_HERE}:score_package", methods, given,
        {"texts": f"{STUDY}/texts/{package}.npz"}, COLUMNS, 1200,
        f"Fresh texts: {package}" + (f" ({part})" if part else ""),
    )  # fmt: skip
