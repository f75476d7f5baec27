"""What the rules look up of the survey: the settings at each size, exhibits, files of scores.

A part of the survey is a section of ``studies: survey`` in the config. Some parts are larger in
`survey_full`; Table 1 on all of Brown is a target of its own, `nplm_full`. Claims are in
words.toml, their checks in `checks`.
"""

from reproduction.study import (
    choose_methods,
    make_entry,
    make_study,
    section_of,
    without_style,
    words_of,
)

DEFAULT, FULL = "default", "full"  # sizes of the settings
# Exhibits.
METHODS, COST, RISK, EXAMPLE, TABLE, MAP = "methods", "cost", "risk", "example", "table", "words"
TAGGING, GENRES, RETRIEVAL = "tagging", "genres", "retrieval"
CLOSED = "text"  # the vocabulary by which methods are judged: the first paper's
OURS, KNESER_NEY = "py-lr", "kn-modified"  # that all others are compared with
WORDS, CLASSES = "kn-text-modified", "class-kn"
# Networks mixed with a trigram: MLP8, the same without direct connections, and MLP10; and the
# ending of the name of one without its trigram.
DIRECT, PLAIN, LARGE, ALONE = "nplm-8", "nplm-8-plain", "nplm-10", "-alone"
PRINTED = {"MLP8": 270, "MLP10": 252, "Kneser-Ney": 321}  # perplexities
SUPERVISED, ASO, RIDGED, PHI = "supervised", "aso", "ridged", "alone"
# Phi of partially supervised problems, and of SDR of counts of features with words; and features of
# documents by SDR alone.
PARTIAL, REDUCED, FEATURES = "partial", "sdr", "features"
SHOWN_AS = {
    SUPERVISED: "supervised alone",
    ASO: "ASO",
    RIDGED: "ASO, ridge on v, too (ours)",
    "negatives": "negative weights kept",
    "untyped": "one space for all types",
    "passes": "several passes",
    "counts": "co-occurrence counts",
    REDUCED: "SDR of co-occurrence counts",
    PARTIAL: "partially supervised problems",
    PHI: "Φx alone",
    FEATURES: "SDR features alone",
}
# Rankings of documents; of LSA by cosines and by the product in print.
VECTORS, LSA, PRODUCT, PLSA, SDR, LLE = "vectors", "lsa", "product", "plsa", "sdr", "lle"
RANKED_AS = {
    VECTORS: "all words",
    PRODUCT: "LSA, product as printed",
    LSA: "LSA, cosines",
    PLSA: "PLSA, folded in",
    SDR: "SDR",
    LLE: "locally linear embedding",
}
CHECKED = (TABLE, MAP, TAGGING, GENRES, RETRIEVAL)  # exhibits whose scores the checks look at
SLOW = "-slow"  # the end of the name of the scores of methods that take long


def section_at(config, size):
    """Return the study's part of the config at a size: in full, some settings are others."""
    section = dict(section_of(config, "survey"))
    full = section.pop(FULL, {})
    if size == FULL:
        section |= {name: section[name] | changed for name, changed in full.items()}
    return section


def sizes_of_parts(config, size):
    """Return the size of each part of a target: a part that is no larger in full is the default's.

    Table 1 in full has a target of its own.
    """
    section = section_of(config, "survey")
    larger = section.get(FULL, {}).keys() - {TABLE} if size == FULL else ()
    return {part: size if part in larger else DEFAULT for part in section if part != FULL}


def make_target(target, sizes, settings, corpora, brown, tagged):
    """Return the study of a target, from the size of each of its parts.

    ``settings`` are those of the study by size, ``corpora`` those at hand; ``brown``, by size, and
    ``tagged`` say whether Brown is.
    """
    sections = {part: settings[size][part] for part, size in sizes.items()}
    of_table = sizes.get("table", "default")
    exhibits = list_exhibits(sections, corpora, brown[of_table], tagged)
    on_brown = dict.fromkeys(("table", "words"), f"results/survey/{of_table}/receipt.json")
    on_tagged = dict.fromkeys(("tagging", "genres", "retrieval"), "results/survey/tagged.json")
    names = {"table": f"survey-brown-{of_table}", "words": f"survey-brown-{of_table}"}
    names |= dict.fromkeys(on_tagged, "survey-tagged")
    compared = list(sections.get("comparison", {}).get("corpora", ()))
    return make_study(
        "survey",
        target,
        exhibits,
        list_scores(sections, sizes, exhibits, settings["default"]),
        corpora={"methods": compared, "cost": compared}
        | {name: [text] for name, text in names.items()},
        receipts={name: [file] for name, file in (on_brown | on_tagged).items()},
        fitted=("lr", "sdr"),
        checked=[name for name in CHECKED if name in exhibits],
    )


def list_exhibits(sections, corpora, has_brown, has_tagged):
    """Return the entries of the exhibits of a target that can be made.

    ``sections`` are the settings of its parts, at their sizes; ``corpora`` are those at hand, and
    the others say whether Brown in sentences, and with its tags, is.
    """
    found = {}
    if (comparison := sections.get("comparison")) is not None:
        keys = {"families": comparison["families"], "methods": tuple(names_of(comparison))}
        texts = [corpus for corpus in comparison["corpora"] if corpus in corpora]
        for name in (METHODS, COST) if texts else ():
            found[name] = make_entry("survey", name, **keys, corpora=tuple(texts))
        title = words_of("survey")["exhibits"][RISK]["title"]
        title = title.format(rank=comparison["models"]["rank"])
        found[RISK] = make_entry("survey", RISK, title=title, **keys)
    if "factors" in sections:
        found[EXAMPLE] = make_entry("survey", EXAMPLE)
    if TABLE in sections and has_brown:
        found[TABLE] = entry_of_table(sections[TABLE])
    if MAP in sections and has_brown:
        found[MAP] = make_entry("survey", MAP, methods=tuple(sections[MAP]["methods"]))
    if TAGGING in sections and has_tagged:
        found |= {name: make_entry("survey", name) for name in (RETRIEVAL, TAGGING, GENRES)}
    return found


def entry_of_table(section):
    """Return the entry of Table 1: its methods, and the perplexities in print."""
    models = section["models"]
    return make_entry(
        "survey",
        TABLE,
        kind="perplexities",
        methods=tuple(name for model in models for name in methods_of_table(section, model)),
        printed={name: each["printed"] for name, each in models.items() if "printed" in each},
    )


def list_scores(sections, sizes, exhibits, default):
    """Return the files of scores behind each exhibit of a target.

    ``sizes`` are those of its parts. Scores that have the ``default`` settings are the default's.
    """
    folder, found = "results/survey/scores", {}
    if RISK in exhibits:
        given, usual = sections["comparison"], default["comparison"]
        size = sizes["comparison"]
        texts = [
            f"{folder}/{METHODS}/{size}-{corpus}-{vocabulary}{speed}.csv"
            for corpus in exhibits.get(METHODS, {"corpora": ()})["corpora"]
            for speed in ("", SLOW)
            if methods_of_text(given, corpus, speed)
            for vocabulary in settings_of_text(given, corpus, speed)["vocabularies"]
        ]
        same = given["models"] == usual["models"]
        found |= {METHODS: texts, COST: texts}
        found[RISK] = [
            f"{folder}/{RISK}/{DEFAULT if same else size}-n{n}.csv" for n in given["models"]["n"]
        ]
    if TABLE in exhibits:
        models = sections[TABLE]["models"]
        found[TABLE] = [f"{folder}/{TABLE}/{sizes[TABLE]}-{model}.csv" for model in models]
    if MAP in exhibits:
        found[MAP] = [f"{folder}/{MAP}/{sizes[MAP]}.csv"]
    if TAGGING in exhibits:
        size, labelled = sizes[TAGGING], sections[TAGGING]["sizes"]
        found[TAGGING] = [f"{folder}/{TAGGING}/{size}-{n}.csv" for n in labelled]
        found[GENRES] = [f"{folder}/{GENRES}/{size}.csv"]
        found[RETRIEVAL] = [f"{folder}/{RETRIEVAL}/{DEFAULT}.csv"]
    return found


def names_of(comparison):
    """Return the names of all methods that are compared, in the order of the figure."""
    return [name for family in comparison["families"].values() for name in family]


def methods_of_text(comparison, corpus, speed):
    """Return the names of the methods that a job on a text fits: the slow ones, or all others."""
    slow = comparison["slow"]["methods"]
    if speed == SLOW:
        chosen = slow.get(corpus, ())
        return [name for name in names_of(comparison) if name in chosen]
    taken = {*comparison["models_alone"]}.union(*slow.values())
    return [name for name in names_of(comparison) if name not in taken]


def settings_of_text(comparison, corpus, speed):
    """Return how the methods of a job on a text are fitted: ``ranks``, ``seeds``, vocabularies."""
    if speed == SLOW:
        return comparison["slow"] | {"vocabularies": [CLOSED]}
    return comparison


def methods_of_table(section, model):
    """Return the names of the methods of a model of Table 1: it, and the same without n-grams."""
    fields = section["models"][model]
    return [model, *([fields["alone"]] if "alone" in fields else [])]


def compared(section, config, wildcards):
    """Return the entries of the methods that a job on a text fits."""
    names = methods_of_text(section["comparison"], wildcards.corpus, wildcards.speed)
    return without_style(choose_methods(config, names))


def compared_on_models(section, config):
    """Return the entries of all methods that are compared."""
    return without_style(choose_methods(config, names_of(section["comparison"])))


def methods_in_table(section, config, model):
    """Return the entries of the methods of a model of Table 1."""
    return without_style(choose_methods(config, methods_of_table(section["table"], model)))


def methods_on_map(section, config):
    """Return the entries of the methods that place words on a map."""
    return without_style(choose_methods(config, section["words"]["methods"]))
