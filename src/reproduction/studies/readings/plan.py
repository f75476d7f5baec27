"""What the rules look up of the readings: their axes, their exhibits, the files of their scores."""

from itertools import product

from reproduction.study import make_entry

SPECIFICATION, CHOICES, REPLICATION = "specification", "choices", "replication"
# A reading is one value on each of these axes: of the text, of Kneser-Ney, and of AD-LR.
OF_TEXT = ("tokenizer", "split", "vocabulary")
OF_KNESER_NEY = ("continuation", "unseen", "discount")
OF_AD_LR = ("initial",)
AXES = (*OF_TEXT, *OF_KNESER_NEY, *OF_AD_LR)
GRID = ("axes", "words", "rank", "iterations", "seeds")  # settings of the fits


def list_scores(section, corpora, collections):
    """Return the files of scores behind each exhibit that can be made.

    Choices are tabulated from the table of the specification, and have no scores.
    """
    folder = "results/readings/scores"
    found = {
        SPECIFICATION: [
            f"{folder}/grid/{corpus}--{tokenizer}--{split}.csv"
            for corpus in corpora
            for tokenizer, split in product(section["tokenizers"][corpus], section["axes"]["split"])
        ],
        REPLICATION: [f"{folder}/replication/{name}.csv" for name in collections],
    }
    found = {name: files for name, files in found.items() if files}
    return found | ({CHOICES: []} if SPECIFICATION in found else {})


def list_exhibits(section, scores):
    """Return the entries of the exhibits that have scores, in the order of the page."""
    names = [name for name in (SPECIFICATION, CHOICES, REPLICATION) if name in scores]
    methods = tuple(section["methods"])
    return {name: make_entry("readings", name, methods=methods) for name in names}
