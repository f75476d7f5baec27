"""Find, check, cut and split one corpus: reproduction.corpora.corpus.load_corpus."""

from reproduction.jobs import logged, tell

with logged(snakemake):
    from reproduction.corpora.corpus import load_corpus, save_corpus
    from reproduction.corpora.errors import have_or_tell
    from reproduction.corpora.receipts import say_left_out, write_receipt

    params, name = snakemake.params, snakemake.wildcards.corpus
    how = {"allow_other_hashes": params.allow_other_hashes}
    corpus, why = have_or_tell(lambda: load_corpus(name, params.entry, **how), params.strict)
    save_corpus(snakemake.output.words, corpus)
    write_receipt(snakemake.output.receipt, why or corpus.receipt, params.at_hand)
    if why:
        tell(say_left_out(name, why))
