"""Cluster the contexts of a text for the starts of an exhibit: text.cluster_text."""

from reproduction.jobs import logged

with logged(snakemake.log[0]):
    import numpy as np

    from reproduction.corpora.corpus import read_corpus
    from reproduction.experiments.estimators import build_method
    from reproduction.experiments.text import cluster_text

    name = snakemake.wildcards.corpus
    exhibit = snakemake.config["exhibits"][snakemake.wildcards.exhibit]
    corpus = read_corpus(snakemake.input.words, name)
    estimators = [
        build_method(snakemake.config["methods"][method], rank)
        for method in exhibit["methods"]
        for rank in exhibit.get("rank_values", [exhibit.get("rank")])
    ]
    ranks = sorted({e.rank for e in estimators if getattr(e, "initial", None) == "clusters"})
    clusters = {}
    for words in exhibit.get("n_values", ["train"]) if corpus is not None else []:
        train = corpus.train if words == "train" else corpus.ids[:words]
        names = snakemake.params.root, snakemake.wildcards.exhibit, name
        found = cluster_text(*names, train, corpus.k, ranks, exhibit["seeds"])
        clusters |= {f"{words}-{rank}-{seed}": label for (rank, seed), label in found.items()}
    np.savez_compressed(snakemake.output.clusters, **clusters)
