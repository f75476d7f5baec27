"""Structural learning: parts of speech and genres from few labels, and what is proved of it."""

from reproduction.studies.survey.part import DEFAULT, HERE, STUDY, Part, check, external, show
from reproduction.study import Job
from reproduction.verdicts.source import Erratum, Reading

TAGGING, GENRES = "tagging", "genres"
SUPERVISED, ASO, RIDGED, ALONE = "supervised", "aso", "ridged", "alone"
TAGGED, TAGGED_RECEIPT = f"{STUDY}/tagged.npz", f"{STUDY}/tagged.json"
LABELS = {
    SUPERVISED: "supervised alone",
    ASO: "ASO",
    RIDGED: "ASO, ridge on v, too (ours)",
    "negatives": "negative weights kept",
    "untyped": "one space for all types",
    "passes": "several passes",
    "counts": "co-occurrence counts",
    ALONE: "Φx alone",
}


def plan(section, config, size):
    """Return the jobs and the exhibits of this part."""
    inputs, columns, memory = {"tagged": TAGGED}, ("rank",), 4000 if size == DEFAULT else 12000
    told = {key: value for key, value in section.items() if key not in ("sizes", GENRES)}
    tagging = [
        Job(
            f"{TAGGING}/{size}-{n}", f"{HERE}.tagging:score_tagging", {}, told | {"size": n},
            inputs, columns, memory, about=f"Parts of speech from {n} labelled words",
        )
        for n in section["sizes"]
    ]  # fmt: skip
    genres = Job(
        f"{GENRES}/{size}", f"{HERE}.genres:score_genres", {}, section[GENRES], inputs, columns,
        memory, about="Genres of documents from few labelled ones",
    )  # fmt: skip
    of = {"tabulate": f"{HERE}.structural:tabulate", "draw": f"{HERE}.structural:draw"}
    of |= {"receipts": (TAGGED_RECEIPT,)}
    return [*tagging, genres], [
        show(TAGGING, "Parts of speech in Brown from few labelled words",
             "Accuracy on other files against the number of labelled words, with and without "
             "structural learning; and what each of its ingredients changes.", tagging, **of),
        show(GENRES, "Genres of documents in Brown from few labelled ones",
             "Accuracy on other documents against the number of labelled documents.", [genres],
             **of),
    ]  # fmt: skip


STRUCTURE = Part(
    TAGGING,
    plan,
    claims=(
        check("a-svd", "6.3.1", "The top singular vectors of all weights minimise the penalty."),
        check("a-v", "6.3.1", "At its minimum v = Φu."),
        check("a-u-printed", "6.3.1", "Predictors are rewritten by u = w - Φ'v."),
        check("a-u", "6.3.1", "Ours: by u = w + Φ'v.", by="us"),
        check("a-better", "6.5", "Structural learning beats supervised learning: parts of speech, "
              "at each number of labelled words."),
        check("a-genres", "6.5", "And so it does for documents."),
        check("a-ridged", "6.5", "Ours: with a ridge on v, too, it does for parts of speech.",
              by="us"),
        check("a-once", "6.3.2", "More than one pass changes next to nothing."),
        check("a-negatives", "6.3.2", "Setting negative weights to zero drops noise."),
        check("a-types", "6.3.2", "A space for each type of features makes a difference."),
        check("a-counts", "6.6", "Co-occurrence counts alone suffice to find a good space."),
        external("a-entities", "6.5", "It beats the winners of CoNLL 2003 at named entities."),
        external("a-cotraining", "6.5", "It beats co-training on 20 newsgroups and RCV1."),
        external("a-digits", "6.5", "And manifold learning on digits, but for the fewest labels."),
    ),
    looked_at=(TAGGING, GENRES),
    unsteady=tuple(f"a-{what}" for what in
                   ("better", "genres", "ridged", "once", "negatives", "types", "counts")),
    descriptions={
        TAGGING: "The survey has this task as its example, and results of named entities in words: "
        "consistent improvements.",
        GENRES: "The survey reports 20 newsgroups and RCV1, in words.",
    },
    readings=(
        Reading("auxiliary", "Loss of the auxiliary predictors",
                "Any; its source has the modified Huber loss.",
                "Squares of labels one and zero: all problems share one system. The target has "
                "the modified Huber loss.", "", "medium", "", (TAGGING, GENRES)),
        Reading("rank", "Dimensions of each space", "Nothing.",
                "Chosen with the ridge: each half of the labelled examples is told from the other. "
                "With a ridge on v it is the largest, and there each ingredient is changed.",
                "v has no ridge: many dimensions fit a thousand labels whatever they are.",
                "medium", "studies: survey: tagging: ranks", (TAGGING, GENRES)),
        Reading("counts", "Normalised counts in place of weights", "Nothing.",
                "What regressions on each feature alone give, negative ones set to zero.",
                "They count pairs, beyond the word's share.", "low", "", (TAGGING,)),
        Reading("pieces", "Whose most frequent word is predicted", "A document's.",
                "That of pieces of 200 words: 400 documents give too few examples.", "", "low",
                "studies: survey: tagging: genres: piece", (GENRES,)),
    ),
    errata=(
        Erratum("u = w - Φ'v should be u = w + Φ'v", "Section 6.3.1: else the predictors differ.",
                ("a-u-printed",)),
        Erratum("Eigenvectors are the rows of Φ, not its columns", "ΦΦ' = I has k rows."),
    ),
)  # fmt: skip
