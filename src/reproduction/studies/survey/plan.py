"""The plan of `survey`: the models of a survey beside all others, and verdicts on its claims.

A part of the survey is a section of ``studies: survey`` in the config and a function ``plan_...``
here, which returns its jobs and its exhibits. It takes the section, the config and the size of the
scope. Names of jobs differ by size where their settings do. Claims stand in words.toml, their
checks in `checks`.
"""

from dataclasses import replace

from reproduction.study import (
    Job,
    Texts,
    Theory,
    choose_methods,
    make_exhibit,
    make_scope,
    read_words,
    section_of,
    without_labels,
)

STUDY = "survey"
HERE = f"reproduction.studies.{STUDY}"
DEFAULT, FULL = "default", "full"  # sizes: the study's two scopes
# Brown as it is read at a size, below the folder of results.
RECEIPT, BROWN, LABELS = (
    f"{STUDY}/{{size}}/{name}" for name in ("receipt.json", "brown.npz", "labels.npz")
)
TAGGED, TAGGED_RECEIPT = f"{STUDY}/tagged.npz", f"{STUDY}/tagged.json"
# Exhibits.
METHODS, COST, RISK, EXAMPLE, TABLE, MAP = "methods", "cost", "risk", "example", "table", "words"
TAGGING, GENRES, RETRIEVAL = "tagging", "genres", "retrieval"
CLOSED = "text"  # the vocabulary by which methods are judged: the first paper's
OURS, KNESER_NEY = "py-lr", "kn-modified"  # that all others are compared with
OF_FITS = ("chosen", "fit_seconds", "score_seconds", "bytes")  # columns
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
APART = ("table",)  # parts whose larger settings have a scope of their own: `nplm_full`
VERDICTS = ("claims", "claims-evidence", "claims-readings", "theory")
CHECKED = (TABLE, MAP, TAGGING, GENRES, RETRIEVAL)  # exhibits whose scores the checks look at
UNKEPT = (COST,)  # exhibits that no reference keeps: no two runs share seconds
# Checks, methods and exhibits of fits that two machines may end elsewhere: see `study.Scope`.
UNSTEADY = (
    *(
        f"a-{check}"
        for check in (
            "better",
            "genres",
            "ridged",
            "once",
            "negatives",
            "types",
            "counts",
            "partial",
            "sdr",
        )
    ),
    "p-retrieval",
    "s-retrieval",
    "s-features",
    "w-semantics",
    "sdr",
    "sdr-conditional",
    RETRIEVAL,
    GENRES,
    MAP,
    *(f"{name}-words" for name in ("plsa", "sdr", "nplm", "aso", "ad-lr")),
)


def plan_factors(section, config, size):
    """Return the exhibit of LSA's example; it has no jobs."""
    return [], [make_exhibit(__file__, EXAMPLE)]


def plan_comparison(section, config, size):
    """Return the jobs and the exhibits of every method beside every other."""
    names = [name for family in section["families"].values() for name in family]
    texts, risks = _comparison_jobs(section, config, size, names)
    if size != DEFAULT:  # what has the same settings there is not scored twice
        usual = section_of(config, STUDY)["comparison"]
        by_default = _comparison_jobs(usual, config, DEFAULT, names)
        texts, risks = map(_share_jobs, (texts, risks), by_default)
    entry = {"methods": tuple(names)}
    entry |= {"families": section["families"], "corpora": tuple(section["corpora"])}
    receipts = tuple(f"corpora/{corpus}.json" for corpus in section["corpora"])
    title = read_words(__file__)["exhibits"][RISK]["title"].format(rank=section["models"]["rank"])
    exhibits = [
        make_exhibit(__file__, METHODS, texts, receipts=receipts, **entry),
        make_exhibit(__file__, COST, texts, receipts=receipts, **entry),
        make_exhibit(__file__, RISK, risks, title=title, **entry),
    ]
    return [*texts, *risks], exhibits


def _comparison_jobs(section, config, size, names):
    """Return the jobs of texts, one of each vocabulary, and those of models."""
    methods = without_labels(choose_methods(config, names))
    texts = [
        Job(
            f"{METHODS}/{size}-{corpus}-{vocabulary}{speed}",
            f"{HERE}.comparison:score_text",
            {name: methods[name] for name in names if name in group},
            {"corpus": corpus, "vocabulary": vocabulary}
            | {key: given[key] for key in ("ranks", "seeds")},
            {"words": f"corpora/{corpus}.npz"},
            OF_FITS,
            memory=1500,
            about=f"Every method on {corpus}, {vocabulary}{speed.replace('-', ', ')}",
        )
        for corpus in section["corpora"]
        for speed, group, given in _groups_of_methods(corpus, section)
        for vocabulary in given["vocabularies"]
    ]
    models = section["models"]
    risks = [
        Job(
            f"{RISK}/{size}-n{n}",
            f"{HERE}.comparison:score_models",
            methods,
            {key: models.get(key) for key in ("k", "rank", "rows", "exponent", "trials", "ranks")}
            | {"n": n},
            columns=("chosen",),
            about=f"Every method on models of rank {models['rank']}, {n} pairs",
        )
        for n in models["n"]
    ]
    return texts, risks


def _groups_of_methods(corpus, section):
    """Yield the methods that are fitted to a text: the others, and those that take long, if any.

    With each is the end of the name of its job, and what it is given.
    """
    slow = section["slow"]
    taken = {*section["models_alone"]}.union(*slow["methods"].values())
    others = {name for family in section["families"].values() for name in family} - taken
    yield "", others, section
    if group := slow["methods"].get(corpus):
        yield "-slow", {*group}, slow | {"vocabularies": [CLOSED]}


def _share_jobs(jobs, others):
    """Return jobs, those in place of which one of the others does the same replaced by it."""
    return [
        next((other for other in others if replace(other, name=job.name) == job), job)
        for job in jobs
    ]


def plan_table(section, config, size):
    """Return the jobs and the exhibit of Table 1: n-grams, classes of words, neural models."""
    methods = {  # of a job: a model, and the same without its trigram
        name: [name, *([fields["alone"]] if "alone" in fields else [])]
        for name, fields in section["models"].items()
    }
    jobs = [
        Job(
            f"{TABLE}/{size}-{name}",
            f"{HERE}.{fields['scorer']}"
            if "scorer" in fields
            else "reproduction.scores.orders:score_orders",
            without_labels(choose_methods(config, methods[name])),
            {"orders": fields["orders"]},
            {"words": BROWN.format(size=size)},
            memory=2000,
            about=f"Table 1: {name}",
            checkpoint="alone" in fields,
        )
        for name, fields in section["models"].items()
    ]
    table = make_exhibit(
        __file__,
        TABLE,
        jobs,
        receipts=(RECEIPT.format(size=size),),
        kind="perplexities",
        methods=tuple(name for names in methods.values() for name in names),
        printed={
            name: fields["printed"]
            for name, fields in section["models"].items()
            if "printed" in fields
        },
    )
    return jobs, [table]


def plan_map(section, config, size):
    """Return the job and the exhibit of words on a map by each model of the survey."""
    job = Job(
        f"{MAP}/{size}",
        f"{HERE}.words:place_words",
        without_labels(choose_methods(config, section["methods"])),
        {key: section[key] for key in ("frequent", "shown", "asked", "neighbours")},
        {"words": BROWN.format(size=size), "labels": LABELS.format(size=size)},
        ("group", "word", "x", "y", "beside", "near"),
        memory=1500,
        about="Words on a map",
    )
    exhibit = make_exhibit(
        __file__,
        MAP,
        [job],
        receipts=(RECEIPT.format(size=size),),
        methods=tuple(section["methods"]),
    )
    return [job], [exhibit]


def plan_tagging(section, config, size):
    """Return the jobs and the exhibits of structural learning."""
    inputs, columns, memory = {"tagged": TAGGED}, ("rank",), 4000 if size == DEFAULT else 12000
    apart = ("sizes", GENRES, RETRIEVAL)
    given = {key: value for key, value in section.items() if key not in apart}
    tagging = [
        Job(
            f"{TAGGING}/{size}-{n}",
            f"{HERE}.tagging:score_tagging",
            {},
            given | {"size": n},
            inputs,
            columns,
            memory,
            about=f"Parts of speech from {n} labelled words",
        )
        for n in section["sizes"]
    ]
    genres = Job(
        f"{GENRES}/{size}",
        f"{HERE}.genres:score_genres",
        {},
        section[GENRES],
        inputs,
        columns,
        memory,
        about="Genres of documents from few labelled ones",
    )
    retrieval = Job(
        f"{RETRIEVAL}/{DEFAULT}",
        f"{HERE}.retrieval:score_retrieval",
        {},
        section[RETRIEVAL],
        inputs,
        (*columns, "genre"),
        about="Retrieval of documents",
    )
    told = {"receipts": (TAGGED_RECEIPT,)}
    exhibits = [
        make_exhibit(__file__, RETRIEVAL, [retrieval], **told),
        make_exhibit(__file__, TAGGING, tagging, **told),
        make_exhibit(__file__, GENRES, [genres], **told),
    ]
    return [retrieval, *tagging, genres], exhibits


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    if not section:
        return []
    small = {part: section[part] for part in APART if part in section}
    return [
        _plan_scope(STUDY, section, config, DEFAULT),
        _plan_scope(f"{STUDY}_{FULL}", section_at(config, FULL) | small, config, FULL),
        *([_plan_networks(section_at(config, FULL), config)] if "table" in section else []),
    ]


def section_at(config, size):
    """Return the study's part of the config at a size: in full, some settings are others."""
    section = dict(section_of(config, STUDY))
    full = section.pop(FULL, {})
    if size == FULL:
        section |= {name: section[name] | changed for name, changed in full.items()}
    return section


def _plan_networks(section, config):
    """Return the scope of Table 1 alone, on all of Brown: its fits go on after a kill."""
    jobs, exhibits = PARTS["table"](section["table"], config, FULL)
    return make_scope(
        __file__,
        "nplm_full",
        jobs,
        exhibits,
        texts=tuple(_plan_texts(section, config, FULL)),
        theory=_plan_theory((TABLE,)),
        files=_files(FULL),
        kept=_kept([TABLE]),
    )


def _files(size):
    """Return the files of Brown at a size."""
    return tuple(file.format(size=size) for file in (BROWN, LABELS, RECEIPT))


def _plan_texts(section, config, size):
    """Yield Brown in sentences, as it is cut at a size; and its tokens with their tags."""
    if "table" in section:
        corpus, keys = section["table"]["corpus"], ("every", "train", "stop", "least")
        yield Texts(
            size,
            f"{HERE}.texts:find_brown",
            f"{HERE}.texts:save_texts",
            (BROWN.format(size=size), LABELS.format(size=size)),
            RECEIPT.format(size=size),
            {corpus: config["corpora"].get(corpus)},
            {key: section["table"][key] for key in keys},
            corpus,
            about=f"Survey: reading Brown, {size}",
        )
    if "tagging" in section:
        corpus, module = section["tagging"]["corpus"], f"{HERE}.texts"
        yield Texts(
            "tagged",
            f"{module}:find_tagged",
            f"{module}:save_tagged",
            (TAGGED,),
            TAGGED_RECEIPT,
            {corpus: config["corpora"].get(corpus)},
            {"every": section["tagging"]["every"]},
            corpus,
            about="Survey: reading Brown with its tags",
        )


def _plan_scope(name, section, config, size):
    jobs, exhibits = [], []
    larger = section_of(config, STUDY).get(FULL, {}).keys() - {*APART}
    for part in (part for part in PARTS if part in section):
        # A part that is no larger has the same jobs at both sizes.
        own, shown = PARTS[part](section[part], config, size if part in larger else DEFAULT)
        jobs += own
        exhibits += shown
    names = [exhibit.name for exhibit in exhibits]
    return make_scope(
        __file__,
        name,
        jobs,
        exhibits,
        corpora=tuple(section.get("comparison", {}).get("corpora", ())),
        texts=tuple(_plan_texts(section, config, DEFAULT)),
        theory=_plan_theory(names),
        files=_files(DEFAULT),
        kept=_kept(name for name in names if name not in UNKEPT),
        unsteady=UNSTEADY if TAGGING in names else (),
    )


def _plan_theory(exhibits):
    """Return the checks, which look at some of the exhibits."""
    looked_at = tuple(name for name in CHECKED if name in exhibits)
    return Theory(f"{HERE}.checks:check_cases", ("lr", "sdr"), exhibits=looked_at)


def _kept(exhibits):
    """Return the ends of the names of files that are a reference: of exhibits, and of verdicts."""
    return (
        *(f"/exhibits/{name}.{form}" for name in exhibits for form in ("csv", "png")),
        *(f"/{name}.csv" for name in VERDICTS),
    )


PARTS = {  # by the name of the section, in the order of the page
    "comparison": plan_comparison,
    "factors": plan_factors,
    "table": plan_table,
    "words": plan_map,
    "tagging": plan_tagging,
}
