"""Score every method under every reading of one split: multiverse.grid.score_readings."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    from reproduction.corpora.receipts import read_receipt
    from reproduction.studies.readings.grid import SCORE_COLUMNS, score_readings
    from reproduction.studies.readings.texts import read_text

    corpus, tokenizer, split = snakemake.wildcards
    params, rows = snakemake.params, []
    if "reason" not in read_receipt(snakemake.input.receipt):
        given = corpus, params.entry, tokenizer, params.grid["words"], params.allow_other_hashes
        text = corpus, tokenizer, split
        rows = score_readings(params.root, text, *read_text(*given), params.grid)
    write_rows(snakemake.output.scores, SCORE_COLUMNS, rows)
