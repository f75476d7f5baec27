"""The commands of the command line: fit, score, sample, top, compare, methods, compile.

READING: a text is cut into words, and its pairs are neighbouring words, also over the ends of
lines. `score` with two texts has one closed vocabulary, that of both, as the paper's experiments.
"""

import json
import sys
from argparse import Namespace
from contextlib import suppress
from dataclasses import asdict, replace
from math import inf, isfinite, isnan, log
from typing import Any

import numpy as np

from condprob.catalogue import DEFAULT_METHOD, METHODS, compile_functions, method
from condprob.checks import check_seed, counted, spell_out
from condprob.data_files import (
    STANDARD_INPUT,
    PairData,
    hint_of_table,
    read_columns,
    read_pairs,
    read_text,
    room_for,
)
from condprob.estimator import Estimator
from condprob.evaluation import NO_INTERVAL, Interval, Score, difference
from condprob.io import settle
from condprob.jit import weighted_logs
from condprob.labelled import fit_pairs, fit_sentences, fit_text
from condprob.labelled.estimate import Estimate
from condprob.labelled.language import MOST_UNKNOWN, LanguageModel
from condprob.labelled.reading import load
from condprob.labelled.text import Text
from condprob.labelled_model import LabelledModel
from condprob.options import lines_of
from condprob.progress import PATIENCE, is_at_terminal, telling_after, warn
from condprob.sequences import SequenceModel
from condprob.sequences.arpa import is_arpa
from condprob.tokenizers import UNKNOWN
from condprob.vocabulary import Vocabulary, like_labels

OF_COMMAND = ("order", "min_count", "unknown", "tokenizer", "encoding", "seed", "checkpoint")
ROUNDING = 1e-6  # nats: of files such as ARPA's, whose numbers have seven digits; not measured
Fitted = Estimate | LanguageModel


def run_fit(options: Namespace) -> None:
    """Fit data, write the model with its labels, and print its sizes."""
    estimator = _estimator(options)
    _check_output(options)
    data = _read(options.data, options)
    further = [_read(path, options) for path in options.vocabulary]
    fitted = _fit(estimator, data, further, options)
    fitted.save(options.output)
    sizes = _sizes(fitted)
    listed = ", ".join(counted(size, name.removesuffix("s"), ",") for name, size in sizes.items())
    found = {"model": options.output, "method": fitted.about.method} | sizes
    _print(options, found, f"{options.output}: {fitted.about.method} of {listed}")


def _check_output(options: Namespace) -> None:
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
    is_able = _method(options) in able and options.lines and not _pairs_option(options)
    if is_arpa(options.output) and not is_able:
        wanted = f"a text with --lines --method {', '.join(able[:-1])} or {able[-1]}"
        raise ValueError(f"{options.output}: an ARPA file is of {wanted}")


def run_score(options: Namespace) -> None:
    """Print the report on test data under a model, or under a fit to training data."""
    if len(options.data) != (1 if options.model else 2):
        wanted = (
            "TEST alone with --model" if options.model else "TRAIN and TEST, or --model and TEST,"
        )
        number = "1 file is" if len(options.data) == 1 else f"{len(options.data)} files are"
        raise ValueError(f"{number} given: {wanted} is needed")
    name = options.data[-1]
    if options.model:
        fitted = _load(options.model)
        _refuse_beside_model(options, fitted)
        test = _read_for(fitted, name, options)
    else:
        train, test = (_read(path, options) for path in options.data)
        is_closed = options.min_count is None and options.unknown is None
        fitted = _fit(_estimator(options), train, [test] if is_closed else [], options)
    is_text = isinstance(fitted, LanguageModel)
    score = fitted.score_sentences(test, name) if is_text else fitted.score(test, name)
    units = next(iter(_sizes(fitted)))  # neighbours of a text are counted as pairs
    _print_score(options, fitted, score, units)
    has_class = isfinite(score.nats_with_unknown)
    if score.share_unknown > MOST_UNKNOWN or (score.unknown and not has_class):
        problem = f"{score.share_unknown:.1%} of the {units} are unknown"
        hint = "" if has_class else f"; {_hint_of_unknown(fitted)}"
        warn(f"{problem}: the first line is of the others alone{hint}")


def _print_score(options: Namespace, fitted: Fitted, score: Score, units: str) -> None:
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


def run_compare(options: Namespace) -> None:
    """Print by how much one model is better than another on the same test data."""
    one, other = (_load(path) for path in (options.one, options.other))
    if type(one) is not type(other):
        problem = "one is of a text, the other of pairs"
        raise ValueError(f"{options.one}, {options.other}: {problem}")
    if isinstance(one, LanguageModel):
        if options.columns:
            raise ValueError("--columns: the models are of texts")
        cuts = [(model.text.tokenizer, model.text.lines) for model in (one, other)]
        if cuts[0] != cuts[1]:
            problem = "cut texts in different ways: the costs of their words cannot be compared"
            raise ValueError(f"{options.one}, {options.other}: {problem}")
    item = "word" if isinstance(one, LanguageModel) else "pair"
    found = difference(one, other, _read_for(one, options.data, options))
    values = {"gained": found.value, "low": found.low, "high": found.high}
    values["gained_bits"] = found.value / log(2)
    _print(options, values, _in_words(found, options.one, options.other, item))


def _in_words(found: Interval, one: str, other: str, item: str) -> str:
    """Return which of two models is better, by how much for each pair or word, and how surely."""
    gained, low, high = found
    better, worse = (one, other) if gained >= 0 else (other, one)
    if max(abs(each) for each in found if not isnan(each)) <= ROUNDING:
        return f"{better} and {worse} are the same within {ROUNDING:f} nats per {item}"
    sure = f"cross-entropy of {other} less that of {one}: {gained:.6f} nats"
    if isfinite(low):
        sure += f", 95 % interval {low:.4f} to {high:.4f}"
        sure += "" if low > 0 or high < 0 else "; neither is clearly better"
    by = f"{abs(gained):.6f} nats ({abs(gained) / log(2):.6f} bits) per {item}"
    return f"{better} is better than {worse} by {by}\n{sure}"


def run_sample(options: Namespace) -> None:
    """Print outcomes drawn after contexts, or a text drawn word by word."""
    check_seed(options.seed)
    fitted, rng = _load(options.model), np.random.default_rng(options.seed)
    is_text = isinstance(fitted, LanguageModel)
    if options.exclude and not is_text:
        raise ValueError("--exclude: is of words, and the model is of pairs")
    exclude = {"exclude": options.exclude} if is_text else {}
    start = like_labels(options.contexts, fitted.contexts)
    if not start and not (is_text and fitted.text.lines):  # a text of lines begins a sentence
        start = [fitted.contexts[int(rng.integers(len(fitted.contexts)))]]
    if not options.chain:
        drawn = {context: fitted.sample(context, options.n, seed=rng, **exclude)
                 for context in start or [""]}  # fmt: skip
        lines = [_in_columns(c, o) for c, found in drawn.items() for o in found]
        _print(options, drawn, "\n".join(lines))
        return
    text = [*start]
    if is_text:
        text += fitted.generate(options.n, " ".join(start), seed=rng, **exclude)
    else:
        for _ in range(options.n):
            text.append(fitted.sample(text[-1], seed=rng))
    _print(options, text, " ".join(spell_out(str(label)) for label in text))


def run_top(options: Namespace) -> None:
    """Print the likeliest outcomes after each context with their probabilities."""
    fitted = _load(options.model)
    exclude = like_labels(options.exclude, fitted.outcomes)
    found = {
        context: dict(fitted.top(context, options.n, exclude=exclude))
        for context in like_labels(options.contexts, fitted.contexts)
    }
    lines = [_in_columns(c, o, f"{p:.6g}") for c, row in found.items() for o, p in row.items()]
    _print(options, found, "\n".join(lines))


def run_methods(options: Namespace) -> None:
    """Print each method, or one, with its options, the allowed values, and the defaults."""
    if options.id is not None:
        _check_method(options.id)
    records, lines = [], []
    for record in METHODS.values() if options.id is None else [METHODS[options.id]]:
        about = lines_of(record.estimator) if options.id else {}
        lines.append(f"{record.id}  ({record.label})")
        described = {}
        for name, option in record.options.items():
            allowed = option.in_text().wanted
            described[name] = {"default": option.default, "allowed": allowed}
            lines.append(f"    {name} = {option.default}: {allowed}")
            if name in about:
                described[name]["about"] = about[name]
                lines.append(f"        {about[name]}")
        found = {"id": record.id, "label": record.label, "random": record.estimator.is_random}
        records.append(found | {"options": described})
    _print(options, records, "\n".join(lines))


def run_compile(options: Namespace) -> None:
    """Compile the functions that fits run, and print the folder in which they are kept."""
    for id in options.ids:
        _check_method(id)
    ids = options.ids or list(METHODS)
    for estimator in compile_functions(ids):
        model = fit_text([map(str, range(20)), "0 1 2 4 8"], method=estimator)
        model.top(["0", "1"])
        model.score(["0 1 2 3"])
    stats = getattr(weighted_logs, "stats", None)  # none with NUMBA_DISABLE_JIT
    if stats is None or stats.cache_path is None:
        raise ValueError("nothing compiled can be kept: set NUMBA_CACHE_DIR, not NUMBA_DISABLE_JIT")
    folder = stats.cache_path
    text = f"the functions of {counted(len(ids), 'method')} are compiled, and kept in {folder}"
    _print(options, {"methods": ids, "folder": folder}, text)


def _estimator(options: Namespace) -> Estimator:
    """Return the estimator that the options name."""
    id, given = _method(options), {}
    _check_method(id)
    known = METHODS[id].options
    for text in options.set:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"option {text!r}: NAME=VALUE is needed")
        if name in given:
            raise ValueError(f"--set {name}: is given twice")
        if name not in known and name in OF_COMMAND:
            of_command = f"{_flag(name)} {value}".strip()
            raise ValueError(f"{id} has no option {name!r}: the command has, {of_command}")
        given[name] = known[name].read(value) if name in known else value
    return method(id, **given)


def _method(options: Namespace) -> str:
    return DEFAULT_METHOD if options.method is None else options.method


def _check_method(id: str) -> None:
    if id not in METHODS:
        method(id)  # its message names the methods


def _fit(estimator: Estimator, data: Any, further: list, options: Namespace) -> Fitted:
    """Return the fit to pairs or to a text; it knows the labels of further data as well.

    At a terminal it shows its progress.
    """
    order, id = 2 if options.order is None else options.order, _method(options)
    shows = is_at_terminal() if options.progress is None else options.progress
    how = {"seed": options.seed, "progress": shows and sys.stderr is not None}
    how["checkpoint"] = getattr(options, "checkpoint", None) or None
    with telling_after({True: 0.0, None: PATIENCE, False: inf}[options.progress]):
        if not _pairs_option(options):
            known = [word for sentences in further for words in sentences for word in words]
            learned = _cutting(options).learn(data, further=known)
            sentences, _ = learned[0].number(data, learned[1])
            return fit_sentences(sentences, order, estimator, learned, how, id)
        if order != 2:
            raise ValueError(f"--order {order}: must be 2 for --pairs")
        parts = [data, *further]
        contexts = Vocabulary(label for part in parts for label in part.contexts)
        outcomes = Vocabulary(label for part in parts for label in part.outcomes)
        return fit_pairs(data, estimator, (contexts, outcomes), how, id)


def _load(path: str) -> Fitted:
    """Return the model with labels in a file, or raise ValueError if it has none."""
    fitted = load(path)
    if not isinstance(fitted, LabelledModel):
        raise ValueError(f"{path}: has no vocabulary; a file of `condprob fit` is needed")
    return fitted


def _read(path: str, options: Namespace) -> PairData | list[list[str]]:
    """Return the pairs of a file, or the sentences of a text."""
    option = _pairs_option(options)
    if option is None:
        return _read_sentences(path, _cutting(options))
    given = _first_given(options, ("tokenizer", "lines", "min_count", "unknown"))
    if given:
        raise ValueError(f"{_flag(given)}: is of texts, and {option} has none")
    return _read_pairs(path, options)


def _read_for(fitted: Fitted, path: str, options: Namespace) -> PairData | list[list[str]]:
    """Return the data of a file in the form that a model takes."""
    if isinstance(fitted, Estimate):
        return _like_known(_read_pairs(path, options), fitted)
    encoding = options.encoding or fitted.text.encoding
    return _read_sentences(path, replace(fitted.text, encoding=encoding))


def _read_sentences(path: str, cutting: Text) -> list[list[str]]:
    text = read_text(path, cutting.encoding)
    hint = hint_of_table(path, text)
    if hint:
        warn(f"{path}: {hint}")
    with room_for(path):
        sentences = cutting.cut(text)
    words = sum(map(len, sentences))
    if cutting.lines and not words:
        raise ValueError(f"{path}: no words")
    if words < 2:
        raise ValueError(f"{path}: {counted(words, 'word')}, but a pair takes 2")
    return sentences


def _read_pairs(path: str, options: Namespace) -> PairData:
    """Return the pairs of a file, and warn of labels that are empty."""
    encoding = options.encoding or "utf-8"
    with room_for(path):
        if options.columns:
            pairs = read_columns(path, options.columns.split(","), encoding, options.separator)
        else:
            pairs = read_pairs(path, encoding)
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


def _cutting(options: Namespace) -> Text:
    """Return how texts are cut and which words are known."""
    given = {name: getattr(options, name) for name in ("tokenizer", "min_count", "encoding")}
    given = {name: value for name, value in given.items() if value is not None}
    return Text(lines=options.lines, unknown=options.unknown, **given)


def _pairs_option(options: Namespace) -> str | None:
    """Return the option that says that data are pairs, or None for a text."""
    if options.columns:
        return "--columns"
    return "--pairs" if options.pairs else None


def _first_given(options: Namespace, names: tuple[str, ...]) -> str | None:
    """Return the first of these options that was given: zero is given, no flag is not."""
    values = ((name, getattr(options, name)) for name in names)
    given = (name for name, v in values if v is not None and v is not False and v != [])
    return next(given, None)


def _flag(name: str) -> str:
    """Return the name of an option as it is typed."""
    return f"--{name.replace('_', '-')}"


def _refuse_beside_model(options: Namespace, fitted: Fitted) -> None:
    """Raise ValueError for an option that has no effect, because the model is fitted."""
    names = ("method", "set", "order", "tokenizer", "lines", "min_count", "unknown")
    given = _first_given(options, names)
    if given:
        raise ValueError(f"{_flag(given)}: the model is fitted, and has its own; leave it out")
    if _pairs_option(options) and isinstance(fitted, LanguageModel):
        raise ValueError(f"{_pairs_option(options)}: the model is one of a text")


def _sizes(fitted: Fitted) -> dict[str, float]:
    if isinstance(fitted, LanguageModel) and isinstance(fitted.model, SequenceModel):
        return {"words": fitted.about.n, "types": len(fitted.words)}
    sizes = {"contexts": len(fitted.contexts), "outcomes": len(fitted.outcomes)}
    return {"pairs": fitted.about.n} | sizes


def _print(options: Namespace, data: object, text: str) -> None:
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
