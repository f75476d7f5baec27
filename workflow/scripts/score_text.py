"""Fit and score every method on one corpus, size and rank: experiments.text.score_text."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    import numpy as np

    from reproduction.corpora.corpus import read_corpus
    from reproduction.scores.columns import TEXT_COLUMNS
    from reproduction.scores.estimators import swept_options
    from reproduction.scores.text import score_text

    given, params = snakemake.wildcards, snakemake.params
    corpus = read_corpus(snakemake.input.words, given.corpus)
    clusters = {}
    for path in snakemake.input.clusters:
        with np.load(path) as file:
            clusters[int(file["rank"])] = file["labels"]
    scores = []
    if corpus is not None:
        if given.words == "train":
            train, test = corpus.train, corpus.test
        else:
            train, test = corpus.split(int(given.words), **params.split)
        scores = score_text(
            params.root,
            given.exhibit,
            given.corpus,
            int(given.rank),
            train,
            test,
            corpus.k,
            params.methods,
            params.seeds,
            clusters,
        )
    columns = [*TEXT_COLUMNS, *swept_options(snakemake.params.methods)]
    write_rows(snakemake.output.scores, columns, scores)
