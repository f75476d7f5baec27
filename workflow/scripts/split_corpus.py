"""Find, check, cut and split one corpus: reproduction.corpora.corpus.load_corpus."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.corpus import CorpusUnavailable, load_corpus, save_corpus
    from reproduction.corpora.receipts import write_receipt

    params = snakemake.params
    try:
        corpus = load_corpus(
            snakemake.wildcards.corpus,
            params.entry,
            allow_other_hashes=params.allow_other_hashes,
        )
    except CorpusUnavailable as error:
        if params.strict:
            raise
        corpus, receipt = None, {"reason": error.reason, "remedy": error.remedy}
    else:
        receipt = corpus.receipt
    save_corpus(snakemake.output.words, corpus)
    write_receipt(snakemake.output.receipt, receipt, params.at_hand)
