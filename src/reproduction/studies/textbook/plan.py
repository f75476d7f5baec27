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
NGRAMS, MEMORY, COMPLETION, STYLE = "ngrams", "memory", "completion", "style"  # exhibits, and jobs
DIGITS = "digits"  # a further exhibit
_HERE = f"reproduction.studies.{STUDY}"
RECEIPT, WORDS, BLOCKS = (f"{STUDY}/{name}" for name in ("receipt.json", "words.npz", "style.npz"))


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    if not section:
        return []
    jobs = list(_plan_jobs(section, config))
    of = {name: [job for job in jobs if job.name.startswith(name)]
          for name in (NGRAMS, MEMORY, COMPLETION, STYLE)}  # fmt: skip
    exhibits = [
        make_exhibit(
            __file__, name, of.get(name, ()), () if name == DIGITS else (RECEIPT,),
            methods=tuple(section["methods"]) if name == NGRAMS else (),
        )
        for name in (NGRAMS, MEMORY, DIGITS, STYLE, COMPLETION)
    ]  # fmt: skip
    scope = make_scope(
        __file__, STUDY, jobs, exhibits, texts=(_plan_texts(section, config),),
        theory=Theory(f"{_HERE}.checks:check_cases", ("mle", "laplace", "interpolated", "mf-sgd"),
                      exhibits=(NGRAMS, MEMORY, COMPLETION, STYLE)),
        files=(WORDS, BLOCKS, RECEIPT),
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
        {key: section[key] for key in ("orders", "drawn")}, words,
        ("single", "found"), memory=3000, about="N-grams: what they remember",
    )  # fmt: skip
    yield Job(
        COMPLETION, f"{_HERE}.ngrams:complete_file", {"mf-sgd": {"method": "mf-sgd"}},
        section["completion"], words, ("biases", "rmse"), memory=1500, about="Matrix completion",
    )  # fmt: skip
    yield Job(
        STYLE, f"{_HERE}.lowdim:place_file", {}, {}, {"style": BLOCKS}, ("name", "x", "y"),
        about="Function words in the plane",
    )  # fmt: skip
