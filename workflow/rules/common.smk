"""What the other rules share: the checked config, names of files, and what a script depends on."""

import json
import os
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace

from reproduction.config.files import ConfigError, check_config, read_sources
from reproduction.trust.dependencies import imported_modules
from reproduction.corpora.corpus import forget_gaps

# Sums depend on the number of threads in their last bits. Parallel jobs use the cores.
os.environ.update(dict.fromkeys(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"], "1"))

# Snakemake puts the interpreter into its commands as it stands, and folders may have spaces.
sys.executable = shlex.quote(sys.executable)

CONFIG_FILES = ["config.yaml", *workflow.overwrite_configfiles]


wildcard_constraints:
    exhibit="[A-Za-z0-9-]+",
    corpus="[A-Za-z0-9-]+",
    k="[0-9]+",
    rank="[0-9]+",
    n="[0-9]+",
    words="[0-9]+|train",


def check(step, *given):
    """Run a step of the config's check; end with one line for each mistake, if there are any."""
    try:
        return step(*given)
    except ConfigError as error:
        sys.exit(str(error))


def results(path):
    """Return a path under the folder of results."""
    return f"{config['results']}/{path}"


def exhibits(*kinds):
    """Return the names of the exhibits of these kinds."""
    return [name for name, exhibit in config["exhibits"].items() if exhibit["kind"] in kinds]


def exhibit_of(wildcards):
    """Return the config entry of the exhibit."""
    return config["exhibits"][wildcards.exhibit]


def methods_of(wildcards):
    """Return the config entries of the exhibit's methods, in order."""
    return {name: config["methods"][name] for name in exhibit_of(wildcards)["methods"]}


def hyperparameters_of(wildcards):
    """Return the same without labels: a new label draws figures again and fits nothing."""
    return {
        name: {key: value for key, value in entry.items() if key != "label"}
        for name, entry in methods_of(wildcards).items()
    }


def grid_of(wildcards):
    """Return the exhibit with its sizes and ranks as lists; "train" is the corpus's own split."""
    exhibit = exhibit_of(wildcards)
    return {"n_values": ["train"], "rank_values": [exhibit.get("rank")]} | exhibit


def scores_of(wildcards):
    """Return the score files of an exhibit: one for each point of its grid."""
    pattern = (
        "k{k_values}-m{rank_values}-n{n_values}.csv"
        if exhibit_of(wildcards)["kind"] == "risk-curve"
        else "{corpora}-{n_values}-m{rank_values}.csv"
    )
    return expand(results(f"scores/{wildcards.exhibit}/{pattern}"), **grid_of(wildcards))


def receipts_of(wildcards):
    """Return the receipts of an exhibit's corpora."""
    return expand(results("corpora/{corpus}.json"), corpus=exhibit_of(wildcards).get("corpora", []))


def modules(script):
    """Return the library's modules that a script of the workflow depends on."""
    paths = imported_modules(f"workflow/scripts/{script}.py")
    return [os.path.relpath(path) for path in paths]


def all_scores(wildcards):
    """Return the score files of all exhibits."""
    return [
        file for name in config["exhibits"] for file in scores_of(SimpleNamespace(exhibit=name))
    ]


def page_templates():
    """Return what the page is made from."""
    return sorted(map(str, Path("src/reproduction/page/templates").iterdir()))


def computed_results():
    """Return every result of a run but its provenance and the page that shows it."""
    starts = {"risk-curve": "models/{exhibit}/k{k_values}-m{rank_values}.npz"}
    files = [
        file
        for name, exhibit in config["exhibits"].items()
        for file in expand(
            results(starts.get(exhibit["kind"], "clusters/{exhibit}/{corpora}.npz")),
            **(exhibit | {"exhibit": name}),
        )
    ]
    return [
        *expand(results("corpora/{corpus}.{form}"), corpus=config["corpora"], form=["npz", "json"]),
        *files,
        *all_scores(None),
        *expand(
            results("{exhibit}.{form}"), exhibit=config["exhibits"], form=["csv", "png", "svg"]
        ),
        *expand(results("{exhibit}.{form}"), exhibit=exhibits("table"), form=["md", "tex"]),
        *[
            results(name)
            for name in (
                *("theorems.csv", "claims.csv", "claims-evidence.csv", "claims-readings.csv"),
            )
        ],
        results("summary.md"),
    ]


def closing_words():
    """Say where things are, and which corpora could not be had and how to get them."""
    lines = ["", f"Figures and tables: {results('')}  (one .csv, .png and .svg for each exhibit)"]
    lines += [
        f"{config['exhibits'][name]['title']}: {results(name)}.md" for name in exhibits("table")
    ]
    lines += [f"Summary: {results('summary.md')}"]
    lines += [f"Which claims of the paper hold: {results('report.html')}"]
    for name in config["corpora"]:
        path = Path(results(f"corpora/{name}.json"))
        receipt = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if "reason" in receipt:
            lines.append(
                f"Left out: {name}, because {receipt['reason']}. To get it: {receipt['remedy']};"
                " then run again with --forcerun split_corpus"
            )
    return "\n".join(lines)


# Read here before Snakemake does it: a file that is not YAML is then told in one line.
SOURCES = check(read_sources, CONFIG_FILES)
