"""Score one model of Table 1."""

from reproduction.jobs import logged

with logged(snakemake):
    from pathlib import Path

    from reproduction.scores.orders import score_orders
    from reproduction.scores.writing import write_scores
    from reproduction.studies.survey.perplexities import score_classes, score_networks

    scorers = {"words": score_orders, "classes": score_classes, "networks": score_networks}
    params, inputs = snakemake.params, {"words": snakemake.input.words}
    given = {"orders": params.orders}
    if params.of == "networks":  # a fit that was killed goes on
        given["checkpoint"] = params.checkpoint
    rows = scorers[params.of](params.seed, inputs, params.methods, given)
    write_scores(snakemake.output.scores, rows)
    Path(params.checkpoint).unlink(missing_ok=True)
