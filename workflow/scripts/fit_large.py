"""Fit a model to a long text; a killed job goes on where it was: experiments.orders.score_order."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    from pathlib import Path

    from reproduction.studies.structured.orders import COLUMNS, read_block, score_order

    given, params = snakemake.wildcards, snakemake.params
    checkpoint = Path(params.checkpoint)
    train, test = read_block(snakemake.input.block)
    how = params.method, params.settings["order"], params.settings, checkpoint
    scores, _ = score_order("large", train, test, given.model, *how)
    write_rows(snakemake.output.scores, COLUMNS, scores)
    checkpoint.unlink(missing_ok=True)
