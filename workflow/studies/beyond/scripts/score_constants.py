"""Score PY-LR on a text with each constant changed."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.beyond.constants import score_texts

    params, corpus = snakemake.params, snakemake.wildcards.corpus
    given = params.settings | {"corpora": [corpus], "changes": params.changes}
    rows = score_texts(params.seed, {"words": [snakemake.input.words]}, {}, given)
    write_scores(snakemake.output.scores, rows)
