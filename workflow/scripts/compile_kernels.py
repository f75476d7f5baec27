"""Compile the EM loop once: numba keeps it for the jobs that follow."""

from reproduction.jobs import logged

with logged(snakemake):
    from condprob import METHODS, draw_model, method, sample_counts

    small = {"rank": 2, "iterations": 2, "largest_rank": 2, "samples": 1}
    counts = sample_counts(draw_model(k=20, rank=2), n=200)
    for id in snakemake.params.methods:
        options = {name: small[name] for name in METHODS[id].options if name in small}
        method(id, **options).fit(counts)
