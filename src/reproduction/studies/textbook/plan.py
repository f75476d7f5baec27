"""What the rules look up of the textbook: its exhibits, and the settings of its scores."""

from reproduction.study import choose_methods, make_entry, without_style

NGRAMS, MEMORY, COMPLETION, STYLE = "ngrams", "memory", "completion", "style"
ELBOW, SEEDING, CLASSIFIED = "elbow", "seeding", "classified"
COMPARED, NEXT, RATINGS, GENERATED = "compared", "next", "ratings", "generated"
ORDER = (
    *(NGRAMS, COMPARED, MEMORY, GENERATED, NEXT, "digits", ELBOW, SEEDING, CLASSIFIED, "rank"),
    *("images", STYLE, COMPLETION, RATINGS),
)
OF_TEXTS = (NGRAMS, COMPARED, MEMORY, GENERATED, NEXT, STYLE, COMPLETION)
PARTS = (MEMORY, COMPLETION, STYLE, ELBOW, SEEDING, CLASSIFIED, COMPARED, NEXT, RATINGS)
JUDGED = (NGRAMS, *PARTS)
SETTINGS_OF_TEXTS = ("corpus", "bibles", "block", "least", "files")


def list_exhibits(section, has_texts):
    """Return the entries of the exhibits that can be made, with or without the texts."""
    methods = {NGRAMS: tuple(section["methods"])}
    return {
        name: make_entry("textbook", name, methods=methods.get(name, ()))
        for name in ORDER
        if has_texts or name not in OF_TEXTS
    }


def list_scores(section):
    """Return the files of scores behind each exhibit."""
    folder, last = "results/textbook/scores", section["methods"][-1]
    ngrams = [f"{method}-all" for method in section["methods"]]
    ngrams += [f"{last}-{words}" for words in section["sizes"]]
    found = {part: [f"{folder}/{part}.csv"] for part in PARTS}
    return found | {
        NGRAMS: [f"{folder}/ngrams/{name}.csv" for name in ngrams],
        GENERATED: found[MEMORY],
    }


def settings_of(section, part):
    """Return the settings of a part's scores."""
    keys = {
        MEMORY: ("orders", "drawn"),
        COMPARED: ("orders", "compared"),
        NEXT: ("drawn",),
        STYLE: (),
    }
    return {key: section[key] for key in keys[part]} if part in keys else section[part]


def methods_of(section, config, part):
    """Return the entries of the methods that a part fits."""
    own = {MEMORY: {"mle": {"method": "mle"}}, COMPLETION: {"mf-sgd": {"method": "mf-sgd"}}}
    last = section["methods"][-1]
    return own.get(part, without_style(choose_methods(config, [last])) if part == COMPARED else {})
