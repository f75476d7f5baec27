"""Fit one model of one order to one block of text: experiments.orders.score_order."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    from reproduction.studies.structured.orders import COLUMNS, OF_PATHS, read_block, score_order

    given, params = snakemake.wildcards, snakemake.params
    train, test = read_block(snakemake.input.block)
    scores, path = score_order(
        given.block, train, test, given.model, params.method, int(given.order), params.settings
    )
    write_rows(snakemake.output.scores, COLUMNS, scores)
    write_rows(snakemake.output.path, OF_PATHS, path)
