"""What the rules look up of `beyond`, the study of our own estimator: its exhibits and scores.

`beyond` has models and the paper's texts; `beyond_full` also the exhibits that take longer, among
them the list of texts and tables ``seen``; `fresh` the list that nobody had looked at.
"""

from reproduction.study import choose_methods, make_entry, without_style

FRESH, SEEN = "fresh", "seen"  # lists of packages
STRUCTURE, CONSTANTS = "beyond-structure", "beyond-constants"
READINGS = ("train", "text", "table")  # of samples; the primary one of texts first
SCORES = "results/beyond/scores"


def constants_of(section, corpora):
    """Return the exhibit of what each constant is worth, and its files of scores, by text."""
    values = section["values"]
    entry = make_entry(
        "beyond",
        CONSTANTS,
        changes={name: each["others"] for name, each in values.items()},
        meanings={name: each["meaning"] for name, each in values.items()},
    )
    return entry, [f"{SCORES}/{CONSTANTS}/{corpus}.csv" for corpus in corpora]


def structure_of(section, labels):
    """Return the exhibit of where structure pays, and its files of scores.

    A method of ``slow`` has a file for each exponent. ``labels`` are those of the texts.
    """
    entry = make_entry("beyond", STRUCTURE, methods=section["methods"], labels=labels)
    parts = ["fast", *(f"{m}/{e:g}" for m in section["slow"] for e in section["exponents"])]
    return entry, [f"{SCORES}/{STRUCTURE}/{part}.csv" for part in [*parts, "texts"]]


def settings_of_structure(section, method=None, exponent=None):
    """Return the methods and the exponents of a file: those of a slow method, or all others."""
    if method is None:
        return [m for m in section["methods"] if m not in section["slow"]], section["exponents"]
    return [method], [each for each in section["exponents"] if f"{each:g}" == exponent]


def mapped(section, config, wildcards):
    """Return the entries of the methods of a file of the map, and its exponents."""
    given = wildcards.get("method"), wildcards.get("exponent")
    names, exponents = settings_of_structure(section, *given)
    return without_style(choose_methods(config, names)), exponents


def compared_in(section, config):
    """Return the entries of the methods of a list of packages."""
    return without_style(choose_methods(config, section["methods"]))


def receipts_in(names, folder="corpora"):
    """Return the receipts of some texts."""
    return [f"results/{folder}/{name}.json" for name in names]


def list_of(name, section, packages):
    """Return the exhibits of a list of packages, and the files of scores of each.

    ``packages`` are the names of those at hand.
    """
    frozen = {key: section[key] for key in ("frozen",) if key in section}
    exhibits, scores = {}, {}
    for reading in READINGS:
        chosen = [p for p in packages if is_table(section["packages"][p]) == (reading == "table")]
        if chosen:
            exhibits[f"{name}-{reading}"] = make_entry(
                "beyond",
                f"{name}-{reading}",
                kind="comparison",
                methods=section["methods"],
                ours=section["ours"],
                vocabulary=reading,
                samples="tables" if reading == "table" else "texts",
                **frozen,
            )
            scores[f"{name}-{reading}"] = [f"{SCORES}/{name}/{each}.csv" for each in chosen]
    return exhibits, scores


def is_table(package):
    """Whether the samples of a package are tables."""
    return all("table" in sample for sample in package["samples"].values())
