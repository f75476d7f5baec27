"""Parts of speech from few labelled words: structural learning compared with supervised learning.

Features describe words in their places; auxiliary problems need no tags.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array, hstack

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.methods.survey.structure import LeastSquares, learn_structure
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.survey.classifiers import (
    errors_by_document,
    scale_basis,
    train_classifier,
)
from reproduction.studies.survey.features import cut_basis
from reproduction.studies.survey.plan import (
    ASO,
    PARTIAL,
    PHI,
    REDUCED,
    RIDGED,
    SUPERVISED,
    TAGGING,
)
from reproduction.studies.survey.texts import NAMES, take_tokens

LONGEST_AFFIX = 4  # letters of prefixes and suffixes, at most
STRUCTURED = ("left", "middle", "right", "prefix", "suffix", "shape")  # types with a subspace
TYPES = (*STRUCTURED, "constant")
POSITIONS = ("left", "middle", "right")  # of the words that are predicted
# Features derived from the predicted word are hidden from its predictor.
MASKED = {"left": ("left",), "middle": ("middle", "prefix", "suffix", "shape"), "right": ("right",)}
# Of partially supervised problems: a classifier sees one view, and others predict its labels from
# the features of the other view.
VIEWS = (("left", "right"), ("middle", "prefix", "suffix", "shape"))
ONE_FILE_IN = 5  # so many-th files are tested; all others give labelled and unlabelled words


def describe_words(labels):
    """Return the features of each distinct word by type, sparse: words, affixes and shapes.

    Small letters are used but for the shape, which marks a capital, a digit or a hyphen. The last
    row stands for the edges of a sentence.
    """
    small = [label.lower() for label in labels.tolist()] + [""]
    shapes = [
        [
            name
            for name, is_it in (
                ("capital", label[:1].isupper()),
                ("hyphen", "-" in label),
                ("digit", any(map(str.isdigit, label))),
            )
            if is_it
        ]
        for label in labels.tolist()
    ]
    lengths = range(1, LONGEST_AFFIX + 1)
    return {
        "word": _one_hot([[word] for word in small]),
        "prefix": _one_hot([[word[:n] for n in lengths if len(word) > n] for word in small]),
        "suffix": _one_hot([[word[-n:] for n in lengths if len(word) > n] for word in small]),
        "shape": _one_hot([*shapes, []]),
    }


def _one_hot(lists):
    number = {}
    columns = [number.setdefault(each, len(number)) for some in lists for each in some]
    starts = np.concatenate([[0], np.cumsum([len(some) for some in lists])])
    return csr_array((np.ones(len(columns)), columns, starts), (len(lists), max(len(number), 1)))


def describe_tokens(tokens, of_words, places):
    """Return the features of tokens by type, and the words left, here and right, as numbers."""
    word, sentence = tokens["word"], tokens["sentence"]
    edge = of_words["word"].shape[0] - 1

    def beside(step):
        there = np.clip(places + step, 0, word.size - 1)
        is_inside = (there == places + step) & (sentence[there] == sentence[places])
        return np.where(is_inside, word[there], edge)

    numbers = {"left": beside(-1), "middle": word[places], "right": beside(1)}
    blocks = [
        of_words["word" if kind in numbers else kind][numbers.get(kind, numbers["middle"])]
        for kind in STRUCTURED
    ]
    blocks.append(csr_array(np.ones((places.size, 1))))
    small = of_words["word"].indices  # of each word, in small letters
    return blocks, {position: small[number] for position, number in numbers.items()}


@dataclass(frozen=True, eq=False)
class Unlabelled:
    """Tokens without tags: their features, and predictors of words from those of others.

    Attributes
    ----------
    blocks : list of scipy.sparse.csr_array
        Features of each type, in the order of `TYPES`.
    words : mapping of str to numpy.ndarray
        The word at each of `POSITIONS`.
    least : int
        Features and words that are seen less often have no part in it.
    problems : int
        The commonest words, at each position, that are predicted.
    strength : float
        Ridge, in tokens.
    """

    blocks: list
    words: dict
    least: int
    problems: int
    strength: float

    @cached_property
    def X(self):
        """All features, shape (tokens, features)."""
        return csr_array(hstack(self.blocks))

    @cached_property
    def columns(self):
        """The frequent features of each type, as columns of `X`."""
        ends = np.cumsum([0, *(block.shape[1] for block in self.blocks)])
        often = np.asarray(self.X.sum(axis=0)).ravel() >= self.least
        return {
            kind: start + np.flatnonzero(often[start:stop])
            for kind, (start, stop) in zip(TYPES, pairwise(ends), strict=True)
        }

    @cached_property
    def types(self):
        """Rows of the weights of each type."""
        ends = np.cumsum([0, *(self.columns[kind].size for kind in TYPES)])
        return {
            kind: np.arange(start, stop)
            for kind, (start, stop) in zip(TYPES, pairwise(ends), strict=True)
        }

    def rows_for(self, position):
        """Return the weights that a predictor of the word at a position may have."""
        return np.concatenate([self.types[kind] for kind in TYPES if kind not in MASKED[position]])

    def labels_for(self, position):
        """Return which of the commonest words stands there, sparse, (tokens, problems)."""
        seen = np.bincount(self.words[position])
        common = np.argsort(-seen, kind="stable")[: self.problems]
        place = np.full(seen.size, -1)
        place[common] = np.arange(common.size)
        found = place[self.words[position]]
        tokens = np.flatnonzero(found >= 0)
        shape = (found.size, common.size)
        return csr_array((np.ones(tokens.size), (tokens, found[tokens])), shape)

    @cached_property
    def frequent(self):
        """The frequent features of all types, as columns of `X`: rows of the weights."""
        return np.concatenate([self.columns[kind] for kind in TYPES])

    @cached_property
    def systems(self):
        """The equations of the predictors of each position; a constant has no ridge."""
        ridge = np.full(self.frequent.size, self.strength / self.X.shape[0])
        ridge[self.types["constant"]] = 0.0
        rows = {position: self.rows_for(position) for position in POSITIONS}
        return {
            position: LeastSquares(
                self.X[:, self.frequent[own]], self.labels_for(position), ridge[own]
            )
            for position, own in rows.items()
        }

    def fit(self, towards=None):
        """Return the weights of all predictors, shape (frequent features, 3 problems).

        READING: squared loss of labels one and zero, with which all problems share one system.
        """
        parts, start = [], 0
        for position, system in self.systems.items():
            rows, stop = self.rows_for(position), start + self.labels_for(position).shape[1]
            U = np.zeros((self.frequent.size, stop - start))
            U[rows] = system.weights(0.0 if towards is None else towards[rows, start:stop])
            parts.append(U)
            start = stop
        return np.hstack(parts)

    def associations(self):
        """Return in place of weights how often features stand with words, beyond their share.

        READING: of a feature seen ``c`` times, a word with a share ``q`` and ``k`` times together,
        ``(k - c q) / (c + strength)``: a regression on each feature by itself.
        """
        X, parts = self.X[:, self.frequent], []
        times = np.asarray(X.sum(axis=0)).ravel()
        for position in POSITIONS:
            Y, rows = self.labels_for(position), self.rows_for(position)
            share = np.asarray(Y.mean(axis=0)).ravel()
            U = np.zeros((self.frequent.size, Y.shape[1]))
            U[rows] = (X[:, rows].T @ Y).toarray() - np.outer(times[rows], share)
            parts.append(U / (times + self.strength)[:, None])
        return np.hstack(parts)

    def view(self, kinds):
        """Return the features of some types, and the constant, as a sparse matrix."""
        blocks = [block for kind, block in zip(TYPES, self.blocks, strict=True) if kind in kinds]
        return csr_array(hstack([*blocks, self.blocks[-1]]))

    @cached_property
    def systems_of_views(self):
        """The equations of predictors from each of `VIEWS`, and the rows of their weights."""
        found = []
        for kinds in VIEWS:
            rows = np.concatenate([self.types[kind] for kind in (*kinds, "constant")])
            ridge = np.full(rows.size, self.strength / self.X.shape[0])
            ridge[-self.types["constant"].size :] = 0.0
            nothing = csr_array((self.X.shape[0], 0))
            found.append((rows, LeastSquares(self.X[:, self.frequent[rows]], nothing, ridge)))
        return found

    def fit_partially(self, chosen, labels, kinds):
        """Return the weights of partially supervised predictors, (frequent features, problems).

        A classifier of labelled examples sees one of `VIEWS` and labels all tokens. Predictors
        find from the other view which two labels are its best: of ``C`` labels there are
        ``C (C - 1) / 2`` problems, and those of few tokens are left out (section 6.4).

        Parameters
        ----------
        chosen : numpy.ndarray of int
            The labelled tokens.
        labels : numpy.ndarray of int
            Of these tokens.
        kinds : int
            Labels that there are.
        """
        parts = []
        for seen, (rows, system) in zip(VIEWS, self.systems_of_views[::-1], strict=True):
            X = self.view(seen)
            nothing = [csr_array((X.shape[1], 0))]
            found = train_classifier(X[chosen], labels, kinds, nothing, SUPERVISED)
            best = np.sort(np.argsort(-found.scores(X), axis=1, kind="stable")[:, :2], axis=1)
            _, pair, often = np.unique(best @ [kinds, 1], return_inverse=True, return_counts=True)
            kept = np.flatnonzero(often >= self.least)
            Y = csr_array((pair[:, None] == kept).astype(float))
            U = np.zeros((self.frequent.size, kept.size))
            U[rows] = system.with_labels(Y).weights()
            parts.append(U)
        return np.hstack(parts)

    def reduce_counts(self, rank, words, **options):
        """Return ``Phi'`` by SDR of how often features of each type stand with words (7.1).

        The words are the commonest at each position that does not hide the type's features.
        ``options`` are those of the method ``sdr``.
        """
        X, blocks = self.X[:, self.frequent], []
        for kind in STRUCTURED:
            own = self.types[kind]
            if not own.size:
                continue
            counts = hstack(
                [
                    X[:, own].T @ self.labels_for(position)[:, :words]
                    for position in POSITIONS
                    if kind not in MASKED[position]
                ]
            ).tocoo()
            pairs = counts.coords[0], counts.coords[1]
            matrix = CountMatrix.from_pairs(*pairs, shape=counts.shape, weights=counts.data)
            fit = method("sdr", rank=rank, weight=0.0, **options).fit(matrix)
            phi, _ = fit.factors()
            blocks.append(np.zeros((self.frequent.size, phi.shape[1])))
            blocks[-1][own] = phi
        return np.hstack(blocks)


def score_tagging(root, tagged, size, given):
    """Tag words of other files, after training on few labelled ones: a scorer.

    Yields the errors in each test file, for each draw of labelled sentences.

    Parameters
    ----------
    root : int
    tagged : path
        A file of `texts.save_tagged`.
    size : int
        Labelled words.
    given : mapping
        The section of the config.
    """
    with np.load(tagged) as file:
        tokens = dict(file)
    files, of_words = np.arange(tokens["genre"].size), describe_words(tokens["labels"])
    is_tested = files % ONE_FILE_IN == ONE_FILE_IN - 1
    free = take_tokens(tokens, files[~is_tested], given["unlabelled"])
    tested = take_tokens(tokens, files[is_tested], given["test"])
    limits = given["least"], given["problems"], given["strength"]
    unlabelled = Unlabelled(*describe_tokens(tokens, of_words, free), *limits)
    others = Unlabelled(*describe_tokens(tokens, of_words, tested), *limits)
    truth, document = tokens["tag"][tested], tokens["document"][tested]
    is_ablated = size == given["ablated"]
    bases = learn_bases(unlabelled, given, is_ablated)
    for draw in range(given["draws"]):
        rng = np.random.default_rng(spawn_seed(root, TAGGING, size, draw))
        chosen = draw_sentences(tokens["sentence"][free], size, rng)
        examples = unlabelled.X[chosen], tokens["tag"][free[chosen]], len(NAMES)
        if is_ablated:  # of problems that know these examples
            bases[PARTIAL] = learn_partially(unlabelled, chosen, examples, given["ranks"][-1])
        for name, some in bases.items():
            found = train_classifier(*examples, some, name)
            wrong = found.predict(others.X) != truth
            row = {"method": name, "n": size, "seed": draw}
            yield from errors_by_document(row, found, wrong, document)


def learn_bases(unlabelled, given, is_ablated):
    """Return by variant its ``Phi'`` over all features: of ASO at each rank, else at the last.

    Where ``is_ablated`` there are variants of `RIDGED` with a changed ingredient, whose rank is not
    chosen.
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
    if is_ablated:
        associations = unlabelled.associations()
        whole = np.sort(np.concatenate(types))
        bases["negatives"] = scale(learn(fit, negatives="kept"))
        bases["untyped"] = scale(learn(fit, [whole], len(types) * given["ranks"][-1]))
        bases["passes"] = scale(learn(fit, passes=given["passes"]))
        bases["counts"] = scale(learn(lambda _: associations))
        bases[REDUCED] = scale(unlabelled.reduce_counts(given["ranks"][-1], **given["sdr"]))
        bases[PHI] = bases[RIDGED]
    return bases


def learn_partially(unlabelled, chosen, examples, rank):
    """Return ``Phi'`` of auxiliary problems that know the labelled examples."""
    types = [unlabelled.types[kind] for kind in STRUCTURED if unlabelled.types[kind].size]
    weights = unlabelled.fit_partially(chosen, *examples[1:])
    basis = learn_structure(lambda _: weights, types, rank)
    return [scale_basis(unlabelled.X, unlabelled.frequent, basis)]


def draw_sentences(sentence, size, rng):
    """Return the places of ``size`` tokens in random whole sentences, the last one cut."""
    order = rng.permutation(np.unique(sentence))
    starts, ends = (np.searchsorted(sentence, order, side) for side in ("left", "right"))
    enough = np.searchsorted(np.cumsum(ends - starts), size) + 1
    return np.concatenate(
        [np.arange(*pair) for pair in zip(starts[:enough], ends[:enough], strict=True)]
    )[:size]
