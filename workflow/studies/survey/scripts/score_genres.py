"""Tell the genre of documents after training on few labelled ones."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.survey.genres import score_genres

    params, tagged = snakemake.params, snakemake.input.tagged
    write_scores(snakemake.output.scores, score_genres(params.seed, tagged, params.settings))
