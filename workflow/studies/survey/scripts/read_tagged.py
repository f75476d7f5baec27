"""Read Brown with its tags."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.receipts import write_receipt
    from reproduction.studies.survey.texts import find_tagged, save_tagged

    params, output = snakemake.params, snakemake.output
    found = find_tagged(params.corpora, params.settings, params.allow_other_hashes)
    save_tagged(output.tagged, found)
    write_receipt(output.receipt, {})
