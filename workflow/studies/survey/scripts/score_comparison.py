"""Fit every method to a text, and score its test words."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.corpus import read_corpus
    from reproduction.scores.writing import write_scores
    from reproduction.studies.survey.comparison import score_text

    w, params = snakemake.wildcards, snakemake.params
    corpus = read_corpus(snakemake.input.words, w.corpus)
    rows = score_text(params.seed, corpus, w.vocabulary, params.methods, **params.settings)
    write_scores(snakemake.output.scores, rows)
