"""Which jobs an exhibit of the configuration needs: one for each point of its grid, or a batch.

Rules call this while they plan, and so nothing heavy is imported.
"""

from dataclasses import dataclass
from itertools import product

from reproduction.study import Exhibit, Job, choose_methods, without_labels

FEW = 64  # batches that a large sweep has at least, to be computed side by side; not measured
LAW = ("trials", "rows", "exponent", "outcomes", "concentration")
ORACLE = "oracle"  # the key of an exhibit, and the name of its scores: see `trials.oracle_risk`


@dataclass(frozen=True)
class Kind:
    """What makes an exhibit of a kind; ``on`` are "models" with a known truth, or "texts"."""

    on: str
    tabulate: str
    draw: str
    printed: bool = False


_TABLES, _PLOTS = "reproduction.exhibits.tables", "reproduction.exhibits.plots"
KINDS = {
    "risk-curve": Kind("models", f"{_TABLES}:tabulate_trials", f"{_PLOTS}:draw_risk_curves"),
    "risk-map": Kind(
        "models", f"{_TABLES}:tabulate_trials", "reproduction.exhibits.maps:draw_risk_map"
    ),
    "table": Kind("texts", f"{_TABLES}:tabulate_cells", f"{_PLOTS}:draw_table", printed=True),
    "learning-curve": Kind("texts", f"{_TABLES}:tabulate_text", f"{_PLOTS}:draw_learning_curves"),
    "rank-selection": Kind("texts", f"{_TABLES}:tabulate_text", f"{_PLOTS}:draw_rank_selection"),
}
SYNTHETIC = tuple(name for name, kind in KINDS.items() if kind.on == "models")


def plan_exhibits(study, entries, config):
    """Return jobs and exhibits, by name, of entries like those of the config's ``exhibits``."""
    jobs, exhibits = {}, {}
    for name, entry in entries.items():
        kind = KINDS[entry["kind"]]
        methods = without_labels(choose_methods(config, entry["methods"]))
        plan = plan_on_models if kind.on == "models" else plan_on_texts
        own = {job.name: job for job in plan(study, name, entry, methods)}
        receipts = tuple(f"corpora/{corpus}.json" for corpus in entry.get("corpora", ()))
        exhibits[name] = Exhibit(
            name, entry, tuple(own), kind.tabulate, kind.draw, receipts, kind.printed
        )
        jobs |= own
    return jobs, exhibits


def corpora_of(entries):
    """Return the corpora that entries of exhibits name, each once, in their order."""
    return tuple(dict.fromkeys(c for entry in entries.values() for c in entry.get("corpora", ())))


def swept_options(methods):
    """Return the options that some of these entries of ``methods`` sweep, each once, in order."""
    return tuple(
        dict.fromkeys(
            key
            for entry in methods.values()
            for key, value in entry.items()
            if isinstance(value, list)
        )
    )


def plan_on_models(study, name, entry, methods):
    """Yield the jobs of an exhibit on synthetic models."""
    batches = cut_into_batches(entry)
    columns = swept_options(methods)
    oracle = {ORACLE: entry[ORACLE]} if ORACLE in entry else {}
    if any(len(batch) > 1 for batch in batches):
        for number, batch in enumerate(batches):
            given = {"exhibit": name, "settings": batch} | law_of(entry) | oracle
            yield Job(
                f"{name}/batch-{number}", "reproduction.scores.trials:score_batch", methods,
                given, columns=columns, about=f"{name}: KL risks, batch {number}",
            )  # fmt: skip
        return
    for ((k, rank, n),) in batches:
        yield Job(
            f"{name}/k{k}-m{rank}-n{n}", "reproduction.scores.trials:score_file", methods,
            {"exhibit": name, "n": n} | oracle,
            {"models": f"{study}/models/{name}/k{k}-m{rank}.npz"},
            columns, about=f"{name}: KL risks at k = {k}, m = {rank}, n = {n}",
        )  # fmt: skip


def law_of(entry):
    """Return the settings of an entry by which models are drawn: see `trials.draw_models`."""
    return {key: entry[key] for key in LAW if key in entry}


def cut_into_batches(entry):
    """Return the settings of a synthetic exhibit, in batches of which each is one job.

    Each setting ``(k, rank, n)`` is there once, by ``k``, then rank, then ``n``, as the entry has
    them. Without ``batch``, the number of settings in a batch, it is the largest power of two that
    leaves `FEW` batches, or one.
    """
    settings = list(product(entry["k_values"], entry["rank_values"], entry["n_values"]))
    size = entry.get("batch") or _size_of_batches(len(settings))
    return [settings[start : start + size] for start in range(0, len(settings), size)]


def _size_of_batches(settings):
    """Return the largest power of two that leaves so many settings in `FEW` batches, or 1."""
    size = 1
    while 2 * size * FEW <= settings:
        size *= 2
    return size


def plan_on_texts(study, name, entry, methods):
    """Yield the jobs of an exhibit on texts.

    Without a list of sizes there is one, "train": the corpus's own split. Without a rank, which
    only low-rank methods need, it is 0. With ``batch`` so many points of a corpus are one job.
    """
    sizes, ranks = (
        entry.get("n_values", ["train"]),
        entry.get("rank_values", [entry.get("rank", 0)]),
    )
    split = {key: entry[key] for key in ("test", "test_words") if key in entry}
    points, size = list(product(sizes, ranks)), entry.get("batch", 1)
    batches = [points[start : start + size] for start in range(0, len(points), size)]
    for (number, batch), corpus in product(enumerate(batches), entry["corpora"]):
        ((words, rank), *more) = batch
        given = {"exhibit": name, "corpus": corpus, "points": batch}
        yield Job(
            f"{name}/{corpus}-" + (f"batch-{number}" if more else f"{words}-m{rank}"),
            "reproduction.scores.text:score_file", methods,
            given | {"seeds": entry["seeds"], "split": split},
            {"words": f"corpora/{corpus}.npz"},
            swept_options(methods), memory=700,
            about=f"{name}: {corpus}, "
            + (f"batch {number}" if more else f"{words} words, m = {rank}"),
        )  # fmt: skip
