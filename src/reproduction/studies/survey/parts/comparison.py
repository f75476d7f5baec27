"""Every method beside every other: what the survey says of them, and the jobs behind it."""

from reproduction.studies.survey.part import (
    CLOSED,
    DEFAULT,
    HERE,
    METHODS,
    STUDY,
    Part,
    share_jobs,
    show,
)
from reproduction.study import Job, choose_methods, section_of, without_labels
from reproduction.verdicts.source import Reading

COST, RISK = "cost", "risk"
OURS, KNESER_NEY = "py-lr", "kn-modified"  # that all others are compared with
COLUMNS = ("chosen", "fit_seconds", "score_seconds", "bytes")


def plan(section, config, size):
    """Return the jobs and the exhibits of this part."""
    names = [name for family in section["families"].values() for name in family]
    texts, risks = plan_jobs(section, config, size, names)
    if size != DEFAULT:  # what has the same settings there is not scored twice
        usual = section_of(config, STUDY)[COMPARISON.name]
        by_default = plan_jobs(usual, config, DEFAULT, names)
        texts, risks = map(share_jobs, (texts, risks), by_default)
    told = {
        "methods": tuple(names),
        "families": section["families"],
        "corpora": tuple(section["corpora"]),
    }
    of_texts = texts, tuple(f"corpora/{corpus}.json" for corpus in section["corpora"])
    exhibits = [
        show(METHODS, "Every method on every text, beside Kneser-Ney and PY-LR",
             "For each text a row of each method, by families: its cross-entropy less that of "
             "Kneser-Ney with three discounts, with an interval, for two vocabularies; a line "
             "stands where PY-LR is.", of_texts[0], receipts=of_texts[1], **told),
        show(COST, "Accuracy against cost",
             "For each text the cross-entropy of every method against the seconds of its fit, and "
             "the front of what no other beats in both.", of_texts[0], receipts=of_texts[1],
             **told),
        show(RISK, f"KL risk on models of rank {section['models']['rank']} that nobody is told",
             "For each number of pairs a row of each method: its KL risk less that of Kneser-Ney "
             "with three discounts, with an interval.", risks, **told),
    ]  # fmt: skip
    return [*texts, *risks], exhibits


def plan_jobs(section, config, size, names):
    """Return the jobs of texts, one of each vocabulary, and those of models."""
    methods = without_labels(choose_methods(config, names))
    texts = [
        Job(
            f"{METHODS}/{size}-{corpus}-{vocabulary}{speed}", f"{HERE}.comparison:score_text",
            {name: methods[name] for name in names if name in tried},
            {"corpus": corpus, "vocabulary": vocabulary}
            | {key: given[key] for key in ("ranks", "seeds")},
            {"words": f"corpora/{corpus}.npz"}, COLUMNS, memory=1500,
            about=f"Every method on {corpus}, {vocabulary}{speed.replace('-', ', ')}",
        )
        for corpus in section["corpora"]
        for speed, tried, given in tried_on(corpus, section)
        for vocabulary in given["vocabularies"]
    ]  # fmt: skip
    models = section["models"]
    risks = [
        Job(
            f"{RISK}/{size}-n{n}", f"{HERE}.comparison:score_models", methods,
            {key: models.get(key) for key in ("k", "rank", "rows", "exponent", "trials", "ranks")}
            | {"n": n}, columns=("chosen",),
            about=f"Every method on models of rank {models['rank']}, {n} pairs",
        )
        for n in models["n"]
    ]  # fmt: skip
    return texts, risks


def tried_on(corpus, section):
    """Yield the methods that are fitted to a text: the others, and those that take long, if any.

    With each is the end of the name of its job, and what it is given.
    """
    slow = section["slow"]
    taken = {*section["models_alone"]}.union(*slow["methods"].values())
    others = {name for family in section["families"].values() for name in family} - taken
    yield "", others, section
    if tried := slow["methods"].get(corpus):
        yield "-slow", {*tried}, slow | {"vocabularies": [CLOSED]}


COMPARISON = Part(
    "comparison",
    plan,
    unkept=(COST,),
    descriptions={
        METHODS: "The survey has no such comparison. Cross-entropy of the second half given the "
        "first, as in Table 1 of the first paper; ranks, ridges, rates and classes are chosen on "
        "the last tenth of the training words. Hollow: the words of the training text alone. "
        "Relative frequencies (MLE) are infinite where a pair is new. What takes long has one "
        "start by default and ten in `survey_full`, which alone tries SDR and the log-bilinear "
        "rows on Brown.",
        COST: "The survey's Table 2 names losses and optimisers, no seconds. Of the processor, on "
        "the machine of this run.",
        RISK: "Not in the survey: the known truth of the first paper's models.",
    },
    readings=(
        Reading("choosing", "How rank, ridge, rate and classes are chosen", "Nothing.",
                "By the loss of the last tenth of the training words, for all methods alike, "
                "among the ranks of the comparison and the values that the method's entry lists; "
                "then fitted to all of them.", "No test word is seen.", "medium",
                "studies: survey: comparison: ranks; lists in methods", (METHODS, RISK)),
        Reading("task", "What is judged", "Retrieval of documents, perplexity, classification.",
                "How well a method predicts the next word, or completes pairs.",
                "It is what all of them can do.", "low", "", (METHODS,)),
    ),
)  # fmt: skip
