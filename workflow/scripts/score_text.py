"""Fit and score every method on one corpus, size and rank: experiments.text.score_text."""

from reproduction.jobs import logged, write_rows

with logged(snakemake.log[0]):
    import numpy as np

    from reproduction.corpora.corpus import read_corpus
    from reproduction.experiments.text import TEXT_COLUMNS, score_text

    name, words = snakemake.wildcards.corpus, snakemake.wildcards.words
    corpus = read_corpus(snakemake.input.words, name)
    with np.load(snakemake.input.clusters) as file:  # written by cluster_text as size-rank-seed
        keys = [key for key in file if key.startswith(f"{words}-")]
        clusters = {tuple(map(int, key.split("-")[1:])): file[key] for key in keys}
    scores = []
    if corpus is not None:
        params = snakemake.params
        if words == "train":
            train, test = corpus.train, corpus.test
        else:
            train, test = corpus.split(int(words), params.test, params.test_words)
        scores = score_text(
            params.root,
            snakemake.wildcards.exhibit,
            name,
            int(snakemake.wildcards.rank),
            train,
            test,
            corpus.k,
            params.methods,
            params.seeds,
            clusters,
        )
    write_rows(snakemake.output.scores, TEXT_COLUMNS, scores)
