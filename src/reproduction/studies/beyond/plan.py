"""The plan of `beyond`, the study of our own estimator: models, the paper's texts, and fresh ones.

`beyond_full` has the exhibits that take longer besides, among them the list of texts and tables
``seen``. `fresh` has a job for each package of texts or tables that nobody had looked at.
"""

from reproduction.scores.plan import corpora_of, plan_exhibits
from reproduction.study import (
    Job,
    Texts,
    choose_methods,
    make_exhibit,
    make_scope,
    section_of,
    without_labels,
)

STUDY = "beyond"
FULL = f"{STUDY}_full"
FRESH, SEEN = "fresh", "seen"  # lists of packages
STRUCTURE, CONSTANTS = f"{STUDY}-structure", f"{STUDY}-constants"
COLUMNS = ("package", "kind")  # of the scores of a list, beyond those of every score
READINGS = ("train", "text", "table")  # of its samples; the primary one of texts first
_HERE = f"reproduction.studies.{STUDY}.texts"


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    if not section:
        return []
    entries = section["exhibits"]
    smaller = {name: entry for name, entry in entries.items() if name not in section["larger"]}
    own, constants = _plan_constants(section["constants"])
    jobs, structure = _plan_structure(section["structure"], config)
    seen, fresh = (_plan_list(name, section[name], config) for name in (SEEN, FRESH))
    jobs = [*own, *jobs, *seen["jobs"]]
    exhibits = [*constants, *structure, *seen["exhibits"]]
    return [
        _plan_scope(STUDY, smaller, config, own, constants),
        _plan_scope(FULL, entries, config, jobs, exhibits, texts=seen["texts"]),
        _plan_scope(FRESH, {}, config, **fresh),
    ]


def _plan_scope(name, entries, config, jobs=(), exhibits=(), **further):
    """Return a scope of the exhibits with these entries, and of further jobs and exhibits."""
    own, shown = plan_exhibits(STUDY, entries, config)
    return make_scope(
        __file__,
        name,
        [*jobs, *own.values()],
        [*exhibits, *shown.values()],
        corpora=corpora_of(entries),
        **further,
    )


def _plan_constants(section):
    """Return the jobs, one for each text, and the exhibit of what each constant is worth."""
    place, texts = f"reproduction.studies.{STUDY}.constants", section["corpora"]
    changes = {name: each["others"] for name, each in section["values"].items()}
    sizes = {key: section[key] for key in ("words", "seeds", "options")} | {"changes": changes}
    jobs = [
        Job(
            f"{CONSTANTS}/{corpus}",
            f"{place}:score_texts",
            {},
            sizes | {"corpora": [corpus]},
            {"words": (f"corpora/{corpus}.npz",)},
            ("constant", "value"),
            about=f"Constants of PY-LR on {corpus}",
        )
        for corpus in texts
    ]
    shown = make_exhibit(
        __file__,
        CONSTANTS,
        jobs,
        tuple(f"corpora/{corpus}.json" for corpus in texts),
        changes=changes,
        meanings={name: each["meaning"] for name, each in section["values"].items()},
    )
    return jobs, [shown]


def _plan_structure(section, config):
    """Return the jobs and the exhibit of the map by exponent and pairs, with texts as points.

    A method of ``slow`` has a job for each exponent.
    """
    place, name, texts = f"reproduction.studies.{STUDY}.structure", STRUCTURE, section["corpora"]
    sizes = {key: section[key] for key in ("k", "rank", "pairs", "trials")}
    fast = [method for method in section["methods"] if method not in section["slow"]]
    parts = [("fast", fast, section["exponents"])]
    parts += [(f"{m}/{e:g}", [m], [e]) for m in section["slow"] for e in section["exponents"]]
    jobs = [
        Job(
            f"{name}/{part}",
            f"{place}:score_models",
            without_labels(choose_methods(config, methods)),
            sizes | {"exponents": exponents},
            columns=("exponent",),
            about=f"Where structure pays: {part}",
        )
        for part, methods, exponents in parts
    ]
    of_texts = Job(
        f"{name}/texts",
        f"{place}:score_texts",
        {},
        {"corpora": texts, "rank": section["rank"]},
        {"words": tuple(f"corpora/{corpus}.npz" for corpus in texts)},
        ("exponent",),
        about="Where structure pays: exponents of texts",
    )
    shown = make_exhibit(
        __file__,
        name,
        [*jobs, of_texts],
        tuple(f"corpora/{corpus}.json" for corpus in texts),
        methods=section["methods"],
        labels={corpus: config["corpora"][corpus].get("label", corpus) for corpus in texts},
    )
    return [*jobs, of_texts], [shown]


def _plan_list(name, section, config):
    """Return the texts, the jobs and the exhibits of a list of packages, as of a scope."""
    packages = section["packages"]
    samples = {package: _samples(package, section) for package in packages}
    jobs = {package: _job(name, package, section, config) for package in packages}
    frozen = {key: section[key] for key in ("frozen",) if key in section}
    exhibits = []
    for reading in READINGS:
        of_tables = reading == "table"
        chosen = [each for each, entry in packages.items() if _is_table(entry) == of_tables]
        exhibits.append(
            make_exhibit(
                __file__,
                f"{name}-{reading}",
                [jobs[each] for each in chosen],
                tuple(samples[each].receipt for each in chosen),
                kind="comparison",
                methods=section["methods"],
                ours=section["ours"],
                vocabulary=reading,
                samples="tables" if of_tables else "texts",
                **frozen,
            )
        )
    return {"texts": tuple(samples.values()), "jobs": jobs.values(), "exhibits": exhibits}


def _is_table(package):
    """Whether the samples of a package are tables."""
    return all("table" in sample for sample in package["samples"].values())


def _samples(package, section):
    place = f"{STUDY}/samples/{package}"
    return Texts(
        package,
        f"{_HERE}:find_samples",
        "reproduction.corpora.corpus:save_samples",
        (f"{place}.npz",),
        f"{place}.json",
        {package: section["packages"][package]},
        {"words": section["words"]},
        memory=900,
        about=f"Texts and tables: reading {package}",
    )


def _job(name, package, section, config):
    methods = without_labels(choose_methods(config, section["methods"]))
    given = {key: section[key] for key in ("pairs", "rank", "seeds", "fewer", "many")}
    samples = section["packages"][package]["samples"]
    given |= {"list": name, "package": package}
    given |= {"kinds": {sample: each["kind"] for sample, each in samples.items()}}
    return Job(
        f"{name}/{package}",
        f"{_HERE}:score_package",
        methods,
        given,
        {"samples": f"{STUDY}/samples/{package}.npz"},
        COLUMNS,
        1200,
        f"Texts and tables, {name}: {package}",
    )
