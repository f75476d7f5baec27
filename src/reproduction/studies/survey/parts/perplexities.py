"""Table 1: perplexities on Brown, of n-grams, of classes of words and of neural models."""

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
# Networks mixed with a trigram: MLP8, the same without direct connections, and MLP10; and what the
# name of one without its trigram ends with.
DIRECT, PLAIN, LARGE, ALONE = "nplm-8", "nplm-8-plain", "nplm-10", "-alone"
_MLP = {"method": "nplm", "embedding": 30, "batch": 64, "epochs": 5, "direct": False}
_ENTRIES = {  # what the claims call so
    WORDS: {"method": "kn", "discount": "modified", "continuation": "uniform"},
    CLASSES: {"method": "class-exchange", "rank": 500, "iterations": 5},
    DIRECT: _MLP | {"hidden": 50, "direct": True},
    PLAIN: _MLP | {"hidden": 50},
    LARGE: _MLP | {"hidden": 100},
}
STATED = _ENTRIES | {
    name + ALONE: _ENTRIES[name] | {"weight": 0} for name in (DIRECT, PLAIN, LARGE)
}
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
            f"{TABLE}/{size}-{name}", f"{HERE}.{told.get('scorer', 'perplexities:score_file')}",
            without_labels(choose_methods(config, _names(name, told))), {"orders": told["orders"]},
            {"words": BROWN.format(size=size)}, memory=2000, about=f"Table 1: {name}",
            checkpoint="alone" in told,
        )
        for name, told in section["models"].items()
    ]  # fmt: skip
    table = show(
        TABLE, "Table 1: perplexities on Brown", "A row for each model and order: its perplexity "
        "with an interval, beside the one in print.", jobs, receipts=(RECEIPT.format(size=size),),
        kind="perplexities",
        methods=tuple(n for name, told in section["models"].items() for n in _names(name, told)),
        printed={
            name: told["printed"] for name, told in section["models"].items() if "printed" in told
        },
    )  # fmt: skip
    return jobs, [table]


def _names(name, told):
    """Return the methods of a job: a model, and the same without its trigram."""
    return [name, *([told["alone"]] if "alone" in told else [])]


PERPLEXITIES = Part(
    "table",
    plan,
    claims=(
        check("n-phrases", "5.1", "Of 100,000 words there are 10^25 phrases of five."),
        check("n-simplex", "1", "Sentences of ten of 50,000 words are a simplex of 10^40."),
        check("n-formula-printed", "5.2", "The hidden layer is tanh(C phi), and a word's score its "
              "product with that."),
        check("n-formula", "5.2", "Ours: the layer is tanh(d + C'phi); scores have biases, too, "
              "and direct links where there are any.", by="us"),
        check("n-linear", "5.3", "A bigram model with linear links alone is SDR, of a conditional "
              "distribution."),
        check("n-perplexity", "5.3", "Perplexity, as printed, is one at best and V at worst."),
        check("n-worst", "5.3", "The worst possible perplexity is V."),
        check("n-percent", "5.3", "252 is 21.5 % less than 321."),
        check("n-classes", "5.3, Table 1",
              "Kneser-Ney of classes, order 3, is better than that of words, order 5.",
              methods=(WORDS, CLASSES)),
        check("n-order-classes", "5.3, Table 1",
              "MLP8, a neural model of order 3, is better than Kneser-Ney of classes.",
              methods=(DIRECT, CLASSES)),
        check("n-order-networks", "5.3, Table 1", "MLP10, of order 5, is better than MLP8.",
              methods=(LARGE, DIRECT)),
        check("n-cells", "5.3, Table 1", "Perplexities of MLP8 and MLP10 over that of Kneser-Ney, "
              "order 5, are the printed ones within 5 %.", methods=(DIRECT, LARGE, WORDS)),
        check("n-mixing", "5.3", "Mixing with a trigram always helps a neural model.",
              methods=tuple(STATED)),
        check("n-direct-alone", "5.3", "Direct connections help a neural model that is alone.",
              methods=(DIRECT + ALONE, PLAIN + ALONE)),
        check("n-direct-mixed", "5.3", "Direct connections hurt one mixed with a trigram.",
              methods=(DIRECT, PLAIN)),
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
        Reading("stopping", "How neural models are stopped and mixed", "Nothing; its source has "
                "a validation set, and mixes at one half or by learned weights.",
                "The stopping part stops them and tells the weight of the trigram, which is "
                "counted in the training part alone.", "Weights of mixtures.",
                "medium", "methods: nplm-8", (TABLE,)),
    ),
    errata=(
        Erratum("50,000 to the tenth is 10^47, not 10^40", "Section 1.", ("n-simplex",)),
        Erratum("The layers of the neural model lack their biases, and C is transposed",
                "Section 5.2: C is k(n-1) by h and has phi on its right. The direct links of "
                "Section 5.3 are in no formula, either.", ("n-formula-printed",)),
        Erratum("Perplexity lacks its minus", "As printed it is at most one; and it is the inverse "
                "of the geometric mean of the probabilities.", ("n-perplexity",)),
        Erratum("The worst perplexity is infinite", "A word to which a model gives nothing has it.",
                ("n-worst",)),
    ),
)  # fmt: skip
