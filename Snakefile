"""Every figure and table of the paper, from raw data: `snakemake -j8`.

config.yaml says which exhibits there are; the rules say how each is made:

    synthetic.smk   models and KL risks      (figure 1)
    text.smk        corpora and cross-entropies   (table 1, figure 2)
    exhibits.smk    tidy CSV, figure, table in print, summary
    multiverse.smk  Table 1 under every reading, and new texts (`snakemake -j8 multiverse`)
    structured.smk  a second paper, a part of it; the whole is `snakemake -j8 structured`
    report.smk      a verdict on each claim of the paper, and the page that says so
    trust.smk       the hash of every result, and what computed it
"""

from snakemake.utils import min_version

min_version("9.0")


include: "workflow/rules/common.smk"


configfile: "config.yaml"


check_whole_config()


wildcard_constraints:
    exhibit="|".join(config["exhibits"]),


include: "workflow/rules/synthetic.smk"
include: "workflow/rules/text.smk"
include: "workflow/rules/exhibits.smk"
include: "workflow/rules/multiverse.smk"
include: "workflow/rules/structured.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/trust.smk"


rule all:
    default_target: True
    input:
        # Each result by itself, so that one that is gone is made again.
        COMPUTED[""],
        PAGES[""],
        expand(rules.write_manifest.output, part=""),


onsuccess:
    print(describe_run(config["results"], STARTED, config["corpora"]))
