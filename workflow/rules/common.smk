"""The other rules share these: the checked config, the studies, wildcards."""

import os
import sys
import time
from dataclasses import asdict
from functools import cache
from pathlib import Path

from reproduction.closing import describe_run
from reproduction.config import check_config, complete_config, list_files, or_exit
from reproduction.corpora.receipts import was_at_hand
from reproduction.interrupts import KEPT, SHELL_PREFIX, end_at_interrupts, give_token
from reproduction.methods import COMPILED_BY, groups_of
from reproduction.page.index import write_index
from reproduction.scores.plan import law_of
from reproduction.studies import STUDIES
from reproduction.study import (
    TOP,
    choose_methods,
    file_of,
    ids_of,
    plan_scopes,
    refuse_spaces,
    source_module,
    studies_of_jobs,
    without_labels,
    without_looks,
)
from reproduction.trust.dependencies import imported_modules
from reproduction.trust.manifest import OF_SCOPE

refuse_spaces()


for file in or_exit(list_files):

    configfile: file


config = or_exit(complete_config, config)  # in a module it is the caller's

if workflow.is_main_process:  # the processes of jobs take the config as it is
    end_at_interrupts()
    or_exit(check_config, config, list_files(workflow.overwrite_configfiles))

OVER = [os.path.relpath(file) for file in workflow.overwrite_configfiles]  # files put over these
STARTED = time.time()  # of the run: its closing words name the results that are newer
PLANNED = STUDIES if workflow.is_main_process else studies_of_jobs(sys.argv)
SCOPES = plan_scopes(config, PLANNED)
JOBS = {(scope.study, name): job for scope in SCOPES.values() for name, job in scope.jobs.items()}
TEXTS = {(scope.study, t.name): t for scope in SCOPES.values() for t in scope.texts}
RULES_OF_STUDIES = [
    file for study in PLANNED for file in TOP.glob(f"workflow/studies/{study}/rules.smk")
]


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
