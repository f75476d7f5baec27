"""Score KN and AD-LR on the texts of one collection: multiverse.replication."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    from reproduction.corpora.receipts import write_receipt
    from reproduction.corpora.sources import CorpusUnavailable
    from reproduction.studies.readings.replication import SCORE_COLUMNS, read_text, score_texts

    params, settings = snakemake.params, snakemake.params.settings
    receipt, texts = {}, {}
    collection = dict(params.collection)
    entries = collection.pop("texts")
    try:
        for name, entry in entries.items():
            texts[name] = read_text(
                name, collection | entry, settings["words"], params.allow_other_hashes
            )
            receipt[name] = {"words": len(texts[name]), "types": len(set(texts[name]))}
    except CorpusUnavailable as error:
        if params.strict:
            raise
        receipt, texts = {"reason": error.reason, "remedy": error.remedy}, {}
    name = snakemake.wildcards.collection
    rows = score_texts(
        params.root, name, texts, params.methods, settings["rank"], settings["seeds"]
    )
    write_rows(snakemake.output.scores, SCORE_COLUMNS, rows)
    write_receipt(snakemake.output.receipt, receipt, params.at_hand)
