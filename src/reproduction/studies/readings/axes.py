"""The axes of the multiverse, and the claims that are counted in it."""

import itertools

TEXT_AXES = ["corpus", "tokenizer", "split", "vocabulary"]
LR_AXES = ["initial", "update", "rank", "constant", "lr_discount"]
STATED_AXES = ["rank", "constant", "lr_discount"]  # the paper gives these: m = 50, 1/2, 0.75
METHOD_AXES = {  # on which axes the cross-entropy of a method depends, besides those of the text
    "add-half": [],
    "ad": ["discount", "unseen"],
    "sb": ["discount", "backoff"],
    "kn": ["discount", "continuation", "unseen"],
    "ad-lr": [*LR_AXES, "unseen"],
}
CHOICES = ["discount", "continuation", "unseen", "backoff", *LR_AXES]
# Columns of the scores beyond `scores.columns`, which has the rank.
READING_COLUMNS = (*TEXT_AXES[1:], *(choice for choice in CHOICES if choice != "rank"))
# The paper states these, or numbers that follow from them (the sizes of its vocabularies).
STATED = ["vocabulary", "discount", *STATED_AXES]
# The meaning of a reading of contexts never seen for each method. "plain" adds no special case.
UNSEEN = {
    "lower-order": {"ad": "unigram", "kn": "continuation", "ad-lr": "factors"},
    "unigram": {"ad": "unigram", "kn": "unigram", "ad-lr": "unigram"},
    "plain": {"ad": "uniform", "kn": "continuation", "ad-lr": "factors"},
}
ORDER = list(METHOD_AXES)  # from the largest cross-entropy to the smallest, says the paper
AXES = ["tokenizer", "split", "vocabulary", *CHOICES]
ADJACENT = [f"{a}-minus-{b}" for a, b in itertools.pairwise(ORDER)]
# id: (the statement, the margins that must all be > 0, the methods that matter)
CLAIMS = {
    "ordering": ("Add-1/2 > AD > SB > KN > AD-LR", ADJACENT, ORDER),
    "add-half-over-ad": ("Add-1/2 > AD", ADJACENT[:1], ORDER[:2]),
    "ad-over-sb": ("AD > SB", ADJACENT[1:2], ORDER[1:3]),
    "sb-over-kn": ("SB > KN", ADJACENT[2:3], ORDER[2:4]),
    "kn-over-ad-lr": ("KN > AD-LR", ADJACENT[3:], ORDER[3:]),
    "lowest-kn-over-ad-lr": ("lowest KN > AD-LR", ["lowest-kn-minus-ad-lr"], ORDER[4:]),
}
STRONGEST = "strongest"  # the KN that is lowest on the test text itself
