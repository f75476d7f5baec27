"""What the rules look up of the textbook: its exhibits, and the settings of its scores."""

from reproduction.study import choose_methods, make_entry, without_style

NGRAMS, MEMORY, COMPLETION, STYLE = "ngrams", "memory", "completion", "style"
ELBOW, SEEDING, CLASSIFIED, PLAYERS = "elbow", "seeding", "classified", "players"
COMPARED, NEXT, RATINGS, GENERATED = "compared", "next", "ratings", "generated"
USES, FILMS = "uses", "films"
ORDER = (
    *(NGRAMS, COMPARED, USES, MEMORY, GENERATED, NEXT, PLAYERS, "digits", ELBOW, SEEDING),
    *(CLASSIFIED, "rank", "images", STYLE, COMPLETION, RATINGS, FILMS),
)
# Parts of the scores: of Brown and both Bibles, of the plays, and of neither.
OF_TEXTS = (MEMORY, COMPLETION, STYLE, COMPARED, USES, NEXT)
OF_PLAYS = (MEMORY, NEXT, STYLE)
OF_NEITHER = (ELBOW, SEEDING, CLASSIFIED, RATINGS, FILMS)
JUDGED = (NGRAMS, *OF_TEXTS, *OF_NEITHER)
TEXTS, PLAYS = "textbook-texts", "textbook-plays"  # by which a run names what is missing
NEEDS = dict.fromkeys((NGRAMS, COMPARED, USES, STYLE, COMPLETION), (TEXTS,)) | {
    **dict.fromkeys((MEMORY, NEXT), (TEXTS, PLAYS)),
    GENERATED: (PLAYS,),
}
SETTINGS_OF_TEXTS = ("corpus", "bibles", "block", "least", "files")


def list_exhibits(section, there):
    """Return the entries of the exhibits that can be made of the texts that are ``there``.

    What shows Brown and the plays shows the one of them that there is.
    """
    methods = {NGRAMS: tuple(section["methods"])}
    return {
        name: make_entry("textbook", name, methods=methods.get(name, ()))
        for name in ORDER
        if name not in NEEDS or set(NEEDS[name]) & set(there)
    }


def list_scores(section, there):
    """Return the files of scores behind each exhibit."""
    folder, last = "results/textbook/scores", section["methods"][-1]
    ngrams = [f"{method}-all" for method in section["methods"]]
    ngrams += [f"{last}-{words}" for words in section["sizes"]]
    parts = [*OF_NEITHER, *(OF_TEXTS if TEXTS in there else ())]
    found = {part: [f"{folder}/{part}.csv"] for part in parts}
    if TEXTS in there:
        found[NGRAMS] = [f"{folder}/ngrams/{name}.csv" for name in ngrams]
    if PLAYS in there:
        found[GENERATED] = [f"{folder}/{MEMORY}-plays.csv"]
        # In a plane plays stand next to the Bibles.
        for part in OF_PLAYS if TEXTS in there else (MEMORY, NEXT):
            found.setdefault(part, []).append(f"{folder}/{part}-plays.csv")
    return found


def settings_of(section, part):
    """Return the settings of a part's scores."""
    keys = {
        MEMORY: ("orders", "drawn"),
        COMPARED: ("orders", "compared"),
        USES: ("orders",),
        NEXT: ("drawn",),
        STYLE: (),
    }
    kind, _, plays = part.partition("-")
    if kind not in keys:
        return section.get(part, {})
    corpus = section["plays" if plays else "corpus"]
    return {key: section[key] for key in keys[kind]} | {"corpus": corpus, "shown": bool(plays)}


def methods_of(section, config, part):
    """Return the entries of the methods that a part fits."""
    kind, _, _ = part.partition("-")
    own = {MEMORY: {"mle": {"method": "mle"}}, COMPLETION: {"mf-sgd": {"method": "mf-sgd"}}}
    last = without_style(choose_methods(config, [section["methods"][-1]]))
    return own.get(kind, last if kind in (COMPARED, USES) else {})
