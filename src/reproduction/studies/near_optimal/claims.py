"""What the paper claims, each statement with its place and how it is judged.

Tolerances were fixed before any claim was judged; a change is told, with its reason, in
CHANGELOG.md. They follow from what the paper prints: a cell's tolerance is a tenth of the effect
that it reports, an ordering has to hold at every point that is drawn, a size holds within half a
unit of its last printed digit. `reproduction.verdicts` applies them.
"""

from reproduction.studies.near_optimal.printed import AXES, CORPORA, SETTINGS, TABLE_1
from reproduction.study import read_words
from reproduction.verdicts.source import Claim, make_claim

LABELS = {"add-half": "Add-1/2", "ad": "AD", "sb": "SB", "kn": "KN", "ad-lr": "AD-LR"}


def _pairs(better, *worse):
    return [(better, other) for other in worse]


def _sizes():
    for corpus, sizes in CORPORA.items():
        for column, (size, half) in sizes.items():
            kind = "distinct words" if column == "types" else "words to train on, and to test on"
            statement = f"{corpus} has {size:,} {kind}."
            settings = {"corpus": corpus, "column": column}
            name = "vocabulary" if column == "types" else "words"
            id = f"{corpus}-{name}"
            yield Claim(id, "Section 7", statement, "words", "corpora", size, half, settings)


def _cells():
    orders = (
        ("lowest", "Table 1, Section 7", "AD-LR has a lower cross-entropy than each of the other "
         "methods.", _pairs("ad-lr", "kn", "sb", "ad", "add-half")),
        ("order", "Table 1", "KN is below SB, SB below AD, and AD below Add-1/2.",
         [("kn", "sb"), ("sb", "ad"), ("ad", "add-half")]),
    )  # fmt: skip
    for name, place, statement, pairs in orders:
        for corpus in TABLE_1:
            settings, of_corpus = (
                {"corpus": corpus, "rank": 50, "pairs": pairs},
                f"On {corpus} {statement}",
            )
            id = f"table-1-{corpus}-{name}"
            yield Claim(id, place, of_corpus, "order", "table-1", settings=settings)
    for corpus, row in TABLE_1.items():
        for method, value in row.items():
            settings = {"corpus": corpus, "method": method}
            if method == "ad-lr":
                settings["rank"] = 50
            statement = f"{LABELS[method]} on {corpus}: {value} nats per word."
            id = f"table-1-{corpus}-{method}"
            yield Claim(id, "Table 1", statement, "cell", "table-1", value, 0.01, settings)


def _synthetic():
    rivals = ["ad", "naive-ad-lr", "kn"]
    rows = [
        ("1a", "naive-worse", "some", [("add-half", "naive-add-half-lr")],
         "Naive Add-1/2 LR may even be worse than Add-1/2, which ignores the structure."),
        ("1a", "naive-short", "order", [("add-half-lr", "naive-add-half-lr")],
         "Naive Add-1/2 LR falls short of Add-1/2-LR."),
        ("1a", "proposed-best", "order", [("add-half-lr", "add-half")],
         "Add-1/2-LR beats Add-1/2: it has both smoothing and structure."),
        ("1b", "add-half-lr-best", "order", _pairs("add-half-lr", *rivals),
         "Add-1/2-LR has an edge on AD, Naive AD-LR and KN."),
        ("1b", "ad-lr-best", "order", _pairs("ad-lr-random", *rivals),
         "AD-LR has an edge on AD, Naive AD-LR and KN."),
        # READING: "not expected to perform well", of a regime in which only structure helps.
        ("1b", "kn-poor", "order",
         [(name, "kn") for name in ("add-half-lr", "ad-lr-random", "naive-ad-lr")],
         "KN does not do well on uniform rows: it loses to every low-rank method."),
        ("1c", "kn-well", "order", _pairs("kn", "add-half-lr", "ad", "naive-ad-lr"),
         "KN does well on power-law rows even for k >> n: all but AD-LR are worse."),
        ("1c", "ad-lr-best", "order", [("ad-lr-random", "kn")],
         "Only AD-LR is better than KN: it is, for every n."),
    ]  # fmt: skip
    for figure, name, test, pairs, statement in rows:
        exhibit, place = f"figure-{figure}", f"Figure {figure[0]}({figure[1]})"
        settings = SETTINGS[exhibit] | {"pairs": pairs}
        yield Claim(f"{exhibit}-{name}", place, statement, test, exhibit, settings=settings)
    yield Claim(
        "factor-k-over-m",
        "Section 3",
        "Without the structure Add-1/2 can be a factor of order k/m from optimal: its risk over "
        "that of Add-1/2-LR grows in proportion to k.",
        "growth",
        "factor-k-over-m",
        published=1,
        tolerance=0.2,
        settings={"rank": 5, "pairs": [("add-half-lr", "add-half")]},
    )


def _curves():
    for figure, corpus in (("2a", "tartuffe"), ("2b", "genesis")):
        exhibit, place = f"figure-{figure}", f"Figure 2({figure[1]})"
        settings = SETTINGS[exhibit]
        # The axis of 2(a) ends at 0, that of 2(b) above it: there, Table 1's size is judged.
        when, near = ("whatever the training size", {})
        if figure == "2b":
            when, near = "when trained on all 19,000 words", {"near": 19000}
        yield Claim(
            f"{exhibit}-below-sb", place, f"On {corpus} both AD-LR and KN are below SB, {when}.",
            "order", exhibit,
            settings=settings | near | {"pairs": [("ad-lr", "sb"), ("kn", "sb")]},
        )  # fmt: skip
        # READING: the text speaks of one size; the figure draws the curves over all of them.
        yield Claim(
            f"{exhibit}-below-kn", place,
            f"On {corpus} AD-LR is below KN, whatever the training size.",
            "order", exhibit, settings=settings | {"pairs": [("ad-lr", "kn")]},
        )  # fmt: skip
    # READING: "the amount of improvement" is that over KN; the curves' baseline is SB.
    settings = SETTINGS["figure-2a"] | {"near": 15000, "pairs": [("ad-lr", "kn")]}
    statement = "On tartuffe at n = 15k AD-LR is about 0.1 nats per word below KN."
    yield Claim(
        "figure-2a-size", "Figure 2(a), Section 7", statement, "size", "figure-2a", 0.1, 0.05,
        settings,
    )  # fmt: skip
    for corpus in TABLE_1:
        behaviour = "has its minimum at some m << k, inside the range of m"
        yield Claim(
            f"figure-2c-minimum-{corpus}",
            "Figure 2(c)" if corpus == "tartuffe" else "Section 7, figure 2(c)",
            f"On {corpus} the validation cross-entropy of AD-LR {behaviour}.",
            "minimum",
            "figure-2c",
            settings={"corpus": corpus, "method": "ad-lr"},
        )


def _axes():
    for exhibit, (figure, methods, ends) in AXES.items():
        settings = {"methods": methods, "ends": ends, "log": figure == "1(b)"}
        settings |= SETTINGS[exhibit]
        rows = " as captioned, of uniform rows of B," if figure == "1(a)" else ""
        statement = f"The curves{rows} lie on the printed axis and fill it: {ends[0]} to {ends[1]}."
        id, place = f"{exhibit}-axis", f"Figure {figure}"
        yield Claim(id, place, statement, "axis", exhibit, settings=settings)


def _others():
    """Yield the claims of words.toml: on the theory, and on the work of others."""
    return map(make_claim, read_words(__file__)["claims"])


CLAIMS = (*_cells(), *_synthetic(), *_curves(), *_axes(), *_sizes(), *_others())
