"""What the rules look up of the survey: exhibits, and the files of scores.

A part of the survey is a section of ``studies: survey`` in the config. Claims are in words.toml,
their checks in `checks`.
"""

from reproduction.study import (
    choose_methods,
    make_entry,
    make_study,
    without_style,
)

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
    SUPERVISED: "supervised only",
    ASO: "ASO",
    RIDGED: "ASO, ridge on v as well (this project)",
    "negatives": "negative weights kept",
    "untyped": "one space for all types",
    "passes": "several passes",
    "counts": "co-occurrence counts",
    REDUCED: "SDR of co-occurrence counts",
    PARTIAL: "partially supervised problems",
    PHI: "Φx only",
    FEATURES: "SDR features only",
}
# Rankings of documents; of LSA by cosines and by the product as printed.
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


def make_target(section, corpora, has_brown, has_tagged):
    """Return the study; ``corpora`` are at hand, and perhaps Brown in sentences and with tags."""
    exhibits = list_exhibits(section, corpora, has_brown, has_tagged)
    on_brown = dict.fromkeys((TABLE, MAP), "results/survey/receipt.json")
    on_tagged = dict.fromkeys((TAGGING, GENRES, RETRIEVAL), "results/survey/tagged.json")
    names = dict.fromkeys(on_brown, "survey-brown") | dict.fromkeys(on_tagged, "survey-tagged")
    compared = list(section.get("comparison", {}).get("corpora", ()))
    return make_study(
        "survey",
        "survey",
        exhibits,
        list_scores(section, exhibits),
        corpora={METHODS: compared, COST: compared}
        | {name: [text] for name, text in names.items()},
        receipts={name: [file] for name, file in (on_brown | on_tagged).items()},
        fitted=("lr", "sdr"),
        checked=[name for name in CHECKED if name in exhibits],
    )


def list_exhibits(sections, corpora, has_brown, has_tagged):
    """Return the entries of the exhibits that can be made.

    ``sections`` are the settings of the parts; ``corpora`` are those at hand, and the others say
    whether Brown in sentences, and with its tags, is.
    """
    found = {}
    if (comparison := sections.get("comparison")) is not None:
        keys = {"families": comparison["families"], "methods": tuple(names_of(comparison))}
        texts = [corpus for corpus in comparison["corpora"] if corpus in corpora]
        for name in (METHODS, COST) if texts else ():
            found[name] = make_entry("survey", name, **keys, corpora=tuple(texts))
        found[RISK] = make_entry("survey", RISK, **keys)
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
    """Return the entry of Table 1: its methods, and the published perplexities."""
    models = section["models"]
    return make_entry(
        "survey",
        TABLE,
        kind="perplexities",
        methods=tuple(name for model in models for name in methods_of_table(section, model)),
        printed={name: each["printed"] for name, each in models.items() if "printed" in each},
    )


def list_scores(sections, exhibits):
    """Return the files of scores behind each exhibit."""
    folder, found = "results/survey/scores", {}
    if RISK in exhibits:
        given = sections["comparison"]
        texts = [
            f"{folder}/{METHODS}/{corpus}-{vocabulary}{speed}.csv"
            for corpus in exhibits.get(METHODS, {"corpora": ()})["corpora"]
            for speed in ("", SLOW)
            if methods_of_text(given, corpus, speed)
            for vocabulary in settings_of_text(given, corpus, speed)["vocabularies"]
        ]
        found |= {METHODS: texts, COST: texts}
        found[RISK] = [f"{folder}/{RISK}/n{n}.csv" for n in given["models"]["n"]]
    if TABLE in exhibits:
        found[TABLE] = [f"{folder}/{TABLE}/{model}.csv" for model in sections[TABLE]["models"]]
    if TAGGING in exhibits:
        found[TAGGING] = [f"{folder}/{TAGGING}/{n}.csv" for n in sections[TAGGING]["sizes"]]
    alone = (name for name in (MAP, GENRES, RETRIEVAL) if name in exhibits)
    return found | {name: [f"{folder}/{name}.csv"] for name in alone}


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
