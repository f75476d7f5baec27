"""The base class of models of whole histories."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from condprob.checks import Conditions, Seed, check_integer
from condprob.model import ConditionalModel
from condprob.text.sentences import Sentences, as_histories


class SequenceModel(ConditionalModel):
    """Distribution of the next word after each history of up to ``order - 1`` words.

    Histories are sequences of word numbers of any length, the nearest word last.

    Attributes
    ----------
    gap : float
        Bound on how far the objective of the fit is above its minimum, in nats per word.

    Notes
    -----
    A subclass defines `order`, `outcomes`, and `rows` and `at`, which begin with `prepare`, and
    declares its arrays. Log probabilities, samples and files follow as for a matrix.

    Examples
    --------
    >>> from condprob import Sentences, method
    >>> text = Sentences.from_lists([[0, 1, 2], [0, 1, 0]], k=3)
    >>> model = method("kn").fit_text(text, order=3)
    >>> model.rows([(0, 1)]).shape
    (1, 3)
    """

    gap: float = 0.0

    @property
    @abstractmethod
    def order(self) -> int:
        """Number of words that the model sees at once, the next one among them."""

    @property
    def parameters(self) -> int | None:
        """Number of seen pairs or weights that the model is made of; None if it is not known."""
        return None

    @property
    def iterations(self) -> int:
        """Iterations of a fit that ends at a gap; zero of any other."""
        return 0

    def prepare(self, histories: Conditions) -> np.ndarray:
        """Return histories of any lengths as an array, shape (n, order - 1), nearest word last."""
        return as_histories(histories, self.order, self.outcomes)

    def score(self, sentences: Sentences) -> np.ndarray:
        """Return the log probability of each word of sentences, nats, shape (n,)."""
        if sentences.k != self.outcomes:
            raise ValueError(f"sentences over {sentences.k} words: the model has {self.outcomes}")
        return self.log_prob(sentences.histories(self.order), sentences.words)

    def generate(self, words: int, seed: Seed = 0, history: Sequence[int] = ()) -> np.ndarray:
        """Generate a text word by word.

        Parameters
        ----------
        words : int
            Number of words.
        seed : int, numpy.random.SeedSequence or numpy.random.Generator
            Seed or generator for all random choices. The same seed gives the same result.
        history : sequence of int
            Words before the first.

        Returns
        -------
        numpy.ndarray of int64, shape (words,)
            The generated words.
        """
        rng, text = np.random.default_rng(seed), list(history)
        for _ in range(check_integer("words", words, 0)):
            (word,) = self.sample([tuple(text[max(len(text) - self.order + 1, 0) :])], rng)
            text.append(int(word))
        return np.array(text[len(history) :], dtype=np.int64)

    def _as_list(self, condition):
        # A history is a sequence itself: several are a sequence of sequences.
        is_one = all(np.ndim(word) == 0 for word in condition)
        return is_one, [condition] if is_one else condition

    def _size(self):
        size = "" if self.parameters is None else f", {self.parameters:,} parameters"
        return f"order {self.order}, {self.outcomes:,} words{size}"

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        """Refuse: the histories are too many for an array; ask for `rows`."""
        raise TypeError("a model of histories is no array: ask for the rows of some histories")

    def _distinct(self, conditions):
        found, row_of = np.unique(self.prepare(conditions), axis=0, return_inverse=True)
        return found, row_of.ravel()
