"""The command line, one function for each command.

Commands call the public functions of the library, which it imports when they are first used: help
imports no NumPy, whose import takes longer than all else. What else a command needs is imported in
its body.
"""

import json
import sys
import warnings
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

import condprob
from condprob.tokenizers import TOKENIZERS_IN_SHORT

STATUS_OF_MISTAKE = 2  # exit status


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
    "--seed",
    metavar="INTEGER",
    type=click.IntRange(min=0),
    default=0,
    help="Random seed (default: 0).",
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
        default="whitespace",
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
        default=1,
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


TEXT_OPTIONS = ("tokenizer", "no_lines", "min_count", "unknown", "order")


def refuse(names: Iterable[str], reason: str) -> None:
    """Raise an error for an option that was given although it has no effect."""
    context = click.get_current_context()
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name in names and source is ParameterSource.COMMANDLINE:
            raise ValueError(f"{option.opts[-1]} {reason}")


@dataclass(frozen=True)
class Files:
    """How files are read, by the options of a command: as pairs in one of three forms, or texts."""

    pairs: bool
    columns: str | None
    crosstab: bool
    separator: str | None
    no_quotes: bool
    encoding: str | None
    tokenizer: str = "whitespace"
    no_lines: bool = False
    min_count: int = 1
    unknown: int | None = None
    order: int | None = None

    def __post_init__(self) -> None:
        forms = {"--columns": self.columns, "--pairs": self.pairs, "--crosstab": self.crosstab}
        given = [name for name, value in forms.items() if value]
        if len(given) > 1:
            raise ValueError(f"{' and '.join(given)}: give one of them")
        if given:
            refuse(TEXT_OPTIONS, f"applies to text, but {given[0]} reads pairs")
        if not (self.columns or self.crosstab):
            refuse(("separator", "no_quotes"), "applies to a table: add --columns or --crosstab")

    @property
    def have_pairs(self) -> bool:
        """Whether files have pairs; otherwise they are texts."""
        return bool(self.pairs or self.columns or self.crosstab)

    @property
    def text(self) -> Any:
        """How texts are split into words and sentences."""
        encoding = self.encoding or "utf-8"
        lines = not self.no_lines
        return condprob.Text(self.tokenizer, lines, self.min_count, self.unknown, encoding)

    def read_pairs(self, paths: Iterable[str], counts_refused: bool = True) -> Any:
        """Return the pairs of files, one after the other; without another form, lines of pairs."""
        from condprob.checks import counted
        from condprob.files.tables import read_columns, read_crosstab, read_pairs
        from condprob.labels.pairs import PairData

        encoding, quotes = self.encoding or "utf-8", not self.no_quotes
        parts = []
        for path in paths:
            if self.columns:
                names = self.columns.split(",")
                parts.append(read_columns(path, names, encoding, self.separator, quotes))
            elif self.crosstab:
                parts.append(read_crosstab(path, encoding, self.separator, quotes))
            else:
                parts.append(read_pairs(path, encoding, counts_refused))
        found = PairData(
            [label for part in parts for label in part.contexts],
            [label for part in parts for label in part.outcomes],
        )
        empty = sum("" in pair for pair in zip(found.contexts, found.outcomes, strict=True))
        if empty:
            warnings.warn(
                f"{counted(empty, 'pair')} with an empty label, read as a label like any other",
                stacklevel=1,
            )
        if all(part.weights is None for part in parts):
            return found
        weights = [part.weights or [1.0] * len(part.contexts) for part in parts]
        return found._replace(weights=[weight for part in weights for weight in part])

    def read_for(self, model: Any, paths: Iterable[str]) -> Any:
        """Return the data of files as a fitted model scores them: sentences or pairs."""
        from condprob.vocabulary import like_labels

        if isinstance(model, condprob.LanguageModel):
            if self.have_pairs:
                raise ValueError("the model is a language model, which reads texts and no pairs")
            text = replace(model.text, encoding=self.encoding or model.text.encoding)
            return text.sentences(list(map(Path, paths)), keep_empty=True)
        pairs = self.read_pairs(paths, counts_refused=False)
        contexts = like_labels(pairs.contexts, model.contexts)
        return pairs._replace(
            contexts=contexts, outcomes=like_labels(pairs.outcomes, model.outcomes)
        )


# -------------------------------------------------------------------------------------- commands


class _Group(click.Group):
    """Commands in the order in which one needs them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=_Group, invoke_without_command=True, context_settings={"max_content_width": 100})
@click.version_option(condprob.__version__, prog_name="condprob", message="%(prog)s %(version)s")
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
    from collections import Counter

    from condprob.catalogue import DEFAULT_METHOD
    from condprob.files.data_files import read_ngrams
    from condprob.labels import OF_TEXTS, fit_ngram_counts, fit_words
    from condprob.run import Run

    files = Files(**given)
    if ngrams:
        refuse(("pairs", "columns", "crosstab", "vocabulary"), "and --ngrams: give one of them")
        refuse({*TEXT_OPTIONS} - {"order"}, "applies to text, but --ngrams reads counts")
    if method is None:
        has_discount = any(setting.startswith("discount=") for setting in settings)
        method = DEFAULT_METHOD if files.have_pairs else OF_TEXTS[has_discount]
    estimator, order = _estimator(method, *settings), files.order or 3
    _check_output(output, checkpoint, [*data, *vocabulary])
    _check_arpa(output, estimator, order, not (files.have_pairs or files.no_lines))
    run = Run.of(seed, progress, checkpoint)
    if ngrams:
        counts: Counter[tuple[str, ...]] = Counter()
        for path in data:
            counts.update(read_ngrams(path, files.text.encoding))
        fitted = fit_ngram_counts(counts, files.order, estimator, run, method)
    elif files.have_pairs:
        pairs, further = files.read_pairs(data), files.read_pairs(vocabulary)
        fitted = condprob.fit(
            pairs,
            method=estimator,
            contexts=condprob.Vocabulary.in_order([*pairs.contexts, *further.contexts]),
            outcomes=condprob.Vocabulary.in_order([*pairs.outcomes, *further.outcomes]),
            seed=seed,
            progress=progress,
            checkpoint=checkpoint,
        )
    else:
        text = files.text
        known = chain.from_iterable(text.sentences(list(map(Path, vocabulary))))
        how = order, estimator, text, run, method
        fitted = fit_words(text.sentences_to_fit(list(map(Path, data))), *how, further=known)
    fitted.save(output)
    found = {"model": output, "method": fitted.about.method} | _sizes(fitted)
    _print(as_json, found, f"{output}: {repr(fitted)[1:-1]}")


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
    files, fitted = Files(**given), _load(model)
    test = files.read_for(fitted, data)
    if isinstance(fitted, condprob.LanguageModel):
        if each:
            return _print_each(as_json, fitted.scores(test, end=not no_end), each, fitted.text)
        score = fitted.score(test, end=not no_end)
    else:
        refuse(("each", "no_end"), f"applies to text, but {model} was fitted to pairs")
        score = fitted.score(test)
    found = asdict(score) | {"bits": score.bits, "perplexity": score.perplexity}
    found["perplexity_with_unknown"] = score.perplexity_with_unknown
    found |= {next(iter(_sizes(fitted))): score.n, "types": len(fitted.outcomes)}
    lines = [score.in_words(_item_of(fitted))]
    if score.unknown and isinstance(fitted, condprob.LanguageModel):
        lines.append("condprob compare DATA TEST scores these words, too: there they are known")
    return _print(as_json, found, "\n".join(lines))


@group.command("compare")
@click.argument("paths", metavar="DATA [TEST] | MODEL... TEST", nargs=-1, required=True)
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
def compare_command(paths, methods, seed, progress, as_json, **given):
    """Print which of several methods or models is best.

    With --method, each method is fitted to DATA and scored on TEST; without TEST a fifth of DATA is
    held out. Without --method, MODELs are scored on TEST.
    """
    files = Files(**given)
    if methods:
        if len(paths) > 2 or len({*methods}) < max(len(methods), 2):
            raise ValueError("give two different methods or more, and DATA or DATA TEST")
        estimators = {method: _estimator(*method.split(",")) for method in methods}
        data: list[Any] = list(map(Path, paths))
        how: dict[str, Any] = {"text": files.text, "order": files.order or 3}
        if files.have_pairs:
            data, how = [files.read_pairs([path]) for path in paths], {}
        how |= {"test": data[1] if len(data) > 1 else None, "seed": seed, "progress": progress}
        found = condprob.compare(data[0], methods=estimators, **how)
    else:
        refuse(TEXT_OPTIONS, "applies to --method: models cut texts in their own way")
        *models, test = paths
        if len(models) < 2:
            raise ValueError("give MODEL MODEL... TEST, or DATA with --method twice or more")
        fitted = {path: _load(path) for path in models}
        found = condprob.compare(files.read_for(_first_alike(fitted), [test]), fitted)
    _print(as_json, found.records(), repr(found))


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
    exclude = like_labels(list(exclude), fitted.outcomes)
    contexts = like_labels(list(contexts), fitted.contexts)
    _print_rows(as_json, {each: fitted.top(each, n, exclude=exclude) for each in contexts})


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
    from condprob.vocabulary import like_labels

    files, fitted = Files(**given), _load(model)
    if isinstance(fitted, condprob.LanguageModel):
        raise ValueError(f"{model} is a language model: use condprob top MODEL CONTEXT")
    pairs = files.read_for(fitted, data)
    wanted = like_labels(list(contexts), fitted.contexts) or list(dict.fromkeys(pairs.contexts))
    _print_rows(as_json, fitted.top(wanted, n, exclude=pairs))


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

    from condprob.vocabulary import like_labels

    fitted, rng = _load(model), np.random.default_rng(seed)
    is_text = isinstance(fitted, condprob.LanguageModel)
    if not is_text:
        refuse(("exclude",), f"applies to text, but {model} was fitted to pairs")
    left_out = {"exclude": exclude} if is_text else {}
    start = like_labels(list(contexts), fitted.contexts)
    if not start and not (is_text and fitted.text.lines):
        start = [fitted.contexts[int(rng.integers(len(fitted.contexts)))]]
    found = {each: fitted.sample(each, n, seed=rng, **left_out) for each in start or [""]}
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
    fitted = _load(model)
    if not isinstance(fitted, condprob.LanguageModel):
        raise ValueError(f"{model} was fitted to pairs: use condprob sample MODEL CONTEXT")
    if not history and not fitted.text.lines and fitted.order == 2:
        history = fitted.words[0]
    words = fitted.generate(n, history, seed=seed, exclude=exclude)
    _print(as_json, words, _as_text(words, fitted.text))


@group.command("methods")
@click.argument("id", metavar="[ID]", required=False)
def methods_command(id):
    """List the methods, or the options of one."""
    from condprob.options import lines_of_options

    if id is None:
        width = max(map(len, condprob.METHODS))
        for record in condprob.METHODS.values():
            of_texts = record.estimator.fit_sentences is not condprob.Estimator.fit_sentences
            kinds = "pairs and texts" if of_texts else "pairs"
            click.echo(f"{record.id:<{width}}  {_in_words(record)} (for {kinds})")
        click.echo(
            "\nA method for pairs fits texts, too: above order 2 it is mixed with Kneser-Ney."
        )
        click.echo("The options of one: condprob methods ID")
        return
    about = lines_of_options(type(condprob.method(id)))
    click.echo(f"{id}  {_in_words(condprob.METHODS[id])}")
    for name, option in condprob.METHODS[id].options.items():
        click.echo(f"    {name} = {option.default}: {option.in_text().wanted}")
        if name in about:
            click.echo(f"        {about[name].replace('`', '')}")


@group.command("compile")
@click.argument("ids", metavar="[ID]...", nargs=-1)
def compile_command(ids):
    """Precompile the numerical code, so that the first fit starts faster.

    By default that of all methods.
    """
    import numba

    from condprob.catalogue import compile_functions
    from condprob.checks import counted
    from condprob.jit import cache_folder

    for id in ids:
        condprob.method(id)  # which raises an error for what is none
    ids = ids or list(condprob.METHODS)
    for estimator in compile_functions(ids):
        model = condprob.fit_text([" ".join(map(str, range(20))), "0 1 2 4 8"], method=estimator)
        model.top(["0", "1"])
        model.score(["0 1 2 3"])
    folder = cache_folder()
    if folder is None or numba.config.DISABLE_JIT:
        raise ValueError("no folder to compile to: set NUMBA_CACHE_DIR, not NUMBA_DISABLE_JIT")
    click.echo(f"the functions of {counted(len(ids), 'method')} are compiled, and kept in {folder}")


# ----------------------------------------------------------------------------- methods and models


def _estimator(id: str, *settings: str) -> Any:
    """Return a method with its settings, NAME=VALUE each."""
    known = condprob.METHODS[id].options if id in condprob.METHODS else {}
    options: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or name in options:
            raise ValueError(f"option {setting!r}: write NAME=VALUE, once for each name")
        options[name] = known[name].read(value) if name in known else value
    return condprob.method(id, **options)


def _load(path: str) -> Any:
    """Return the model with labels in a file, or raise ValueError if it has none."""
    try:
        fitted = condprob.load(path)
    except ValueError as error:
        raise ValueError(f"{error}. A MODEL is a file that condprob fit wrote") from None
    if not isinstance(fitted, condprob.Estimate | condprob.LanguageModel):
        raise ValueError(f"{path}: the model has no labels; write one with condprob fit")
    return fitted


def _first_alike(models: dict[str, Any]) -> Any:
    """Return the first of several models; ValueError if another would cut texts differently."""
    texts = [getattr(model, "text", None) for model in models.values()]
    if len({text and (text.tokenizer, text.lines) for text in texts}) > 1:
        problem = (
            "models of pairs and of texts, or that cut texts in different ways, do not compare"
        )
        raise ValueError(f"{', '.join(models)}: {problem}")
    return next(iter(models.values()))


def _check_output(output: str, checkpoint: str | None, inputs: Iterable[str]) -> None:
    """Raise an error before a fit that could not be written, or would replace what it reads."""
    from condprob.files import settle
    from condprob.files.data_files import STANDARD_INPUT

    if output == STANDARD_INPUT:
        raise ValueError("--output -: a model is written to a file, not to standard output")
    read = [*inputs, 0]  # standard input is the file 0
    target = settle(output, read)
    if checkpoint is not None and settle(checkpoint, read) == target:
        raise ValueError(f"{output}: is the checkpoint, and would be replaced")


def _check_arpa(output: str, estimator: Any, order: int, in_sentences: bool) -> None:
    from condprob.files.arpa import is_arpa

    if is_arpa(output) and not (in_sentences and (estimator.backs_off or estimator.mixes(order))):
        wanted = "back-off models of sentences: kn, or most other methods with --order 3 or more"
        raise ValueError(f"{output}: an ARPA file is for {wanted}")


# --------------------------------------------------------------------------------------- printing


def _item_of(fitted: Any) -> str:
    """Return what the data of a model are made of."""
    if not isinstance(fitted, condprob.LanguageModel):
        return "pair"
    return "character" if fitted.text.tokenizer == "characters" else "word"


def _sizes(fitted: Any) -> dict[str, float]:
    """Return the sizes of a fit by their names in JSON, that of the data first."""
    if isinstance(fitted.model, condprob.SequenceModel):
        return {f"{_item_of(fitted)}s": fitted.about.n, "types": len(fitted.words)}
    sizes = {"contexts": len(fitted.contexts), "outcomes": len(fitted.outcomes)}
    return {"pairs": fitted.about.n} | sizes


def _print_each(as_json: bool, scores: Iterable[Any], each: str, text: Any) -> None:
    """Print a line for each sentence, or each word: its log probability, and the text."""
    found: list[dict[str, Any]]
    if each == "sentence":
        shown = ("log_prob", "words", "unknown", "text")
        found = [
            {
                "log_prob": score.log_prob,
                "words": len(score.words),
                "unknown": int(score.unknown.sum()),
                "text": _as_text(score.words, text).rstrip("\n"),
            }
            for score in scores
        ]
    else:
        shown = ("sentence", "log_prob", "word")
        found = [
            {
                "sentence": number,
                "word": word,
                "log_prob": float(log_prob),
                "unknown": bool(unknown),
            }
            for number, score in enumerate(scores, start=1)
            for word, log_prob, unknown in zip(
                score.words, score.log_probs, score.unknown, strict=True
            )
        ]
    rows = ({**row, "log_prob": f"{row['log_prob']:.6f}"} for row in found)
    lines = [_in_columns(*(row[name] for name in shown)) for row in rows]
    _print(as_json, found, "\n".join(lines))


def _as_text(words: list[str], text: Any) -> str:
    """Return words as a text: the end of a sentence is that of a line."""
    from condprob.tokenizers import END, SPACE

    words = ["\n" if word == END and text.lines else word for word in words]
    is_cut = text.tokenizer == "characters"
    found = "".join(words).replace(SPACE, " ") if is_cut else " ".join(words)
    return found.replace(" \n", "\n").replace("\n ", "\n")


def _in_words(record: Any) -> str:
    """Return what a method is called: the first line about its class."""
    summary = (record.estimator.__doc__ or record.label).strip().partition("\n")[0]
    return summary.replace("`", "").rstrip(".")


def _print_rows(as_json: bool, found: dict[Any, list[tuple[Any, float]]]) -> None:
    """Print a line for each outcome of each context, with its probability."""
    lines = [
        _in_columns(context, outcome, f"{chance:.6g}")
        for context, row in found.items()
        for outcome, chance in row
    ]
    _print(as_json, {context: dict(row) for context, row in found.items()}, "\n".join(lines))


def _in_columns(*labels: object) -> str:
    """Return a line of a table: tabs and other control characters in labels are spelled out."""
    from condprob.checks import spell_out

    return "\t".join(spell_out(str(label)) for label in labels)


def _print(as_json: bool, data: object, text: str) -> None:
    """Print data as JSON, in which a number that is not finite is null, or the text."""
    click.echo(json.dumps(_finite(data)) if as_json else text)


def _finite(data: object) -> object:
    from math import isfinite

    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not isfinite(data) else data


# ----------------------------------------------------------------------- running, and its mistakes


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status. A mistake is one line on standard error."""
    if isinstance(sys.stdout, TextIOWrapper):  # what its encoding lacks becomes numbers
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_: _tell("warning", message)
            return group.main(arguments, "condprob", standalone_mode=False) or 0
    except click.ClickException as error:
        context = getattr(error, "ctx", None) or click.Context(group, info_name="condprob")
        message = error.format_message().rstrip(".")
        if isinstance(error, click.NoSuchOption) and context.command is fit_command:
            message += "; an option of a method is given as --set NAME=VALUE"
        message += f"; see {context.command_path} --help"
    except OSError as error:
        name = "" if error.filename is None else f"{error.filename}: "
        message = f"{name}{error.strerror or error}"
    except (ValueError, ImportError, MemoryError) as error:
        message = str(error) or type(error).__name__
    _tell("error", message)
    return STATUS_OF_MISTAKE


def _tell(kind: str, message: Warning | str) -> None:
    """Print an error or a warning in one line on standard error."""
    click.echo(f"condprob: {kind}: {_in_columns(' '.join(str(message).split()))}", err=True)
