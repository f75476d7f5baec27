"""ARPA files of back-off models: n-grams with logarithms of base 10, as other programs have them.

A line has the logarithm of the probability of an n-gram's last word after the others, the n-gram,
and that of what the whole n-gram, as a history, leaves to the next shorter one.
"""

from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path

import numpy as np

from condprob.checks import in_brief, read_integer, read_number
from condprob.data_files import COMPRESSED, compressing, decode, read_bytes
from condprob.file_relations import sums_backed_off
from condprob.files import replacing
from condprob.sequences.backoff_model import BackoffModel
from condprob.sequences.suffixes import NOWHERE
from condprob.sequences.tree_model import Contexts

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
NEVER = -99.0  # stands for the logarithm of zero
# By how much a row may miss the sum one: four decimals of a logarithm are .00012. Not measured.
ROUNDED = 1e-3
NOTE = "# condprob "  # begins the line of ours above the data; KenLM reads over such lines, too


def is_arpa(path: str | PathLike[str]) -> bool:
    """Whether a file is an ARPA file by its name, compressed or not."""
    name = Path(fspath(path))
    return (name.with_suffix("") if name.suffix in COMPRESSED else name).suffix == ".arpa"


def write_arpa(
    path: str | PathLike[str], model: BackoffModel, words: list[str], note: str = ""
) -> None:
    """Write a model; a word that a file cannot hold, such as one with a space, is a ValueError.

    A note of one line stands above the data, where readers pass over what they do not know.
    """
    wrong = next((w for w in words if not isinstance(w, str) or w.split() != [w]), None)
    wrong = START if wrong is None and START in words else wrong
    if wrong is not None or len(words) != model.words:
        raise ValueError(f"{in_brief(wrong)}: a word without spaces is needed, and none is {START}")
    names = [*words, START]
    contexts, text = model.contexts, model.text
    of_node = [
        tuple(text[e - d : e].tolist()) for d, e in zip(contexts.depth, contexts.ends, strict=True)
    ]
    factor = dict(zip(of_node, _log10(contexts.factor).tolist(), strict=True))
    log_prob = _log10(model.probability).tolist()
    levels: list[dict] = [{} for _ in range(model.order)]
    # the shortest order has every word, and the marks that readers ask for
    unseen = float(_log10(contexts.factor[:1] / model.words)[0])
    levels[0] = {(word,): unseen for word in range(model.words)} | {(model.words,): NEVER}
    for node, context in enumerate(of_node):
        for pair in range(contexts.first[node], contexts.first[node + 1]):
            levels[len(context)][(*context, int(model.word[pair]))] = log_prob[pair]
    with replacing(path) as replaced, compressing(path, replaced) as file:
        missing = [w for w in (END,) if w not in words]
        sizes = [len(level) + (len(missing) if not n else 0) for n, level in enumerate(levels)]
        head = [f"ngram {n}={size}" for n, size in enumerate(sizes, 1)]
        noted = [f"{NOTE}{note}"] if note else []
        file.write("\n".join([*noted, "\\data\\", *head, ""]).encode())
        for n, level in enumerate(levels, 1):
            lines = [f"{NEVER}\t{w}" for w in missing] if n == 1 else []
            for ngram, chance in sorted(level.items()):
                left = f"\t{factor[ngram]:.9g}" if ngram in factor and n < model.order else ""
                lines.append(f"{chance:.9g}\t{' '.join(names[w] for w in ngram)}{left}")
            file.write("\n".join(["", f"\\{n}-grams:", *lines, ""]).encode())
        file.write(b"\n\\end\\\n")


def read_arpa(path: str | PathLike[str]) -> tuple[BackoffModel, list[str], str]:
    """Read a model, its words and our note.

    READING: what the digits of a file round is rounded away again: every context's row is scaled to
    the sum one. That of the shortest may have a part for the start of a sentence, which no word has
    here.

    Raises
    ------
    ValueError
        If the file is none, or rows do not sum to one but for rounding.
    OSError
        If it cannot be read.
    """
    try:
        text = decode(read_bytes(path))
        levels, left = _parse(text)
    except ValueError as error:
        raise ValueError(f"{path}: not an ARPA file: {error}") from None
    words = [word for (word,) in levels[0] if word != START]
    of_start = levels[0].get((START,), 0.0)
    number = {word: place for place, word in enumerate(words)} | {START: len(words)}
    contexts = {(): 1.0}
    ngrams = {}
    for level in levels:
        for ngram, chance in level.items():
            try:
                *context, word = (number[w] for w in ngram)
            except KeyError as unknown:
                raise ValueError(f"{path}: the word {unknown} has no 1-gram") from None
            if word != len(words):
                ngrams[(*context, word)] = chance
            _add(contexts, tuple(context))
    for ngram, factor in left.items():
        if len(ngram) < len(levels):
            context = tuple(number[w] for w in ngram)
            _add(contexts, context)
            contexts[context] = factor
    first, _, _ = text.partition("\n")
    note = first.removeprefix(NOTE).strip() if first.startswith(NOTE) else ""
    try:
        model = _scaled(_build(contexts, ngrams, len(words), len(levels)), of_start)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return model, words, note


def _parse(text):
    """Return the n-grams of each order with their probabilities, and what n-grams leave."""
    levels, left, sizes, level = [], {}, {}, None
    for place, line in enumerate(text.split("\n"), 1):
        line = line.strip(" \r")
        if line.startswith("ngram ") and level is None:
            order, _, size = line.removeprefix("ngram ").partition("=")
            sizes[read_integer(order.strip())] = read_integer(size.strip())
        elif line.endswith("-grams:") and line.startswith("\\"):
            level = {}
            levels.append(level)
            if line != f"\\{len(levels)}-grams:":
                raise ValueError(f"line {place}: {len(levels)}-grams are to come")
        elif line == "\\end\\":
            break
        elif line and level is not None:
            chance, *ngram = line.split()
            numbers = [read_number(chance)]
            if len(ngram) == len(levels) + 1:
                numbers.append(read_number(ngram.pop()))
                if numbers[1] > -NEVER:
                    raise ValueError(f"line {place}: what a history leaves is too large")
                left[tuple(ngram)] = 10 ** numbers[1] if numbers[1] > NEVER else 0.0
            if len(ngram) != len(levels) or np.isnan(numbers).any():
                raise ValueError(f"line {place}: no {len(levels)}-gram")
            if numbers[0] > 0:
                raise ValueError(f"line {place}: a probability above one")
            level[tuple(ngram)] = 10 ** numbers[0] if numbers[0] > NEVER else 0.0
    else:
        raise ValueError("it does not end")
    if not levels or [sizes.get(n) for n in range(1, len(sizes) + 1)] != list(map(len, levels)):
        raise ValueError("it does not have as many n-grams as it says")
    return levels, left


def _add(contexts, context):
    """Add a context and all shorter ones; what is not known of them leaves all as it is."""
    while context not in contexts:
        contexts[context] = 1.0
        context = context[1:]


def _build(contexts, ngrams, words, order):
    """Return the model of contexts and n-grams in numbers."""
    ordered = sorted(contexts, key=lambda context: (len(context), context))
    node = {context: place for place, context in enumerate(ordered)}
    depth = np.array([len(context) for context in ordered])
    text = np.array([word for context in ordered for word in context], dtype=np.int64)
    parent = np.array([NOWHERE, *(node[context[1:]] for context in ordered[1:])])
    factor = np.array([contexts[context] for context in ordered])
    pairs = sorted((node[ngram[:-1]], ngram[-1], chance) for ngram, chance in ngrams.items())
    of_node = np.bincount([pair[0] for pair in pairs], minlength=depth.size)
    # every word has a 1-gram: nothing is left to the uniform distribution behind
    factor[0] = 0.0
    tree = Contexts(parent, depth, np.cumsum(depth), factor, np.append(0, np.cumsum(of_node)))
    word, chance = (np.array([pair[i] for pair in pairs]) for i in (1, 2))
    return BackoffModel(words, order - 1, text, tree, word, chance)


def _scaled(model, of_start):
    """Return the model with rows that sum to one, as they do but for the digits of a file.

    ``of_start`` is what the shortest row gives to the start of a sentence.
    """
    contexts = model.contexts
    factor, chance = contexts.factor.copy(), model.probability.copy()
    node = np.repeat(np.arange(factor.size), np.diff(contexts.first))
    arrays = contexts._asdict() | {"factor": factor, "word": model.word, "probability": chance}
    for depth in range(model.order):  # a row rests on that of the next shorter context
        at = contexts.depth == depth
        sums = np.where(at, sums_backed_off(arrays, model.words), 1.0)
        off = abs(sums - 1)
        if depth == 0 and off[0] > ROUNDED:
            off = abs(sums + of_start * at - 1)
        if not (off <= ROUNDED).all():
            wrong = sums[np.argmax(off)]
            raise ValueError(f"its rows do not sum to one: that of a context sums to {wrong:.4g}")
        factor /= sums
        chance /= sums[node]
    return replace(model, contexts=contexts._replace(factor=factor), probability=chance)


def _log10(values: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.maximum(np.log10(values), NEVER)
