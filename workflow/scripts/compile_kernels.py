"""Compile the functions of a group of methods once: numba keeps them for the jobs that follow."""

from reproduction.jobs import logged

with logged(snakemake):
    from condprob.catalogue import compile_functions

    compile_functions(snakemake.params.methods)
