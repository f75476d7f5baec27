"""The other rules share these: the checked config, the studies, wildcards."""

import os
import time
from dataclasses import asdict
from functools import cache
from pathlib import Path

from reproduction.closing import describe_run
from reproduction.config.__main__ import check_exhibit
from reproduction.config.files import check_config, list_files, or_exit, read_sources
from reproduction.corpora.receipts import was_at_hand
from reproduction.methods import COMPILED_BY, groups_of
from reproduction.page.index import write_index
from reproduction.scores.plan import law_of
from reproduction.studies import STUDIES
from reproduction.study import (
    choose_methods,
    file_of,
    ids_of,
    plan_scopes,
    refuse_spaces,
    source_module,
    without_labels,
    without_title,
)
from reproduction.trust.dependencies import imported_modules
from reproduction.trust.manifest import OF_SCOPE

refuse_spaces()


# The processes of jobs take the config as it is. Here each mistake is one line, before Snakemake
# reads the files itself, so that a file that is no YAML is one line, too.
FILES = [] if not workflow.is_main_process else list_files(workflow.overwrite_configfiles)
SOURCES = or_exit(read_sources, FILES) if FILES else None


configfile: "config.yaml"


for file in list_files([])[1:]:

    configfile: file


if FILES:
    or_exit(check_config, config, SOURCES)
    for target in sys.argv[1:]:  # a name that does not exist is one line, too
        if target.startswith("exhibit_"):
            or_exit(check_exhibit, target.removeprefix("exhibit_"), config)

OVER = [os.path.relpath(file) for file in workflow.overwrite_configfiles]  # files put over these
STARTED = time.time()  # of the run: its closing words name the results that are newer
SCOPES = plan_scopes(config)
JOBS = {(scope.study, name): job for scope in SCOPES.values() for name, job in scope.jobs.items()}
TEXTS = {(scope.study, t.name): t for scope in SCOPES.values() for t in scope.texts}
RULES_OF_STUDIES = sorted(Path(workflow.basedir, "workflow/studies").glob("*/rules.smk"))


# The light ones, which run where Snakemake runs.
localrules:
    split_corpus,
    tabulate_exhibit,
    draw_exhibit,
    print_table,
    judge_claims,
    write_page,
    write_provenance,
    write_manifest,


wildcard_constraints:
    study="|".join(STUDIES),
    scope="|".join(SCOPES),
    exhibit="[A-Za-z0-9-]+",
    corpus="[A-Za-z0-9-]+",
    k="[0-9]+",
    rank="[0-9]+",
