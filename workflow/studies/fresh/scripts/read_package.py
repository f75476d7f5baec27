"""Fetch a package of Debian and cut its texts into words: studies.fresh.texts."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.errors import have_or_tell
    from reproduction.corpora.receipts import write_receipt
    from reproduction.studies.fresh.texts import read_texts
    from reproduction.studies.readings.replication import save_texts

    params = snakemake.params
    how = snakemake.wildcards.package, params.entry, params.words, params.allow_other_hashes
    texts, why = have_or_tell(lambda: read_texts(*how), params.strict)
    save_texts(snakemake.output.texts, texts or {})
    told = {name: {"words": len(t), "types": len(set(t))} for name, t in (texts or {}).items()}
    write_receipt(snakemake.output.receipt, why or told, False)
