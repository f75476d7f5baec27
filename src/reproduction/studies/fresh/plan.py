"""What `fresh` makes: jobs for each package of texts, and tables for each vocabulary.

What was fixed before the first run stands by itself; what a sceptic would put beside it, and came
after, has jobs of its own and tables with both.
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
    parts = [("", section["methods"], "")]
    if "after" in section:
        parts.append(("after", section["after"], ", and rivals that came after the run"))
    texts = tuple(_texts(package, section) for package in section["packages"])
    receipts = tuple(each.receipt for each in texts)
    jobs, listed, exhibits = [], (), {}
    for part, methods, told in parts:
        jobs += [_job(part, each, methods, section, config) for each in section["packages"]]
        listed = (*listed, *methods)
        for vocabulary, title in VOCABULARIES.items():
            entry = {"kind": "comparison", "title": title + told, "methods": listed}
            entry |= {"ours": section["ours"], "vocabulary": vocabulary}
            name = "-".join(filter(None, (STUDY, part, vocabulary)))
            names, functions = (
                tuple(job.name for job in jobs),
                (f"{_HERE}:tabulate", f"{_HERE}:draw"),
            )
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
        takes="about 40 minutes",
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
    given["kinds"] = {text: told["kind"] for text, told in texts.items()}
    return Job(
        "/".join(filter(None, (part, package))), f"{_HERE}:score_package", methods, given,
        {"texts": f"{STUDY}/texts/{package}.npz"}, COLUMNS, 1200,
        f"Fresh texts: {package}" + (f" ({part})" if part else ""),
    )  # fmt: skip
