"""Score PY-LR on a text with each constant changed."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.corpus import read_corpus
    from reproduction.scores.writing import write_scores
    from reproduction.studies.beyond.constants import score_text

    params = snakemake.params
    corpus = read_corpus(snakemake.input.words, snakemake.wildcards.corpus)
    rows = score_text(params.seed, corpus, params.changes, **params.settings)
    write_scores(snakemake.output.scores, rows)
