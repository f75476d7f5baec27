"""Find the texts of a study, and write them: the functions that its plan names (`study.Texts`)."""

from reproduction.jobs import logged, tell

with logged(snakemake):
    from reproduction.corpora.errors import have_or_tell
    from reproduction.corpora.receipts import say_left_out, write_receipt
    from reproduction.study import load_function

    params, texts = snakemake.params, snakemake.params.texts
    find, save = load_function(texts["find"]), load_function(texts["save"])
    how = texts["entries"], texts["given"], params.allow_other_hashes
    found, why = have_or_tell(lambda: find(*how), params.strict or texts["needed"])
    receipt = save(*snakemake.output.files, found=found)
    write_receipt(snakemake.output.receipt, why or receipt, params.at_hand)
    if why:
        tell(say_left_out(texts["name"], why))
