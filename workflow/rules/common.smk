"""What the other rules share: the checked config, the studies, names of files and of modules."""

import os
import time
from dataclasses import asdict
from functools import cache
from pathlib import Path

from condprob.estimators.catalogue import METHODS, methods_of_group
from reproduction.closing import describe_run
from reproduction.config.files import check_or_exit, list_files, read_or_exit
from reproduction.corpora.receipts import was_at_hand
from reproduction.page.index import write_index
from reproduction.studies import STUDIES
from reproduction.study import choose_methods, file_of, plan_scopes, refuse_spaces, without_labels
from reproduction.trust.dependencies import imported_modules

refuse_spaces()


# The processes of jobs take the config as it is. What is wrong with it is told in a line for each,
# and before Snakemake reads the files itself, so that a file that is no YAML is, too.
FILES = [] if not workflow.is_main_process else list_files(workflow.overwrite_configfiles)
SOURCES = read_or_exit(FILES) if FILES else None


configfile: "config.yaml"


for file in list_files([])[1:]:

    configfile: file


if FILES:
    check_or_exit(config, SOURCES)

STARTED = time.time()  # of the run: its closing words name the results that are newer
SCOPES = plan_scopes(config)
JOBS = {
    (scope.study, name): job for scope in SCOPES.values() for name, job in scope.jobs.items()
}
RULES_OF_STUDIES = sorted(Path(workflow.basedir, "workflow/studies").glob("*/rules.smk"))


wildcard_constraints:
    study="|".join(STUDIES),
    scope="|".join(SCOPES),
    exhibit="[A-Za-z0-9-]+",
    corpus="[A-Za-z0-9-]+",
    k="[0-9]+",
    rank="[0-9]+",
    words="[0-9]+|train",


def results(*paths):
    """Return paths under the folder of results: one as it is, several as a list."""
    found = [f"{config['results']}/{path}" for path in paths]
    return found if len(found) != 1 else found[0]


def under(paths):
    """Return a list of paths under the folder of results."""
    return [results(path) for path in paths]


@cache
def modules(script, *methods, calls=()):
    """Return the modules that a script depends on, with what it fits and what else it calls.

    A script that one study alone has is named with it, as in ``study/script``.
    """
    study, name = os.path.split(script)
    folder = Path("studies", study) if study else ""
    path = Path(workflow.basedir, "workflow", folder, "scripts", f"{name}.py")
    found = imported_modules(path, methods, tuple(map(file_of, calls)))
    return [os.path.relpath(path) for path in found]


def ids_of(methods):
    """Return the ids of entries of methods, each once."""
    return sorted({entry["method"] for entry in methods.values()})


def kernels_of(ids):
    """Return the marks of what has to be compiled for methods with these ids."""
    groups = sorted({group for id in ids for group in METHODS[id].compiled})
    return under(f"logs/{group}.compiled" for group in groups)


def at_hand(receipt, entry):
    """Whether a text is at hand: one that was missing and has come is read, for a rule's params."""
    return was_at_hand(results(receipt), entry)


def receipts_of(scope):
    """Return the receipts of the corpora and of the exhibits of a scope."""
    found = [f"corpora/{corpus}.json" for corpus in scope.corpora]
    found += [file for exhibit in scope.exhibits.values() for file in exhibit.receipts]
    return under(dict.fromkeys(found))


def tables_of(scope):
    """Return the tables of a scope's exhibits."""
    return under(f"{scope.name}/exhibits/{name}.csv" for name in scope.exhibits)


def figures_of(scope, *forms):
    """Return the figures of a scope's exhibits, in these forms."""
    return under(f"{scope.name}/exhibits/{name}.{form}" for name in scope.exhibits for form in forms)


def made_by(name):
    """Return each result of a scope by itself, so that one that is gone is made again."""
    scope = SCOPES[name]
    return [*computed_in(scope), *pages_of(scope), results(f"{name}/manifest.json")]
