"""Fit methods to the first half of each text of a collection, and score the second."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.readings.replication import score_collection

    params, name = snakemake.params, snakemake.wildcards.collection
    texts = snakemake.input.texts
    rows = score_collection(params.seed, name, texts, params.methods, params.rank, params.seeds)
    write_scores(snakemake.output.scores, rows)
