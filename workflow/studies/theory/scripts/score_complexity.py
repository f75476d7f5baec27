"""Score Add-1/2-LR at growing sizes, or on the worst models that a search finds."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.theory.complexity import score_needed, score_worst

    params = snakemake.params
    score = {"needed": score_needed, "worst": score_worst}[snakemake.wildcards.part]
    write_scores(snakemake.output.scores, score(params.seed, params.settings))
