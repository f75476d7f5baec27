"""The command line: its commands with their options, and how mistakes are told."""

import os
import sys
import warnings
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

from condprob import __version__
from condprob.catalogue import DEFAULT_METHOD, METHODS
from condprob.checks import read_integer, shorten, spell_out
from condprob.interrupts import end_on_signals
from condprob.runtime.progress import warn
from condprob.tokenizers import TOKENIZERS_IN_SHORT

MISTAKE = 2  # exit status
_MISTAKES = (
    OSError,
    UnicodeError,
    LookupError,
    ValueError,
    ImportError,
    MemoryError,
    ArithmeticError,
    RuntimeError,  # such as that no thread can be started
    SystemError,  # of compiled code without memory
)


class Parser(ArgumentParser):
    """A parser that tells a mistake in one line, as the commands do."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, in place of how the command is used, and exit."""
        text = spell_out(" ".join(map(shorten, message.split()))) + _hint(message)
        self.exit(MISTAKE, f"condprob: error: {text}; see `{self.prog} --help`\n")


def _hint(message: str) -> str:
    """Say how an option of a method is given, where one was given as an option of the command."""
    _, _, given = message.partition("unrecognized arguments: --")
    name, _, value = given.partition(" ")
    name, _, other = name.partition("=")
    known = {option for record in METHODS.values() for option in record.options} if given else ()
    value = shorten((other or value or "VALUE").split()[0])
    return f"; an option of a method: --set {name}={value}" if name in known else ""


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
        _spell_out()
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
    """Run a command, and print a line for each of its warnings, as of a fit that did not settle.

    What commands need takes most of a second to import: help and mistakes do not wait for it.
    """
    with warnings.catch_warnings(record=True) as told:
        getattr(import_module("condprob.commands"), options.run)(options)
    for each in told:
        warn(_in_one_line(each.message))


def _spell_out() -> None:
    """Let characters that the encoding of standard output has not be told by their numbers."""
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


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
    fit.set_defaults(run="run_fit")

    score = commands.add_parser("score", help="print the cross-entropy of test data")
    score.add_argument(
        "data", nargs="+", metavar="DATA", help="TRAIN TEST, or with --model TEST alone"
    )
    score.add_argument("--model", metavar="MODEL", help="a fitted model, from `condprob fit`")
    _add_method_options(score)
    _add_data_options(score)
    score.set_defaults(run="run_score")

    sample = commands.add_parser("sample", help="draw outcomes from a model")
    sample.add_argument("model", metavar="MODEL")
    sample.add_argument(
        "contexts",
        nargs="*",
        metavar="CONTEXT",
        help="default: one at random; of lines, their beginning",
    )
    sample.add_argument("-n", type=_at_least_one, default=10, help="how many (default: 10)")
    sample.add_argument(
        "--chain", action="store_true", help="each outcome is the context of the next: a text"
    )
    sample.add_argument("--seed", type=_whole, default=0, help="other draws (default: 0)")
    sample.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="WORD",
        help="what not to draw from a model of a text, such as '<unk>' (repeatable)",
    )
    sample.add_argument("--json", action="store_true", help="print JSON")
    sample.set_defaults(run="run_sample")

    top = commands.add_parser("top", help="print the likeliest outcomes after contexts")
    top.add_argument("model", metavar="MODEL")
    top.add_argument(
        "contexts",
        nargs="+",
        metavar="CONTEXT",
        help="of a text as many words as the model looks back; fewer are the beginning of one",
    )
    top.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="OUTCOME",
        help="what not to list, such as '<unk>', the class of unknown words (repeatable)",
    )
    top.add_argument("-n", type=_at_least_one, default=10, help="how many (default: 10)")
    top.add_argument("--json", action="store_true", help="print JSON")
    top.set_defaults(run="run_top")

    compare = commands.add_parser(
        "compare", help="print which of two models is better, and how surely"
    )
    compare.add_argument("one", metavar="MODEL")
    compare.add_argument("other", metavar="MODEL", help="of the same outcomes or words")
    compare.add_argument("data", metavar="DATA", help="test data, as `condprob score` takes them")
    _add_columns(compare)
    compare.add_argument("--encoding", help="of the data (default: utf-8)")
    compare.add_argument("--json", action="store_true", help="print JSON")
    compare.set_defaults(run="run_compare")

    methods = commands.add_parser("methods", help="list the methods and their options")
    methods.add_argument("id", nargs="?", metavar="ID", help="one, with a line on each option")
    methods.add_argument("--json", action="store_true", help="print JSON")
    methods.set_defaults(run="run_methods")
    return parser


def _add_method_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--method",
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
    parser.add_argument(
        "--progress",
        action=BooleanOptionalAction,
        help="tell how far a fit is (default: at a terminal, of one that takes some seconds)",
    )


def _add_columns(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--columns",
        metavar="CONTEXT,OUTCOME[,WEIGHT]",
        help="data are a table, such as CSV, whose first line has these names of columns",
    )


def _add_data_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--pairs",
        action="store_true",
        help="data are lines CONTEXT<tab>OUTCOME, perhaps with <tab>WEIGHT, and not text; "
        "no line of names stands before them",
    )
    _add_columns(parser)
    parser.add_argument(
        "--tokenizer",
        metavar="NAME",
        help="how a text is cut into words: "
        + "; ".join(f"{name}, {told}" for name, told in TOKENIZERS_IN_SHORT.items())
        + " (default: whitespace)",
    )
    parser.add_argument(
        "--lines", action="store_true", help="each line of a text is a sentence, with an end"
    )
    parser.add_argument(
        "--min-count",
        type=_at_least_one,
        metavar="N",
        help="words of a text that occur less often are one class, <unk>, as are unknown ones",
    )
    parser.add_argument(
        "--unknown",
        type=_whole,
        metavar="N",
        help="how many words that class has (default: as many as --min-count puts in it)",
    )
    parser.add_argument(
        "--order",
        type=_whole,
        metavar="N",
        help="words of a text that the model sees at once (default: 2, pairs of neighbours)",
    )
    parser.add_argument("--encoding", help="of the data (default: utf-8)")
    parser.add_argument("--json", action="store_true", help="print JSON")


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
    if isinstance(error, KeyError | RuntimeError | SystemError) or not text:
        text = f"{type(error).__name__}: {text}".rstrip(": ")
    return spell_out(text)


if __name__ == "__main__":
    sys.exit(main())
