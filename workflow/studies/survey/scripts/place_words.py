"""Place words on a map by each method."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.survey.words import place_words

    params, given = snakemake.params, snakemake.input
    rows = place_words(params.seed, given.words, given.labels, params.methods, params.settings)
    write_scores(snakemake.output.scores, rows)
