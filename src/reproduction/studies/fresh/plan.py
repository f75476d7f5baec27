"""The plan of `fresh`: a job for each package of texts or tables, and drawn models."""

from reproduction.scores.plan import plan_exhibits
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
READINGS = {  # the primary one of texts first
    "train": "Fresh texts: words of the first half, and one for the unknown",
    "text": "Fresh texts: words of the whole text",
    "table": "Fresh tables",
}
_HERE = f"reproduction.studies.{STUDY}.texts"


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    if not section:
        return []
    packages = section["packages"]
    samples = {package: _samples(package, section) for package in packages}
    jobs = {package: _job(package, section, config) for package in packages}
    exhibits = {}
    for reading, title in READINGS.items():
        of_tables = reading == "table"
        chosen = [name for name, each in packages.items() if _is_table(each) == of_tables]
        name = f"{STUDY}-{reading}"
        entry = {"kind": "comparison", "title": title, "methods": section["methods"]}
        entry |= {"ours": section["ours"], "vocabulary": reading}
        functions = f"{_HERE}:tabulate", "reproduction.exhibits.leads:draw_texts"
        receipts = tuple(samples[package].receipt for package in chosen)
        exhibits[name] = Exhibit(name, entry, tuple(chosen), *functions, receipts)
    more_jobs, on_models = plan_exhibits(STUDY, section.get("exhibits", {}), config)
    scope = Scope(
        STUDY,
        STUDY,
        "Frozen, then tried",
        "Is PY-LR ahead on texts, tables and models that nobody had looked at when it was "
        "finished? Its code, the list and what is claimed were fixed before it was run.",
        jobs | more_jobs,
        exhibits | on_models,
        texts=tuple(samples.values()),
        agreement="choosing",
        takes="about half an hour",
    )
    return [scope]


def _is_table(package):
    """Whether the samples of a package are tables."""
    return all("table" in sample for sample in package["samples"].values())


def _samples(package, section):
    place = f"{STUDY}/samples/{package}"
    return Texts(
        package, f"{_HERE}:find_samples", f"{_HERE}:save_samples", (f"{place}.npz",),
        f"{place}.json", {package: section["packages"][package]}, {"words": section["words"]},
        memory=900, about=f"Fresh texts: reading {package}",
    )  # fmt: skip


def _job(package, section, config):
    methods = without_labels(choose_methods(config, section["methods"]))
    given = {key: section[key] for key in ("pairs", "rank", "seeds", "fewer", "many")}
    samples = section["packages"][package]["samples"]
    given |= {"package": package, "kinds": {name: each["kind"] for name, each in samples.items()}}
    return Job(
        package, f"{_HERE}:score_package", methods, given,
        {"samples": f"{STUDY}/samples/{package}.npz"}, COLUMNS, 1200, f"Fresh texts: {package}",
    )  # fmt: skip
