"""Read Brown in sentences."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.receipts import write_receipt
    from reproduction.studies.survey.texts import find_brown, save_texts

    params, output = snakemake.params, snakemake.output
    found = find_brown(params.corpora, params.settings, params.allow_other_hashes)
    save_texts(output.words, output.labels, found)
    write_receipt(output.receipt, {})
