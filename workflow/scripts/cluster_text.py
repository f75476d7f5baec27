"""Cluster the contexts of a text, for the methods that start from clusters: text.cluster_text."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.corpus import read_corpus
    from reproduction.scores.text import cluster_text, save_clusters

    given, rank = snakemake.wildcards, int(snakemake.wildcards.rank)
    corpus = read_corpus(snakemake.input.words, given.corpus)
    labels = []  # of a corpus that could not be had
    if corpus is not None:
        train = corpus.train if given.words == "train" else corpus.ids[: int(given.words)]
        place = snakemake.params.root, given.exhibit, given.corpus
        labels = cluster_text(*place, train, corpus.k, rank, snakemake.params.seeds)
    save_clusters(snakemake.output.clusters, rank, labels)
