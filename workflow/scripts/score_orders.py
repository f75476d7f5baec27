"""Fit one model at every order to one block of text: experiments.orders.score_orders."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    from reproduction.experiments.orders import (
        COLUMNS,
        number_sentences,
        read_blocks,
        score_orders,
    )

    given, params = snakemake.wildcards, snakemake.params
    blocks = read_blocks(params.entry, params.settings, params.allow_other_hashes)
    block = blocks[int(given.block.removeprefix("block-")) - 1]
    train, test = number_sentences(*block, params.settings["least"])
    rows = score_orders(given.block, train, test, given.model, params.method, params.settings)
    write_rows(snakemake.output.scores, COLUMNS, rows)
