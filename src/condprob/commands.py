"""What each command does: fit, score, sample, list what is likeliest, list the methods.

READING: a text is cut into words, and its pairs are neighbouring words, also over the ends of
lines. `score` with two texts has one closed vocabulary, that of both, as the paper's experiments.
"""

import json
import sys
from argparse import Namespace
from contextlib import suppress
from dataclasses import asdict
from math import isfinite, isnan
from typing import Any

import numpy as np

from condprob.catalogue import DEFAULT_METHOD, METHODS, method
from condprob.checks import check_seed, counted, spell_out
from condprob.data_files import (
    STANDARD_INPUT,
    PairData,
    hint_of_table,
    read_columns,
    read_data,
    read_text,
)
from condprob.estimator import Estimator
from condprob.evaluation import NO_INTERVAL, Interval, compare
from condprob.files import settle
from condprob.labelled.estimate import Estimate
from condprob.labelled.fitting import fit_pairs, how_to_fit, warn_of_fit
from condprob.labelled.language import LanguageModel, fit_sentences
from condprob.labelled.reading import OF_OLD, load_labelled
from condprob.labelled.tables import like_labels
from condprob.labelled.text import UNKNOWN, Text
from condprob.options import lines_of
from condprob.runtime.progress import PATIENCE, is_at_terminal, telling_after, warn
from condprob.sequences.arpa import is_arpa
from condprob.sequences.model import SequenceModel
from condprob.vocabulary import Vocabulary

OF_COMMAND = ("order", "min_count", "unknown", "tokenizer", "encoding", "seed", "checkpoint")
MOST_UNKNOWN = 0.05  # share of test data, without a warning; not measured
ROUNDING = 1e-6  # nats: of files such as ARPA's, whose numbers have seven digits; not measured


def run_fit(options: Namespace) -> None:
    """Fit data, write the model with its labels, and say what was fitted."""
    options.pairs = options.pairs or bool(options.columns)
    estimator = read_method(options)
    settle_output(options)
    if is_arpa(options.output):
        _check_arpa(options)
    how = _how(estimator, options, options.checkpoint or None)
    data = _read(options.data, options)
    further = [_read(path, options) for path in options.vocabulary]
    fitted = _fit(estimator, data, further, options, how)
    fitted.save(options.output)
    sizes = _sizes(fitted)
    told = ", ".join(counted(size, what.removesuffix("s"), ",") for what, size in sizes.items())
    _tell(
        options,
        {"model": options.output, "method": fitted.about.method} | sizes,
        f"{options.output}: {fitted.about.method} of {told}",
    )


def _check_arpa(options: Namespace) -> None:
    """Raise ValueError unless the fit will be of sentences, by a method that an ARPA file holds."""
    able = [record.id for record in METHODS.values() if record.backs_off]
    if _method(options) not in able or not options.lines or options.pairs:
        told = f"a text with --lines --method {', '.join(able[:-1])} or {able[-1]}"
        raise ValueError(f"{options.output}: an ARPA file is of {told}")


def settle_output(options: Namespace) -> None:
    """Raise what would keep a fit from being written, or let it replace what it is made of."""
    if options.output == "-":
        raise ValueError("--output -: a model goes to a file, and not to standard output")
    paths = (options.data, *options.vocabulary)
    read: list[str | int] = [path for path in paths if path != STANDARD_INPUT]
    if STANDARD_INPUT in paths and sys.stdin is not None:
        with suppress(OSError):  # what a test puts in its place has no number
            read.append(sys.stdin.fileno())
    target = settle(options.output, read)
    if options.checkpoint and settle(options.checkpoint, read) == target:
        raise ValueError(f"{options.output}: is the checkpoint, and would be replaced")


def _how(estimator: Estimator, options: Namespace, checkpoint: str | None = None) -> dict[str, Any]:
    """Return what a fit is told besides its data: at a terminal to tell how far it is."""
    is_told = is_at_terminal() if options.progress is None else options.progress
    is_told = is_told and sys.stderr is not None
    return how_to_fit(estimator, options.seed, is_told, checkpoint, "--checkpoint")


def run_score(options: Namespace) -> None:
    """Print the report on test data under a model, or under what training data give."""
    options.pairs = options.pairs or bool(options.columns)
    wanted = 1 if options.model else 2
    if len(options.data) != wanted:
        what = (
            "TEST alone with --model" if options.model else "TRAIN and TEST, or --model and TEST,"
        )
        number = "1 file is" if len(options.data) == 1 else f"{len(options.data)} files are"
        raise ValueError(f"{number} given: {what} is needed")
    if options.model:
        fitted = load_labelled(options.model)
        _refuse_beside_model(options, fitted)
        test = _read(options.data[-1], options)
    else:
        train, test = (_read(path, options) for path in options.data)
        is_closed = options.min_count is None and options.unknown is None
        further = [test] if is_closed else []
        estimator = read_method(options)
        fitted = _fit(estimator, train, further, options, _how(estimator, options))
    if isinstance(fitted, LanguageModel):
        what, score = "word", fitted.score_sentences(test, options.data[-1])
    else:
        score = fitted.score_pairs(_like_known(test, fitted), options.data[-1])
        what = "pair"
    units = next(iter(_sizes(fitted)))  # neighbours of a text are told as pairs
    unknown, unit = score.unknown, units.removesuffix("s")
    scored, left_out, unseen = (counted(n, unit, ".10g") for n in (score.n, unknown, score.unseen))
    beside = f" ({left_out} with unknown labels left out)" if unknown else ""
    beside += f" ({unseen} of contexts never seen)" if score.unseen else ""
    sure = f"95 % of a bootstrap within {score.low:.4f} to {score.high:.4f} nats"
    sure = sure if isfinite(score.low) else NO_INTERVAL
    told = [
        f"{score.nats:.6f} nats per {what}, perplexity {score.perplexity:.3f}, "
        f"{scored}, {counted(len(fitted.outcomes), 'type', 'd')}{beside}",
        f"{score.bits:.6f} bits; {sure}",
    ]
    if unknown:
        nats, perplexity = score.nats_with_unknown, score.perplexity_with_unknown
        told.append(f"with unknown ones: {nats:.6f} nats per {what}, perplexity {perplexity:.3f}")
    found = asdict(score) | {"bits": score.bits, "perplexity": score.perplexity}
    found |= {"perplexity_with_unknown": score.perplexity_with_unknown, units: score.n}
    _tell(options, found | {"types": len(fitted.outcomes)}, "\n".join(told))
    has_class = isfinite(score.nats_with_unknown)
    if score.share_unknown > MOST_UNKNOWN or (unknown and not has_class):
        told = f"{score.share_unknown:.1%} of the {units} are unknown"
        hint = "" if has_class else f"; {_hint_of_unknown(fitted)}"
        warn(f"{told}: the first line is of the others alone{hint}")


def _hint_of_unknown(fitted: Estimate | LanguageModel) -> str:
    """Say what would give a probability to that which a model does not know."""
    if isinstance(fitted, Estimate):
        return "--vocabulary FILE, when pairs are fitted, makes its outcomes known"
    if UNKNOWN in fitted.words:
        told = "gives their class, or other words, no probability after some histories"
        return f"{fitted.about.method} {told}; kn gives each some"
    if fitted.text.min_count > 1:
        return f"--min-count {fitted.text.min_count} without --unknown 0 gives them a class"
    return "--min-count 2 gives them a class when a text is fitted"


def _like_known(pairs: PairData, fitted: Estimate) -> PairData:
    """Return pairs whose labels have the type of those that an estimate knows."""
    both = zip(pairs[:2], fitted.labels, strict=True)
    contexts, outcomes = (like_labels(labels, known) for labels, known in both)
    return pairs._replace(contexts=contexts, outcomes=outcomes)


def run_compare(options: Namespace) -> None:
    """Print by how much one model is better than another on the same test data."""
    one, other = (load_labelled(path) for path in (options.one, options.other))
    if isinstance(one, LanguageModel) and isinstance(other, LanguageModel):
        if options.columns:
            raise ValueError("--columns: the models are of texts")
        cuts = [(m.text.tokenizer, m.text.lines) for m in (one, other)]
        if cuts[0] != cuts[1]:
            told = "cut texts otherwise: what each word costs is not the same thing"
            raise ValueError(f"{options.one}, {options.other}: {told}")
        text = read_text(options.data, options.encoding or one.text.encoding)
        what, data = "word", text.splitlines() if one.text.lines else [text]
    elif isinstance(one, Estimate) and isinstance(other, Estimate):
        what, data = "pair", _like_known(_read_pairs(options.data, options), one)
    else:
        raise ValueError(f"{options.one}, {options.other}: one is of a text, the other of pairs")
    found = compare(one, other, data)
    told = {"gained": found.value, "low": found.low, "high": found.high}
    _tell(options, told, _in_words(found, options.one, options.other, what))


def _in_words(found: Interval, one: str, other: str, what: str) -> str:
    """Return which of two models is better, by how much for each pair or word, and how surely."""
    gained, low, high = found
    better, worse = (one, other) if gained >= 0 else (other, one)
    if max(abs(each) for each in found if not isnan(each)) <= ROUNDING:
        return f"{better} and {worse} are the same within {ROUNDING:f} nats per {what}"
    sure = f"cross-entropy of {other} less that of {one}: {gained:.6f} nats"
    if isfinite(low):
        sure += f", 95 % of a paired bootstrap within {low:.4f} to {high:.4f}"
        sure += "" if low > 0 or high < 0 else "; neither is clearly better"
    return f"{better} is better than {worse} by {abs(gained):.6f} nats per {what}\n{sure}"


def _first_given(options: Namespace, names: tuple[str, ...]) -> str | None:
    """Return the first of these options that was given: zero is, and a flag that is off is not."""
    values = ((name, getattr(options, name)) for name in names)
    given = (name for name, v in values if v is not None and v is not False and v != [])
    return next(given, None)


def _flag(name: str) -> str:
    """Return an option as it is typed."""
    return f"--{name.replace('_', '-')}"


def _refuse_beside_model(options: Namespace, fitted: Estimate | LanguageModel) -> None:
    """Raise ValueError where an option would have no effect, because the model is fitted."""
    names = ("method", "set", "order", "tokenizer", "lines", "min_count", "unknown")
    given = _first_given(options, names)
    if given and not (given == "tokenizer" and fitted.about.method == OF_OLD):
        raise ValueError(f"{_flag(given)}: the model is fitted, and has its own; leave it out")
    if options.pairs and isinstance(fitted, LanguageModel):
        what = "--columns" if options.columns else "--pairs"
        raise ValueError(f"{what}: the model is one of a text")
    options.pairs = isinstance(fitted, Estimate)
    if isinstance(fitted, LanguageModel):
        options.tokenizer, options.lines = (
            options.tokenizer or fitted.text.tokenizer,
            fitted.text.lines,
        )
        options.encoding = options.encoding or fitted.text.encoding


def run_sample(options: Namespace) -> None:
    """Print outcomes drawn after contexts, or a text drawn word by word."""
    check_seed(options.seed)
    fitted = load_labelled(options.model)
    rng = np.random.default_rng(options.seed)
    if options.exclude and isinstance(fitted, Estimate):
        raise ValueError("--exclude: is of words, and the model is of pairs")
    start = like_labels(options.contexts, fitted.contexts)
    begins = isinstance(fitted, LanguageModel) and fitted.text.lines  # a sentence, if not told
    if not start and not begins:
        start = [fitted.contexts[int(rng.integers(len(fitted.contexts)))]]
    if options.chain:
        text = [*start]
        if isinstance(fitted, LanguageModel):
            text += fitted.generate(options.n, " ".join(start), seed=rng, exclude=options.exclude)
        else:
            for _ in range(options.n):
                text.append(fitted.sample(text[-1], seed=rng))
        _tell(options, text, " ".join(spell_out(str(label)) for label in text))
        return
    drawn = {context: _draw(fitted, context, options, rng) for context in start or [""]}
    lines = [_in_columns(c, o) for c, found in drawn.items() for o in found]
    _tell(options, drawn, "\n".join(lines))


def _draw(
    fitted: Estimate | LanguageModel, context: Any, options: Namespace, rng: np.random.Generator
) -> list:
    if isinstance(fitted, LanguageModel):
        return fitted.sample(context, options.n, seed=rng, exclude=options.exclude)
    return fitted.sample(context, options.n, seed=rng)


def run_top(options: Namespace) -> None:
    """Print the likeliest outcomes after each context with their probabilities."""
    fitted = load_labelled(options.model)
    exclude = like_labels(options.exclude, fitted.outcomes)
    found = {
        context: dict(fitted.top(context, options.n, exclude=exclude))
        for context in like_labels(options.contexts, fitted.contexts)
    }
    lines = [_in_columns(c, o, f"{p:.6g}") for c, row in found.items() for o, p in row.items()]
    _tell(options, found, "\n".join(lines))


def run_methods(options: Namespace) -> None:
    """Print each method, or one, with its options, what they may be, and their defaults."""
    if options.id is not None and options.id not in METHODS:
        method(options.id)  # It says what there is.
    records = [
        {
            "id": record.id,
            "label": record.label,
            "random": record.random,
            "options": {
                name: {"default": option.default, "allowed": option.in_text().wanted}
                for name, option in record.options.items()
            },
        }
        for record in METHODS.values()
        if options.id in (None, record.id)
    ]
    lines = []
    for record in records:
        lines.append(f"{record['id']}  ({record['label']})")
        about = lines_of(METHODS[record["id"]].estimator) if options.id else {}
        for name, option in record["options"].items():
            lines.append(f"    {name} = {option['default']}: {option['allowed']}")
            lines += [f"        {about[name]}"] if name in about else []
            option |= {"about": about[name]} if name in about else {}
    _tell(options, records, "\n".join(lines))


def read_method(options: Namespace) -> Estimator:
    """Return the estimator that the options name."""
    id = _method(options)
    if id not in METHODS:
        return method(id)  # It says what there is.
    known, given = METHODS[id].options, {}
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


def _read(path: str, options: Namespace) -> PairData | list[list[str]]:
    """Return the pairs of a file, or its sentences."""
    options.encoding = options.encoding or "utf-8"
    if options.pairs:
        given = _first_given(options, ("tokenizer", "lines", "min_count", "unknown"))
        if given:
            what = "--columns" if options.columns else "--pairs"
            raise ValueError(f"{_flag(given)}: is of texts, and {what} has none")
        return _read_pairs(path, options)
    text = read_text(path, options.encoding)
    hint = hint_of_table(path, text)
    if hint:
        warn(f"{path}: {hint}")
    sentences = _cutting(options).cut(text)
    words = sum(map(len, sentences))
    if options.lines and not words:
        raise ValueError(f"{path}: no words")
    if words < 2:
        raise ValueError(f"{path}: {counted(words, 'word')}, but a pair takes 2")
    return sentences


def _read_pairs(path: str, options: Namespace) -> PairData:
    """Return the pairs of a file, and tell of labels that are empty."""
    encoding = options.encoding or "utf-8"
    if options.columns:
        pairs = read_columns(path, options.columns.split(","), encoding)
    else:
        pairs = read_data(path, True, encoding=encoding)
    empty = sum("" in labels for labels in zip(pairs.contexts, pairs.outcomes, strict=True))
    if empty:
        have = "has" if empty == 1 else "have"
        told = f"{counted(empty, 'pair')} {have} an empty label, which is one like any other"
        warn(f"{path}: {told}")
    return pairs


def _cutting(options: Namespace) -> Text:
    """Return how texts are cut and which words are known."""
    return Text(
        options.tokenizer or "whitespace",
        options.lines,
        1 if options.min_count is None else options.min_count,
        options.unknown,
        options.encoding,
    )


def _fit(
    estimator: Estimator, data: Any, further: list, options: Namespace, how: dict[str, Any]
) -> Estimate | LanguageModel:
    """Return the fit of pairs or of a text, which knows the labels of further data, too."""
    with telling_after(0 if options.progress else PATIENCE):
        return _fit_now(estimator, data, further, options, how)


def _fit_now(
    estimator: Estimator, data: Any, further: list, options: Namespace, how: dict[str, Any]
) -> Estimate | LanguageModel:
    order = 2 if options.order is None else options.order
    if not options.pairs:
        known = [word for sentences in further for words in sentences for word in words]
        name = _method(options)
        learned = _cutting(options).learn(data, further=known)
        return fit_sentences(data, order, estimator, learned, how, name)
    if order != 2:
        raise ValueError(f"--order {order}: must be 2 for --pairs")
    parts = [data, *further]
    contexts = Vocabulary(label for part in parts for label in part.contexts)
    outcomes = Vocabulary(label for part in parts for label in part.outcomes)
    fitted = fit_pairs(data, estimator, (contexts, outcomes), how, _method(options))
    warn_of_fit(fitted, estimator, data)
    return fitted


def _sizes(fitted: Estimate | LanguageModel) -> dict:
    if isinstance(fitted, LanguageModel) and isinstance(fitted.model, SequenceModel):
        return {"words": fitted.about.n, "types": len(fitted.words)}
    sizes = {"contexts": len(fitted.contexts), "outcomes": len(fitted.outcomes)}
    return {"pairs": fitted.about.n} | sizes


def _tell(options: Namespace, data: object, text: str) -> None:
    """Print data as JSON, in which a number that is not finite is null, or the text.

    Characters that standard output cannot tell are escaped as JSON has it, and those that would
    control a terminal are spelled out in the text.
    """
    if not options.json:
        print(spell_out(text, but="\t\n"))
        return
    told = json.dumps(_finite(data), ensure_ascii=False)
    try:
        told.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        told = json.dumps(_finite(data))
    print(told)


def _in_columns(*labels: object) -> str:
    """Return a line of a table: no label has a tab or an end of a line of its own."""
    return "\t".join(spell_out(str(label)) for label in labels)


def _finite(data: object) -> object:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not isfinite(data) else data
