"""``python -m condprob score TRAIN TEST``: from two text files to a cross-entropy.

READING: one closed vocabulary, that of both texts, as in the paper's experiments; pairs run over
the ends of lines.
"""

import sys
from argparse import ArgumentParser
from math import exp

import numpy as np

from condprob.counts import CountMatrix
from condprob.estimators.registry import method
from condprob.risk import cross_entropy
from condprob.tokenizers import TOKENIZERS
from condprob.vocabulary import number_words


def main(arguments=None):
    """Run the command line; a mistake is one line, and the exit status is then 2."""
    parser = ArgumentParser("condprob", description="Smooth the pairs of neighbouring words.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    score = commands.add_parser("score", help="fit a text, print the cross-entropy of another")
    score.add_argument("train", metavar="TRAIN", help="text to fit")
    score.add_argument("test", metavar="TEST", help="text to score")
    score.add_argument(
        "--method", default="kn", metavar="ID", help="kn, ad, sb, add-half, ad-lr..."
    )
    score.add_argument(
        "--set", default=[], nargs="+", metavar="OPTION=VALUE", help="options of the method"
    )
    score.add_argument(
        "--tokenizer", default="whitespace", help="whitespace, letters, reattached..."
    )
    score.add_argument("--encoding", default="utf-8")
    score.add_argument("--seed", type=int, default=0, help="of the start of a low-rank method")
    options = parser.parse_args(arguments)
    try:
        print(score_text(options))
    except (OSError, UnicodeError, LookupError, ValueError) as error:
        parser.exit(2, f"condprob: error: {error}\n")


def score_text(options):
    """Return the line that is printed."""
    texts = [read_words(path, options) for path in (options.train, options.test)]
    nats, k = score_arrays(*texts, options)
    pairs = len(texts[1]) - 1
    return f"{nats:.6f} nats per word, perplexity {exp(nats):.3f}, {pairs} pairs, {k} types"


def score_arrays(train, test, options):
    """Return the cross-entropy in nats per pair, and the number of types."""
    estimator = method(options.method, **dict(map(read_option, options.set)))
    ids, k = number_words(train + test)
    fitted, scored = (
        CountMatrix.from_pairs(part[:-1], part[1:], k) for part in np.split(ids, [len(train)])
    )
    return cross_entropy(scored, estimator.fit(fitted, seed=options.seed)), k


def read_words(path, options):
    """Return the words of a text file."""
    if options.tokenizer not in TOKENIZERS:
        raise ValueError(
            f"tokenizer {options.tokenizer!r}: one of {', '.join(TOKENIZERS)} is needed"
        )
    with open(path, encoding=options.encoding) as file:
        words = TOKENIZERS[options.tokenizer](file.read())
    if len(words) < 2:
        raise ValueError(f"{path}: {len(words)} words, but a pair takes 2")
    return words


def read_option(text):
    """Return the name and the value of ``name=value``, a number where it is one."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"option {text!r}: NAME=VALUE is needed")
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            pass
    return name, {"true": True, "false": False}.get(value.lower(), value)


if __name__ == "__main__":
    sys.exit(main())
