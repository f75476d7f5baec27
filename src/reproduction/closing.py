"""The last words of a run: its results, and the corpora that it had to leave out."""

from pathlib import Path

from reproduction.corpora.receipts import ReceiptError, read_receipt, say_left_out
from reproduction.trust.manifest import INDEX, list_results

MOST_RESULTS_SHOWN = 12  # results that are named
ORDER = (".html", ".png", ".md", ".tex", ".csv", ".svg")  # in which a reader opens them


def describe_run(results, started, corpora):
    """Name the results of a run, and the corpora that it did without, with how to get them.

    A result is one of the run's if it is newer than ``started``, in seconds since the epoch.
    ``corpora`` are the names of the config's corpora.
    """
    files = list_results(Path(results))
    newer = [name for name in files if Path(results, name).stat().st_mtime >= started]
    made = sorted(newer, key=_rank)
    lines = ["", f"The front page: {Path(results, INDEX)}"]
    lines += ["Made:" if made else "Nothing had to be made."]
    lines += [f"  {Path(results, name)}" for name in made[:MOST_RESULTS_SHOWN]]
    lines += (
        [f"  and {len(made) - MOST_RESULTS_SHOWN} more"] if len(made) > MOST_RESULTS_SHOWN else []
    )
    for corpus in corpora:
        try:
            receipt = read_receipt(Path(results, "corpora", f"{corpus}.json"))
        except (OSError, ReceiptError):
            continue
        lines += filter(None, [say_left_out(corpus, receipt)])
    return "\n".join(lines)


def _rank(name):
    """Return where a result stands in the order: pages, figures and tables of exhibits first."""
    path = Path(name)
    kind = ORDER.index(path.suffix) if path.suffix in ORDER else len(ORDER)
    inside = {"scores", "models", "corpora"}
    return bool(inside.intersection(path.parts)), kind, name
