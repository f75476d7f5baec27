"""Parts of speech from few labelled words: structural learning beside supervised learning alone."""

import numpy as np
from scipy.sparse import csr_array

from condprob.models.survey.structure import cut_basis, learn_structure
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.survey.classifiers import (
    errors_by_document,
    scale_basis,
    train_classifier,
)
from reproduction.studies.survey.parts import ASO, PHI, RIDGED, SUPERVISED, TAGGING
from reproduction.studies.survey.tagging_features import (
    STRUCTURED,
    Unlabelled,
    describe_tokens,
    describe_words,
)
from reproduction.studies.survey.tagging_text import NAMES, take_tokens

TESTED = 5  # so many-th files are tested; all others give labelled and unlabelled words


def score_tagging(root, inputs, methods, given):
    """Tag words of other files, after training on few labelled ones: a scorer (`study.Job`).

    Yields the errors in each test file, for each draw of labelled sentences.

    Parameters
    ----------
    root : int
    inputs : mapping
        ``tagged``: a file of `tagging_text.save_tagged`.
    methods : mapping
        None: these models are no estimators.
    given : mapping
        The section of the config, with the ``size``: labelled words.
    """
    with np.load(inputs["tagged"]) as file:
        tokens = dict(file)
    if not tokens:  # a text that could not be had
        return
    files, of_words = np.arange(tokens["genre"].size), describe_words(tokens["labels"])
    is_tested = files % TESTED == TESTED - 1
    free = take_tokens(tokens, files[~is_tested], given["unlabelled"])
    tested = take_tokens(tokens, files[is_tested], given["test"])
    limits = given["least"], given["problems"], given["strength"]
    unlabelled = Unlabelled(*describe_tokens(tokens, of_words, free), *limits)
    others = Unlabelled(*describe_tokens(tokens, of_words, tested), *limits)
    truth, document = tokens["tag"][tested], tokens["document"][tested]
    size, bases = given["size"], learn_bases(unlabelled, given)
    for draw in range(given["draws"]):
        rng = np.random.default_rng(spawn_seed(root, TAGGING, size, draw))
        chosen = draw_sentences(tokens["sentence"][free], size, rng)
        examples = unlabelled.X[chosen], tokens["tag"][free[chosen]], len(NAMES)
        for name, some in bases.items():
            found = train_classifier(*examples, some, name)
            wrong = found.predict(others.X) != truth
            row = {"method": name, "n": size, "seed": draw}
            yield from errors_by_document(row, found, wrong, document)


def learn_bases(unlabelled, given):
    """Return by variant its ``Phi'`` over all features: of ASO at each rank, else at the last.

    Variants with a changed ingredient are beside `RIDGED`, whose rank is not chosen.
    """
    types = [unlabelled.types[kind] for kind in STRUCTURED if unlabelled.types[kind].size]
    first = unlabelled.fit()

    def fit(towards):
        return first if towards is None else unlabelled.fit(towards)

    def learn(fit, types=types, rank=given["ranks"][-1], **how):
        return learn_structure(fit, types, rank, **how)

    def scale(*found):
        return [scale_basis(unlabelled.X, unlabelled.frequent, basis) for basis in found]

    largest = learn(fit)
    bases = {
        SUPERVISED: [csr_array((unlabelled.X.shape[1], 0))],
        ASO: scale(*(cut_basis(largest, types, rank) for rank in given["ranks"])),
    }
    bases[RIDGED] = bases[ASO][-1:]
    if given["size"] == given["ablated"]:
        associations = unlabelled.associations()
        whole = np.sort(np.concatenate(types))
        bases["negatives"] = scale(learn(fit, negatives="kept"))
        bases["untyped"] = scale(learn(fit, [whole], len(types) * given["ranks"][-1]))
        bases["passes"] = scale(learn(fit, passes=given["passes"]))
        bases["counts"] = scale(learn(lambda _: associations))
        bases[PHI] = bases[RIDGED]
    return bases


def draw_sentences(sentence, size, rng):
    """Return the places of ``size`` tokens in whole sentences drawn at random, the last one cut."""
    order = rng.permutation(np.unique(sentence))
    starts, ends = (np.searchsorted(sentence, order, side) for side in ("left", "right"))
    enough = np.searchsorted(np.cumsum(ends - starts), size) + 1
    return np.concatenate(
        [np.arange(*pair) for pair in zip(starts[:enough], ends[:enough], strict=True)]
    )[:size]
