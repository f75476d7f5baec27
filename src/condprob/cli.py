"""The command line: fit counts, score others, sample, list what is likeliest, list the methods.

READING: a text is cut into words, and its pairs are neighbouring words, also over the ends of
lines. `score` with two texts has one closed vocabulary, that of both, as the paper's experiments.
"""

import json
import os
import sys
import warnings
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from math import exp, inf, isfinite
from typing import Any, NoReturn

import numpy as np

from condprob import __version__
from condprob.checks import check_seed, read_integer, shorten
from condprob.counts import CountMatrix
from condprob.data_files import STANDARD_INPUT, PairData, read_data
from condprob.estimators.base import Estimator
from condprob.estimators.catalogue import METHODS, method
from condprob.estimators.resumable import Resumable
from condprob.files import settle
from condprob.interrupts import end_on_signals
from condprob.model import ConditionalModel, load_with_labels
from condprob.risk import cross_entropy
from condprob.sequences.model import SequenceModel
from condprob.sequences.sentences import Sentences
from condprob.tokenizers import TOKENIZERS
from condprob.vocabulary import Vocabulary

DEFAULT_METHOD = "py-lr"
MISTAKE = 2  # exit status
MOST_NATS = 709  # of which the exponential is a float
_MISTAKES = (
    OSError,
    UnicodeError,
    LookupError,
    ValueError,
    ImportError,
    MemoryError,
    ArithmeticError,
)


class Parser(ArgumentParser):
    """A parser that tells a mistake in one line, as the commands do."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, in place of how the command is used, and exit."""
        text = " ".join(map(shorten, message.split()))
        self.exit(MISTAKE, f"condprob: error: {text}; see `{self.prog} --help`\n")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status. A mistake is one line on standard error.

    Without arguments they are those of this process, which is then ended by signals; see
    `interrupts`.
    """
    if arguments is None:
        end_on_signals()
    options = build_parser().parse_args(arguments)
    try:
        if sys.stdout is None:
            raise ValueError("standard output is closed")
        _run(options)
        sys.stdout.flush()
    except BrokenPipeError:  # The reader, such as `head`, has seen enough.
        _drop_output()
    except _MISTAKES as error:
        _drop_output()
        if sys.stderr is not None:
            print(f"condprob: error: {_in_one_line(error)}", file=sys.stderr)
        return MISTAKE
    return 0


def _run(options: Namespace) -> None:
    """Run a command, and print a line for each of its warnings, as of a fit that did not settle."""
    with warnings.catch_warnings(record=True) as told:
        options.run(options)
    for each in told if sys.stderr is not None else ():
        print(f"condprob: warning: {_in_one_line(each.message)}", file=sys.stderr)


def _drop_output() -> None:
    """Let what has not been written of standard output go nowhere, or Python ends with an error."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except AttributeError:  # It is closed.
        pass


def build_parser() -> ArgumentParser:
    """Return the parser of all commands."""
    parser = Parser(
        "condprob", description="Smooth conditional probabilities, of words or of any pairs."
    )
    parser.add_argument("--version", action="version", version=f"condprob {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    fit = commands.add_parser("fit", help="fit data and write the model to a file")
    fit.add_argument("data", metavar="DATA", help="text or pairs; - is standard input")
    fit.add_argument("--output", "-o", required=True, metavar="MODEL", help="file to write")
    fit.add_argument(
        "--vocabulary",
        action="append",
        default=[],
        metavar="FILE",
        help="further data whose contexts and outcomes the model shall know (repeatable)",
    )
    fit.add_argument("--checkpoint", metavar="FILE", help="keeps a long fit, which goes on from it")
    _add_method_options(fit)
    _add_data_options(fit)
    fit.set_defaults(run=run_fit)

    score = commands.add_parser("score", help="print the cross-entropy of test data")
    score.add_argument(
        "data", nargs="+", metavar="DATA", help="TRAIN TEST, or with --model TEST alone"
    )
    score.add_argument("--model", metavar="MODEL", help="a fitted model, from `condprob fit`")
    _add_method_options(score)
    _add_data_options(score)
    score.set_defaults(run=run_score)

    sample = commands.add_parser("sample", help="draw outcomes from a model")
    sample.add_argument("model", metavar="MODEL")
    sample.add_argument("contexts", nargs="*", metavar="CONTEXT", help="default: one at random")
    sample.add_argument("-n", type=_at_least_one, default=10, help="how many (default: 10)")
    sample.add_argument(
        "--chain", action="store_true", help="each outcome is the context of the next: a text"
    )
    sample.add_argument("--seed", type=_whole, default=0)
    sample.add_argument("--json", action="store_true", help="print JSON")
    sample.set_defaults(run=run_sample)

    top = commands.add_parser("top", help="print the likeliest outcomes after contexts")
    top.add_argument("model", metavar="MODEL")
    top.add_argument("contexts", nargs="+", metavar="CONTEXT")
    top.add_argument("-n", type=_at_least_one, default=10, help="how many (default: 10)")
    top.add_argument("--json", action="store_true", help="print JSON")
    top.set_defaults(run=run_top)

    methods = commands.add_parser("methods", help="list the methods and their options")
    methods.add_argument("--json", action="store_true", help="print JSON")
    methods.set_defaults(run=run_methods)
    return parser


def run_fit(options: Namespace) -> None:
    """Fit data, write the model with its vocabulary, and say what was fitted."""
    estimator, how = read_method(options), _how(options)
    settle_output(options)
    if options.checkpoint:
        if not isinstance(estimator, Resumable):
            raise ValueError(
                f"--checkpoint: {options.method} keeps none, the low-rank and log-linear ones do"
            )
        how["checkpoint"] = options.checkpoint
    data = _read(options.data, options)
    further = [_read(path, options) for path in options.vocabulary]
    contexts, outcomes = _vocabularies([data, *further], options)
    model, counted = _fit(estimator, data, (contexts, outcomes), options, how)
    model.save(options.output, contexts=list(contexts), outcomes=list(outcomes))
    sizes = _sizes(counted)
    told = ", ".join(f"{size:,} {what}" for what, size in sizes.items())
    _tell(
        options,
        {"model": options.output, "method": options.method} | sizes,
        f"{options.output}: {options.method} of {told}",
    )


def settle_output(options: Namespace) -> None:
    """Raise what would keep a fit from being written, or let it replace what it is made of."""
    read = [path for path in (options.data, *options.vocabulary) if path != STANDARD_INPUT]
    if len(read) <= len(options.vocabulary) and sys.stdin is not None:
        with suppress(OSError):  # what a test puts in its place has no number
            read.append(sys.stdin.fileno())
    target = settle(options.output, read)
    if options.checkpoint and settle(options.checkpoint) == target:
        raise ValueError(f"{options.output}: is the checkpoint, and would be replaced")


def _how(options: Namespace) -> dict[str, Any]:
    """Return what a fit is told besides its data."""
    return {"seed": options.seed, "progress": options.progress and sys.stderr is not None}


def run_score(options: Namespace) -> None:
    """Print the cross-entropy of test data under a model, or under what training data give."""
    wanted = 1 if options.model else 2
    if len(options.data) != wanted:
        what = "TEST alone with --model" if options.model else "TRAIN and TEST"
        raise ValueError(f"{len(options.data)} files are given: {what} is needed")
    data = [_read(path, options) for path in options.data]
    if options.model:
        model, vocabularies = load_model(options.model)
    else:
        estimator, vocabularies = read_method(options), _vocabularies(data, options)
        how = _how(options)
        model, _ = _fit(estimator, data[0], vocabularies, options, how)
    if isinstance(model, SequenceModel):
        tested, left_out = _text(data[-1], vocabularies[1])
        what = "words"
    else:
        known, left_out = data[-1].within(*vocabularies)
        tested, what = _count(known, vocabularies), "pairs"
    if not tested.n:
        raise ValueError(f"{options.data[-1]}: no pair of labels that the model knows")
    nats = cross_entropy(tested, model)
    perplexity = exp(nats) if nats < MOST_NATS else inf
    beside = f" ({left_out} {what} with unknown labels left out)" if left_out else ""
    unit = "pair" if options.pairs else "word"
    _tell(
        options,
        {"nats": nats, "perplexity": perplexity, "left_out": left_out} | _sizes(tested),
        f"{nats:.6f} nats per {unit}, perplexity {perplexity:.3f}, {tested.n} {what}, "
        f"{model.outcomes} types{beside}",
    )


def run_sample(options: Namespace) -> None:
    """Print outcomes drawn after contexts, or a text drawn word by word."""
    check_seed(options.seed)
    model, (contexts, outcomes) = load_model(options.model)
    rng = np.random.default_rng(options.seed)
    start = options.contexts or [contexts[int(rng.integers(len(contexts)))]]
    if options.chain:
        text = [*start]
        for _ in range(options.n):
            back = model.order - 1 if isinstance(model, SequenceModel) else 1
            (condition,) = _conditions(
                model, contexts, [" ".join(text[max(len(text) - back, 0) :])]
            )
            (drawn,) = model.sample([condition], rng)
            text.append(outcomes[int(drawn)])
        _tell(options, text, " ".join(text))
        return
    drawn = {
        context: outcomes.labels(model.sample([condition] * options.n, rng))
        for context, condition in zip(start, _conditions(model, contexts, start), strict=True)
    }
    _tell(options, drawn, "\n".join(f"{c}\t{o}" for c, found in drawn.items() for o in found))


def run_top(options: Namespace) -> None:
    """Print the likeliest outcomes after each context with their probabilities."""
    model, (contexts, outcomes) = load_model(options.model)
    found, conditions = {}, _conditions(model, contexts, options.contexts)
    for context, condition in zip(options.contexts, conditions, strict=True):
        best, probabilities = model.top(condition, options.n)
        found[context] = dict(zip(outcomes.labels(best), probabilities.tolist(), strict=True))
    lines = [f"{c}\t{o}\t{p:.6g}" for c, row in found.items() for o, p in row.items()]
    _tell(options, found, "\n".join(lines))


def run_methods(options: Namespace) -> None:
    """Print each method with its options, what they may be, and their defaults."""
    records = [
        {
            "id": record.id,
            "label": record.label,
            "random": record.random,
            "options": {
                name: {"default": option.default, "allowed": option.wanted}
                for name, option in record.options.items()
            },
        }
        for record in METHODS.values()
    ]
    lines = []
    for record in records:
        lines.append(f"{record['id']}  ({record['label']})")
        lines += [
            f"    {name} = {option['default']}: {option['allowed']}"
            for name, option in record["options"].items()
        ]
    _tell(options, records, "\n".join(lines))


def read_method(options: Namespace) -> Estimator:
    """Return the estimator that the options name."""
    if options.method not in METHODS:
        return method(options.method)  # It says what there is.
    known, given = METHODS[options.method].options, {}
    for text in options.set:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"option {text!r}: NAME=VALUE is needed")
        given[name] = known[name].read(value) if name in known else value
    return method(options.method, **given)


def load_model(path: str) -> tuple[ConditionalModel, tuple[Vocabulary, Vocabulary]]:
    """Return the model of a file with the vocabularies of its contexts and outcomes."""
    matrix, labels = load_with_labels(path)
    if not {"contexts", "outcomes"} <= labels.keys():
        raise ValueError(f"{path}: has no vocabulary; a file of `condprob fit` is needed")
    vocabularies = []
    sizes = [matrix.outcomes] * 2 if isinstance(matrix, SequenceModel) else matrix.shape
    for name, size in zip(("contexts", "outcomes"), sizes, strict=True):
        known = labels[name].tolist() if labels[name].ndim == 1 else []
        vocabularies.append(Vocabulary(known))
        if not len(known) == len(vocabularies[-1]) == size:
            raise ValueError(f"{path}: damaged: its labels are not {size:,} different {name}")
    return matrix, tuple(vocabularies)


def _add_method_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--method",
        default=DEFAULT_METHOD,
        metavar="ID",
        help=f"see `condprob methods` (default: {DEFAULT_METHOD}; kn is quicker)",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the method (repeatable)",
    )
    parser.add_argument("--seed", type=_whole, default=0, help="of a method that draws its start")
    parser.add_argument("--progress", action="store_true", help="show a bar of the iterations")


def _add_data_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--pairs",
        action="store_true",
        help="data are lines CONTEXT<tab>OUTCOME, perhaps with <tab>WEIGHT, and not text",
    )
    parser.add_argument(
        "--tokenizer", default="whitespace", metavar="NAME", help=", ".join(TOKENIZERS)
    )
    parser.add_argument(
        "--order",
        type=_whole,
        default=2,
        metavar="N",
        help="words of a text that the model sees at once (default: 2, pairs of neighbours)",
    )
    parser.add_argument("--encoding", default="utf-8", help="of the data (default: utf-8)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _read(path: str, options: Namespace) -> PairData:
    return read_data(path, options.pairs, options.tokenizer, options.encoding)


def _vocabularies(data: list[PairData], options: Namespace) -> tuple[Vocabulary, Vocabulary]:
    """Return the vocabularies of contexts and outcomes: of a text, one for both."""
    if options.pairs:
        contexts = Vocabulary(label for part in data for label in part.contexts)
        return contexts, Vocabulary(label for part in data for label in part.outcomes)
    words = Vocabulary(word for part in data for word in [*part.contexts[:1], *part.outcomes])
    return words, words


def _fit(
    estimator: Estimator,
    data: PairData,
    vocabularies: tuple[Vocabulary, Vocabulary],
    options: Namespace,
    how: dict[str, Any],
) -> tuple[ConditionalModel, CountMatrix | Sentences]:
    """Return a fit, and what it was fitted to: pairs, or a text where histories are longer."""
    if options.order == 2:
        counts = _count(data, vocabularies)
        return estimator.fit(counts, **how), counts
    if options.pairs:
        raise ValueError(f"--order {options.order}: must be 2 for --pairs")
    text, _ = _text(data, vocabularies[1])
    return estimator.fit_text(text, options.order, **how), text


def _text(data: PairData, vocabulary: Vocabulary) -> tuple[Sentences, int]:
    """Return the text of which data are the pairs, and how many unknown words it has."""
    return Sentences.from_labels([*data.contexts[:1], *data.outcomes], vocabulary)


def _conditions(
    model: ConditionalModel, contexts: Vocabulary, labels: list[str]
) -> list[int] | list[tuple[int, ...]]:
    """Return what a model is asked: numbers of contexts, or histories of words between spaces."""
    if isinstance(model, SequenceModel):
        return [tuple(contexts.numbers(label.split()).tolist()) for label in labels]
    return contexts.numbers(labels).tolist()


def _count(data: PairData, vocabularies: tuple[Vocabulary, Vocabulary]) -> CountMatrix:
    return CountMatrix.from_labels(data.contexts, data.outcomes, vocabularies, data.weights)


def _sizes(counts: CountMatrix | Sentences) -> dict:
    if isinstance(counts, Sentences):
        return {"words": counts.n, "types": counts.k}
    return {"pairs": counts.n, "contexts": counts.shape[0], "outcomes": counts.shape[1]}


def _tell(options: Namespace, data: object, text: str) -> None:
    """Print data as JSON, in which a number that is not finite is null, or the text."""
    print(json.dumps(_finite(data), ensure_ascii=False) if options.json else text)


def _finite(data: object) -> object:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not isfinite(data) else data


def _whole(text: str) -> int:
    return read_integer(text)


def _at_least_one(text: str) -> int:
    number = read_integer(text)
    if number < 1:
        raise ValueError
    return number


_whole.__name__ = "int"  # argparse names them in its messages
_at_least_one.__name__ = "integer >= 1"


def _in_one_line(error: Exception) -> str:
    """Say what went wrong; an error without words is told by its name."""
    text = " ".join(str(error).split())
    if isinstance(error, KeyError) or not text:
        text = f"{type(error).__name__}: {text}".rstrip(": ")
    return text


if __name__ == "__main__":
    sys.exit(main())
