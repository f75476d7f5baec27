"""Which jobs an exhibit of the configuration needs: one for each point and each method.

The methods without iterations cost nothing and share a job. Points that an exhibit names in its
``batches`` share one, too: a process takes 1.5 CPU seconds before it fits anything. The file of a
score is named after its method and its points, so that a method or a point that is added computes
itself and nothing else.

Rules call this while they plan, and so nothing heavy is imported.
"""

from dataclasses import dataclass
from hashlib import sha256
from itertools import product

from reproduction.methods import is_direct
from reproduction.study import Exhibit, Job, choose_methods, without_labels

# Batches that a large sweep has about, to be computed side by side; not measured.
BATCHES_OF_SWEEP = 64
# Entries of the factors of an exhibit's models, from which on drawing them takes longer than the
# start of a process: jobs share a file of them then, also where they have batches.
LARGE_MODELS = 2_000_000
DIRECT = "direct"  # the name of the scores of methods without iterations
LONGEST_NAME = 60  # letters of the values of one axis in the name of a file
SIGNS = {"k_values": "k", "rank_values": "m", "n_values": "n"}  # of numbers, in these names
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
    oracle = {ORACLE: entry[ORACLE]} if ORACLE in entry else {}
    axes = {axis: entry[axis] for axis in ("k_values", "rank_values", "n_values")}
    batches = cut_into_batches(axes, entry.get("batches"))
    for (place, points), (group, own) in product(
        batches.items(), group_methods(methods, with_direct=bool(oracle))
    ):
        of_group = oracle if group.name == DIRECT else {}
        models = {(k, rank) for k, rank, _ in points}
        given, inputs = {"exhibit": name, "settings": points} | of_group, {}
        if len(points) == 1 or (len(models) == 1 and are_large(*points[0][:2], entry)):
            ((k, rank),) = models
            inputs = {"models": f"{study}/models/{name}/k{k}-m{rank}.npz"}
        else:
            given |= law_of(entry)
        yield Job(
            f"{name}/{group.name}/{place}{group.values}",
            "reproduction.scores.trials:score_points",
            own,
            given,
            inputs,
            swept_options(own),
            about=f"{name}: KL risks of {group.name}, {place}{group.values}",
        )


def are_large(k, rank, entry):
    """Whether the models of an exhibit are so large that its jobs share a file of them."""
    return entry["trials"] * rank * (k + entry.get("outcomes", k)) >= LARGE_MODELS


def law_of(entry):
    """Return the settings of an entry by which models are drawn: see `trials.draw_models`."""
    return {key: entry[key] for key in LAW if key in entry}


@dataclass(frozen=True)
class Group:
    """What the methods of one job have in the name of its file."""

    name: str  # of the method, or `DIRECT`
    values: str = ""  # those of the options that it sweeps


def group_methods(methods, with_direct=False):
    """Yield the `Group` and the entries of each job: the direct ones, then each other alone.

    A method that sweeps an option has a job for each of its values. ``with_direct`` yields the
    group of direct methods also where it is empty.
    """
    direct = {name: entry for name, entry in methods.items() if is_direct(entry)}
    if direct or with_direct:
        yield Group(DIRECT), direct
    for name, entry in methods.items():
        if name in direct:
            continue
        swept = swept_options({name: entry})
        for values in product(*(entry[option] for option in swept)):
            told = "".join(f"-{key}-{value}" for key, value in zip(swept, values, strict=True))
            one = {key: [value] for key, value in zip(swept, values, strict=True)}
            yield Group(name, told), {name: entry | one}


def cut_into_batches(axes, together=None):
    """Return the points of an exhibit in batches, each of which one job scores, by their names.

    Parameters
    ----------
    axes : mapping
        The values of each axis, such as ``n_values``.
    together : mapping, optional
        Lists of values, by their axis: values of one list share a job. A value of no list is alone.
        Values that the axis does not have are left out.

    Returns
    -------
    dict
        Points by the name of their batch, in the order of the product of the axes within a batch.
        Without ``together`` a sweep of at least ``2 * BATCHES_OF_SWEEP`` points is cut where the
        hash of a point says so: a new value then changes the batch into which it falls, and no
        other.
    """
    together = together or {}
    values = [_lists_of(values, together.get(axis, ())) for axis, values in axes.items()]
    batches = {
        "-".join(map(_name_values, axes, lists)): list(product(*lists))
        for lists in product(*values)
    }
    return batches if together or len(batches) < 2 * BATCHES_OF_SWEEP else _cut_by_hash(batches)


def _lists_of(values, together):
    """Return the values of an axis as lists, each at the place of its first value."""
    lists, found = {value: kept for kept in together for value in kept}, []
    for value in values:
        wanted = [other for other in lists.get(value, [value]) if other in values]
        if wanted not in found:
            found.append(wanted)
    return found


def _name_values(axis, values):
    """Return the values of an axis as a part of a name, as in ``n100+200``; many by their ends."""
    told = "+".join(map(str, values))
    if len(values) > 1 and len(told) > LONGEST_NAME:
        told = f"{values[0]}-to-{values[-1]}"
    return told if isinstance(values[0], str) else SIGNS[axis] + told


def _cut_by_hash(batches):
    """Return the points of many batches in about `BATCHES_OF_SWEEP` to ``2 * BATCHES_OF_SWEEP``."""
    size, found = 1, []
    while 2 * size * BATCHES_OF_SWEEP <= len(batches):
        size *= 2
    for name, points in batches.items():
        is_first = int.from_bytes(sha256(name.encode()).digest()[:4]) % size == 0
        if is_first or not found:
            found.append(([], []))
        found[-1][0].append(name)
        found[-1][1].extend(points)
    return {
        names[0] if len(names) == 1 else f"{names[0]}-to-{names[-1]}": points
        for names, points in found
    }


def plan_on_texts(study, name, entry, methods):
    """Yield the jobs of an exhibit on texts.

    Without a list of sizes there is one, "train": the corpus's own split. Without a rank, which
    only low-rank methods need, it is 0.
    """
    axes = {
        "corpora": entry["corpora"],
        "n_values": entry.get("n_values", ["train"]),
        "rank_values": entry.get("rank_values", [entry.get("rank", 0)]),
    }
    split = {key: entry[key] for key in ("test", "test_words") if key in entry}
    batches = cut_into_batches(axes, entry.get("batches"))
    for (place, points), (group, own) in product(batches.items(), group_methods(methods)):
        corpora = tuple(dict.fromkeys(corpus for corpus, _, _ in points))
        yield Job(
            f"{name}/{group.name}/{place}{group.values}",
            "reproduction.scores.text:score_file",
            own,
            {"exhibit": name, "points": points, "seeds": entry["seeds"], "split": split},
            {"words": tuple(f"corpora/{corpus}.npz" for corpus in corpora)},
            swept_options(own),
            memory=700,
            about=f"{name}: {group.name}, {place}{group.values}",
        )
