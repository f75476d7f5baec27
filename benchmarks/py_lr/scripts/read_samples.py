"""Read the texts and tables of a package, and write them as numbers."""

from reproduction.jobs import logged

with logged(snakemake):
    from py_lr.texts import find_samples

    from reproduction.corpora.corpus import save_samples
    from reproduction.corpora.receipts import write_receipt

    params, output, name = snakemake.params, snakemake.output, snakemake.wildcards.package
    given = {"words": params.words}
    found = find_samples({name: params.entry}, given, params.allow_other_hashes)
    write_receipt(output.receipt, save_samples(output.samples, found))
