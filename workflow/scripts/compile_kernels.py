"""Compile the EM loop once: numba keeps it for the jobs that follow."""

from reproduction.jobs import logged

with logged(snakemake.log[0]):
    from condprob import draw_model, method, sample_counts

    counts = sample_counts(draw_model(k=20, rank=2), n=50)
    for id in snakemake.params.methods:
        method(id, rank=2, iterations=1).fit(counts)
