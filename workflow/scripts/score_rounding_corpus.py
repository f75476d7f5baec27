"""Fit a corpus from a start, and from the start moved by rounding."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.corpus import read_corpus
    from reproduction.scores.writing import write_scores
    from reproduction.studies.near_optimal.rounding import score_corpus

    params, w = snakemake.params, snakemake.wildcards
    corpus = read_corpus(snakemake.input.words, w.corpus)
    how = params.methods, params.entry["rank"], params.entry["seeds"]
    rows = score_corpus(params.seed, w.exhibit, corpus, *how)
    write_scores(snakemake.output.scores, ({"exhibit": w.exhibit} | row for row in rows))
