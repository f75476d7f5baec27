"""Find, check, cut and split one corpus: reproduction.corpora.corpus.load_corpus."""

from reproduction.jobs import logged

with logged(snakemake.log[0]):
    import json

    from reproduction.corpora.corpus import CorpusUnavailable, load_corpus, save_corpus

    try:
        corpus = load_corpus(
            snakemake.wildcards.corpus,
            snakemake.params.entry,
            allow_other_hashes=snakemake.params.allow_other_hashes,
        )
    except CorpusUnavailable as error:
        if snakemake.params.strict:
            raise
        corpus, receipt = None, {"reason": error.reason, "remedy": error.remedy}
    else:
        receipt = corpus.receipt
    save_corpus(snakemake.output.words, corpus)
    with open(snakemake.output.receipt, "w", encoding="utf-8") as file:
        file.write(json.dumps(receipt, indent=2, ensure_ascii=False) + "\n")
