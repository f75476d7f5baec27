"""Fit the methods of a job to the training words of a corpus, and score its test words."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.corpus import read_corpus
    from reproduction.scores.text import score_corpus
    from reproduction.scores.writing import write_scores

    w, params = snakemake.wildcards, snakemake.params
    corpus = read_corpus(snakemake.input.words, w.corpus)
    rows = score_corpus(params.seed, w.exhibit, corpus, params.methods, **params.sizes)
    write_scores(snakemake.output.scores, rows)
