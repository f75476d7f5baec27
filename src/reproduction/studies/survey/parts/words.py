"""Words on a map: LSA, SDR and the classes of AD-LR."""

from reproduction.studies.survey.part import BROWN, HERE, LABELS, RECEIPT, Part, show
from reproduction.study import Job, choose_methods, without_labels
from reproduction.verdicts.source import Reading

WORDS = "words"


def plan(section, config, size):
    """Return the job and the exhibit of this part."""
    job = Job(
        f"{WORDS}/{size}", f"{HERE}.words:place_words",
        without_labels(choose_methods(config, section["methods"])),
        {key: section[key] for key in ("frequent", "shown", "asked", "neighbours")},
        {"words": BROWN.format(size=size), "labels": LABELS.format(size=size)},
        ("group", "word", "x", "y", "near"), memory=1500, about="Words on a map",
    )  # fmt: skip
    exhibit = show(
        WORDS, "Words on a map, and their nearest neighbours", "For each method frequent words in "
        "a plane, coloured by kind, and below it the nearest neighbours of some.", [job],
        receipts=(RECEIPT.format(size=size),), methods=tuple(section["methods"]),
    )  # fmt: skip
    return [job], [exhibit]


MAP = Part(
    "words",
    plan,
    descriptions={
        WORDS: "The survey says that all of its models capture some lexical semantics, and draws "
        "none of them. Directions of the vectors of frequent words as contexts."
    },
    readings=(
        Reading("map", "What is drawn of a word", "Nothing.",
                "The direction of its vector as the word before, in the plane of the two principal "
                "components of the words shown.",
                "The first singular vector tells how frequent a word is.", "low",
                "studies: survey: words", (WORDS,)),
    ),
    unkept=(WORDS,),
)  # fmt: skip
