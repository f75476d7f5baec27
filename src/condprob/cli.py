"""The command line, one function for each command.

What a command needs is imported in its body: help imports no NumPy, whose import takes longer than
all else. A text is cut into words, and each of its lines is a sentence.
"""

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper
from typing import Any

import click

from condprob import __version__
from condprob.tokenizers import TOKENIZERS_IN_SHORT

STATUS_OF_MISTAKE = 2  # exit status
STATUS_OF_INTERRUPT = 130  # of a shell, for SIGINT
MISTAKES = (
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
IN_WORDS = {  # what the methods are called; of others the first line of their class
    "add-half": "add 1/2 to every count (Krichevsky-Trofimov)",
    "ad": "absolute discounting; the unseen outcomes of a context share the discounts",
    "laplace": "add one to every count (Laplace)",
    "naive-add-half-lr": "low-rank factorisation of counts with 1/2 added",
    "naive-ad-lr": "low-rank factorisation of probabilities by absolute discounting",
    "sb": "stupid backoff, divided by its sum (Brants et al. 2007)",
    "kn": "Kneser-Ney: absolute discounting over the continuation distribution",
    "kn-modified": "Kneser-Ney with three discounts for each order (Chen and Goodman 1998)",
    "add-half-lr": "low rank, with 1/2 added to the soft counts in each iteration",
    "ad-lr": "low rank, with soft absolute discounting in each iteration",
    "lr": "low rank by maximum likelihood, not smoothed",
    "py-lr": "Pitman-Yor low rank: chains of several ranks, mixed with Kneser-Ney",
    "mle": "relative frequencies (maximum likelihood)",
    "interpolated": "relative frequencies of every order, interpolated",
    "jm": "Jelinek-Mercer: relative frequencies, interpolated with the unigram",
    "wb": "Witten-Bell: a new outcome is as likely as new ones have been (method C)",
    "good-turing": "Good-Turing: a pair seen r times counts (r + 1) n_(r+1) / n_r times",
    "katz": "Katz's back-off of any order, with Good-Turing discounts of counts up to five",
    "class-kmeans": "class bigram, its classes by k-means",
    "class-exchange": "class bigram, its classes by the exchange algorithm",
    "mf-sgd": "matrix factorisation by gradient descent; unseen pairs are missing entries",
    "lsa": "latent semantic analysis",
    "plsa": "probabilistic latent semantic analysis",
    "aso": "alternating structure optimisation (Ando and Zhang 2005)",
    "nplm": "neural probabilistic language model (Bengio et al. 2003)",
    "sdr": "sufficient dimensionality reduction, a joint model (Globerson and Tishby 2003)",
    "sdr-conditional": "sufficient dimensionality reduction of the rows: log-bilinear bigram",
    "ll-l1": "log-linear n-grams, penalised by the l1-norm",
    "ll-l2": "log-linear n-grams, penalised by the squared l2-norm",
    "ll-tree2": "log-linear n-grams, penalised by the l2-norms of all subtrees",
    "ll-treeinf": "log-linear n-grams, penalised by the largest weights of all subtrees",
}


# ------------------------------------------------------------------------- options of the commands


def options(*several: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return several options as one decorator, in the order in which help shows them."""

    def decorate(function: Any) -> Any:
        for option in reversed(several):
            function = option(function)
        return function

    return decorate


NUMBER = click.IntRange(min=1)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
SEED = click.option(
    "--seed", metavar="INTEGER", type=int, default=0, help="Random seed (default: 0)."
)
OUTCOMES = click.option(
    "-n", metavar="N", type=NUMBER, default=10, help="Number of outcomes to print (default: 10)."
)
EXCLUDE = click.option(
    "--exclude",
    metavar="OUTCOME",
    multiple=True,
    help="Leave out an outcome, such as '<unk>' (repeatable).",
)
PROGRESS = click.option(
    "--progress/--no-progress",
    default=None,
    help="Show how far a fit is (default: at a terminal, for a fit of some seconds).",
)
FORM = options(
    click.option(
        "--pairs",
        is_flag=True,
        help="Read lines CONTEXT<tab>OUTCOME, with an optional <tab>WEIGHT.",
    ),
    click.option(
        "--columns",
        metavar="CONTEXT,OUTCOME[,WEIGHT]",
        help="Read these columns of a table: their names in its first line, their numbers (from 1) "
        "if it has no line of names, or fields of JSON Lines.",
    ),
    click.option(
        "--crosstab",
        is_flag=True,
        help="Read a cross table: a context begins each line, and the first line has the outcomes.",
    ),
    click.option(
        "--separator",
        metavar="MARK",
        help=r"Separator between fields of a table, such as '::' or '\t' (default: tab, comma, "
        "semicolon or space, whichever fits).",
    ),
    click.option(
        "--no-quotes",
        is_flag=True,
        help="Treat quotation marks in a table as ordinary characters.",
    ),
    click.option("--encoding", metavar="NAME", help="Text encoding of the input (default: utf-8)."),
)
TEXT = options(
    click.option(
        "--tokenizer",
        metavar="NAME",
        help="How texts are cut into words: "
        + "; ".join(f"{name}, {how}" for name, how in TOKENIZERS_IN_SHORT.items())
        + " (default: whitespace).",
    ),
    click.option(
        "--no-lines",
        is_flag=True,
        help="Read a text as one sequence, across the ends of lines. By default each line is a "
        "sentence.",
    ),
    click.option(
        "--min-count",
        metavar="N",
        type=NUMBER,
        help="Treat words that occur fewer than N times as unknown (<unk>).",
    ),
    click.option(
        "--unknown",
        metavar="N",
        type=click.IntRange(min=0),
        help="Number of words that share the probability of <unk> (default: as many as --min-count "
        "makes unknown).",
    ),
    click.option(
        "--order",
        metavar="N",
        type=NUMBER,
        help="n-gram order of a text: the next word and N - 1 words before it (default: 3).",
    ),
)


@dataclass(frozen=True)
class Form:
    """How files are read: as pairs in one of three forms, or else as texts."""

    pairs: bool
    columns: str | None
    crosstab: bool
    separator: str | None
    no_quotes: bool
    encoding: str | None

    @classmethod
    def taken_from(cls, given: dict[str, Any]) -> "Form":
        """Take the options of `FORM` out of those of a command."""
        form = cls(**{name: given.pop(name) for name in cls.__dataclass_fields__})
        if len(form.given) > 1:
            raise ValueError(f"{' and '.join(form.given)}: give one of them")
        for name, value in (("--separator", form.separator), ("--no-quotes", form.no_quotes)):
            if value not in (None, False) and not (form.columns or form.crosstab):
                raise ValueError(f"{name} applies to a table: add --columns or --crosstab")
        return form

    @property
    def given(self) -> list[str]:
        """The options that say that files have pairs."""
        values = {"--columns": self.columns, "--pairs": self.pairs, "--crosstab": self.crosstab}
        return [name for name, value in values.items() if value]

    @property
    def option(self) -> str | None:
        """The option that says that files have pairs; None for texts."""
        return next(iter(self.given), None)


@dataclass(frozen=True)
class Cut:
    """How texts are cut, by the options of `TEXT`."""

    tokenizer: str | None
    no_lines: bool
    min_count: int | None
    unknown: int | None
    order: int | None

    @classmethod
    def taken_from(cls, given: dict[str, Any]) -> "Cut":
        """Take the options of `TEXT` out of those of a command."""
        return cls(**{name: given.pop(name) for name in cls.__dataclass_fields__})

    def refuse(self, reason: str, but: str = "") -> None:
        """Raise ValueError for an option of texts that was given where there is no text."""
        for name in self.__dataclass_fields__:
            if name != but and getattr(self, name) not in (None, False):
                raise ValueError(f"--{name.replace('_', '-')} applies to text, but {reason}")

    def text(self, form: Form) -> Any:
        """Return how texts are cut, as the library has it."""
        from condprob.labels.text import Text

        given = {
            "tokenizer": self.tokenizer,
            "min_count": self.min_count,
            "encoding": form.encoding,
        }
        given = {name: value for name, value in given.items() if value is not None}
        return Text(lines=not self.no_lines, unknown=self.unknown, **given)


# -------------------------------------------------------------------------------------- commands


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
    condprob fit train.txt -o model.safetensors
    condprob fit clicks.csv --columns user,page -o clicks.safetensors
    condprob score model.safetensors test.txt
    condprob top model.safetensors "the old"
    condprob recommend clicks.safetensors clicks.csv --columns user,page
    condprob compare train.txt --method kn --method wb
    """  # noqa: D301 - \b keeps click from filling these lines
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@group.command("fit")
@click.argument("data", metavar="DATA...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="MODEL", required=True, help="File to write.")
@click.option(
    "--method",
    metavar="ID",
    help="See condprob methods (default: for texts kn-modified, for pairs py-lr).",
)
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set an option of the method (repeatable).",
)
@SEED
@FORM
@click.option(
    "--ngrams",
    is_flag=True,
    help="Read counts of n-grams, such as SRILM's ngram-count writes: lines WORDS<tab>COUNT.",
)
@TEXT
@click.option(
    "--vocabulary",
    metavar="FILE",
    multiple=True,
    help="Further data, whose contexts and outcomes are added to the vocabulary (repeatable).",
)
@click.option(
    "--checkpoint", metavar="FILE", help="Save the state of a long fit to FILE and resume from it."
)
@PROGRESS
@JSON
def fit_command(
    data, output, method, settings, seed, ngrams, vocabulary, checkpoint, progress, as_json, **given
):
    """Fit DATA and write the MODEL.

    DATA is text by default, or pairs; several files are read as one, and - is standard input.
    Each line of a text is a sentence.
    """
    from condprob.checks import counted
    from condprob.labels import fit_counts, fit_ngram_counts
    from condprob.labels.ngram_counts import read_ngrams
    from condprob.run import Run

    form, cut = Form.taken_from(given), Cut.taken_from(given)
    if form.option:
        cut.refuse(f"{form.option} reads pairs")
    if ngrams:
        cut.refuse("--ngrams reads counts", but="order")
        if form.option or vocabulary:
            other = form.option or "--vocabulary"
            raise ValueError(f"{other} and --ngrams: give one of them")
    id, estimator = _estimator(method, settings, not form.option)
    in_sentences = not (form.option or cut.no_lines)
    _check_output(output, checkpoint, [*data, *vocabulary], id, cut.order or 3, in_sentences)
    run = Run.of(seed, progress, checkpoint or None)
    if ngrams:
        counts: dict[tuple[str, ...], int] = {}
        for path in data:
            for ngram, count in read_ngrams(path, form.encoding or "utf-8").items():
                counts[ngram] = counts.get(ngram, 0) + count
        fitted = fit_ngram_counts(counts, cut.order, estimator, run, id)
    elif form.option:
        pairs = _read_pairs(data, form)
        further = [_read_pairs([path], form) for path in vocabulary]
        counted_pairs, labels = _counted(pairs, further)
        fitted = fit_counts(counted_pairs, estimator, labels, run, id)
    else:
        text = cut.text(form)
        sentences = _read_texts(data, text, is_fitted=True)
        known = [word for path in vocabulary for s in _read_texts([path], text) for word in s]
        fitted = _fit_text(id, estimator, sentences, known, text, cut.order, run)
    fitted.save(output)
    sizes = _sizes(fitted)
    listed = ", ".join(counted(size, name.removesuffix("s"), ",") for name, size in sizes.items())
    found = {"model": output, "method": fitted.about.method} | sizes
    _print(as_json, found, f"{output}: {fitted.about.method} of {listed}")


@group.command("score")
@click.argument("model", metavar="MODEL")
@click.argument("data", metavar="TEST...", nargs=-1, required=True)
@click.option(
    "--each",
    type=click.Choice(["sentence", "word"]),
    help="Print the log probability (nats) of each sentence, or of each word, of a text.",
)
@click.option("--no-end", is_flag=True, help="Do not score the ends of sentences.")
@FORM
@JSON
def score_command(model, data, each, no_end, as_json, **given):
    """Print the cross-entropy of TEST data under a MODEL."""
    from condprob.labels.language import LanguageModel

    form, fitted = Form.taken_from(given), _load(model)
    if not isinstance(fitted, LanguageModel):
        if each or no_end:
            raise ValueError(
                f"--{'each' if each else 'no-end'} applies to text, but {model} was fitted to pairs"
            )
        test = _like_known(_read_pairs(data, form, fitted), fitted)
        return _print_score(as_json, fitted, fitted.score(test, data[0]))
    text = _text_of(fitted, form)
    if each:
        return _print_each(as_json, fitted, data, text, each == "word", not no_end)
    sentences = _read_texts(data, text)
    score = fitted.score_sentences(sentences, data[0], not no_end)
    return _print_score(as_json, fitted, score)


@group.command("compare")
@click.argument("files", metavar="DATA [TEST] | MODEL... TEST", nargs=-1, required=True)
@click.option(
    "--method",
    "methods",
    metavar="ID[,NAME=VALUE...]",
    multiple=True,
    help="A method to fit to DATA, with options if needed (repeatable).",
)
@SEED
@FORM
@TEXT
@PROGRESS
@JSON
def compare_command(files, methods, seed, progress, as_json, **given):
    """Print which of several methods or models is best.

    With --method, each method is fitted to DATA and scored on TEST; without TEST a fifth of DATA is
    held out. Without --method, MODELs are scored on TEST.
    """
    form, cut = Form.taken_from(given), Cut.taken_from(given)
    if methods:
        if form.option:
            cut.refuse(f"{form.option} reads pairs")
        found, note = _compare_methods(files, methods, form, cut, seed, progress)
    else:
        found, note = _compare_models(files, form, cut)
    _print(as_json, found.records(), f"{found!r}\n{note}".rstrip())


@group.command("top")
@click.argument("model", metavar="MODEL")
@click.argument("contexts", metavar="CONTEXT...", nargs=-1, required=True)
@OUTCOMES
@EXCLUDE
@JSON
def top_command(model, contexts, n, exclude, as_json):
    """Print the most probable outcomes of each CONTEXT.

    The CONTEXT of a text is the words before.
    """
    from condprob.vocabulary import like_labels

    fitted = _load(model)
    exclude = _known_outcomes(exclude, fitted)
    found = {}
    for context in like_labels(list(contexts), fitted.contexts):
        _check_history(context, fitted)
        found[context] = dict(fitted.top(context, n, exclude=exclude))
    _print_rows(as_json, found)


@group.command("recommend")
@click.argument("model", metavar="MODEL")
@click.argument("data", metavar="DATA...", nargs=-1, required=True)
@click.option(
    "--context",
    "contexts",
    metavar="CONTEXT",
    multiple=True,
    help="Recommend for this context only (repeatable; default: all of DATA).",
)
@OUTCOMES
@FORM
@JSON
def recommend_command(model, data, contexts, n, as_json, **given):
    """Print the most probable outcomes of each context in DATA that it does not have there."""
    from condprob.labels.language import LanguageModel
    from condprob.vocabulary import like_labels

    form, fitted = Form.taken_from(given), _load(model)
    if isinstance(fitted, LanguageModel):
        raise ValueError(f"{model} is a language model: use condprob top MODEL CONTEXT")
    pairs = _like_known(_read_pairs(data, form, fitted), fitted)
    wanted = like_labels(list(contexts), fitted.contexts) or list(dict.fromkeys(pairs.contexts))
    found = fitted.top(wanted, n, exclude=pairs)
    _print_rows(as_json, {context: dict(row) for context, row in found.items()})


@group.command("sample")
@click.argument("model", metavar="MODEL")
@click.argument("contexts", metavar="[CONTEXT]...", nargs=-1)
@OUTCOMES
@SEED
@EXCLUDE
@JSON
def sample_command(model, contexts, n, seed, exclude, as_json):
    """Sample independent outcomes of each CONTEXT.

    Without a CONTEXT, a model of sentences begins one, and another model draws a context. To draw
    a whole text, use condprob generate.
    """
    import numpy as np

    from condprob.checks import check_seed
    from condprob.labels.language import LanguageModel
    from condprob.vocabulary import like_labels

    check_seed(seed)
    fitted, rng = _load(model), np.random.default_rng(seed)
    is_text = isinstance(fitted, LanguageModel)
    if exclude and not is_text:
        raise ValueError(f"--exclude applies to text, but {model} was fitted to pairs")
    left_out = {"exclude": _known_outcomes(exclude, fitted)} if is_text else {}
    start = like_labels(list(contexts), fitted.contexts)
    if not start and not (is_text and fitted.text.lines):
        start = [fitted.contexts[int(rng.integers(len(fitted.contexts)))]]
    found = {}
    for context in start or [""]:
        _check_history(context, fitted)
        found[context] = fitted.sample(context, n, seed=rng, **left_out)
    lines = [_in_columns(context, outcome) for context, row in found.items() for outcome in row]
    _print(as_json, found, "\n".join(lines))


@group.command("generate")
@click.argument("model", metavar="MODEL")
@click.argument("history", metavar="[HISTORY]", default="")
@click.option("-n", metavar="N", type=NUMBER, default=50, help="Number of words (default: 50).")
@SEED
@EXCLUDE
@JSON
def generate_command(model, history, n, seed, exclude, as_json):
    """Generate a text after a HISTORY, by default from the start of a sentence."""
    from condprob.checks import check_seed
    from condprob.labels.language import LanguageModel

    check_seed(seed)
    fitted = _load(model)
    if not isinstance(fitted, LanguageModel):
        raise ValueError(f"{model} was fitted to pairs: use condprob sample MODEL CONTEXT")
    if not history and not fitted.text.lines and fitted.order == 2:
        history = fitted.words[0]
    _check_history(history, fitted)
    words = fitted.generate(n, history, seed=seed, exclude=_known_outcomes(exclude, fitted))
    _print(as_json, words, _as_text(words, fitted.text))


@group.command("methods")
@click.argument("id", metavar="[ID]", required=False)
def methods_command(id):
    """List the methods, or the options of one."""
    from condprob.catalogue import METHODS
    from condprob.estimator import Estimator

    if id is None:
        width = max(map(len, METHODS))
        for record in METHODS.values():
            of_texts = record.estimator.fit_sentences is not Estimator.fit_sentences
            kinds = "pairs and texts" if of_texts else "pairs"
            print(f"{record.id:<{width}}  {_in_words(record)} (for {kinds})")
        print("\nA method for pairs fits texts, too: above order 2 it is mixed with Kneser-Ney.")
        print("The options of one: condprob methods ID")
        return
    from condprob.options import lines_of_options

    _check_method(id)
    record = METHODS[id]
    about = lines_of_options(record.estimator)
    print(f"{record.id}  {_in_words(record)}")
    for name, option in record.options.items():
        print(f"    {name} = {option.default}: {option.in_text().wanted}")
        if name in about:
            print(f"        {about[name].replace('`', '')}")


@group.command("compile")
@click.argument("ids", metavar="[ID]...", nargs=-1)
def compile_command(ids):
    """Precompile the numerical code, so that the first fit starts faster.

    By default that of all methods.
    """
    import numba

    from condprob.catalogue import METHODS, compile_functions
    from condprob.checks import counted
    from condprob.jit import cache_folder
    from condprob.labels import fit_text

    for id in ids:
        _check_method(id)
    ids = ids or list(METHODS)
    for estimator in compile_functions(ids):
        model = fit_text([" ".join(map(str, range(20))), "0 1 2 4 8"], method=estimator)
        model.top(["0", "1"])
        model.score(["0 1 2 3"])
    folder = cache_folder()
    if folder is None or numba.config.DISABLE_JIT:
        raise ValueError("no folder to compile to: set NUMBA_CACHE_DIR, not NUMBA_DISABLE_JIT")
    print(f"the functions of {counted(len(ids), 'method')} are compiled, and kept in {folder}")


# -------------------------------------------------------------------------- fits and comparisons


def _estimator(id: str | None, settings: Iterable[str], is_text: bool) -> tuple[str, Any]:
    """Return a method with its settings, NAME=VALUE each, or the default for the data."""
    from condprob.catalogue import DEFAULT_METHOD, METHODS, method
    from condprob.labels import OF_TEXTS

    pairs, given, named = [text.partition("=") for text in settings], {}, set()
    if id is None:
        has_discount = any(name == "discount" for name, _, _ in pairs)
        id = OF_TEXTS[has_discount] if is_text else DEFAULT_METHOD
    _check_method(id)
    known = METHODS[id].options
    of_command = ("order", "min_count", "unknown", "tokenizer", "encoding", "seed", "checkpoint")
    for name, equals, value in pairs:
        if not equals:
            raise ValueError(f"option {name!r}: write NAME=VALUE")
        if name in named:
            raise ValueError(f"--set {name}: is given twice")
        named.add(name)
        if name not in known and name in of_command:
            flag = f"--{name.replace('_', '-')} {value}".strip()
            raise ValueError(f"{id} has no option {name!r}; it is one of the command: {flag}")
        given[name] = known[name].read(value) if name in known else value
    return id, method(id, **given)


def _check_method(id: str) -> None:
    from condprob.catalogue import METHODS, method

    if id not in METHODS:
        method(id)  # its message names near ones


def _counted(pairs: Any, further: list) -> tuple[Any, Any]:
    """Return the counts of pairs, and the contexts and outcomes of these and of further pairs."""
    from condprob.vocabulary import Vocabulary

    parts = [pairs, *further]
    contexts = Vocabulary.in_order(label for part in parts for label in part.contexts)
    outcomes = Vocabulary.in_order(label for part in parts for label in part.outcomes)
    return pairs.counted(contexts, outcomes), (contexts, outcomes)


def _fit_text(
    id: str,
    estimator: Any,
    sentences: list,
    known: list[str],
    text: Any,
    order: int | None,
    run: Any,
    are_named: bool = True,
) -> Any:
    from condprob.labels import fit_sentences

    learned = text.learn(sentences, further=known)
    numbered, _ = learned[0].number(sentences, learned[1])
    order = 3 if order is None else order
    return fit_sentences(numbered, order, estimator, learned, run, id, are_named)


def _check_output(
    output: str, checkpoint: str | None, inputs: list[str], id: str, order: int, in_sentences: bool
) -> None:
    """Raise an error if a fit could not be written, or would replace a file that it reads."""
    from condprob.catalogue import METHODS
    from condprob.files import settle
    from condprob.files.data_files import STANDARD_INPUT
    from condprob.text.arpa import is_arpa

    if output == "-":
        raise ValueError("--output -: a model is written to a file, not to standard output")
    read: list[str | int] = [path for path in inputs if path != STANDARD_INPUT]
    if STANDARD_INPUT in inputs and sys.stdin is not None:
        with suppress(OSError):  # a stream of a test has no number
            read.append(sys.stdin.fileno())
    if inputs.count(STANDARD_INPUT) > 1:
        raise ValueError("- is given twice, but standard input can be read once")
    try:
        target = settle(output, read)
        if checkpoint and settle(checkpoint, read) == target:
            raise ValueError(f"{output}: is the checkpoint, and would be replaced")
    except FileNotFoundError as error:
        raise ValueError(f"{error.filename or repr('')}: no such folder to write to") from None
    if is_arpa(output):
        able = [record.id for record in METHODS.values() if record.estimator.backs_off]
        record = METHODS[id].estimator
        if not in_sentences or not (id in able or record.mixes(order)):
            wanted = (
                f"sentences by --method {', '.join(able[:-1])} or {able[-1]}, or by most others"
            )
            raise ValueError(f"{output}: an ARPA file is of {wanted} with --order 3 or more")


def _compare_models(files: tuple[str, ...], form: Form, cut: Cut) -> tuple[Any, str]:
    """Compare models in files; the last file has the test data."""
    from condprob.checks import counted
    from condprob.labels.comparison import compare_models
    from condprob.labels.language import LanguageModel

    *paths, test = files
    if len(paths) < 2:
        raise ValueError(
            f"{counted(len(files), 'file')}: give MODEL MODEL... TEST, or add --method twice to "
            "fit and compare methods on DATA"
        )
    cut.refuse("the models are fitted, and cut texts in their own way")
    models = [_load(path) for path in paths]
    if len({type(model) for model in models}) > 1:
        raise ValueError(f"{', '.join(paths)}: some are language models, others are not")
    texts = [model.text for model in models if isinstance(model, LanguageModel)]
    if len({(text.tokenizer, text.lines) for text in texts}) > 1:
        problem = "the models cut texts in different ways, so that their words do not compare"
        raise ValueError(f"{', '.join(paths)}: {problem}")
    names = [
        f"{path} ({paths[: place + 1].count(path)})" if paths.count(path) > 1 else path
        for place, path in enumerate(paths)
    ]
    if texts:
        data: Any = _read_texts([test], _text_of(models[0], form))
    else:
        data = _like_known(_read_pairs([test], form, models[0]), models[0])
    return compare_models(data, dict(zip(names, models, strict=True))), ""


def _compare_methods(
    files: tuple[str, ...], methods: tuple[str, ...], form: Form, cut: Cut, seed: int, progress: Any
) -> tuple[Any, str]:
    """Compare methods that are fitted to the first file, on the second or on a held-out fifth.

    Of two texts there is one closed vocabulary, as in the paper's experiments, unless rare words
    are unknown: the second value is a line that says how `score` differs.
    """
    from condprob.checks import counted
    from condprob.labels import fit_counts
    from condprob.labels.comparison import HELD_OUT_SHARE, compare_fits, split_counts
    from condprob.splits import split_text

    if len(files) > 2:
        wanted = "with --method give DATA TEST, or DATA of which a fifth is held out"
        raise ValueError(f"{counted(len(files), 'file')}: {wanted}")
    if len({*methods}) < max(len(methods), 2):
        raise ValueError("--method: give two or more different methods")
    estimators = []
    for given in methods:
        id, *settings = given.split(",")
        estimators.append((given, *_estimator(id, settings, not form.option)))
    held_out, note = len(files) == 1, ""
    if form.option:
        train, *others = [_read_pairs([path], form) for path in files]
        counts, labels = _counted(train, others)
        test = others[0] if others else None
        if held_out:
            counts, test = split_counts(counts, labels, HELD_OUT_SHARE, seed)

        def fit_one(id: str, estimator: Any, run: Any) -> Any:
            return fit_counts(counts, estimator, labels, run, id, are_named=False)
    else:
        text = cut.text(form)
        data = [_read_texts([path], text, is_fitted=not n) for n, path in enumerate(files)]
        train, test = split_text(data[0], HELD_OUT_SHARE, seed) if held_out else data
        is_closed = not held_out and cut.min_count is None and cut.unknown is None
        known = [word for sentence in test for word in sentence] if is_closed else []
        note = _note_of_unknown(train, test, text, held_out, is_closed)

        def fit_one(id: str, estimator: Any, run: Any) -> Any:
            return _fit_text(id, estimator, train, known, text, cut.order, run, are_named=False)

    return compare_fits(estimators, fit_one, test, seed, progress), note


def _note_of_unknown(train: list, test: list, text: Any, held_out: bool, is_closed: bool) -> str:
    """Return how the unknown words of a comparison are scored, and how `score` differs."""
    from collections import Counter

    from condprob.checks import counted

    times = Counter(word for sentence in train for word in sentence)
    unknown = sum(times[word] < text.min_count for sentence in test for word in sentence)
    if not unknown:
        return ""
    words = counted(unknown, "word", ",")
    if is_closed:
        return (
            f"Every method knows the words of both files. condprob score leaves out the {words} of "
            "TEST that DATA does not have, so that its number differs."
        )
    part = "the held-out fifth" if held_out else "TEST"
    return f"{words} of {part} are unknown and left out, as in condprob score."


# ----------------------------------------------------------------------------------- reading data


def _load(path: str) -> Any:
    """Return the model with labels in a file, or raise ValueError if it has none."""
    from condprob.labelled_model import LabelledModel
    from condprob.reading import load

    usage = (
        "A MODEL of condprob fit comes first. To fit and compare methods on files, use: condprob "
        "compare DATA [TEST] --method ID --method ID"
    )
    try:
        fitted = load(path)
    except ValueError as error:
        raise ValueError(f"{error}. {usage}") from None
    if not isinstance(fitted, LabelledModel):
        raise ValueError(f"{path}: the model has no labels; write one with condprob fit")
    return fitted


def _text_of(fitted: Any, form: Form) -> Any:
    """Return how a model cuts texts, in the encoding of the files to read."""
    from dataclasses import replace

    if form.option:
        raise ValueError(f"{form.option} reads pairs, but the model is a language model")
    return replace(fitted.text, encoding=form.encoding or fitted.text.encoding)


def _read_texts(
    paths: Iterable[str], text: Any, is_fitted: bool = False, keep_empty: bool = False
) -> list[list[str]]:
    """Return the sentences of texts, one file after the other; warn of what is likely no text."""
    from condprob.checks import counted
    from condprob.files.data_files import read_text, room_for
    from condprob.progress import warn
    from condprob.tokenizers import lines_of, width_of_wrapping

    found = []
    name = ", ".join(paths)
    for path in paths:
        read = read_text(path, text.encoding)
        lines = lines_of(read) if is_fitted else []
        if problem := _is_like_a_table(path, lines):
            warn(f"{path}: {problem}")
        if text.lines and (width := width_of_wrapping(lines)):
            warn(
                f"{path}: the lines look wrapped at {width} columns, so that sentences run over "
                "their ends; --no-lines reads the text as one sequence"
            )
        found.append(read)
    with room_for(name):
        sentences = text.cut("\n".join(found), keep_empty)
    words = sum(map(len, sentences))
    if text.lines and not words:
        raise ValueError(f"{name}: no words")
    if words < 2:
        raise ValueError(f"{name}: {counted(words, 'word')}, but at least two are required")
    if is_fitted and text.lines and len(sentences) > 1 and all(len(s) == 2 for s in sentences):
        warn(
            f"{name}: each line has one word, and no word follows another. --no-lines reads one "
            "sequence; --tokenizer characters cuts a script without spaces"
        )
    return sentences


def _is_like_a_table(path: str, lines: list[str]) -> str:
    """Return why a text is likely a table, or an empty text; nothing is tried."""
    from condprob.files.data_files import OF_TABLES, ending_of
    from condprob.files.tables import are_counts

    lines = [line for line in lines if line.strip()]
    tabs = {line.count("\t") for line in lines}
    if len(lines) > 2 and len(tabs) == 1 and tabs != {0}:
        fields = [line.rpartition("\t") for line in lines]
        if tabs == {1} and are_counts([words for words, _, _ in fields], [n for *_, n in fields]):
            if any(" " in words for words, _, _ in fields):
                return "each line ends in a count: --ngrams reads counts of n-grams"
            return "each line is a word and its count: counts of single words have no contexts"
        return "each line has as many tabs as all others; --columns reads a table"
    if lines and ending_of(path) in OF_TABLES:
        return f"is read as text; --columns reads a table ({ending_of(path)})"
    return ""


def _read_pairs(paths: Iterable[str], form: Form, fitted: Any = None) -> Any:
    """Return the pairs of files, one after the other, and warn of labels that are empty.

    Without another form, files for a fitted model are lines of pairs.
    """
    from condprob.checks import counted
    from condprob.files.data_files import room_for
    from condprob.files.tables import QuoteError, read_columns, read_crosstab, read_pairs
    from condprob.labels.pairs import PairData
    from condprob.progress import warn

    parts, encoding, quotes = [], form.encoding or "utf-8", not form.no_quotes
    for path in paths:
        with room_for(path):
            try:
                if form.columns:
                    names = form.columns.split(",")
                    pairs = read_columns(path, names, encoding, form.separator, quotes)
                elif form.crosstab:
                    pairs = read_crosstab(path, encoding, form.separator, quotes)
                else:
                    pairs = read_pairs(path, encoding, counts_refused=fitted is None)
            except QuoteError as error:
                remedy = "--no-quotes treats quotation marks as ordinary characters"
                raise ValueError(f"{error}; {remedy}") from None
        empty = sum("" in labels for labels in zip(pairs.contexts, pairs.outcomes, strict=True))
        if empty:
            warn(
                f"{path}: {counted(empty, 'pair')} with an empty label, which is one like any other"
            )
        parts.append(PairData(*pairs))
    if len(parts) == 1:
        return parts[0]
    contexts = [label for part in parts for label in part.contexts]
    outcomes = [label for part in parts for label in part.outcomes]
    weighted = any(part.weights is not None for part in parts)
    weights = [weight for part in parts for weight in part.amounts] if weighted else None
    return PairData(contexts, outcomes, weights)


def _like_known(pairs: Any, fitted: Any) -> Any:
    """Return pairs whose labels have the type of the labels of an estimate."""
    from condprob.labels.pairs import PairData
    from condprob.vocabulary import like_labels

    contexts = like_labels(pairs.contexts, fitted.contexts)
    return PairData(contexts, like_labels(pairs.outcomes, fitted.outcomes), pairs.weights)


def _known_outcomes(labels: Iterable[str], fitted: Any) -> list:
    """Return outcomes to leave out, and warn of those that the model does not know."""
    from condprob.checks import in_brief
    from condprob.progress import warn
    from condprob.vocabulary import like_labels

    found = like_labels(list(labels), fitted.outcomes)
    for label in found:
        if label not in fitted.outcomes:
            warn(f"--exclude {label}: outcome {in_brief(label)} is unknown to this model")
    return found


def _check_history(context: Any, fitted: Any) -> None:
    """Raise ValueError if a model of pairs of words does not know the last word of a history."""
    from condprob.checks import in_brief
    from condprob.labels.language import LanguageModel
    from condprob.text import SequenceModel
    from condprob.tokenizers import TOKENIZERS, UNKNOWN

    if not isinstance(fitted, LanguageModel) or isinstance(fitted.model, SequenceModel):
        return
    last = [*context.split()[-1:], *TOKENIZERS[fitted.text.tokenizer](context)[-1:]]
    if last and UNKNOWN not in fitted.words and not any(word in fitted.words for word in last):
        raise ValueError(
            f"word {in_brief(last[0])} is unknown to this model ({len(fitted.words):,} words). Fit "
            "with --min-count 2 for a class of unknown words, or with --vocabulary FILE"
        )


# --------------------------------------------------------------------------------------- printing


def _sizes(fitted: Any) -> dict[str, float]:
    from condprob.labels.language import LanguageModel
    from condprob.text import SequenceModel

    if isinstance(fitted, LanguageModel) and isinstance(fitted.model, SequenceModel):
        return {f"{_item_of(fitted)}s": fitted.about.n, "types": len(fitted.words)}
    sizes = {"contexts": len(fitted.contexts), "outcomes": len(fitted.outcomes)}
    return {"pairs": fitted.about.n} | sizes


def _item_of(fitted: Any) -> str:
    from condprob.labels.language import LanguageModel

    if not isinstance(fitted, LanguageModel):
        return "pair"
    return "character" if fitted.text.tokenizer == "characters" else "word"


def _print_score(as_json: bool, fitted: Any, score: Any) -> None:
    """Print the report on test data, and warn where much of it is unknown."""
    from dataclasses import asdict
    from math import isfinite

    from condprob.checks import counted
    from condprob.evaluation import NO_INTERVAL
    from condprob.labels.language import MOST_UNKNOWN
    from condprob.progress import warn

    units, item = next(iter(_sizes(fitted))), _item_of(fitted)  # neighbours are counted as pairs
    unit = units.removesuffix("s")
    scored, left_out, unseen = (
        counted(number, unit, ".10g") for number in (score.n, score.unknown, score.unseen)
    )
    beside = f" ({left_out} with unknown labels left out)" if score.unknown else ""
    beside += f" ({unseen} of contexts never seen)" if score.unseen else ""
    sure = f"95 % interval {score.low:.4f} to {score.high:.4f} nats"
    lines = [
        f"{score.nats:.6f} nats per {item}, perplexity {score.perplexity:.3f}, "
        f"{scored}, {counted(len(fitted.outcomes), 'type', 'd')}{beside}",
        f"{score.bits:.6f} bits; {sure if isfinite(score.low) else NO_INTERVAL}",
    ]
    if score.unknown:
        nats, perplexity = score.nats_with_unknown, score.perplexity_with_unknown
        lines.append(f"with unknown ones: {nats:.6f} nats per {item}, perplexity {perplexity:.3f}")
    if score.unknown and item != "pair":
        lines.append("condprob compare DATA TEST scores these words, too: there they are known")
    found = asdict(score) | {"bits": score.bits, "perplexity": score.perplexity}
    found |= {"perplexity_with_unknown": score.perplexity_with_unknown, units: score.n}
    _print(as_json, found | {"types": len(fitted.outcomes)}, "\n".join(lines))
    has_class = isfinite(score.nats_with_unknown)
    if score.share_unknown > MOST_UNKNOWN or (score.unknown and not has_class):
        share = score.share_unknown
        shown = f"{share:.1%}" if share >= 0.0005 else "less than 0.1%"
        hint = "" if has_class else f"; {_hint_of_unknown(fitted)}"
        warn(f"{shown} of the {units} are unknown: the first line is of the others only{hint}")


def _hint_of_unknown(fitted: Any) -> str:
    """Return a way to give a probability to outcomes that a model does not know."""
    from condprob.labels.language import LanguageModel
    from condprob.tokenizers import UNKNOWN

    if not isinstance(fitted, LanguageModel):
        return "--vocabulary FILE, when pairs are fitted, makes its outcomes known"
    if UNKNOWN in fitted.words:
        problem = "gives their class, or other words, no probability after some histories"
        return f"{fitted.about.method} {problem}; kn gives each some"
    if fitted.text.min_count > 1:
        return f"--min-count {fitted.text.min_count} without --unknown 0 gives them a class"
    return "--min-count 2 gives them a class when a text is fitted"


def _print_each(
    as_json: bool, fitted: Any, paths: Iterable[str], text: Any, by_word: bool, end: bool
) -> None:
    """Print a line for each sentence, or each word: its log probability, and the text."""
    scores = fitted.scores_of_sentences(_read_texts(paths, text, keep_empty=True), end)
    if by_word:
        found: list[Any] = [
            {"sentence": number, "word": word, "log_prob": log_prob, "unknown": unknown}
            for number, score in enumerate(scores, start=1)
            for word, log_prob, unknown in zip(
                score.words, score.log_probs.tolist(), score.unknown.tolist(), strict=True
            )
        ]
        lines = [
            _in_columns(each["sentence"], f"{each['log_prob']:.6f}", each["word"]) for each in found
        ]
    else:
        found = [
            {
                "log_prob": score.log_prob,
                "words": len(score.words),
                "unknown": int(score.unknown.sum()),
                "text": _as_text(score.words, text).rstrip("\n"),
            }
            for score in scores
        ]
        lines = [
            _in_columns(f"{each['log_prob']:.6f}", each["words"], each["unknown"], each["text"])
            for each in found
        ]
    _print(as_json, found, "\n".join(lines))


def _as_text(words: list[str], text: Any) -> str:
    """Return words as a text: the end of a sentence is that of a line."""
    from condprob.tokenizers import END, SPACE

    between, joined = ("", "".join) if text.tokenizer == "characters" else (" ", " ".join)
    found = joined("\n" if word == END and text.lines else word for word in words)
    found = found.replace(SPACE, " ") if not between else found
    return found.replace(" \n", "\n").replace("\n ", "\n")


def _in_words(record: Any) -> str:
    """Return what a method is called."""
    summary = (record.estimator.__doc__ or record.label).strip().partition("\n")[0]
    return IN_WORDS.get(record.id, summary.replace("`", "").rstrip("."))


def _print_rows(as_json: bool, found: dict[Any, dict[Any, float]]) -> None:
    """Print a line for each outcome of each context, with its probability."""
    lines = [
        _in_columns(context, outcome, f"{chance:.6g}")
        for context, row in found.items()
        for outcome, chance in row.items()
    ]
    _print(as_json, found, "\n".join(lines))


def _print(as_json: bool, data: object, text: str) -> None:
    """Print data as JSON, in which a number that is not finite is null, or the text.

    JSON escapes characters that standard output cannot encode. In the text, characters that would
    control a terminal are spelled out.
    """
    from condprob.checks import spell_out

    if not as_json:
        print(spell_out(text, but="\t\n"))
        return
    line = json.dumps(_finite(data), ensure_ascii=False)
    try:
        line.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        line = json.dumps(_finite(data))
    print(line)


def _in_columns(*labels: object) -> str:
    """Return a line of a table: tabs and ends of lines in labels are spelled out."""
    from condprob.checks import spell_out

    return "\t".join(spell_out(str(label)) for label in labels)


def _finite(data: object) -> object:
    from math import isfinite

    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not isfinite(data) else data


# ----------------------------------------------------------------------- running, and its mistakes


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
        for message in dict.fromkeys(_in_one_line(each.message) for each in caught):
            from condprob.progress import warn

            warn(message)
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
    except MISTAKES as error:
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
    from condprob.catalogue import METHODS
    from condprob.checks import shorten, spell_out

    text = spell_out(" ".join(map(shorten, error.format_message().split()))).rstrip(".")
    param = getattr(error, "param", None)
    if isinstance(error, click.MissingParameter) and isinstance(param, click.Option):
        text = f"{'/'.join(param.opts)} {param.metavar} is required"
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "condprob"
    if isinstance(error, click.NoSuchOption):
        name = error.option_name.lstrip("-").replace("-", "_")
        with warnings.catch_warnings():  # of Numba, which this mistake has nothing to do with
            warnings.simplefilter("ignore")
            is_option = any(name in record.options for record in METHODS.values())
        if is_option:
            text = f"no such option: {error.option_name}; it is one of a method: --set {name}=VALUE"
    return f"{text}; see {path} --help"


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
    from condprob.checks import spell_out

    text = " ".join(str(error).partition("Traceback (most recent call last)")[0].split())
    if isinstance(error, MemoryError) and not text:
        return "there is no room in memory"
    if isinstance(error, OSError) and error.strerror:
        problem = {
            FileNotFoundError: "file not found",
            IsADirectoryError: "is a folder, not a file",
            PermissionError: "permission denied",
        }.get(type(error), error.strerror)
        name = "" if error.filename is None else f"{os.fspath(error.filename) or repr('')}: "
        return spell_out(f"{name}{problem}")
    if isinstance(error, KeyError | RuntimeError | SystemError) or not text:
        text = f"{type(error).__name__}: {text}".rstrip(": ")
    return spell_out(text)
