"""Fit a model of an order to a block of text, and score its test words."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.structured.orders import score_block

    w, params = snakemake.wildcards, snakemake.params
    how = params.methods, int(w.order), params.settings
    write_scores(snakemake.output.scores, score_block(w.block, snakemake.input.block, *how))
