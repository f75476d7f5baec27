"""Fit every method to a text, and score its test words."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.survey.comparison import score_text

    w, params = snakemake.wildcards, snakemake.params
    given = params.settings | {"corpus": w.corpus, "vocabulary": w.vocabulary}
    inputs = {"words": snakemake.input.words}
    rows = score_text(params.seed, inputs, params.methods, given)
    write_scores(snakemake.output.scores, rows)
