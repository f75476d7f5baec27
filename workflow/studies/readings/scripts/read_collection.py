"""Find the texts of one collection and cut them into words: studies.readings.replication."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.receipts import write_receipt
    from reproduction.corpora.sources import CorpusUnavailable
    from reproduction.studies.readings.replication import read_text, save_texts

    params, receipt, texts = snakemake.params, {}, {}
    common = {key: value for key, value in params.collection.items() if key != "texts"}
    try:
        for name, entry in params.collection["texts"].items():
            texts[name] = read_text(name, common | entry, params.words, params.allow_other_hashes)
            receipt[name] = {"words": len(texts[name]), "types": len(set(texts[name]))}
    except CorpusUnavailable as error:
        if params.strict:
            raise
        receipt, texts = {"reason": error.reason, "remedy": error.remedy}, {}
    save_texts(snakemake.output.texts, texts)
    write_receipt(snakemake.output.receipt, receipt, params.at_hand)
