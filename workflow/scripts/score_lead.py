"""Split the losses of methods on a corpus by whether training has the word."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.corpus import read_corpus
    from reproduction.scores.writing import write_scores
    from reproduction.studies.near_optimal.lead import score_lead

    w, params = snakemake.wildcards, snakemake.params
    corpus = read_corpus(snakemake.input.words, w.corpus)
    rows = score_lead(params.seed, w.exhibit, corpus, params.methods, **params.sizes)
    write_scores(snakemake.output.scores, rows)
