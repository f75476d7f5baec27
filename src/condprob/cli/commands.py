"""What the commands of the command line do: fit, score, compare, top, sample, methods, compile.

A text is cut into words, and each of its lines is a sentence. `compare` with two texts has one
closed vocabulary, that of both, as the paper's experiments.
"""

import json
import sys
from contextlib import suppress
from dataclasses import asdict, replace
from math import inf, isfinite
from time import perf_counter
from types import SimpleNamespace as Options
from typing import Any

import numpy as np

from condprob.catalogue import DEFAULT_METHOD, METHODS, compile_functions, method
from condprob.checks import check_seed, counted, spell_out
from condprob.data_files import STANDARD_INPUT, read_text, room_for
from condprob.estimator import Estimator
from condprob.evaluation import NO_INTERVAL, Score
from condprob.files import settle
from condprob.jit import cache_folder, weighted_logs
from condprob.labelled_model import LabelledModel
from condprob.labels import OF_TEXTS, fit_counts, fit_ngrams, fit_sentences, fit_text
from condprob.labels.comparison import Comparison, compare_models
from condprob.labels.estimate import Estimate
from condprob.labels.language import MOST_UNKNOWN, LanguageModel
from condprob.labels.ngram_counts import read_ngrams
from condprob.labels.pairs import PairData
from condprob.labels.text import Text
from condprob.options import lines_of
from condprob.progress import SECONDS_OF_PATIENCE, is_at_terminal, telling_after, warn
from condprob.reading import load
from condprob.run import Run
from condprob.tables import QuoteError, read_columns, read_pairs
from condprob.text import SequenceModel
from condprob.text.arpa import is_arpa
from condprob.tokenizers import UNKNOWN
from condprob.vocabulary import Vocabulary, like_labels

OF_COMMAND = ("order", "min_count", "unknown", "tokenizer", "encoding", "seed", "checkpoint")
OF_TEXT = ("tokenizer", "no_lines", "min_count", "unknown", "order")  # options of texts alone
Fitted = Estimate | LanguageModel


def run_fit(options: Options) -> None:
    """Fit data, write the model with its labels, and print its sizes."""
    _check_options(options)
    id, estimator = _estimator(options, options.method, options.set)
    _check_output(options, id)
    if options.ngrams:
        counts = read_ngrams(options.data, options.encoding or "utf-8")
        fitted: Fitted = fit_ngrams(counts, options.order, estimator, _run_of(options), id)
    else:
        data = _read(options.data, options)
        further = [_read(path, options) for path in options.vocabulary]
        fitted = _fit(id, estimator, data, further, options)
    fitted.save(options.output)
    sizes = _sizes(fitted)
    listed = ", ".join(counted(size, name.removesuffix("s"), ",") for name, size in sizes.items())
    found = {"model": options.output, "method": fitted.about.method} | sizes
    _print(options, found, f"{options.output}: {fitted.about.method} of {listed}")


def _check_output(options: Options, id: str) -> None:
    """Raise an error if the fit could not be written, or would replace a file that it reads."""
    if options.output == "-":
        raise ValueError("--output -: a model goes to a file, and not to standard output")
    paths = (options.data, *options.vocabulary)
    read: list[str | int] = [path for path in paths if path != STANDARD_INPUT]
    if STANDARD_INPUT in paths and sys.stdin is not None:
        with suppress(OSError):  # a stream of a test has no number
            read.append(sys.stdin.fileno())
    target = settle(options.output, read)
    if options.checkpoint and settle(options.checkpoint, read) == target:
        raise ValueError(f"{options.output}: is the checkpoint, and would be replaced")
    able = [record.id for record in METHODS.values() if record.estimator.backs_off]
    order = 3 if options.order is None else options.order
    is_able = id in able or (id in METHODS and METHODS[id].estimator.mixes(order))
    in_sentences = not (options.no_lines or options.ngrams or _pairs_option(options))
    if is_arpa(options.output) and not (is_able and in_sentences):
        wanted = f"a text by --method {', '.join(able[:-1])} or {able[-1]}, with sentences"
        wanted += ", or by most others with --order 3 or more"
        raise ValueError(f"{options.output}: an ARPA file is of {wanted}")


def _check_options(options: Options) -> None:
    """Raise ValueError for an option of a text beside pairs, or of a table beside a text."""
    if options.separator is not None and not options.columns:
        raise ValueError("--separator: is of a table, whose columns --columns names")
    option = _pairs_option(options)
    is_ngrams = getattr(options, "ngrams", False)
    if option and is_ngrams:
        raise ValueError(f"{option}: is of pairs, and --ngrams of words")
    given = _first_given(options, OF_TEXT[:-1] if is_ngrams else OF_TEXT)
    if (option or is_ngrams) and given:
        raise ValueError(f"{_flag(given)}: is of texts, and {option or '--ngrams'} has none")


def run_score(options: Options) -> None:
    """Print the report on test data under a model."""
    fitted = _load(options.model)
    test = _read_for(fitted, options.data, options)
    is_text = isinstance(fitted, LanguageModel)
    name = options.data
    score = fitted.score_sentences(test, name) if is_text else fitted.score(test, name)
    units = next(iter(_sizes(fitted)))  # neighbours of a text are counted as pairs
    _print_score(options, fitted, score, units)
    has_class = isfinite(score.nats_with_unknown)
    if score.share_unknown > MOST_UNKNOWN or (score.unknown and not has_class):
        share = score.share_unknown
        shown = f"{share:.1%}" if share >= 0.0005 else "less than 0.1%"
        hint = "" if has_class else f"; {_hint_of_unknown(fitted)}"
        warn(f"{shown} of the {units} are unknown: the first line is of the others alone{hint}")


def _print_score(options: Options, fitted: Fitted, score: Score, units: str) -> None:
    item = "word" if isinstance(fitted, LanguageModel) else "pair"
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
    found = asdict(score) | {"bits": score.bits, "perplexity": score.perplexity}
    found |= {"perplexity_with_unknown": score.perplexity_with_unknown, units: score.n}
    _print(options, found | {"types": len(fitted.outcomes)}, "\n".join(lines))


def _hint_of_unknown(fitted: Fitted) -> str:
    """Return a way to give a probability to outcomes that a model does not know."""
    if isinstance(fitted, Estimate):
        return "--vocabulary FILE, when pairs are fitted, makes its outcomes known"
    if UNKNOWN in fitted.words:
        problem = "gives their class, or other words, no probability after some histories"
        return f"{fitted.about.method} {problem}; kn gives each some"
    if fitted.text.min_count > 1:
        return f"--min-count {fitted.text.min_count} without --unknown 0 gives them a class"
    return "--min-count 2 gives them a class when a text is fitted"


def run_compare(options: Options) -> None:
    """Print which of several models is best on the same test data."""
    found = _compare_methods(options) if options.method else _compare_files(options)
    _print(options, found.records(), repr(found))


def _compare_files(options: Options) -> Comparison:
    """Compare models in files; the last file is the test data."""
    *paths, test = options.files
    if len(paths) < 2:
        wanted = "MODEL MODEL... TEST, or TRAIN TEST with --method ID for each method"
        raise ValueError(f"{counted(len(options.files), 'file')}: {wanted}, is needed")
    given = _first_given(options, OF_TEXT)
    if given:
        raise ValueError(f"{_flag(given)}: the models are fitted, and have their own; leave it out")
    models = [_load(path) for path in paths]
    if len({type(model) for model in models}) > 1:
        raise ValueError(f"{', '.join(paths)}: some are of a text, the others of pairs")
    texts = [model.text for model in models if isinstance(model, LanguageModel)]
    if len({(text.tokenizer, text.lines) for text in texts}) > 1:
        problem = "cut texts in different ways: the costs of their words cannot be compared"
        raise ValueError(f"{', '.join(paths)}: {problem}")
    names = [
        f"{path} ({paths[: place + 1].count(path)})" if paths.count(path) > 1 else path
        for place, path in enumerate(paths)
    ]
    data = _read_for(models[0], test, options)
    return compare_models(data, dict(zip(names, models, strict=True)))


def _compare_methods(options: Options) -> Comparison:
    """Compare methods that are fitted to the first file, on the second."""
    _check_options(options)
    if len(options.files) != 2:
        raise ValueError(
            f"{counted(len(options.files), 'file')}: TRAIN TEST is needed with --method"
        )
    if len({*options.method}) < max(len(options.method), 2):
        raise ValueError("--method: two or more different methods are needed")
    estimators = []
    for given in options.method:
        id, *settings = given.split(",")
        estimators.append((given, *_estimator(options, id, settings)))
    train, test = (_read(path, options) for path in options.files)
    is_closed = options.min_count is None and options.unknown is None
    found, seconds = {}, {}
    for given, id, estimator in estimators:
        started = perf_counter()
        found[given] = _fit(id, estimator, train, [test] if is_closed else [], options)
        seconds[given] = perf_counter() - started
    return compare_models(test, found, seconds=seconds)


def run_sample(options: Options) -> None:
    """Print outcomes drawn after contexts."""
    check_seed(options.seed)
    fitted, rng = _load(options.model), np.random.default_rng(options.seed)
    is_text = isinstance(fitted, LanguageModel)
    if options.exclude and not is_text:
        raise ValueError("--exclude: is of words, and the model is of pairs")
    exclude = {"exclude": list(options.exclude)} if is_text else {}
    start = like_labels(list(options.contexts), fitted.contexts)
    if not start and not (is_text and fitted.text.lines):  # a text of lines begins a sentence
        start = [fitted.contexts[int(rng.integers(len(fitted.contexts)))]]
    drawn = {
        context: fitted.sample(context, options.n, seed=rng, **exclude) for context in start or [""]
    }
    lines = [_in_columns(c, o) for c, found in drawn.items() for o in found]
    _print(options, drawn, "\n".join(lines))


def run_top(options: Options) -> None:
    """Print the likeliest outcomes after each context with their probabilities."""
    fitted = _load(options.model)
    exclude = like_labels(list(options.exclude), fitted.outcomes)
    found = {
        context: dict(fitted.top(context, options.n, exclude=exclude))
        for context in like_labels(list(options.contexts), fitted.contexts)
    }
    lines = [_in_columns(c, o, f"{p:.6g}") for c, row in found.items() for o, p in row.items()]
    _print(options, found, "\n".join(lines))


def run_methods(options: Options) -> None:
    """Print a line for each method, or one with its options, allowed values, and defaults."""
    if options.id is None:
        width = max(map(len, METHODS))
        for record in METHODS.values():
            of_texts = record.estimator.fit_sentences is not Estimator.fit_sentences
            kinds = "pairs and texts" if of_texts else "pairs"
            print(f"{record.id:<{width}}  {_summary_of(record.estimator)} (for {kinds})")
        print("\nA method for pairs fits texts, too: above order 2 it is mixed with Kneser-Ney.")
        print("The options of one: condprob methods ID")
        return
    _check_method(options.id)
    record = METHODS[options.id]
    about = lines_of(record.estimator)
    print(f"{record.id}  {_summary_of(record.estimator)}")
    for name, option in record.options.items():
        print(f"    {name} = {option.default}: {option.in_text().wanted}")
        if name in about:
            print(f"        {about[name]}")


def _summary_of(estimator: type[Estimator]) -> str:
    """Return the first line of what a class says of itself."""
    return (estimator.__doc__ or "").strip().partition("\n")[0].rstrip(".")


def run_compile(options: Options) -> None:
    """Compile the functions that fits run, and print the folder in which they are kept."""
    for id in options.ids:
        _check_method(id)
    ids = options.ids or list(METHODS)
    for estimator in compile_functions(ids):
        model = fit_text([map(str, range(20)), "0 1 2 4 8"], method=estimator)
        model.top(["0", "1"])
        model.score(["0 1 2 3"])
    folder = cache_folder()
    if folder is None or not hasattr(weighted_logs, "stats"):  # none with NUMBA_DISABLE_JIT
        raise ValueError("nothing compiled can be kept: set NUMBA_CACHE_DIR, not NUMBA_DISABLE_JIT")
    print(f"the functions of {counted(len(ids), 'method')} are compiled, and kept in {folder}")


def _estimator(options: Options, id: str | None, settings: Any) -> tuple[str, Estimator]:
    """Return a method with its settings, NAME=VALUE each, or the default for the data."""
    given: dict[str, Any] = {}
    if id is None and not _pairs_option(options):
        id = OF_TEXTS[any(text.startswith("discount=") for text in settings)]
    id = DEFAULT_METHOD if id is None else id
    _check_method(id)
    known, named = METHODS[id].options, set()
    for text in settings:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"option {text!r}: NAME=VALUE is needed")
        if name in named:
            raise ValueError(f"--set {name}: is given twice")
        if name not in known and name in OF_COMMAND:
            of_command = f"{_flag(name)} {value}".strip()
            raise ValueError(f"{id} has no option {name!r}: the command has, {of_command}")
        given[name] = known[name].read(value) if name in known else value
        named.add(name)
    return id, method(id, **given)


def _check_method(id: str) -> None:
    if id not in METHODS:
        method(id)  # its message names near ones


def _run_of(options: Options) -> Run:
    """Return the run of a fit that a command asks for."""
    shows = is_at_terminal() if options.progress is None else options.progress
    checkpoint = getattr(options, "checkpoint", None) or None
    return Run.of(options.seed, shows and sys.stderr is not None, checkpoint)


def _fit(id: str, estimator: Estimator, data: Any, further: list, options: Options) -> Fitted:
    """Return the fit to pairs or to a text; it knows the labels of further data as well.

    At a terminal it shows its progress.
    """
    run = _run_of(options)
    with telling_after({True: 0.0, None: SECONDS_OF_PATIENCE, False: inf}[options.progress]):
        if not _pairs_option(options):
            order = 3 if options.order is None else options.order
            known = [word for sentences in further for words in sentences for word in words]
            learned = _cutting(options).learn(data, further=known)
            sentences, _ = learned[0].number(data, learned[1])
            return fit_sentences(sentences, order, estimator, learned, run, id)
        parts = [data, *further]
        contexts = Vocabulary.in_order(label for part in parts for label in part.contexts)
        outcomes = Vocabulary.in_order(label for part in parts for label in part.outcomes)
        counts = data.counted(contexts, outcomes)
        return fit_counts(counts, estimator, (contexts, outcomes), run, id)


def _load(path: str) -> Fitted:
    """Return the model with labels in a file, or raise ValueError if it has none."""
    try:
        fitted = load(path)
    except ValueError as error:
        hint = "a MODEL of `condprob fit` stands first; to fit two files is `condprob compare`"
        raise ValueError(f"{error}; {hint}") from None
    if not isinstance(fitted, LabelledModel):
        raise ValueError(f"{path}: has no vocabulary; a file of `condprob fit` is needed")
    return fitted


def _read(path: str, options: Options) -> Any:
    """Return the pairs of a file, or the sentences of a text."""
    if _pairs_option(options) is None:
        return _read_sentences(path, _cutting(options))
    return _read_pairs(path, options)


def _read_for(fitted: Fitted, path: str, options: Options) -> Any:
    """Return the data of a file in the form that a model takes."""
    if options.separator is not None and not options.columns:
        raise ValueError("--separator: is of a table, whose columns --columns names")
    if isinstance(fitted, Estimate):
        return _like_known(_read_pairs(path, options), fitted)
    if _pairs_option(options):
        raise ValueError(f"{_pairs_option(options)}: the model is one of a text")
    encoding = options.encoding or fitted.text.encoding
    return _read_sentences(path, replace(fitted.text, encoding=encoding))


def _read_sentences(path: str, cutting: Text) -> list[list[str]]:
    """Return the sentences of a text."""
    text = read_text(path, cutting.encoding)
    with room_for(path):
        sentences = cutting.cut(text)
    words = sum(map(len, sentences))
    if cutting.lines and not words:
        raise ValueError(f"{path}: no words")
    if words < 2:
        raise ValueError(f"{path}: {counted(words, 'word')}, but a pair takes 2")
    return sentences


def _read_pairs(path: str, options: Options) -> PairData:
    """Return the pairs of a file, and warn of labels that are empty."""
    encoding = options.encoding or "utf-8"
    with room_for(path):
        if options.columns:
            columns, quotes = options.columns.split(","), not options.no_quotes
            try:
                found = read_columns(path, columns, encoding, options.separator, quotes)
            except QuoteError as error:
                remedy = "--no-quotes reads quotation marks like any other character"
                raise ValueError(f"{error}; {remedy}") from None
        else:
            found = read_pairs(path, encoding)
    pairs = PairData(*found)
    empty = sum("" in labels for labels in zip(pairs.contexts, pairs.outcomes, strict=True))
    if empty:
        have = "has" if empty == 1 else "have"
        problem = f"{counted(empty, 'pair')} {have} an empty label, which is one like any other"
        warn(f"{path}: {problem}")
    return pairs


def _like_known(pairs: PairData, fitted: Estimate) -> PairData:
    """Return pairs whose labels have the type of the labels of an estimate."""
    contexts = like_labels(pairs.contexts, fitted.contexts)
    return PairData(contexts, like_labels(pairs.outcomes, fitted.outcomes), pairs.weights)


def _cutting(options: Options) -> Text:
    """Return how texts are cut and which words are known."""
    given = {name: getattr(options, name) for name in ("tokenizer", "min_count", "encoding")}
    given = {name: value for name, value in given.items() if value is not None}
    return Text(lines=not options.no_lines, unknown=options.unknown, **given)


def _pairs_option(options: Options) -> str | None:
    """Return the option that says that data are pairs, or None for a text."""
    if options.columns:
        return "--columns"
    return "--pairs" if getattr(options, "pairs", False) else None


def _first_given(options: Options, names: tuple[str, ...]) -> str | None:
    """Return the first of these options that was given: zero is given, no flag is not."""
    values = ((name, getattr(options, name)) for name in names)
    given = (name for name, v in values if v is not None and v is not False and v != ())
    return next(given, None)


def _flag(name: str) -> str:
    """Return the name of an option as it is typed."""
    return f"--{name.replace('_', '-')}"


def _sizes(fitted: Fitted) -> dict[str, float]:
    if isinstance(fitted, LanguageModel) and isinstance(fitted.model, SequenceModel):
        return {"words": fitted.about.n, "types": len(fitted.words)}
    sizes = {"contexts": len(fitted.contexts), "outcomes": len(fitted.outcomes)}
    return {"pairs": fitted.about.n} | sizes


def _print(options: Options, data: object, text: str) -> None:
    """Print data as JSON, in which a number that is not finite is null, or the text.

    JSON escapes characters that standard output cannot encode. In the text, characters that would
    control a terminal are spelled out.
    """
    if not options.json:
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
    return "\t".join(spell_out(str(label)) for label in labels)


def _finite(data: object) -> object:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not isfinite(data) else data
