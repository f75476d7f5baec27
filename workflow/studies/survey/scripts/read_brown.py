"""Find Brown, cut and number its sentences: studies.survey.texts."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.errors import have_or_tell
    from reproduction.corpora.receipts import write_receipt
    from reproduction.studies.survey.texts import read_brown, save_texts

    params = snakemake.params
    how = params.corpora, params.section, params.allow_other_hashes
    found, receipt = have_or_tell(lambda: read_brown(*how), params.strict)
    save_texts(snakemake.output.words, snakemake.output.labels, found)
    write_receipt(snakemake.output.receipt, receipt, params.at_hand)
