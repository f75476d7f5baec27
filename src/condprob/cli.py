"""The command line: its commands with their options, and one line for a mistake."""

import os
import sys
import warnings
from argparse import ArgumentParser, BooleanOptionalAction
from importlib import import_module
from io import TextIOWrapper
from typing import Any, NoReturn

from condprob import __version__
from condprob.catalogue import DEFAULT_METHOD, METHODS
from condprob.checks import read_integer, shorten, spell_out
from condprob.progress import warn
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


def _whole(text: str) -> int:
    return read_integer(text)


def _at_least_one(text: str) -> int:
    number = read_integer(text)
    if number < 1:
        raise ValueError
    return number


_whole.__name__ = "int"  # the name in the messages of argparse
_at_least_one.__name__ = "integer >= 1"

REPEATED: dict[str, Any] = {"action": "append", "default": []}


class Parser(ArgumentParser):
    """A parser with one line for a mistake, as the commands have."""

    def error(self, message: str) -> NoReturn:
        """Print the mistake instead of the usage of the command, and exit."""
        text = spell_out(" ".join(map(shorten, message.split()))) + _hint(message)
        self.exit(MISTAKE, f"condprob: error: {text}; see `{self.prog} --help`\n")


def _hint(message: str) -> str:
    """Return how to write an option of a method, for one that was written as --NAME."""
    _, _, given = message.partition("unrecognized arguments: --")
    name, _, value = given.partition(" ")
    name, _, other = name.partition("=")
    known = {option for record in METHODS.values() for option in record.options} if given else ()
    value = shorten((other or value or "VALUE").split()[0])
    return f"; an option of a method: --set {name}={value}" if name in known else ""


def _add(parser: ArgumentParser, flags: str, metavar: str, summary: str = "", **how: Any) -> None:
    parser.add_argument(*flags.split(), metavar=metavar, help=summary or None, **how)


def _add_flag(parser: ArgumentParser, name: str, summary: str) -> None:
    parser.add_argument(name, action="store_true", help=summary)


def _add_columns(parser: ArgumentParser) -> None:
    names = "data are a table, such as CSV, whose first line has these names of columns"
    _add(parser, "--columns", "CONTEXT,OUTCOME[,WEIGHT]", names)
    mark = "stands between the fields of that table (default: tab, comma or semicolon, as fits)"
    _add(parser, "--separator", "MARK", mark)


def _add_method(parser: ArgumentParser) -> None:
    ids = f"see `condprob methods` (default: {DEFAULT_METHOD}; kn is quicker)"
    _add(parser, "--method", "ID", ids)
    _add(parser, "--set", "NAME=VALUE", "an option of the method (repeatable)", **REPEATED)
    _add(parser, "--seed", "SEED", "of a method that draws its start", type=_whole, default=0)
    seen = "show how far a fit is (default: at a terminal, for a fit of some seconds)"
    parser.add_argument("--progress", action=BooleanOptionalAction, help=seen)


def _add_data(parser: ArgumentParser) -> None:
    form = "data are lines CONTEXT<tab>OUTCOME, perhaps with <tab>WEIGHT, and not text"
    _add_flag(parser, "--pairs", f"{form}; no line of names stands before them")
    _add_columns(parser)
    ways = "; ".join(f"{name}, {how}" for name, how in TOKENIZERS_IN_SHORT.items())
    words = f"how a text is cut into words: {ways} (default: whitespace)"
    _add(parser, "--tokenizer", "NAME", words)
    _add_flag(parser, "--lines", "each line of a text is a sentence, with an end")
    rare = "words of a text that occur less often are one class, <unk>, as are unknown words"
    _add(parser, "--min-count", "N", rare, type=_at_least_one)
    size = "number of words in that class (default: as many as --min-count puts in it)"
    _add(parser, "--unknown", "N", size, type=_whole)
    order = "words of a text that the model sees at once (default: 2, pairs of neighbours)"
    _add(parser, "--order", "N", order, type=_whole)
    _add(parser, "--encoding", "ENCODING", "of the data (default: utf-8)")


def _add_fit(parser: ArgumentParser) -> None:
    _add(parser, "data", "DATA", "text or pairs; - is standard input")
    _add(parser, "--output -o", "MODEL", "file to write", required=True)
    known = "further data whose contexts and outcomes the model shall know (repeatable)"
    _add(parser, "--vocabulary", "FILE", known, **REPEATED)
    _add(parser, "--checkpoint", "FILE", "keeps a long fit, which goes on from it")
    _add_method(parser)
    _add_data(parser)


def _add_score(parser: ArgumentParser) -> None:
    _add(parser, "data", "DATA", "TRAIN TEST, or with --model TEST alone", nargs="+")
    _add(parser, "--model", "MODEL", "a fitted model, from `condprob fit`")
    _add_method(parser)
    _add_data(parser)


def _add_sample(parser: ArgumentParser) -> None:
    _add(parser, "model", "MODEL")
    begins = "default: one at random; for a model of lines, the beginning of a line"
    _add(parser, "contexts", "CONTEXT", begins, nargs="*")
    _add(parser, "-n", "N", "how many (default: 10)", type=_at_least_one, default=10)
    _add_flag(parser, "--chain", "each outcome is the context of the next: a text")
    _add(parser, "--seed", "SEED", "other draws (default: 0)", type=_whole, default=0)
    left_out = "a word that a model of a text does not draw, such as '<unk>' (repeatable)"
    _add(parser, "--exclude", "WORD", left_out, **REPEATED)


def _add_top(parser: ArgumentParser) -> None:
    _add(parser, "model", "MODEL")
    words = "for a text as many words as the model looks back; fewer words begin a text"
    _add(parser, "contexts", "CONTEXT", words, nargs="+")
    left_out = "an outcome to leave out, such as '<unk>', the class of unknown words (repeatable)"
    _add(parser, "--exclude", "OUTCOME", left_out, **REPEATED)
    _add(parser, "-n", "N", "how many (default: 10)", type=_at_least_one, default=10)


def _add_compare(parser: ArgumentParser) -> None:
    _add(parser, "one", "MODEL")
    _add(parser, "other", "MODEL", "of the same outcomes or words")
    _add(parser, "data", "DATA", "test data, as for `condprob score`")
    _add_columns(parser)
    _add(parser, "--encoding", "ENCODING", "of the data (default: utf-8)")


def _add_methods(parser: ArgumentParser) -> None:
    _add(parser, "id", "ID", "one, with a line on each option", nargs="?")


def _add_compile(parser: ArgumentParser) -> None:
    _add(parser, "ids", "ID", "of methods (default: all)", nargs="*")


# A command NAME adds its arguments here, and `condprob.commands.run_NAME` runs it.
COMMANDS = {
    "fit": (_add_fit, "fit data and write the model to a file"),
    "score": (_add_score, "print the cross-entropy of test data"),
    "sample": (_add_sample, "draw outcomes from a model"),
    "top": (_add_top, "print the likeliest outcomes after contexts"),
    "compare": (_add_compare, "print which of two models is better, and how surely"),
    "methods": (_add_methods, "list the methods and their options"),
    "compile": (_add_compile, "compile what fits run, once: for an installation or an image"),
}


def build_parser() -> ArgumentParser:
    """Return the parser of all commands."""
    parser = Parser(
        "condprob", description="Smooth conditional probabilities, of words or of any pairs."
    )
    parser.add_argument("--version", action="version", version=f"condprob {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (add_arguments, summary) in COMMANDS.items():
        command = commands.add_parser(name, help=summary)
        add_arguments(command)
        _add_flag(command, "--json", "print JSON")
        command.set_defaults(run=f"run_{name}")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status. A mistake is one line on standard error."""
    options = build_parser().parse_args(arguments)
    try:
        if sys.stdout is None:
            raise ValueError("standard output is closed")
        if getattr(options, "separator", None) is not None and not options.columns:
            raise ValueError("--separator: is of a table, whose columns --columns names")
        # Characters that the encoding of standard output lacks become their numbers.
        if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
            sys.stdout.reconfigure(errors="backslashreplace")
        with warnings.catch_warnings(record=True) as caught:
            # The commands take most of a second to import: help and mistakes do not wait for it.
            getattr(import_module("condprob.commands"), options.run)(options)
        for each in caught:
            warn(_in_one_line(each.message))
        sys.stdout.flush()
    except BrokenPipeError:  # The reader, such as `head`, has seen enough.
        _drop_output()
    except _MISTAKES as error:
        _drop_output()
        if sys.stderr is not None:
            print(f"condprob: error: {_in_one_line(error)}", file=sys.stderr)
        return MISTAKE
    return 0


def _drop_output() -> None:
    """Discard the rest of standard output, or Python would end with an error."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except AttributeError:  # It is closed.
        pass


def _in_one_line(error: Warning | Exception | str) -> str:
    """Return the message of an error, or its name if it has no message.

    Numba's warning of a variable that it cannot read has a traceback, which is left out.
    """
    text = " ".join(str(error).partition("Traceback (most recent call last)")[0].split())
    if isinstance(error, MemoryError) and not text:
        return "there is no room in memory"
    if isinstance(error, KeyError | RuntimeError | SystemError) or not text:
        text = f"{type(error).__name__}: {text}".rstrip(": ")
    return spell_out(text)


if __name__ == "__main__":
    sys.exit(main())
