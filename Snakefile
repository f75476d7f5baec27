"""The paper, figure by figure: `snakemake -j8`. Each further study is a target of its own.

    common.smk   the checked config, the studies, wildcards
    inputs.smk   functions that rules take their inputs from: names of files and of modules
    prepare.smk  compiled functions, texts, synthetic models, clusters
    score.smk    one job for each file of scores: models or texts, any study
    show.smk     tidy tables, figures, tables in print, summary
    judge.smk    theory on cases, a verdict on each claim, the page
    trust.smk    the hash of every result, and the machine that computed it

`snakemake -j8 readings`, or another name of reproduction.studies, makes that study; `everything` all.
"""

import os
import sys

from snakemake.utils import min_version

min_version("9.0")


# For whoever runs jobs by `--software-deployment-method apptainer`: docs/scale.md makes it.
container: "condprob.sif"


include: "workflow/rules/common.smk"
include: "workflow/rules/inputs.smk"
include: "workflow/rules/prepare.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/show.smk"
include: "workflow/rules/judge.smk"
include: "workflow/rules/trust.smk"


for rules_of_study in RULES_OF_STUDIES:

    include: rules_of_study


rule all:
    default_target: True
    input:
        made_by(next(iter(SCOPES))),


onstart:
    give_token()
    if os.name == "posix":
        shell.prefix(SHELL_PREFIX)


onsuccess:
    write_index(config["results"], SCOPES)
    print(describe_run(config["results"], STARTED, config["corpora"]))


onerror:
    print(f"{KEPT}\n", end="", file=sys.stderr)  # in one piece: another thread writes lines, too
