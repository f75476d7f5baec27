"""The command line: its commands with their options, and one line for a mistake.

The commands themselves are in `condprob.cli.commands`, which takes most of a second to import: help
and mistakes do not wait for it.
"""

import os
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from io import TextIOWrapper
from types import SimpleNamespace
from typing import Any

import click

from condprob import __version__
from condprob.checks import read_integer, shorten, spell_out
from condprob.progress import warn
from condprob.tokenizers import TOKENIZERS_IN_SHORT

STATUS_OF_MISTAKE = 2  # exit status
STATUS_OF_INTERRUPT = 130  # of a shell, for SIGINT
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
    Warning,  # that the user has made an error, as by PYTHONWARNINGS=error
)


class Whole(click.ParamType):
    """An integer in the digits 0 to 9: Python's own would read 1_0."""

    name = "integer"

    def __init__(self, least: int | None = None) -> None:
        self.least = least

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Return the integer, or fail in one line."""
        if isinstance(value, int):
            return value
        try:
            number = read_integer(value)
        except ValueError:
            self.fail(f"{shorten(repr(value))}: an integer is needed", param, ctx)
        if self.least is not None and number < self.least:
            self.fail(f"{number}: an integer >= {self.least} is needed", param, ctx)
        return number


def _options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return several options as one decorator, in the order in which help shows them."""

    def decorate(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


ENCODING = click.option("--encoding", metavar="NAME", help="Of the data (default: utf-8).")
JSON = click.option("--json", is_flag=True, help="Print JSON.")
SEED = click.option(
    "--seed", metavar="SEED", type=Whole(), default=0, help="Of what is drawn (default: 0)."
)
NUMBER = click.option("-n", metavar="N", type=Whole(1), default=10, help="How many (default: 10).")
TABLE = _options(
    click.option(
        "--columns",
        metavar="CONTEXT,OUTCOME[,WEIGHT]",
        help="The data are a table: names of columns in its first line, numbers of columns (the "
        "first is 1) of a table without names, or fields of JSON Lines.",
    ),
    click.option(
        "--separator",
        metavar="MARK",
        help=r"Stands between fields of that table, such as '::' or '\t' (default: tab, comma or "
        "semicolon, as fits).",
    ),
    click.option(
        "--no-quotes",
        is_flag=True,
        help="Quotation marks of that table are characters like any other, and enclose no field.",
    ),
)
PAIRS = click.option(
    "--pairs",
    is_flag=True,
    help="The data are lines CONTEXT<tab>OUTCOME, perhaps with <tab>WEIGHT, and no text.",
)
TEXT = _options(
    click.option(
        "--tokenizer",
        metavar="NAME",
        help="How a text is cut into words: "
        f"{'; '.join(f'{name}, {how}' for name, how in TOKENIZERS_IN_SHORT.items())} "
        "(default: whitespace).",
    ),
    click.option(
        "--no-lines",
        is_flag=True,
        help="The text is one sequence: words follow each other over the ends of lines. By default "
        "each line is a sentence.",
    ),
    click.option(
        "--min-count",
        metavar="N",
        type=Whole(1),
        help="Words that occur less often are one class, <unk>, as are unknown words.",
    ),
    click.option(
        "--unknown",
        metavar="N",
        type=Whole(),
        help="Number of words in that class (default: as many as --min-count puts in it).",
    ),
    click.option(
        "--order",
        metavar="N",
        type=Whole(),
        help="Words of a text that the model sees at once (default: 3).",
    ),
)
PROGRESS = click.option(
    "--progress/--no-progress",
    default=None,
    help="Show how far a fit is (default: at a terminal, for a fit of some seconds).",
)


class _Group(click.Group):
    """Commands in the order in which one needs them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=_Group, invoke_without_command=True, context_settings={"max_content_width": 100})
@click.version_option(__version__, prog_name="condprob", message="%(prog)s %(version)s")
@click.pass_context
def group(context: click.Context) -> None:
    """Smooth conditional probabilities, of words or of any pairs.

    \b
    condprob fit train.txt -o model.npz         a text: Kneser-Ney of order 3
    condprob fit clicks.csv --columns user,page -o clicks.npz
    condprob score model.npz test.txt
    condprob top model.npz "the old"
    """  # noqa: D301 - \b keeps click from filling these lines
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _command(name: str, *options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Add a command that `condprob.cli.commands.run_NAME` runs; its docstring is the help."""

    def decorate(described: Any) -> Any:
        def run(**given: Any) -> None:
            # The commands take most of a second to import: help and mistakes do not wait for it.
            getattr(import_module("condprob.cli.commands"), f"run_{name}")(SimpleNamespace(**given))

        return group.command(name, help=described.__doc__)(_options(*options)(run))

    return decorate


@_command(
    "fit",
    click.argument("data", metavar="DATA"),
    click.option("-o", "--output", metavar="MODEL", required=True, help="File to write."),
    click.option(
        "--method",
        metavar="ID",
        help="See `condprob methods` (default: of texts kn-modified, of tables py-lr).",
    ),
    click.option(
        "--set", metavar="NAME=VALUE", multiple=True, help="An option of the method (repeatable)."
    ),
    SEED,
    PAIRS,
    TABLE,
    click.option(
        "--ngrams",
        is_flag=True,
        help="The data are counts of n-grams, such as of SRILM's ngram-count: lines WORDS<tab>N.",
    ),
    TEXT,
    ENCODING,
    click.option(
        "--vocabulary",
        metavar="FILE",
        multiple=True,
        help="Further data whose contexts and outcomes the model shall know (repeatable).",
    ),
    click.option("--checkpoint", metavar="FILE", help="Keeps a long fit, which goes on from it."),
    PROGRESS,
    JSON,
)
def _fit() -> None:
    """Fit DATA and write the MODEL.

    DATA are a text, or pairs in a table; - is standard input.
    """


@_command(
    "score",
    click.argument("model", metavar="MODEL"),
    click.argument("data", metavar="TEST"),
    TABLE,
    ENCODING,
    JSON,
)
def _score() -> None:
    """Print the cross-entropy of TEST data under a MODEL."""


@_command(
    "compare",
    click.argument("files", metavar="MODEL... TEST | TRAIN TEST", nargs=-1, required=True),
    click.option(
        "--method",
        metavar="ID[,NAME=VALUE...]",
        multiple=True,
        help="A method to fit to TRAIN, perhaps with options (repeatable).",
    ),
    SEED,
    PAIRS,
    TABLE,
    TEXT,
    ENCODING,
    PROGRESS,
    JSON,
)
def _compare() -> None:
    """Print which of several models is best on TEST data.

    The models are files, or methods that are fitted to TRAIN.
    """


@_command(
    "top",
    click.argument("model", metavar="MODEL"),
    click.argument("contexts", metavar="CONTEXT...", nargs=-1, required=True),
    NUMBER,
    click.option(
        "--exclude",
        metavar="OUTCOME",
        multiple=True,
        help="To leave out, such as '<unk>', the class of unknown words (repeatable).",
    ),
    JSON,
)
def _top() -> None:
    """Print the likeliest outcomes of each CONTEXT.

    A CONTEXT of a text is the words before.
    """


@_command(
    "sample",
    click.argument("model", metavar="MODEL"),
    click.argument("contexts", metavar="[CONTEXT]...", nargs=-1),
    NUMBER,
    SEED,
    click.option(
        "--exclude",
        metavar="WORD",
        multiple=True,
        help="That a model of a text does not draw, such as '<unk>' (repeatable).",
    ),
    JSON,
)
def _sample() -> None:
    """Draw outcomes of each CONTEXT by a MODEL.

    Without a CONTEXT a model of a text begins a sentence, and one of pairs draws a context.
    """


@_command("methods", click.argument("id", metavar="[ID]", required=False))
def _methods() -> None:
    """List the methods, or the options of one."""


@_command("compile", click.argument("ids", metavar="[ID]...", nargs=-1))
def _compile() -> None:
    """Compile what fits run, for an installation.

    By default of all methods.
    """


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status. A mistake is one line on standard error."""
    try:
        if sys.stdout is None:
            raise ValueError("standard output is closed")
        # Characters that the encoding of standard output lacks become their numbers.
        is_text = isinstance(sys.stdout, TextIOWrapper)
        if is_text and sys.stdout.errors in ("strict", "surrogateescape"):
            sys.stdout.reconfigure(errors="backslashreplace")
        with warnings.catch_warnings(record=True) as caught:
            # Not `group.main`, which ends the process where a reader has seen enough.
            given = list(sys.argv[1:] if arguments is None else arguments)
            with group.make_context("condprob", given) as context:
                group.invoke(context)
        for each in caught:
            warn(_in_one_line(each.message))
        sys.stdout.flush()
    except BrokenPipeError:  # The reader, such as `head`, has seen enough.
        _drop_output()
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        return _fail(_of_usage(error))
    except (click.Abort, KeyboardInterrupt):
        _fail("interrupted")
        return STATUS_OF_INTERRUPT
    except _MISTAKES as error:
        return _fail(_in_one_line(error))
    return 0


def _fail(message: str) -> int:
    """Print one line of error, and return the exit status."""
    _drop_output()
    if sys.stderr is not None:
        print(f"condprob: error: {message}", file=sys.stderr)
    return STATUS_OF_MISTAKE


def _of_usage(error: click.ClickException) -> str:
    """Return a mistake in the arguments in one line, with the command that helps."""
    text = spell_out(" ".join(map(shorten, error.format_message().split()))).rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "condprob"
    name = str(getattr(error, "option_name", "")).lstrip("-").replace("-", "_")
    if name:
        from condprob.catalogue import METHODS

        with warnings.catch_warnings():  # of Numba, which this mistake has nothing to do with
            warnings.simplefilter("ignore")
            is_option = any(name in record.options for record in METHODS.values())
        if is_option:
            text += f"; an option of a method: --set {name}=VALUE"
    return f"{text}; see `{path} --help`"


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
