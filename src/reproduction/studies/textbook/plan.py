"""The plan of `textbook`: a textbook's systems at work, and verdicts on its claims."""

from reproduction.study import (
    Job,
    Texts,
    Theory,
    choose_methods,
    make_exhibit,
    make_scope,
    section_of,
    without_labels,
)

STUDY = "textbook"
# Exhibits, and their jobs.
NGRAMS, MEMORY, COMPLETION, STYLE = "ngrams", "memory", "completion", "style"
ELBOW, SEEDING, CLASSIFIED = "elbow", "seeding", "classified"
COMPARED, NEXT, RATINGS = "compared", "next", "ratings"
GENERATED, DIGITS, RANK, IMAGES = "generated", "digits", "rank", "images"  # further exhibits
OF_TEXTS = (NGRAMS, COMPARED, MEMORY, GENERATED, NEXT, STYLE, COMPLETION)
JUDGED = (NGRAMS, MEMORY, COMPLETION, STYLE, ELBOW, SEEDING, CLASSIFIED, COMPARED, NEXT, RATINGS)
ORDER = (
    NGRAMS,
    COMPARED,
    MEMORY,
    GENERATED,
    NEXT,
    DIGITS,
    ELBOW,
    SEEDING,
    CLASSIFIED,
    RANK,
    IMAGES,
    STYLE,
    COMPLETION,
    RATINGS,
)
_HERE = f"reproduction.studies.{STUDY}"
RECEIPT, WORDS, BLOCKS = (f"{STUDY}/{name}" for name in ("receipt.json", "words.npz", "style.npz"))


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    if not section:
        return []
    jobs = list(_plan_jobs(section, config))
    of = {name: [job for job in jobs if job.name.partition("/")[0] == name] for name in JUDGED}
    of[GENERATED] = of[MEMORY]
    exhibits = [
        make_exhibit(
            __file__,
            name,
            of.get(name, ()),
            (RECEIPT,) if name in OF_TEXTS else (),
            methods=tuple(section["methods"]) if name == NGRAMS else (),
        )
        for name in ORDER
    ]
    # Sentences that models of a text draw are text, too, and no reference keeps them.
    kept = [name for name in ORDER if name != GENERATED]
    verdicts = ("claims", "claims-evidence", "claims-readings", "theory")
    scope = make_scope(
        __file__,
        STUDY,
        jobs,
        exhibits,
        texts=(_plan_texts(section, config),),
        theory=Theory(
            f"{_HERE}.checks:check_cases",
            ("mle", "laplace", "interpolated", "mf-sgd"),
            exhibits=JUDGED,
        ),
        files=(WORDS, BLOCKS, RECEIPT),
        kept=(
            *(f"/exhibits/{name}.{form}" for name in kept for form in ("csv", "png")),
            *(f"/{name}.csv" for name in verdicts),
        ),
    )
    return [scope]


def _plan_texts(section, config):
    corpora, keys = (section["corpus"], *section["bibles"]), ("block", "least", "files")
    return Texts(
        "words",
        f"{_HERE}.texts:find_texts",
        f"{_HERE}.texts:save_texts",
        (WORDS, BLOCKS),
        RECEIPT,
        {name: config["corpora"].get(name) for name in corpora},
        {key: section[key] for key in ("corpus", "bibles", *keys) if key in section},
        section["corpus"],
        about="Textbook: reading its texts",
    )


def _plan_jobs(section, config):
    methods, words = choose_methods(config, section["methods"]), {"words": WORDS}
    for name, entry in without_labels(methods).items():
        is_last = name == section["methods"][-1]
        for size in (0, *(section["sizes"] if is_last else ())):
            yield Job(
                f"{NGRAMS}/{name}-{size or 'all'}",
                "reproduction.scores.orders:score_orders",
                {name: entry},
                {"orders": section["orders"], "words": size},
                words,
                memory=3000,
                about=f"N-grams: {name}, {size or 'all'} words",
            )
    yield Job(
        MEMORY,
        f"{_HERE}.ngrams:remember_file",
        {"mle": {"method": "mle"}},
        {key: section[key] for key in ("orders", "drawn")},
        words | {"style": BLOCKS},
        ("single", "found", "once", "copied", "text"),
        memory=3000,
        about="N-grams: what they remember",
    )
    yield Job(
        COMPLETION,
        f"{_HERE}.ngrams:complete_file",
        {"mf-sgd": {"method": "mf-sgd"}},
        section["completion"],
        words,
        ("biases", "rmse"),
        memory=1500,
        about="Matrix completion",
    )
    yield Job(
        STYLE,
        f"{_HERE}.lowdim:place_file",
        {},
        {},
        {"style": BLOCKS},
        ("name", "x", "y"),
        about="Function words in the plane",
    )
    yield Job(
        ELBOW,
        f"{_HERE}.clusters:elbow_file",
        {},
        section["elbow"],
        {},
        ("cost",),
        about="Clusters: the elbow",
    )
    yield Job(
        SEEDING,
        f"{_HERE}.clusters:seeding_file",
        {},
        section["seeding"],
        {},
        ("start", "cost"),
        about="Clusters: the first centres",
    )
    yield Job(
        CLASSIFIED,
        f"{_HERE}.clusters:classify_file",
        {},
        section["classified"],
        {},
        ("right",),
        about="Clusters: held-out digits",
    )
    last = section["methods"][-1]
    yield Job(
        COMPARED,
        f"{_HERE}.sentences:compare_file",
        without_labels({last: methods[last]}),
        {key: section[key] for key in ("orders", "compared")},
        words,
        ("kind", "better", "low", "high"),
        memory=3000,
        about="N-grams: sentences compared",
    )
    yield Job(
        NEXT,
        f"{_HERE}.sentences:next_file",
        {},
        {"drawn": section["drawn"]},
        words,
        ("history", "word", "probability", "low", "high"),
        memory=3000,
        about="N-grams: the next word",
    )
    yield Job(
        RATINGS,
        f"{_HERE}.ratings:rate_file",
        {},
        section["ratings"],
        {},
        ("kind", "rmse", "same"),
        about="Ratings completed",
    )
