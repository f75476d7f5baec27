"""Tag words after training on few labelled ones."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.survey.tagging import score_tagging

    params, size = snakemake.params, int(snakemake.wildcards.n)
    rows = score_tagging(params.seed, snakemake.input.tagged, size, params.settings)
    write_scores(snakemake.output.scores, rows)
