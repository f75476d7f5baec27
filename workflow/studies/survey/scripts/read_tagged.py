"""Find Brown and number its tokens, with parts of speech: studies.survey.tagging_text."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.errors import have_or_tell
    from reproduction.corpora.receipts import write_receipt
    from reproduction.studies.survey.tagging_text import read_tagged, save_tagged

    params = snakemake.params
    how = params.corpora, params.section, params.allow_other_hashes
    found, receipt = have_or_tell(lambda: read_tagged(*how), params.strict)
    save_tagged(snakemake.output.tokens, found)
    write_receipt(snakemake.output.receipt, receipt, params.at_hand)
