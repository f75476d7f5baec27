"""Find the texts of one collection and cut them into words: studies.readings.replication."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.errors import have_or_tell
    from reproduction.corpora.receipts import write_receipt
    from reproduction.studies.readings.replication import read_texts, save_texts

    params = snakemake.params
    how = params.collection, params.words, params.allow_other_hashes
    texts, why = have_or_tell(lambda: read_texts(*how), params.strict)
    save_texts(snakemake.output.texts, texts or {})
    told = {name: {"words": len(t), "types": len(set(t))} for name, t in (texts or {}).items()}
    write_receipt(snakemake.output.receipt, why or told, params.at_hand)
