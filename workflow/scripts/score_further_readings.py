"""Score methods beyond the paper under every reading of one split: multiverse.further."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    from reproduction.corpora.receipts import read_receipt
    from reproduction.studies.readings.best_others import score_further_readings
    from reproduction.studies.readings.replication import SCORE_COLUMNS
    from reproduction.studies.readings.texts import read_text

    corpus, tokenizer, split = snakemake.wildcards
    params, rows = snakemake.params, []
    if "reason" not in read_receipt(snakemake.input.receipt):
        given = corpus, params.entry, tokenizer, params.words, params.allow_other_hashes
        rows = score_further_readings(
            params.root,
            (corpus, tokenizer, split),
            *read_text(*given),
            params.vocabularies,
            params.methods,
            params.rank,
            params.seeds,
        )
    write_rows(snakemake.output.scores, SCORE_COLUMNS, rows)
