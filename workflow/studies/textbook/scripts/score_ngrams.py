"""Fit n-grams to sentences at every order, and score other sentences."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.orders import score_orders
    from reproduction.scores.writing import write_scores

    params, words = snakemake.params, snakemake.wildcards.words
    given = {"orders": params.orders, "words": 0 if words == "all" else int(words)}
    inputs = {"words": snakemake.input.words}
    rows = score_orders(params.seed, inputs, params.methods, given)
    write_scores(snakemake.output.scores, rows)
