"""What the rules look up of the paper's exhibits: their methods, and the files of their scores."""

from itertools import product

from reproduction.methods import is_direct
from reproduction.studies.near_optimal.printed import SETTINGS
from reproduction.study import without_style

CLOSED_FORM = "closed-form"  # stands for all methods without iterations, which share a job
LAW = ("trials", "rows", "exponent", "outcomes", "concentration")
# Keys of a figure that say nothing of other settings than the paper's.
OF_THE_PAPER = ("y_range", "y_ranges", "printed_gap")


def list_exhibits(entries, corpora):
    """Return the entries of the exhibits that can be made, with the corpora that there are."""
    exhibits = {}
    for name, entry in entries.items():
        found = mark_changes(name, entry)
        if "corpora" in found:
            found["corpora"] = [corpus for corpus in found["corpora"] if corpus in corpora]
        if found.get("corpora") != []:
            exhibits[name] = found
    return exhibits


def list_scores(study, exhibits, methods):
    """Return the files of scores of each exhibit: by (k, m) or corpus, and there by method."""
    return {name: _files(study, name, entry, methods) for name, entry in exhibits.items()}


def _files(study, name, entry, methods):
    """Return the files of an exhibit's scores.

    It may show the scores of another exhibit, by method: those of its ``scores_of``.
    """
    places = entry.get("corpora") or [
        f"k{k}-m{m}" for k, m in product(entry["k_values"], entry["rank_values"])
    ]
    jobs = jobs_of(methods, entry)
    shown = {job: entry.get("scores_of", {}).get(job, name) for job in jobs}
    return [
        f"results/{study}/scores/{shown[job]}/{job}/{place}.csv" for place in places for job in jobs
    ]


def corpora_of(entries):
    """Return the corpora that the claims on each exhibit are about, also those that are missing."""
    return {name: list(entry.get("corpora", ())) for name, entry in entries.items()}


def jobs_of(methods, entry):
    """Return the methods of each job of an exhibit: those in closed form share a job."""
    chosen = {name: methods[name] for name in entry["methods"]}
    direct = [name for name in chosen if is_direct(chosen[name])]
    together = {CLOSED_FORM: direct} if direct or "oracle" in entry else {}
    return together | {name: [name] for name in chosen if name not in direct}


def methods_of_job(methods, entry, job):
    """Return the entries of the methods that a job of an exhibit fits, without their labels."""
    return without_style({name: methods[name] for name in jobs_of(methods, entry)[job]})


def law_of(entry):
    """Return the settings of an entry by which models are sampled: see `trials.draw_models`."""
    return {key: entry[key] for key in LAW if key in entry}


def sizes_of(entry):
    """Return how an exhibit on texts fits and tests: words, ranks, random starts, test words."""
    return {
        "words": entry.get("n_values", ["train"]),
        "ranks": entry.get("rank_values", [entry.get("rank", 0)]),
        "seeds": entry["seeds"],
        "split": {key: entry[key] for key in ("test", "test_words") if key in entry},
    }


def mark_changes(name, entry):
    """Return an exhibit's entry; with other settings than the paper's it says so.

    It has a further key ``differs`` then, and nothing of the paper's own figure.
    """
    changed = {
        key: value
        for key, value in SETTINGS.get(name, {}).items()
        if key in entry and entry[key] != value
    }
    if not changed:
        return dict(entry)
    said = "; ".join(
        f"{key} is {_write(entry[key])}, there {_write(value)}" for key, value in changed.items()
    )
    kept = {key: value for key, value in entry.items() if key not in OF_THE_PAPER}
    title = f"{entry.get('title', name)} (not the paper's settings)"
    return kept | {"title": title, "differs": f"Not the paper's settings: {said}."}


def _write(value):
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
