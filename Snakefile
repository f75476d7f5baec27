"""The paper, figure by figure: `snakemake -j8`. Each further study is a target of its own.

    common.smk   the configuration, and the texts that there are
    prepare.smk  compile_kernels, split_corpus, draw_models
    score.smk    score_models: one method, one k, one m, every n; score_corpus: one method, one corpus
    show.smk     tabulate, draw, print_table
    judge.smk    check_theory, judge_claims, write_provenance, write_page, verify
    answer.smk   why AD-LR wins: score_lead, score_training_texts, score_rounding, write_abstract

Results are made below results/; `snakemake --directory elsewhere` makes them below elsewhere/results/.
A study is a file workflow/studies/NAME/rules.smk: a `Study` for each of its targets, and a rule for
each kind of its scores. show.smk and judge.smk make the rest of it.
"""

from snakemake.utils import min_version

min_version("9.0")


container: "condprob.sif"  # for --software-deployment-method apptainer: see docs/clusters.md


include: "workflow/rules/common.smk"
include: "workflow/rules/prepare.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/show.smk"
include: "workflow/rules/judge.smk"
include: "workflow/rules/answer.smk"


for package in STUDIES_BESIDE:

    include: f"workflow/studies/{package}/rules.smk"


rule all:
    default_target: True
    input:
        STUDIES["near_optimal"].results,


for name, target in STUDIES.items():

    rule:
        name:
            name
        input:
            target.results,


rule everything:
    input:
        [target.results for target in STUDIES.values()],


for name, target in STUDIES.items():  # the texts that it lacks, where they can be fetched

    rule:
        name:
            f"{name}_texts"
        input:
            TEXTS.files(target.texts),


rule everything_texts:
    input:
        [TEXTS.files(target.texts) for target in STUDIES.values()],


if workflow.is_main_process:
    TEXTS.write(DECISION)


onstart:
    say_missing()


onsuccess:
    say_missing()
    say_changed()
    say_made()


onerror:
    print("What was made is kept: the same command goes on.", file=sys.stderr)
