"""Rank documents for queries by each model."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.survey.retrieval import score_retrieval

    params, tagged = snakemake.params, snakemake.input.tagged
    write_scores(snakemake.output.scores, score_retrieval(params.seed, tagged, params.settings))
