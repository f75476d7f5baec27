"""What the rules look up: exhibits, the files of scores behind each, and the settings of a file."""

from reproduction.study import choose_methods, without_style

READINGS = ("train", "text", "table")  # of samples; the primary one of texts first
STRUCTURE = "beyond-structure"
SCORES = "results/py_lr/scores"
TITLES = {
    STRUCTURE: "Where structure pays: the best method by the law of the rows and the pairs of a "
    "context",
    "fresh-train": "Fresh texts: words of the first half, and one for the unknown",
    "fresh-text": "Fresh texts: words of the whole text",
    "fresh-table": "Fresh tables",
    "seen-train": "Texts seen since: words of the first half, and one for the unknown",
    "seen-text": "Texts seen since: words of the whole text",
    "seen-table": "Tables seen since",
}


def structure_of(section, labels):
    """Return the exhibit of where structure pays, and its files of scores.

    A method of ``slow`` has a file for each exponent. ``labels`` are those of the texts.
    """
    entry = {"kind": STRUCTURE, "title": TITLES[STRUCTURE], "methods": section["methods"]}
    parts = ["fast", *(f"{m}/{e:g}" for m in section["slow"] for e in section["exponents"])]
    return entry | {"labels": labels}, [
        f"{SCORES}/{STRUCTURE}/{part}.csv" for part in [*parts, "texts"]
    ]


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


def list_of(name, section, packages):
    """Return the exhibits of a list of packages, and the packages behind each.

    ``packages`` are the names of those at hand.
    """
    frozen = {key: section[key] for key in ("frozen",) if key in section}
    exhibits, behind = {}, {}
    for reading in READINGS:
        chosen = [p for p in packages if is_table(section["packages"][p]) == (reading == "table")]
        exhibit = f"{name}-{reading}"
        if chosen:
            exhibits[exhibit] = {
                "kind": "comparison",
                "title": TITLES[exhibit],
                "methods": section["methods"],
                "ours": section["ours"],
                "vocabulary": reading,
                "samples": "tables" if reading == "table" else "texts",
                **frozen,
            }
            behind[exhibit] = chosen
    return exhibits, behind


def is_table(package):
    """Whether the samples of a package are tables."""
    return all("table" in sample for sample in package["samples"].values())
