"""Fit every method to a half of each text or table of a package."""

from reproduction.jobs import logged

with logged(snakemake):
    from py_lr.texts import score_package

    from reproduction.scores.writing import write_scores

    w, params = snakemake.wildcards, snakemake.params
    given = params.settings | {"list": w.list, "package": w.package, "kinds": params.kinds}
    inputs = {"samples": snakemake.input.samples}
    rows = score_package(params.seed, inputs, params.methods, given)
    write_scores(snakemake.output.scores, rows)
