"""Every figure and table of the paper, from raw data: `snakemake -j8`.

config.yaml says which exhibits there are; the rules say how each is made:

    synthetic.smk   models and KL risks      (figure 1)
    text.smk        corpora and cross-entropies   (table 1, figure 2)
    exhibits.smk    tidy CSV, figure, table in print, summary
    report.smk      a verdict on each claim of the paper, and the page that says so
    trust.smk       the hash of every result, and what computed it
"""

from snakemake.utils import min_version

min_version("9.0")


include: "workflow/rules/common.smk"


configfile: "config.yaml"


check(check_config, config, SOURCES)
forget_gaps(results("corpora"), config["corpora"])


include: "workflow/rules/synthetic.smk"
include: "workflow/rules/text.smk"
include: "workflow/rules/exhibits.smk"
include: "workflow/rules/multiverse.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/trust.smk"


rule all:
    default_target: True
    input:
        expand(results("{exhibit}.{form}"), exhibit=config["exhibits"], form=["csv", "png", "svg"]),
        expand(results("{exhibit}.{form}"), exhibit=exhibits("table"), form=["md", "tex"]),
        results("summary.md"),
        results("report.html"),
        results("manifest.json"),


onstart:
    # To count the jobs of each second, Snakemake's scheduler looks for work every second anew for
    # each job that has ended: a tenth of a core. Only the queue of a cluster needs that limit.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


onsuccess:
    print(closing_words())
