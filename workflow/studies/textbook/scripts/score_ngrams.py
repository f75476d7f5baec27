"""Fit n-grams to sentences at every order, and score other sentences."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.orders import score_orders
    from reproduction.scores.writing import write_scores

    params, words = snakemake.params, snakemake.wildcards.words
    limit = 0 if words == "all" else int(words)
    rows = score_orders(params.seed, snakemake.input.words, params.methods, params.orders, limit)
    write_scores(snakemake.output.scores, rows)
