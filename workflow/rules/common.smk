"""What the other rules share: the checked config, names of files, and what a script depends on."""

import os
import sys
import time
from functools import cache
from pathlib import Path

from reproduction.closing import describe_run
from reproduction.corpora.receipts import was_at_hand
from reproduction.exhibits import SYNTHETIC
from reproduction.experiments.clusters import cluster_ranks
from reproduction.experiments.grid import cut_into_batches, is_of_any_order
from reproduction.trust.dependencies import imported_modules, load_catalogue

STARTED = time.time()  # of the run: its closing words name the results that are newer
CONFIG_FILES = ["config.yaml", *workflow.overwrite_configfiles]

COMPILED = load_catalogue().methods_of_group("em")  # together they run every function of EM
# The one method that compiles each other group of functions, by all that run them: a change of
# theirs fits nothing else again.
COMPILED_WITH = {
    id: load_catalogue().methods_of_group(group)[0]
    for id, record in load_catalogue().METHODS.items()
    for group in record.compiled
    if group != "em"
}
COMPILED_ALONE = tuple(dict.fromkeys(COMPILED_WITH.values()))


wildcard_constraints:
    alone="|".join(COMPILED_ALONE),
    batch="[0-9]+",
    corpus="[A-Za-z0-9-]+",
    k="[0-9]+",
    rank="[0-9]+",
    n="[0-9]+",
    words="[0-9]+|train",


if any(map(str.isspace, sys.executable)):  # Snakemake puts it into its commands as it stands
    sys.exit(
        f"error: {sys.executable}: Snakemake cannot run a Python whose path has a space; "
        "`make` installs one elsewhere"
    )


def results(path):
    """Return a path under the folder of results."""
    return f"{config['results']}/{path}"


@cache
def modules(script, *methods):
    """Return the modules that a script depends on, which fits the methods with these ids."""
    script = Path(workflow.basedir, "workflow", "scripts", f"{script}.py")
    return [os.path.relpath(path) for path in imported_modules(script, methods)]


def exhibits(*kinds):
    """Return the names of the exhibits of these kinds."""
    return [name for name, exhibit in config["exhibits"].items() if exhibit["kind"] in kinds]


def methods_of(exhibit):
    """Return the config entries of an exhibit's methods, in order."""
    return {name: config["methods"][name] for name in config["exhibits"][exhibit]["methods"]}


def without_labels(methods):
    """Return entries of methods without labels: a new label draws figures again, fits nothing."""
    return {
        name: {key: value for key, value in entry.items() if key != "label"}
        for name, entry in methods.items()
    }


def fitted_by(script, exhibit):
    """Return the modules that a script depends on, which fits the methods of an exhibit."""
    return modules(script, *sorted({entry["method"] for entry in methods_of(exhibit).values()}))


def kernels_of(methods):
    """Return the marks of what has to be compiled for these entries of ``methods``."""
    used = {COMPILED_WITH.get(entry["method"], entry["method"]) for entry in methods.values()}
    alone = sorted(used.intersection(COMPILED_ALONE))
    return [
        rules.compile_kernels.output.kernels,
        *expand(rules.compile_method.output.kernels, alone=alone),
    ]


def grid_of(exhibit):
    """Return the values of the wildcards of an exhibit's scores.

    Without a list of sizes there is one, "train": the corpus's own split. Without a rank, which
    only low-rank methods need, it is 0.
    """
    entry = config["exhibits"][exhibit]
    sizes, ranks = entry.get("n_values", ["train"]), entry.get(
        "rank_values", [entry.get("rank", 0)]
    )
    if entry["kind"] in SYNTHETIC:
        return {"exhibit": exhibit, "k": entry["k_values"], "rank": ranks, "n": sizes}
    return {"exhibit": exhibit, "words": sizes, "rank": ranks, "corpus": entry["corpora"]}


@cache
def batches_of(exhibit):
    """Return the batches of settings of a synthetic exhibit; none where each is a job alone."""
    batches = cut_into_batches(config["exhibits"][exhibit])
    return batches if any(len(batch) > 1 for batch in batches) else []


def scores_of(exhibit):
    """Return the score files of an exhibit: one for each point of its grid, or for each batch."""
    is_synthetic = exhibit in exhibits(*SYNTHETIC)
    if is_synthetic and (batches := batches_of(exhibit)):
        return expand(rules.score_batch.output, exhibit=exhibit, batch=range(len(batches)))
    scores = rules.score_trials.output if is_synthetic else rules.score_text.output
    return expand(scores, **grid_of(exhibit))


def starts_of(exhibit):
    """Return the files that an exhibit's fits start from: models, or clusters of contexts."""
    grid = grid_of(exhibit)
    if exhibit in exhibits(*SYNTHETIC):
        return [] if batches_of(exhibit) else expand(rules.draw_models.output, **grid)
    ranks = {r for rank in grid["rank"] for r in cluster_ranks(methods_of(exhibit), rank)}
    return expand(rules.cluster_text.output, **(grid | {"rank": sorted(ranks)}))


def split_of(exhibit):
    """Return how an exhibit splits a text, where it does not train on the corpus's own split."""
    entry = config["exhibits"][exhibit]
    return {key: entry[key] for key in ("test", "test_words") if key in entry}


def clusters_for(exhibit, corpus, words, rank):
    """Return the clusters that the fits of one score file start from, if any does."""
    given = {"exhibit": exhibit, "corpus": corpus, "words": words}
    ranks = cluster_ranks(methods_of(exhibit), int(rank))
    return expand(rules.cluster_text.output.clusters, rank=ranks, **given)


def receipts_of(exhibit):
    """Return the receipts of an exhibit's corpora."""
    corpora = config["exhibits"][exhibit].get("corpora", [])
    return expand(rules.split_corpus.output.receipt, corpus=corpora)


def made_of(exhibit):
    """Return what is made of an exhibit's scores: its CSV, its figure, and a table in print."""
    outputs = [*rules.summarise_exhibit.output, *rules.draw_exhibit.output]
    if exhibit in exhibits("table"):
        outputs += rules.print_table.output
    return expand(outputs, exhibit=exhibit)


def settings_of_orders(*keys):
    """Return a part of the second paper's settings: jobs run again where theirs change alone."""
    return {key: STRUCTURED.get(key) for key in keys}


def fits_of(scope, output):
    """Return what `score_order` writes for a scope; models of pairs have order two alone."""
    given = SCOPES[scope]
    return [
        file
        for name in given["methods"]
        for order in (given["orders"] if is_of_any_order(OF_ORDERS[name]) else [2])
        for file in expand(output, block=given["blocks"], model=name, order=order)
    ]


def made_in(scope):
    """Return what is computed for the second paper in a scope, but for its page."""
    outputs = [
        *rules.check_structured.output,
        *rules.draw_structured.output,
        *rules.judge_structured.output,
    ]
    made = [*rules.cut_blocks.output, *rules.count_work.output, *expand(outputs, scope=scope)]
    return made if scope in SCOPES else []


def of_readings(scores, grid):
    """Return the files of all corpora, tokenizers and splits of the multiverse."""
    return [
        file
        for corpus, tokenizers in grid["tokenizers"].items()
        for file in expand(scores, corpus=corpus, tokenizer=tokenizers, split=grid["axes"]["split"])
    ]


def shown_on_pages():
    """Return the parts of the config that the pages show."""
    keys = ("results", "methods", "exhibits", "repository")
    return {key: config[key] for key in keys if key in config}


def describe_rule(proxy):
    """Return the name and the file, from the top folder, of a rule that the page names."""
    file = Path(proxy.rule.snakefile).relative_to(workflow.basedir)
    return {"rule": proxy.rule.name, "file": file.as_posix()}


# What the pages are made from.
TEMPLATES = [
    os.path.relpath(path)
    for path in sorted(Path(workflow.basedir, "src/reproduction/page/templates").iterdir())
]


def in_lines(step, *given):
    """Take a step of checking the config; end with a line for each mistake, if there are any."""
    try:
        return step(*given)
    except ConfigError as error:
        sys.exit(str(error))


def check_whole_config():
    """Check the config, once for a run: the processes of its jobs take it as it is."""
    if workflow.is_main_process:
        in_lines(check_config, config, SOURCES)


if workflow.is_main_process:
    from reproduction.config.files import ConfigError, check_config, read_sources

    # Before Snakemake reads them itself, so that a file that is no YAML is told in one line.
    SOURCES = in_lines(read_sources, CONFIG_FILES)
