"""How each kind of claim is judged, in words and in thresholds; the names of the verdicts.

Criteria and thresholds were fixed before any claim was judged; CHANGELOG.md has each change
with its reason.
"""

REPRODUCED, TREND, FAILED, NOT_RUN, UNTESTED = VERDICTS = (
    "reproduced",
    "trend only",
    "not reproduced",
    "not run here",
    "not testable here",
)

CELL_TREND = 0.1  # nats per word: a cell farther off has moved by as much as the paper's effect
WORDS_TREND = 0.05  # relative: another edition, or another way of cutting, of the same text
AXIS_MARGIN = 0.1  # of the axis's length, beyond either end
AXIS_SHARE = 0.5  # of the points inside it for a trend; of its length, spanned by the curves
SMALL_RANK = 0.1  # of the vocabulary: a rank below this counts as "m << k"
SHARE = 0.02  # of the other's risk: by more than that on a model nobody is unbeaten; not measured
NEAR = 0.05  # relative: a sample size that stands for one that the paper names

# By the test of a claim, whose ``published`` and ``tolerance`` stand for themselves.
CRITERIA = {
    "cell": "Reproduced within {tolerance:g} of the printed number; trend only within 0.1. Methods "
    "with random starts: the mean over starts.",
    "order": "Paired differences, worse minus better, over the same trials or the same test words. "
    "Reproduced if the 95 % interval is above zero at every point; trend only if at more than "
    "half of the points, and wholly below zero at none.",
    "at-least": "Reproduced if the paired difference is at least {published:g} and its 95 % "
    "interval is above zero; trend only if just the interval is.",
    "effect": "As an order, and the 95 % interval has to be above {tolerance:g}: less is none.",
    "average": "Mean over the texts of a package, and then over packages, of paired differences, "
    "worse minus better. Reproduced if it is at least {published:g} and Student's 95 % interval "
    "over packages is above zero; trend only if just the interval is.",
    "unbeaten": "Paired differences, other minus the claimed, over the same trials or the same "
    "test words. Reproduced if at every point the 95 % interval is above a margin below zero, "
    "{tolerance:g} nats and of models no more than {share:.0%} of the other's risk; trend only if "
    "every difference itself is above it.",
    "within-share": "As unbeaten, with a margin of {tolerance:.0%} of the other's risk.",
    "similar": "Paired differences over the same trials or the same test words. Reproduced if the "
    "95 % interval lies within {tolerance:g} of zero at every point; trend only if every "
    "difference does.",
    "degrades": "The loss at the highest order less that at the model's best order, over the same "
    "test words. Reproduced if its 95 % interval is above zero for every model and text; trend "
    "only if every difference is.",
    "steady": "The loss at the highest order less that at the model's best order, over the same "
    "test words. Reproduced if its 95 % interval is below {tolerance:g} for every model and text; "
    "trend only if every difference is.",
    "some": "Paired differences over the same trials. Reproduced if above zero at some point with "
    "an interval widened for the number of points (Bonferroni); trend only if just with the "
    "95 % interval of that point alone.",
    "size": "Reproduced if the paired difference is within {tolerance:g} of the {published:g} "
    "printed and its 95 % interval is above zero; trend only if just the interval is.",
    "growth": "Slope of log(ratio of mean risks) against log k at fixed m and n. Reproduced within "
    "{tolerance:g} of {published:g}, with a 95 % interval above zero; trend only if just the "
    "interval is above zero.",
    "minimum": "Reproduced if the bootstrap's 95 % interval of the best rank keeps off both ends "
    "of the range and below a tenth of k; trend only if just the mean curve's best rank does.",
    "axis": "Reproduced if every mean that is drawn lies on the printed axis, or within a tenth of "
    "its length beyond, and the curves span half of it; trend only if half of the means do, and "
    "the curves span half of it.",
    "words": "Reproduced if it rounds to the printed number; trend only within 5 % of it.",
    "theory": "Reproduced if the statement holds in every case that was tried, rounding aside; not "
    "reproduced if one case breaks it. Cases are evidence, never a proof.",
    "external": "None: what it would take is not part of the paper.",
}
_PAIRED = "kl_risk by trial, or loss by block and seed"
# The columns of its exhibit that a test reads, and the unit of its numbers.
MEASURES = {
    "cell": ("mean, low, high", "nats per word"),
    "order": (_PAIRED, "nats"),
    "at-least": ("loss by block and seed", "nats per word"),
    "effect": ("loss by block and seed", "nats per word"),
    "average": ("loss by block and seed", "nats per word"),
    "unbeaten": (_PAIRED, "nats"),
    "within-share": ("kl_risk by trial", "nats"),
    "similar": (_PAIRED, "nats"),
    "degrades": ("loss by block and order", "nats per word"),
    "steady": ("loss by block and order", "nats per word"),
    "some": ("kl_risk by trial", "nats"),
    "size": ("loss by block and seed", "nats per word"),
    "growth": ("kl_risk by trial", "slope"),
    "minimum": ("loss by block, seed and rank", "rank"),
    "axis": ("mean, or difference", "nats"),
    "words": ("train_words, types", "words"),
    "theory": ("value, bound, holds", ""),
    "external": ("", ""),
}


def describe_criterion(claim, paper):
    """Return the criterion of a claim in words."""
    words = paper.criteria.get(claim.test, CRITERIA[claim.test])
    return words.format(published=claim.published, tolerance=claim.tolerance, share=SHARE)


def reach_verdict(reproduced, trend):
    """Return the verdict of two answers, of which the first outweighs the second."""
    return REPRODUCED if reproduced else TREND if trend else FAILED
