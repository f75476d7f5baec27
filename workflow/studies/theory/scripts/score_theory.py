"""Score one part of the theory."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.theory.coverage import score_intervals
    from reproduction.studies.theory.descent import score_restarts
    from reproduction.studies.theory.deviation import score_deviation
    from reproduction.studies.theory.quantisation import score_quantisation

    scorers = {
        "restarts": score_restarts,
        "quantisation": score_quantisation,
        "deviation": score_deviation,
        "intervals": score_intervals,
    }
    params, score = snakemake.params, scorers[snakemake.wildcards.part]
    write_scores(snakemake.output.scores, score(params.seed, params.settings))
