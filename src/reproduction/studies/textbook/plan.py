"""The plan of `textbook`: a textbook's systems at work, and verdicts on its claims."""

from reproduction.studies.textbook.claims import (
    COMPLETION,
    DIGITS,
    ELBOW,
    GENERATED,
    MEMORY,
    NGRAMS,
    STYLE,
)
from reproduction.study import (
    Exhibit,
    Job,
    Scope,
    Texts,
    Theory,
    choose_methods,
    section_of,
    without_labels,
)

STUDY = "textbook"
_HERE = f"reproduction.studies.{STUDY}"
RECEIPT, WORDS, BLOCKS = (f"{STUDY}/{name}" for name in ("receipt.json", "words.npz", "style.npz"))
SHOWN = {
    NGRAMS: ("N-grams on sentences of Brown: perplexity by order and by training words", ""),
    MEMORY: ("What n-grams remember",
             "Against the order: the share of histories with a single continuation, and the share "
             "of generated 4-grams that the training text has."),
    GENERATED: ("Sentences drawn from n-grams of orders 1 to 5",
                "Five columns of text, each drawn from n-grams of one order."),
    DIGITS: ("K-means on the digits 0 and 1: the clusters, their centres, and what is misplaced",
             "Points of two clusters in a plane, and images: both centres, and those misplaced."),
    ELBOW: ("Choosing k, and choosing a rank",
            "Cost against the number of clusters, with an elbow and without; and the share of the "
            "squared norm that is lost, against the rank."),
    STYLE: ("Blocks of text in the plane of their function words",
            "Points for blocks of text: two translations of Genesis, and the genres of Brown."),
    COMPLETION: ("Matrix completion: error of log counts that were held out",
                 "Root of the mean squared error against the rank, for each kind of biases."),
}  # fmt: skip


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    if not section:
        return []
    jobs = list(_plan_jobs(section, config))
    of = {name: tuple(job.name for job in jobs if job.name.startswith(name))
          for name in (NGRAMS, MEMORY, COMPLETION, STYLE)}  # fmt: skip
    of |= {GENERATED: of[MEMORY]}
    methods = {NGRAMS: tuple(section["methods"])}
    exhibits = {
        name: Exhibit(
            name, {"kind": name, "title": title, "alt": alt, "methods": methods.get(name, ())},
            of.get(name, ()), f"{_HERE}.tables:tabulate_{name}", f"{_HERE}.figures:draw_{name}",
            () if name in (DIGITS, ELBOW) else (RECEIPT,),
        )
        for name, (title, alt) in SHOWN.items()
    }  # fmt: skip
    # Sentences that models of a text draw are text, too, and no reference keeps them.
    forms = [(name, form) for name in exhibits if name != GENERATED for form in ("csv", "png")]
    kept = tuple(f"/exhibits/{name}.{form}" for name, form in forms)
    names = ("claims", "claims-evidence", "claims-readings", "theory")
    scope = Scope(
        STUDY, STUDY, "A textbook", "Do the methods of a textbook do what it says? Clusters, low "
        "dimensions, n-grams and matrix completion.",
        {job.name: job for job in jobs}, exhibits, texts=(_plan_texts(section, config),),
        theory=Theory(f"{_HERE}.checks:check_cases", ("mle", "laplace", "interpolated", "mf-sgd"),
                      exhibits=(NGRAMS, MEMORY, COMPLETION, STYLE)),
        files=(WORDS, BLOCKS, RECEIPT), agreement="choosing",
        kept=(*kept, *(f"/{name}.csv" for name in names)), takes="about 4 minutes",
    )  # fmt: skip
    return [scope]


def _plan_texts(section, config):
    corpora, keys = (section["corpus"], *section["bibles"]), ("block", "least", "files")
    return Texts(
        "words", f"{_HERE}.texts:find_texts", f"{_HERE}.texts:save_texts", (WORDS, BLOCKS), RECEIPT,
        {name: config["corpora"].get(name) for name in corpora},
        {key: section[key] for key in ("corpus", "bibles", *keys) if key in section},
        section["corpus"], about="Textbook: reading its texts",
    )  # fmt: skip


def _plan_jobs(section, config):
    methods, words = choose_methods(config, section["methods"]), {"words": WORDS}
    for name, entry in without_labels(methods).items():
        is_last = name == section["methods"][-1]
        for size in (0, *(section["sizes"] if is_last else ())):
            yield Job(
                f"{NGRAMS}/{name}-{size or 'all'}", "reproduction.scores.orders:score_orders",
                {name: entry}, {"orders": section["orders"], "words": size}, words, memory=3000,
                about=f"N-grams: {name}, {size or 'all'} words",
            )  # fmt: skip
    yield Job(
        MEMORY, f"{_HERE}.ngrams:remember_file", {"mle": {"method": "mle"}},
        {key: section[key] for key in ("orders", "drawn", "shown")}, words | {"style": BLOCKS},
        ("single", "found", "text"), memory=3000, about="N-grams: what they remember",
    )  # fmt: skip
    yield Job(
        COMPLETION, f"{_HERE}.ngrams:complete_file", {"mf-sgd": {"method": "mf-sgd"}},
        section["completion"], words, ("biases", "rmse"), memory=1500, about="Matrix completion",
    )  # fmt: skip
    yield Job(
        STYLE, f"{_HERE}.lowdim:place_file", {}, {}, {"style": BLOCKS}, ("name", "x", "y"),
        about="Function words in the plane",
    )  # fmt: skip
