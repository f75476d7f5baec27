"""Score one model of Table 1."""

from reproduction.jobs import logged

with logged(snakemake):
    from functools import partial
    from pathlib import Path

    from reproduction.scores.orders import score_orders
    from reproduction.scores.writing import write_scores
    from reproduction.studies.survey.perplexities import score_classes, score_networks

    params = snakemake.params
    scorers = {
        "words": score_orders,
        "classes": score_classes,
        "networks": partial(score_networks, checkpoint=params.checkpoint),
    }
    rows = scorers[params.of](params.seed, snakemake.input.words, params.methods, params.orders)
    write_scores(snakemake.output.scores, rows)
    Path(params.checkpoint).unlink(missing_ok=True)
