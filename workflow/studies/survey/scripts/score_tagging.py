"""Tag words after training on few labelled ones."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.survey.tagging import score_tagging

    params, inputs = snakemake.params, {"tagged": snakemake.input.tagged}
    given = params.settings | {"size": int(snakemake.wildcards.n)}
    write_scores(snakemake.output.scores, score_tagging(params.seed, inputs, {}, given))
