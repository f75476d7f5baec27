"""Table 1: perplexities on Brown, of n-grams and of classes of words."""

from reproduction.studies.survey.part import (
    BROWN,
    HERE,
    RECEIPT,
    Part,
    check,
    show,
)
from reproduction.study import Job, choose_methods, without_labels
from reproduction.verdicts.source import Erratum, Reading

TABLE = "table"
WORDS, CLASSES = "kn-text-modified", "class-kn"
PRINTED = {  # perplexities by what they are called
    "MLP8": 270,
    "MLP10": 252,
    "Kneser-Ney": 321,
    "class-based KN": 312,
}


def plan(section, config, size):
    """Return the jobs and the exhibits of this part."""
    jobs = [
        Job(
            f"{TABLE}/{size}-{name}", f"{HERE}.perplexities:{told.get('scorer', 'score_file')}",
            without_labels(choose_methods(config, [name])), {"orders": told["orders"]},
            {"words": BROWN.format(size=size)}, memory=2000, about=f"Table 1: {name}",
        )
        for name, told in section["models"].items()
    ]  # fmt: skip
    table = show(
        TABLE, "Table 1: perplexities on Brown", "A row for each model and order: its perplexity "
        "with an interval, beside the one in print.", jobs, receipts=(RECEIPT.format(size=size),),
        kind="perplexities",
        methods=tuple(section["models"]), printed={
            name: told["printed"] for name, told in section["models"].items() if "printed" in told
        },
    )  # fmt: skip
    return jobs, [table]


PERPLEXITIES = Part(
    "table",
    plan,
    claims=(
        check("n-phrases", "5.1", "Of 100,000 words there are 10^25 phrases of five."),
        check("n-simplex", "1", "Sentences of ten of 50,000 words are a simplex of 10^40."),
        check("n-perplexity", "5.3", "Perplexity, as printed, is one at best and V at worst."),
        check("n-worst", "5.3", "The worst possible perplexity is V."),
        check("n-percent", "5.3", "252 is 21.5 % less than 321."),
        check("n-classes", "5.3, Table 1",
              "Kneser-Ney of classes, order 3, is better than that of words, order 5."),
    ),
    looked_at=(TABLE,),
    descriptions={
        TABLE: "The survey prints 321 for Kneser-Ney of order 5, 312 for classes, 270 and 252 for "
        "neural models: trained on 800,000 words of another preparation of Brown.",
    },
    readings=(
        Reading("split", "How Brown is split", "Nothing; its source does.",
                "In proportion, in the order of the files; of every fourth file by default.",
                "Genres follow each other as in the whole.", "medium",
                "studies: survey: table: every", (TABLE,)),
        Reading("rare", "Rare words", "Words seen three times or less are one symbol, by its "
                "source.", "It is not scored, the end of a sentence is.",
                "Orderings may carry over, numbers do not.", "low", "studies: survey: table: least",
                (TABLE,)),
    ),
    errata=(
        Erratum("50,000 to the tenth is 10^47, not 10^40", "Section 1.", ("n-simplex",)),
        Erratum("Perplexity lacks its minus", "As printed it is at most one; and it is the inverse "
                "of the geometric mean of the probabilities.", ("n-perplexity",)),
        Erratum("The worst perplexity is infinite", "A word to which a model gives nothing has it.",
                ("n-worst",)),
    ),
)  # fmt: skip
