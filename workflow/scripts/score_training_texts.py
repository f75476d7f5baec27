"""Repeat Table 1's comparison on other training texts of a corpus."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.corpus import read_corpus
    from reproduction.scores.writing import write_scores
    from reproduction.studies.near_optimal.training_texts import score_training_texts

    given, params, name = snakemake.input, snakemake.params, snakemake.wildcards.corpus
    whole = read_corpus(given.whole[0], "whole") if given.whole else None
    sizes = params.methods, params.entry["rank"], params.entry["seeds"]
    corpus = read_corpus(given.words, name)
    rows = score_training_texts(params.seed, "training-texts", corpus, whole, *sizes)
    write_scores(snakemake.output.scores, rows)
