"""Find where texts are on the map of models."""

from reproduction.jobs import logged

with logged(snakemake):
    from py_lr.structure import score_texts

    from reproduction.scores.writing import write_scores

    params, inputs = snakemake.params, {"words": snakemake.input.words}
    write_scores(snakemake.output.scores, score_texts(params.seed, inputs, {}, params.settings))
